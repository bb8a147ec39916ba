import Scripting

/// Holds what a handler says until it is known whether it is called once more.
final class HeldOutput: ScriptOutput {
    let showsLines = true
    private let target: any ScriptOutput
    private var held: [(any ScriptOutput) -> Void] = []
    private static let most = 10_000

    init(_ target: any ScriptOutput) {
        self.target = target
    }

    func print(_ line: String) { hold { $0.print(line) } }
    func log(_ level: ScriptLogLevel, _ line: String) { hold { $0.log(level, line) } }
    func progress(_ done: Int64, of total: Int64?) {}

    private func hold(_ line: @escaping (any ScriptOutput) -> Void) {
        if held.count < Self.most { held.append(line) }
    }

    /// Forgets what was said.
    func drop() { held = [] }

    /// Hands on what was said.
    func release() {
        for line in held { line(target) }
        held = []
    }
}

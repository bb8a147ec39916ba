import Scripting

/// Holds what a handler says until it is known whether it is called once more.
final class HeldOutput: ScriptOutput {
    /// Whether it hands on at once what is said.
    private var passes = false
    var showsLines: Bool { !passes || target.showsLines }
    private let target: any ScriptOutput
    private var held: [(any ScriptOutput) -> Void] = []
    private static let most = 10_000

    init(_ target: any ScriptOutput) {
        self.target = target
    }

    func print(_ line: String) { hold { $0.print(line) } }
    func log(_ level: ScriptLogLevel, _ line: String) { hold { $0.log(level, line) } }
    func progress(_ done: Int64, of total: Int64?) {
        if passes { target.progress(done, of: total) }
    }

    /// Runs the body so that what is said is handed on at once.
    func passing<Result>(_ body: () throws -> Result) rethrows -> Result {
        passes = true
        defer { passes = false }
        return try body()
    }

    private func hold(_ line: @escaping (any ScriptOutput) -> Void) {
        if passes { return line(target) }
        if held.count < Self.most { held.append(line) }
    }

    /// How much is held.
    var count: Int { held.count }

    /// Forgets what was said, or what was said after so much of it.
    func drop(after count: Int = 0) { held.removeSubrange(count...) }

    /// Hands on what was said.
    func release() {
        for line in held { line(target) }
        held = []
    }
}

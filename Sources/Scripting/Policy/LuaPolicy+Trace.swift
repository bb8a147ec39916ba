package import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

/// The lines that a policy's functions ran through.
package struct PolicyTrace: Sendable {
    package var lines: [TracedLine] = []
    /// Whether there were more than are kept.
    package var isCut = false

    package init() {}

    /// How many lines are kept; a loop over many loans runs through more than anybody reads.
    package static let mostLines = 2_000
}

extension LuaPolicy {
    /// Decides like ``decide(_:)`` and notes each line of the policy's functions that runs, with what the variables and
    /// fields named on it hold. It costs many times what a decision does.
    package func decideTraced(_ question: Case) -> (decision: Decision, trace: PolicyTrace) {
        // So that a policy in another currency is loaded before it is watched.
        if question.currency != loaded.currency { _ = decide(question) }
        guard let state = loaded.lua?.machine.state else { return (decide(question), PolicyTrace()) }
        let recorder = TraceRecorder(parsed)
        do {
            try state.watchLines(recorder.paths) { recorder.add($0) }
        } catch {
            return (decide(question), PolicyTrace())
        }
        let decision = decide(question)
        // What fails here has no memory; the next call fails of that too.
        try? state.stopWatching()
        return (decision, recorder.trace)
    }
}

/// Turns lines as Lua reports them into lines as people read them.
private final class TraceRecorder {
    private let reads: [String: [Int: [LineReads.Path]]]
    private(set) var trace = PolicyTrace()

    init(_ policy: ParsedPolicy) {
        reads = Dictionary(policy.chunks.map { ($0.name, LineReads($0).paths) }) { first, _ in first }
    }

    var paths: LuaState.WatchedPaths { reads.mapValues { $0.mapValues { $0.map(\.names) } } }

    /// Answers whether there is room for more.
    func add(_ line: LuaLine) -> Bool {
        let values = values(of: line)
        guard let returned = line.returned else { return begin(line, values) }
        guard let index = trace.lines.lastIndex(where: { $0.file == line.chunk && $0.line == line.line }) else {
            return true
        }
        // What a line declares and reads itself is known only when it has run.
        let known = Set(trace.lines[index].values.map(\.name))
        trace.lines[index].values += values.filter { !known.contains($0.name) }
        trace.lines[index].returned = JSON(plain: returned)
        return true
    }

    private func begin(_ line: LuaLine, _ values: [TracedLine.Value]) -> Bool {
        trace.isCut = trace.lines.count == PolicyTrace.mostLines
        guard !trace.isCut else { return false }
        trace.lines.append(TracedLine(file: line.chunk, line: line.line, values: values))
        return true
    }

    private func values(of line: LuaLine) -> [TracedLine.Value] {
        let paths = reads[line.chunk]?[line.line] ?? []
        return paths.enumerated().compactMap { index, path in
            let held: TracedLine.Held
            switch line.values[index] {
            case .value(.value(let value)):
                held = .value(value.plainText, words: value.period?.description ?? value.plainText)
            case .value(let value): held = .plain(JSON(plain: value) ?? .null)
            case .record: held = .record
            case .list(let count), .table(let count): held = .list(count)
            case nil: return nil
            }
            return TracedLine.Value(name: path.text, value: held)
        }
    }
}

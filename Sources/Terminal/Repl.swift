import LuaRuntime
import LuaSyntax
import Reports
package import Scripting

/// The interactive desk: reads statements, evaluates them, shows what they give.
package final class Repl {
    let evaluator: ScriptEvaluator
    let screen: ReplScreen
    /// All that is understood beside Lua, in the order of the help.
    let commands: [SessionCommand]
    private let storeName: String
    var lines: (any LineSource)?
    var format = ReportFormat.table
    /// The last results that were not nil, the last first.
    var results: [LuaValue] = []
    /// What the last request that was refused was told.
    var lastRefusal: LuaTable?
    /// The lines of a statement that is not complete.
    private var pending: [String] = []
    private var lineNumber = 0
    /// The line on which the last statement began, from 1.
    private var statementLine = 1
    /// What was evaluated under which name, so that an error in a function finds its line in an earlier statement.
    var sources: [String: ReplSource] = [:]
    /// The name of the last statement.
    private(set) var current = ""
    private var statements = 0
    var isOver = false

    /// - Parameter commands: what the session understands beside the commands of every session.
    package init(
        evaluator: ScriptEvaluator, screen: ReplScreen, storeName: String, commands: [SessionCommand] = []
    ) {
        self.evaluator = evaluator
        self.screen = screen
        self.storeName = storeName
        self.commands = (SessionCommand.standard + commands).sorted { $0.word < $1.word }
    }

    /// Reads and evaluates until the lines end or the user leaves.
    ///
    /// - Parameter isInteractive: an error is shown and the session goes on; otherwise it ends the session.
    /// - Returns: what ended a session that is not interactive, nil if nothing went wrong.
    package func run(lines: any LineSource, isInteractive: Bool) -> ScriptFailure? {
        self.lines = lines
        defer { self.lines = nil }
        if isInteractive {
            screen.write("Moonshelf at \(SafeText.line(storeName)). ':help' tells what there is, Ctrl-D leaves.\n")
        }
        while !isOver {
            switch lines.next(prompt: prompt) {
            case .interrupted: pending = []
            case .end: return finish(isInteractive)
            case .line(let line):
                lineNumber += 1
                if pending.isEmpty { statementLine = lineNumber }
                if let failure = take(line, from: lines) {
                    guard isInteractive else { return failure }
                    complain(failure)
                }
            }
        }
        return nil
    }

    private var prompt: String { pending.isEmpty ? "moonshelf> " : "       ..> " }

    /// Takes a line; the failure of the statement that it completed, if there was one.
    private func take(_ line: String, from lines: any LineSource) -> ScriptFailure? {
        if pending.isEmpty {
            guard let first = line.first(where: { !$0.isWhitespace }) else { return nil }
            // `::name::` is a label of Lua.
            if first == ":" && !line.drop(while: \.isWhitespace).hasPrefix("::") {
                lines.remember(line)
                defer { statements += 1 }
                return perform(line)
            }
        }
        pending.append(line)
        let text = pending.joined(separator: "\n")
        begin(text)
        let evaluation = evaluator.evaluate(text, chunk: current)
        if case .incomplete = evaluation { return nil }
        pending = []
        statements += 1
        lines.remember(text)
        return show(evaluation)
    }

    /// Lines that end in the middle of a statement are an error unless somebody typed them.
    private func finish(_ isInteractive: Bool) -> ScriptFailure? {
        guard !pending.isEmpty, !isInteractive else { return nil }
        let text = pending.joined(separator: "\n")
        begin(text)
        return evaluator.failure(ofIncomplete: text, chunk: current)
    }

    /// The line of the session's input on which a failure came up; nil if that was in a file.
    package func inputLine(of failure: ScriptFailure) -> Int? {
        guard let file = failure.file else { return statementLine }
        return sources[file].flatMap { source in source.line.map { $0 + (failure.line ?? 1) - 1 } }
    }

    private func perform(_ line: String) -> ScriptFailure? {
        let line = line.drop(while: \.isWhitespace)
        let word = String(line.prefix { !$0.isWhitespace })
        guard let command = commands.first(where: { $0.word == word }), let action = command.action else {
            return fault(unknown(word))
        }
        return action(self, SessionWords(line.dropFirst(word.count)))
    }

    private func unknown(_ word: String) -> String {
        let hint = NameSuggestion.nearest(to: word, among: commands.map(\.word)).map { "did you mean '\($0)'?" }
        return "There is no command \(SafeText.line(word)); \(hint ?? "':help' lists what there is.")"
    }

    /// Gives a statement its name; one that is not complete yet keeps it.
    func begin(_ text: String) {
        current = "input \(statements + 1)"
        sources[current] = ReplSource(text: text, line: statementLine)
        // A pipe may bring any number of statements.
        sources["input \(statements + 1 - Repl.keptSources)"] = nil
    }

    private static let keptSources = 10_000

    /// A failure in words of our own.
    func fault(_ message: String) -> ScriptFailure { ScriptFailure(LuaHostError(message)) }
}

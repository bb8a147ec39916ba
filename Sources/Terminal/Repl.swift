import Circulation
import LuaRuntime
import Reports
package import Scripting

/// How a session looks and where it writes.
package struct ReplScreen {
    /// The terminal's columns; nil for a file or pipe.
    package var width: Int?
    package var usesColour: Bool
    let write: (String) -> Void
    let complain: (String) -> Void

    package init(
        width: Int?, usesColour: Bool, write: @escaping (String) -> Void, complain: @escaping (String) -> Void
    ) {
        self.width = width
        self.usesColour = usesColour
        self.write = write
        self.complain = complain
    }
}

/// The interactive desk: reads statements, evaluates them, shows what they give.
package final class Repl {
    private let evaluator: ScriptEvaluator
    private let screen: ReplScreen
    private let storeName: String
    /// The lines of a statement that is not complete.
    private var pending: [String] = []
    private var lineNumber = 0
    /// The line on which the last statement began, from 1.
    package private(set) var statementLine = 1
    private var isOver = false

    package init(evaluator: ScriptEvaluator, screen: ReplScreen, storeName: String) {
        self.evaluator = evaluator
        self.screen = screen
        self.storeName = storeName
    }

    /// Reads and evaluates until the lines end or the user leaves.
    ///
    /// - Parameter isInteractive: an error is shown and the session goes on; otherwise it ends the session.
    /// - Returns: what ended a session that is not interactive, nil if nothing went wrong.
    package func run(lines: any LineSource, isInteractive: Bool) -> ScriptFailure? {
        if isInteractive {
            screen.write("Moonshelf at \(storeName). ':help' tells what there is, Ctrl-D leaves.\n")
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
                    show(failure)
                }
            }
        }
        return nil
    }

    /// What can stand at the cursor.
    package func complete(_ line: String, _ cursor: Int) -> Completion {
        let head = String(decoding: line.utf8.prefix(cursor), as: UTF8.self)
        if head.hasPrefix(":") && !head.contains(" ") {
            return Completion(typed: head, among: ReplCommand.all.map(\.word))
        }
        let word = String(head.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.reversed())
        guard !word.isEmpty else { return .none }
        return Completion(typed: word, among: KnownNames.script.completions(of: word))
    }

    private var prompt: String { pending.isEmpty ? "moonshelf> " : "       ..> " }

    /// Takes a line; the failure of the statement that it completed, if there was one.
    private func take(_ line: String, from lines: any LineSource) -> ScriptFailure? {
        if pending.isEmpty {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { return nil }
            if first.hasPrefix(":") {
                lines.remember(line)
                command(first, Array(words.dropFirst()))
                return nil
            }
        }
        pending.append(line)
        let text = pending.joined(separator: "\n")
        switch evaluator.evaluate(text, chunk: "input") {
        case .incomplete: return nil
        case .values(let values):
            pending = []
            lines.remember(text)
            show(values)
            return nil
        case .failed(let failure):
            pending = []
            lines.remember(text)
            return failure
        }
    }

    /// Lines that end in the middle of a statement are an error unless somebody typed them.
    private func finish(_ isInteractive: Bool) -> ScriptFailure? {
        guard !pending.isEmpty, !isInteractive else { return nil }
        return evaluator.failure(ofIncomplete: pending.joined(separator: "\n"), chunk: "input")
    }
}

// MARK: - Showing

extension Repl {
    private var options: RenderOptions { RenderOptions(usesColour: screen.usesColour, width: screen.width) }

    private func show(_ values: [LuaValue]) {
        for value in values where !(values.count == 1 && value.isNil) {
            if let table = ValueTable.table(value) {
                screen.write(ReportFormat.table.render(ReportDocument(blocks: [.table(table)]), options: options))
            } else {
                screen.write(SafeText.lines(ScriptEvaluator.texts(of: [value]).joined()) + "\n")
            }
        }
    }

    private func show(_ failure: ScriptFailure) {
        let place = failure.line.map { "line \($0): " } ?? ""
        screen.complain(SafeText.lines("error: \(place)\(failure.message)"))
    }

    private func command(_ word: String, _ arguments: [String]) {
        guard let command = ReplCommand.all.first(where: { $0.word == word }) else {
            screen.complain("There is no command \(SafeText.line(word)); ':help' lists what there is.")
            return
        }
        switch command.action {
        case .quit: isOver = true
        case .help: screen.write(ReplCommand.help(arguments.first) + "\n")
        }
    }
}

/// The commands of a session, one table behind help and completion.
struct ReplCommand {
    enum Action { case help, quit }

    let word: String
    let arguments: String
    let summary: String
    let action: Action

    static let all: [ReplCommand] = [
        ReplCommand(
            word: ":help", arguments: "[NAME]", summary: "what there is, or what is known about a name", action: .help),
        ReplCommand(word: ":quit", arguments: "", summary: "leave, as Ctrl-D does", action: .quit),
    ]

    static func help(_ name: String?) -> String {
        if let name { return HelpText.about(name) ?? HelpText.unknown(name) }
        let commands = all.map { "  \("\($0.word) \($0.arguments)".padded(to: 16))  \($0.summary)" }
        return (["Commands of the session:"] + commands + ["", HelpText.overview]).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

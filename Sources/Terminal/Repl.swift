package import LineEditing
import LuaRuntime
import LuaSyntax
import Reports
package import Scripting
import TextFormats

/// The interactive desk: reads statements, evaluates them, shows what they give.
package final class Repl {
    package let evaluator: ScriptEvaluator
    let screen: ReplScreen
    /// All that is understood beside Lua, in the order of the help.
    let commands: [SessionCommand]
    /// What SQL may read.
    let views: [(name: String, summary: String, columns: [String])]
    /// What the prompt shows beside the store's name: a trial, a clock that was moved.
    package var marks: () -> [String] = { [] }
    private let store: ReplStore
    var lines: (any LineSource)?
    private(set) var isInteractive = false
    var format = ReportFormat.table
    /// The last results that were not nil, the last first.
    var results: [LuaValue] = []
    /// The refusal of the last refused request.
    var lastRefusal: LuaTable?
    /// What was evaluated in this session.
    package var session = SavedSession()
    /// The files that this session wrote, which it may write again.
    var saved: Set<String> = []
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
    /// The globals that statements of the session gave values.
    private(set) var globals: Set<String> = []
    var isOver = false

    /// - Parameters:
    ///   - commands: what the session understands beside the commands of every session.
    ///   - views: what SQL may read.
    package init(
        evaluator: ScriptEvaluator, screen: ReplScreen, store: ReplStore, commands: [SessionCommand] = [],
        views: [(name: String, summary: String, columns: [String])] = []
    ) {
        self.evaluator = evaluator
        self.screen = screen
        self.store = store
        self.views = views
        self.commands = (SessionCommand.standard + commands).sorted { $0.word < $1.word }
    }

    /// Reads and evaluates until the lines end or the user leaves.
    ///
    /// - Parameter isInteractive: an error is shown and the session goes on; otherwise it ends the session.
    /// - Returns: what ended a session that is not interactive, nil if nothing went wrong.
    package func run(lines: any LineSource, isInteractive: Bool) -> ScriptFailure? {
        self.lines = lines
        self.isInteractive = isInteractive
        defer { self.lines = nil }
        if isInteractive {
            screen.write("Moonshelf at \(SafeText.line(store.address)). ':help' tells what there is, Ctrl-D leaves.\n")
        }
        switch loop(until: { false }) {
        case .failed(let failure): return failure
        case .left, .over, .idle: return nil
        }
    }

    /// How a part of a session ended.
    package enum LoopEnding {
        /// What it waited for came about.
        case over
        /// The session is left: its lines ended.
        case left
        /// The session was idle for too long.
        case idle
        /// A session without a terminal failed.
        case failed(ScriptFailure)
    }

    /// Reads and evaluates; a command may do so within what it does.
    ///
    /// - Parameters:
    ///   - idleLimit: how long the session may be idle, in milliseconds.
    ///   - isOver: asked after each statement.
    package func loop(idleLimit: Int32? = nil, until isOver: () -> Bool) -> LoopEnding {
        guard let lines else { return .left }
        while !self.isOver && !isOver() {
            switch lines.next(prompt: prompt, idleLimit: idleLimit) {
            case .interrupted: pending = []
            case .idle: return .idle
            case .end:
                self.isOver = true
                if let failure = finish() { return .failed(failure) }
            case .line(let line):
                lineNumber += 1
                if pending.isEmpty { statementLine = lineNumber }
                if let failure = take(line, from: lines) {
                    guard isInteractive else { return .failed(failure) }
                    if failure.code == "interrupted" { lines.forgetTypedAhead() }
                    complain(failure)
                }
            }
        }
        return self.isOver ? .left : .over
    }

    private var prompt: String {
        let marks = marks()
        let text = SafeText.line(store.name) + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))") + "> "
        return pending.isEmpty ? text : String(repeating: " ", count: max(0, text.count - 4)) + "..> "
    }

    /// Takes a line; the failure of the statement that it completed, if there was one.
    private func take(_ line: String, from lines: any LineSource) -> ScriptFailure? {
        if pending.isEmpty {
            guard line.contains(where: { !$0.isWhitespace }) else { return nil }
            if Repl.isCommand(line) {
                lines.remember(line)
                defer { statements += 1 }
                let failure = perform(line)
                if failure == nil, Repl.changesMeaning(line) { session.add(line, .command) }
                return failure
            }
            if let subject = Repl.questioned(line), isInteractive {
                lines.remember(line)
                defer { statements += 1 }
                return describe(SessionWords(subject))
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
        return noting(text, evaluation).map(rememberingLocals)
    }

    /// Shows what became of a statement, and keeps in mind what a script could do again.
    func noting(_ text: String, _ evaluation: ScriptEvaluator.Evaluation) -> ScriptFailure? {
        var isRefused = false
        if case .values(let values) = evaluation { isRefused = Refused(values) != nil }
        let uses = evaluator.context.takeUses()
        let failure = show(evaluation)
        session.add(text, failure != nil ? .failed : isRefused ? .refused : .done, uses: uses)
        return failure
    }

    /// Whether statements behind a command may mean something else than before it.
    private static func changesMeaning(_ line: String) -> Bool {
        let word = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        return [":as", ":now", ":begin", ":commit", ":rollback"].contains(word)
    }

    /// Says of a name that is not there that an earlier statement had it, as a `local` of its own.
    private func rememberingLocals(_ failure: ScriptFailure) -> ScriptFailure {
        let parts = failure.message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasSuffix("there is no global "), failure.file == current,
            sources.values.contains(where: { $0.declaresLocal(String(parts[1])) })
        else { return failure }
        var told = failure
        told.message =
            "there is no global '\(parts[1])'; a 'local' lasts for its own statement, so write '\(parts[1]) = ...' to keep it"
        return told
    }

    /// `::name::` is a label of Lua.
    private static func isCommand(_ text: String) -> Bool {
        let text = text.drop(while: \.isWhitespace)
        return text.hasPrefix(":") && !text.hasPrefix("::")
    }

    /// The name before a question mark, which asks for help as in other shells; no Lua statement ends so.
    private static func questioned(_ line: String) -> Substring? {
        let text = line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        let subject = String(text.drop { $0 == "?" }.reversed().drop { $0 == "?" }.reversed())
        guard text.last == "?" || text.first == "?", !subject.isEmpty,
            InputScanner.tokens(subject).allSatisfy({ $0.kind != .comment(isOpen: true) })
        else { return nil }
        return subject[...]
    }

    /// Lines that end in the middle of a statement are an error unless they are typed at a terminal.
    private func finish() -> ScriptFailure? {
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
        noteGlobals(in: text)
        // A pipe may bring any number of statements.
        sources["input \(statements + 1 - Repl.keptSources)"] = nil
    }

    private static let keptSources = 10_000

    /// Whether Enter ends what was typed: a command, or a statement that Lua could run.
    func isComplete(_ text: String) -> Bool {
        text.allSatisfy(\.isWhitespace) || Repl.isCommand(text) || Repl.questioned(text) != nil
            || evaluator.isComplete(text)
    }

    /// The names that are given values: those that are local do no harm, they are only offered.
    func noteGlobals(in text: String) {
        guard isInteractive else { return }
        let tokens = InputScanner.tokens(text)
        for (name, next) in zip(tokens, tokens.dropFirst()) {
            if name.kind == .name && next.isSymbol("=") { globals.insert(name.text) }
            if name.text == "function" && name.kind == .keyword && next.kind == .name { globals.insert(next.text) }
        }
    }

    /// A failure in words of our own.
    package func fault(_ message: String) -> ScriptFailure { ScriptFailure(LuaHostError(message)) }

    /// Does something that needs the terminal for itself.
    package func lendingTerminal<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let lines else { return try body() }
        return try lines.lend(body)
    }
}

/// The store of a session, as the session shows it.
package struct ReplStore: Hashable, Sendable {
    /// The whole address, for the greeting.
    package let address: String
    /// A short name, for the prompt.
    package let name: String

    package init(address: String, name: String) {
        self.address = address
        self.name = name
    }
}

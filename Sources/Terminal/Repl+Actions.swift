import Circulation
import Foundation
import LineEditing
import LuaRuntime
import Reports
import Scripting
import TextFormats

/// What the commands of every session do.
extension Repl {
    func quit() -> ScriptFailure? {
        isOver = true
        return nil
    }

    func help(_ words: SessionWords) -> ScriptFailure? {
        emit(broken(helpText(words.words.first)))
        return nil
    }

    private func helpText(_ name: String?) -> String {
        if let name {
            if let command = commands.first(where: { $0.word == name || $0.word == ":" + name && !isKnown(name) }) {
                return "\(command.word) \(command.arguments)\n  \(command.summary)"
            }
            return HelpText.about(name, in: evaluator.context.api) ?? HelpText.unknown(name)
        }
        func line(_ command: SessionCommand) -> String {
            "  " + "\(command.word) \(command.arguments)".padded(to: 20) + "  " + command.summary
        }
        return
            (["Commands of the session:"] + commands.map(line) + ["", "Results:"] + SessionCommand.results.map(line)
            + ["", HelpText.overview]).joined(separator: "\n")
    }

    private func isKnown(_ name: String) -> Bool { HelpText.about(name) != nil }

    /// Evaluates an expression and describes its results.
    func describe(_ words: SessionWords) -> ScriptFailure? {
        guard !words.text.isEmpty else { return fault("Name a value: ':describe patrons.get(\"ada\")'.") }
        if isKnown(words.text) { return help(words) }
        switch evaluate(words.text) {
        case .incomplete: return fault("This ends too early.")
        case .failed(let failure): return failure
        case .values(let values):
            for value in values.isEmpty ? [.nil] : values { describe(value) }
            return nil
        }
    }

    private func describe(_ value: LuaValue) {
        let description = ValueDescription(value)
        tell(SafeText.lines(description.summary))
        show(fields: description.fields)
    }

    /// Shows all details of the last refusal.
    func explain() -> ScriptFailure? {
        guard let refusal = lastRefusal else { return fault("Nothing was refused in this session.") }
        var fields: [(String, String)] = []
        func add(_ name: String, _ value: LuaValue) {
            if !value.isNil { fields.append((name, Repl.plain(value))) }
        }
        add("code", refusal["code"])
        add("message", refusal["message"])
        if let place = Refused.place(refusal["where"]) { add("decided at", .string(place)) }
        if case .string(let policy) = refusal["policy"] { add("policy", .string(String(policy.prefix(12)))) }
        add("may be overridden", .string(refusal["may_be_overridden"].booleanValue == true ? "yes" : "no"))
        if case .table(let details) = refusal["details"], case .table(let reasons) = details["reasons"] {
            for (index, reason) in reasons.array.enumerated() { add("reason \(index + 1)", .string(Repl.text(reason))) }
        }
        show(fields: fields)
        return nil
    }

    private static func text(_ reason: LuaValue) -> String {
        guard case .table(let reason) = reason else { return plain(reason) }
        let place = Refused.place(reason["where"]).map { " (\($0))" } ?? ""
        let figures = reason["figures"].isNil ? "" : " \(plain(reason["figures"]))"
        return "\(plain(reason["code"])): \(plain(reason["message"]))\(place)\(figures)"
    }

    /// Evaluates a file among the session's globals.
    func load(_ words: SessionWords) -> ScriptFailure? {
        guard let path = words.words.first else { return fault("Name a file: ':load FILE'.") }
        guard let data = FileManager.default.contents(atPath: path) else { return fault("There is no file \(path).") }
        guard let text = String(validating: data, as: UTF8.self) else { return fault("\(path) is not UTF-8 text.") }
        sources[path] = ReplSource(text: text, line: nil)
        noteGlobals(in: text)
        let evaluation = evaluator.evaluate(text, chunk: path)
        if case .incomplete = evaluation { return evaluator.failure(ofIncomplete: text, chunk: path) }
        return noting(text, evaluation)
    }

    /// Evaluates what stands behind a command, as a statement of its own.
    func evaluate(_ text: String) -> ScriptEvaluator.Evaluation {
        begin(text)
        return evaluator.evaluate(text, chunk: current)
    }

    func time(_ words: SessionWords) -> ScriptFailure? {
        let clock = ContinuousClock()
        let start = clock.now
        let evaluation = evaluate(words.text)
        let passed = clock.now - start
        if case .incomplete = evaluation { return fault("This ends too early.") }
        if let failure = noting(words.text, evaluation) { return failure }
        let milliseconds = Double(passed.components.seconds) * 1000 + Double(passed.components.attoseconds) / 1e15
        screen.write("\(String(format: "%.2f", milliseconds)) ms\n")
        return nil
    }

    func setFormat(_ words: SessionWords) -> ScriptFailure? {
        guard let name = words.words.first else {
            screen.write(format.rawValue + "\n")
            return nil
        }
        guard let format = ReportFormat(rawValue: name) else {
            let names = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            return fault("There is no format '\(SafeText.line(name))'; there are \(names).")
        }
        self.format = format
        return nil
    }

    func listHistory(_ words: SessionWords) -> ScriptFailure? {
        guard let count = words.words.first.map({ Int($0) }) ?? 20, (1...100_000).contains(count) else {
            return fault("':history' takes a number of statements.")
        }
        emit((lines?.statements(last: count) ?? []).map { SafeText.lines($0) }.joined(separator: "\n"))
        return nil
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

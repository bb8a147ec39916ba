import LineEditing
import LuaRuntime
import LuaSyntax
import Reports
import Scripting

extension SessionCommand {
    /// What every session understands.
    static var standard: [SessionCommand] {
        [
            SessionCommand(":help", "[NAME]", "what there is, or what is known about a name", completing: .names) {
                $0.help($1)
            },
            SessionCommand(
                ":describe", "VALUE", "what a value is: its type, its fields and what they mean", completing: .names
            ) { $0.describe($1) },
            SessionCommand(":explain", "", "why the last request was refused, and by which rule") { repl, _ in
                repl.explain()
            },
            SessionCommand(":load", "FILE", "evaluate a file here; its globals stay", completing: .files()) {
                $0.load($1)
            },
            SessionCommand(
                ":edit", "[FILE]", "edit the last statement in $EDITOR, or a file that is loaded then",
                completing: .files()
            ) { $0.edit($1) },
            SessionCommand(
                ":save", "FILE", "write the statements of this session as a script", completing: .files()
            ) { $0.save($1) },
            SessionCommand(":time", "STATEMENT", "evaluate it and tell how long it took", completing: .names) {
                $0.time($1)
            },
            SessionCommand(
                ":profile", "STATEMENT", "evaluate it and tell where the time went", completing: .names
            ) { $0.profile($1) },
            SessionCommand(
                ":format", "[FORMAT]",
                "how results are written: \(ReportFormat.allCases.map(\.rawValue).joined(separator: " "))",
                completing: .actions(ReportFormat.allCases.map { Completion.Candidate($0.rawValue) }) { _ in [] }
            ) { $0.setFormat($1) },
            SessionCommand(":history", "[COUNT]", "the last statements, 20 by default") {
                $0.listHistory($1)
            },
            SessionCommand(":schema", "[VIEW]", "what SQL may read, or the columns of a view", completing: .sql) {
                $0.schema($1)
            },
            SessionCommand(":sql", "STATEMENT", "ask the store in SQL", completing: .sql) { $0.sql($1) },
            SessionCommand(":quit", "", "leave, as Ctrl-D does") { repl, _ in repl.quit() },
        ]
    }

    /// What statements find of the results before them.
    static var results: [SessionCommand] {
        [
            SessionCommand("_", "", "the last result that was not nil"),
            SessionCommand("_1, _2", "", "the result before it, and the one before that"),
        ]
    }
}

import Circulation
import Desk
import LuaRuntime

/// Runs a script in a transaction that is undone, and says by the events what it would have changed.
enum DryRun {
    static func run(
        in context: ScriptContext, _ body: () throws -> [LuaValue]
    ) throws -> (values: [LuaValue], changes: Changes) {
        try context.rehearsing { session in
            let before = try session.events.last()
            let values = try body()
            return (values, try changes(since: before, in: session))
        }
    }

    /// What would change: to the letter for a program, and as people read it.
    struct Changes {
        var exact: ReportTable
        var forReading: ReportTable
    }

    private static func changes(since sequence: Int64, in session: DeskSession) throws -> Changes {
        var reading = DryRunReading(session: session)
        var table = ReportTable(
            title: "What would change",
            columns: [
                ReportColumn(name: "change"), ReportColumn(name: "patron", type: .integer),
                ReportColumn(name: "copy", type: .integer), ReportColumn(name: "loan", type: .integer),
                ReportColumn(name: "details"),
            ])
        try session.events.each(EventQuery(since: sequence)) { event in
            let ids = [event.patron, event.copy, event.loan].map { $0.map(ReportValue.integer) ?? .none }
            table.append([.text(event.kind)] + ids + [.text(event.payload)])
            try reading.add(event)
            return true
        }
        return Changes(exact: table, forReading: reading.table)
    }
}

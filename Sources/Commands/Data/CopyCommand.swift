import ArgumentParser
import Circulation
import Desk
import Foundation
import Storage
import TextFormats

/// `moonshelf copy FROM TO`
struct CopyCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a whole store into an empty one, of the same database or another.",
        discussion: """
            Everything goes over as it is: ids, events, decisions, policies. Others may go on working with FROM: what is \
            copied is the store as it stands when the copy begins. TO is a place where there is nothing, or a store \
            as init leaves it; it holds all at the end or nothing at all. For PostgreSQL the database must be there.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The store to copy: sqlite:PATH or postgres://...", valueName: "FROM"))
    var source: String

    @Argument(help: ArgumentHelp("Where to: sqlite:PATH or postgres://...", valueName: "TO"))
    var target: String

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let (from, to) = (try location(source), try location(target))
        guard from != to else { throw CommandFailure.usage("FROM and TO are the same store.") }
        let console = workplace.console
        let opened = try open(from)
        defer { try? opened.close() }
        let tables = try StoreTarget(to, replacing: .freshStore).fill(from: opened) {
            console.progress("\($0.table): \($0.rows) rows")
        }
        console.endProgress()
        let rows = tables.reduce(0) { $0 + $1.rows }
        if json {
            console.print(json: [
                "from": .string(from.description), "to": .string(to.description), "rows": .integer(Int64(rows)),
                "tables": .array(tables.map { ["name": .string($0.name), "rows": .integer(Int64($0.rows))] }),
            ])
        } else {
            console.print(SafeText.line("Copied \(rows) rows of \(tables.count) tables to \(to)."))
        }
        return .done
    }

    private func location(_ text: String) throws -> StoreLocation {
        let location = try StoreLocation(parsing: text)
        guard location != .memory else {
            throw CommandFailure.usage("A store in memory ends with the command: there is nothing to copy from or to.")
        }
        return location
    }

    private func open(_ location: StoreLocation) throws -> any Store {
        if case .postgres(let url) = location {
            return try PostgresStore.open(url, isReadOnly: true, stop: StopSignals.request)
        }
        return try SQLiteStore.open(location, mode: .readOnly, stop: StopSignals.request)
    }
}

import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange
import TextFormats

extension Exporter.Kind: ExpressibleByArgument {}

/// `moonshelf export PATH`
struct ExportCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the library, or one of its tables, to a file that import reads.",
        discussion: """
            JSON Lines hold everything; CSV holds one table. '-' as PATH is standard output. With --format \
            bitbooks, textbooksub, texttrader, swag or bookio PATH is a folder, into which the tables of that system are \
            written.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, csv, bitbooks, textbooksub, texttrader, swag, bookio
    }

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The file to write, or the folder.", valueName: "PATH"), completion: .file())
    var path: String

    @Option(
        help: ArgumentHelp(
            "json, csv, bitbooks, textbooksub, texttrader, swag or bookio; otherwise as the file's name says.",
            valueName: "FORMAT"))
    var format: Format?

    @Option(
        help: ArgumentHelp(
            "all, titles, copies, patrons, loans, holds, ledger, notices or policies.", valueName: "KIND"))
    var kind: Exporter.Kind = .all

    @Flag(help: "Say in JSON what was written.")
    var json = false

    var answersInJSON: Bool { json }
    var stopsOrderly: Bool { true }

    /// The formats that are one file, by the file extension.
    private static let endings: [String: Format] = [
        "json": .json, "jsonl": .json, "ndjson": .json, "csv": .csv,
    ]

    /// The format; for a folder, the system whose tables it contains.
    private func form() throws -> Format {
        if let format, format != .json, format != .csv { return format }
        return try FileEnding.form(of: path, chosen: format, endings: ExportCommand.endings) ?? .json
    }

    func validate() throws {
        _ = try form()
        if json && path == "-" { throw ValidationError("--json goes with a file: standard output has the export.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.reading)
        let chosen = try form()
        if chosen == .csv && !Exporter.Kind.tables.contains(kind) {
            throw CommandFailure.usage("CSV holds one table; name it with --kind titles, copies, patrons or loans.")
        }
        if chosen != .json && chosen != .csv {
            return try exportTables(chosen, of: desk, workplace.console)
        } else if path == "-" {
            try desk.read { session in
                try export(chosen, session) { workplace.console.write(String(decoding: $0, as: UTF8.self)) }
            }
        } else {
            try WholeFile.write(to: path) { handle in
                try desk.read { session in
                    try export(chosen, session) { try handle.write(contentsOf: Data($0)) }
                }
            }
            if json {
                workplace.console.print(json: [
                    "path": .string(path), "format": .string(chosen.rawValue), "kind": .string(kind.rawValue),
                    "files": .array([ExportCommand.json(of: path)]), "left_out": 0,
                ])
            }
        }
        return .done
    }

    private static func json(of path: String) -> JSON {
        var status = stat()
        return ["path": .string(path), "bytes": .integer(stat(path, &status) == 0 ? Int64(status.st_size) : 0)]
    }

    private func export(_ format: Format, _ session: DeskSession, _ write: @escaping ([UInt8]) throws -> Void) throws {
        let exporter = Exporter(session: session, write: write)
        switch format {
        case .json: try exporter.json(kind)
        case .csv: try exporter.csv(kind)
        default: break
        }
    }

    /// The tables of an older system, from one snapshot.
    private func exportTables(_ format: Format, of desk: Desk, _ console: Console) throws -> ExitStatus {
        guard kind == .all, path != "-" else {
            throw CommandFailure.usage(
                "With --format \(format.rawValue) PATH is a folder for all tables, without --kind.")
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                .cannotWrite, code: "cannot_write",
                message: "\(path) cannot be made: no folder can be there, or it may not be written.")
        }
        var files: [String] = []
        let leftOut = try desk.read { session in
            var leftOut = 0
            for table in tables(of: format, session) {
                let file = (path as NSString).appendingPathComponent(table.fileName)
                try WholeFile.write(to: file) { handle in
                    leftOut += try table.export { try handle.write(contentsOf: Data($0)) }
                }
                files.append(file)
            }
            return leftOut
        }
        if json {
            console.print(json: [
                "path": .string(path), "format": .string(format.rawValue), "kind": .string(kind.rawValue),
                "files": .array(files.map(ExportCommand.json)), "left_out": .integer(Int64(leftOut)),
            ])
        }
        if leftOut > 0 {
            console.note(
                format == .bitbooks
                    ? "\(leftOut) loans and messages have no place in these tables; they concern no ISBN."
                    : "\(leftOut) records have no place in these tables; docs/systems.md says which.")
        }
        return .done
    }

    /// A table that can be written: writes to a sink, and returns how many records have no place in it.
    private struct Table {
        var fileName: String
        var export: (@escaping ([UInt8]) throws -> Void) throws -> Int
    }

    private func tables(of format: Format, _ session: DeskSession) -> [Table] {
        guard let system = OlderSystem(rawValue: format.rawValue) else {
            let exporter = BitBooksExporter(session: session)
            return BitBooksTable.allCases.map { table in
                Table(fileName: table.fileName) { try exporter.export(table, to: $0) }
            }
        }
        let exporter = OlderExporter(session: session)
        return system.tables.map { table in Table(fileName: table.fileName) { try exporter.export(table, to: $0) } }
    }
}

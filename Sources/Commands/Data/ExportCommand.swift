import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange
import Plugins
import TextFormats

extension Exporter.Kind: ExpressibleByArgument {}

/// `moonshelf export PATH`
struct ExportCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the library, or one of its tables, to a file that import reads.",
        discussion: """
            JSON Lines hold everything; CSV holds one table. '-' as PATH is standard output. With --format \
            bitbooks, or the name of a plugin in force that writes tables, PATH is a folder, into which these are written.
            """)

    enum Format: String, CaseIterable {
        case json, csv, bitbooks
    }

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The file to write, or the folder.", valueName: "PATH"), completion: .file())
    var path: String

    @Option(
        help: ArgumentHelp(
            "json, csv, bitbooks, or a plugin in force that writes tables; otherwise as the file's name says.",
            valueName: "FORMAT"))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "all, titles, copies, patrons, loans, holds, ledger, notices or policies.", valueName: "KIND"))
    var kind: Exporter.Kind = .all

    @Flag(help: "Say in JSON what was written.")
    var json = false
    var stopsOrderly: Bool { true }

    /// The formats that are one file, by the file extension.
    private static let endings: [String: Format] = [
        "json": .json, "jsonl": .json, "ndjson": .json, "csv": .csv,
    ]

    /// The format of a file; nil: the format is of tables in a folder.
    private func form() throws -> Format? {
        let chosen = format.flatMap(Format.init)
        if format != nil, chosen == nil || chosen == .bitbooks { return nil }
        return try FileEnding.form(of: path, chosen: chosen, endings: ExportCommand.endings) ?? .json
    }

    func validate() throws {
        _ = try form()
        if json && path == "-" { throw ValidationError("--json goes with a file: standard output has the export.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.reading)
        guard let chosen = try form() else { return try exportTables(of: desk, workplace) }
        if chosen == .csv && !Exporter.Kind.tables.contains(kind) {
            throw CommandFailure.usage("CSV holds one table; name it with --kind titles, copies, patrons or loans.")
        }
        if path == "-" {
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

    /// The tables of another system, from one snapshot.
    private func exportTables(of desk: Desk, _ workplace: Workplace) throws -> ExitStatus {
        let (console, format) = (workplace.console, format ?? "")
        guard kind == .all, path != "-" else {
            throw CommandFailure.usage("With --format \(format) PATH is a folder for all tables, without --kind.")
        }
        let tables = try tables(format, of: desk, workplace)
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
            for table in tables {
                let file = (path as NSString).appendingPathComponent(table.fileName)
                try WholeFile.write(to: file) { handle in
                    leftOut += try table.export(session) { try handle.write(contentsOf: Data($0)) }
                }
                files.append(file)
            }
            return leftOut
        }
        if json {
            console.print(json: [
                "path": .string(path), "format": .string(format), "kind": .string(kind.rawValue),
                "files": .array(files.map(ExportCommand.json)), "left_out": .integer(Int64(leftOut)),
            ])
        }
        if leftOut > 0 {
            console.note(
                format == Format.bitbooks.rawValue
                    ? "\(leftOut) loans and messages have no place in these tables; they concern no ISBN."
                    : "\(leftOut) records have no place in these tables.")
        }
        return .done
    }

    /// A table that can be written: writes to a sink, and returns how many records have no place in it.
    private struct Table {
        var fileName: String
        var export: (DeskSession, @escaping ([UInt8]) throws -> Void) throws -> Int
    }

    private func tables(_ format: String, of desk: Desk, _ workplace: Workplace) throws -> [Table] {
        if format == Format.bitbooks.rawValue {
            return BitBooksTable.allCases.map { table in
                Table(fileName: table.fileName) { try BitBooksExporter(session: $0).export(table, to: $1) }
            }
        }
        let exchange = PluginExchange(
            desk: desk, clock: try workplace.clock(), output: ScriptConsole(workplace.console, showsLines: false))
        do {
            guard let exporter = try exchange.exporter(of: format) else {
                throw CommandFailure.noFormat(
                    format, among: Format.allCases.map(\.rawValue), plugins: try exchange.exporters(), does: "exports")
            }
            return exporter.files.map { file in
                Table(fileName: file.name) { session, write in
                    do {
                        return try Interruption.during { watch in
                            Result {
                                watch(try exporter.interruption)
                                return try exporter.export(file, in: session, to: write)
                            }
                        }.get()
                    } catch let fault as PluginFault {
                        throw CommandFailure(fault)
                    }
                }
            }
        } catch let fault as PluginFault {
            throw CommandFailure(fault)
        }
    }
}

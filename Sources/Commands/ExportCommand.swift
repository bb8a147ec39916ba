import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange

extension Exporter.Kind: ExpressibleByArgument {}

/// `moonshelf export PATH`
struct ExportCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the library, or one of its tables, to a file that import reads.",
        discussion: "JSON Lines hold everything; CSV holds one table. '-' as PATH is standard output.")

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, csv }

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The file to write.", valueName: "PATH"), completion: .file())
    var path: String

    @Option(help: ArgumentHelp("json or csv; otherwise as the file's name says.", valueName: "FORMAT"))
    var format: Format?

    @Option(
        help: ArgumentHelp(
            "all, titles, copies, patrons, loans, holds, ledger, notices or policies.", valueName: "KIND"))
    var kind: Exporter.Kind = .all

    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.reading)
        let chosen = format ?? (path.lowercased().hasSuffix(".csv") ? .csv : .json)
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
        }
        return .done
    }

    private func export(_ format: Format, _ session: DeskSession, _ write: @escaping ([UInt8]) throws -> Void) throws {
        let exporter = Exporter(session: session, write: write)
        switch format {
        case .json: try exporter.json(kind)
        case .csv: try exporter.csv(kind)
        }
    }
}

import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange
import Scripting
import Storage

/// `moonshelf init`
struct InitCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store, or bring an older one up to date.",
        discussion:
            "A file that is something else is left as it is. Making a store that is there already changes nothing.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Fill it with the sample library: real titles, invented people, a policy.")
    var sample = false

    @Option(help: ArgumentHelp("With --sample: lend and take back from one date to another.", valueName: "FROM..TO"))
    var history: String?

    @Option(help: ArgumentHelp("With --history: the seed of chance.", valueName: "NUMBER"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp("Where titles.csv, patrons.csv and settings.json are.", valueName: "FOLDER"),
        completion: .directory)
    var data: String?

    func validate() throws {
        if history != nil && !sample { throw ValidationError("--history goes with --sample.") }
    }

    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let store = try workplace.store(.writing, create: true)
        let desk = try workplace.desk(over: store, clock: workplace.clock())
        try desk.prepare()
        workplace.console.print("The store \(store.location) is ready.")
        if sample { try fill(store, desk, in: workplace) }
        return .done
    }

    private func fill(_ store: any Store, _ desk: Desk, in workplace: Workplace) throws {
        let sample = try SampleFiles.find(data)
        let span = try history.map(InitCommand.span)
        let importer = Importer(desk: desk, options: ImportOptions(), tally: try RowTally())
        let report = try importer.run(paths: [sample.settings, sample.titles, sample.patrons])
        guard report.rejected == 0 else {
            let problems = report.problems.map(\.description).joined(separator: "\n")
            throw CommandFailure(.badData, code: "sample", message: "The sample has bad records:\n\(problems)")
        }
        let settings = try desk.read { try $0.settings.library() }
        workplace.console.print("\(settings.name): \(report.added) records from \(sample.folder).")
        // The policy of the sample is in force since before its first loan.
        let clock: any Clock =
            try span.map { FixedClock(settings.zone.instant(of: $0.first, .midnight)) } ?? workplace.clock()
        try activate(sample.policy, on: workplace.desk(over: store, clock: clock))
        guard let span else { return }
        let past = SampleHistory(
            store: store, policies: workplace.policies, from: span.first, through: span.last, seed: seed)
        let summary = try past.make()
        workplace.console.print(
            "\(summary.days) days at the desk: \(summary.loans) loans, \(summary.returns) returns, "
                + "\(summary.refused) requests refused, \(summary.notices) notices.")
    }

    private func activate(_ path: String, on desk: Desk) throws {
        let bundle = try PolicyBundle(file: path)
        switch try desk.write({ try $0.policies.activate(bundle, note: "The sample's policy") }) {
        case .done: break
        case .refused(let refusal):
            throw CommandFailure(.scriptFailed, code: refusal.code, message: refusal.message, file: path)
        }
    }

    private static func span(_ text: String) throws -> (first: CivilDate, last: CivilDate) {
        let parts = text.split(separator: "..", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = try? CivilDate(parsing: parts[0]),
            let last = try? CivilDate(parsing: parts[1]),
            first <= last
        else {
            throw CommandFailure.usage("--history: '\(text)' is no span of dates; expected 2024-10-01..2026-10-06.")
        }
        return (first, last)
    }
}

/// Where the sample library's files are.
struct SampleFiles {
    var folder: String
    var policy: String

    var settings: String { folder + "/settings.json" }
    var titles: String { folder + "/titles.csv" }
    var patrons: String { folder + "/patrons.csv" }

    /// The folder that was named, `data` in this folder, or `data` beside or above the program.
    static func find(_ named: String?) throws -> SampleFiles {
        var candidates: [URL] = []
        if let named {
            candidates = [URL(filePath: named)]
        } else {
            candidates = [URL(filePath: "data")]
            var place = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
            if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
                place = URL(filePath: program)
            }
            for _ in 0..<5 {
                place.deleteLastPathComponent()
                candidates.append(place.appending(path: "data"))
                candidates.append(place.appending(path: "share/moonshelf/data"))
            }
        }
        for candidate in candidates {
            let folder = candidate.path(percentEncoded: false)
            let policy = candidate.deletingLastPathComponent().appending(path: "policies/university.lua")
            if FileManager.default.fileExists(atPath: folder + "/settings.json") {
                return SampleFiles(folder: folder, policy: policy.path(percentEncoded: false))
            }
        }
        throw CommandFailure.usage("The sample's files are not here; name their folder with --data.")
    }
}

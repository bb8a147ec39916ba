import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange
import Scripting
import Storage
import TextFormats

/// `moonshelf init`
struct InitCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a store, or bring an older one up to date.",
        discussion: """
            A file that is something else is left as it is. A store that is there already keeps all it holds, and what \
            its library says of itself; an older one is brought up to this version. --sample fills only a store that \
            holds nothing yet.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Fill it with the sample library: real titles, invented people, a policy.")
    var sample = false

    @Option(help: ArgumentHelp("With --sample: lend and take back from one date to another.", valueName: "FROM..TO"))
    var history: String?

    @Option(help: ArgumentHelp("With --history: the seed of chance.", valueName: "NUMBER"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Where settings.json, titles.csv and patrons.csv are, and with them copies.csv, covers and habits.json.",
            valueName: "FOLDER"),
        completion: .directory)
    var data: String?

    func validate() throws {
        if history != nil && !sample { throw ValidationError("--history goes with --sample.") }
    }

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        // Faults of the command line are reported before a store is made.
        let span = try history.map(InitCommand.span)
        let files = sample ? try SampleFiles.find(data) : nil
        let policy = try files.map { try ParsedPolicy(file: $0.policy).bundle }
        let habits = try history == nil ? nil : files?.habits()
        let store = try workplace.store(.writing, create: true)
        let desk = try workplace.desk(over: store, clock: workplace.clock())
        try desk.prepare()
        var answer = Answer(store: store.location.description)
        if let files, let policy {
            let filled = try fill(desk, from: files, policy, since: span?.first)
            answer.library = filled.library
            answer.records = (filled.records, files.folder)
            if let span, let habits {
                answer.history = try SampleHistory(
                    store: store, policies: workplace.policies, habits: habits, popular: files.popular(),
                    from: span.first, through: span.last, seed: seed
                ).make()
            }
        }
        if json { workplace.console.print(json: answer.json) } else { answer.lines.forEach(workplace.console.print) }
        return .done
    }

    /// Fills an empty store in one transaction: of two processes that do so at once, one finds it filled.
    ///
    /// - Parameter first: the day from which the policy is in force, nil: now.
    private func fill(
        _ desk: Desk, from files: SampleFiles, _ policy: PolicyBundle, since first: CivilDate?
    ) throws -> (library: LibrarySettings, records: Int) {
        let importer = Importer(desk: desk, options: ImportOptions(), tally: try RowCounter())
        func checkFresh(_ session: DeskSession) throws {
            guard try session.isFresh() else { throw CommandFailure.inUse(try session.settings.library()) }
        }
        // Pictures take a while, each in a process of its own: not for a store that is in use.
        try desk.read(checkFresh)
        let covers = try files.covers(readBy: desk)
        return try desk.write { session in
            try checkFresh(session)
            let report = try importer.run(paths: files.records, in: session)
            guard report.rejected == 0 else {
                let problems = report.problems.map(\.description).joined(separator: "\n")
                throw CommandFailure(.badData, code: "sample", message: "The sample has bad records:\n\(problems)")
            }
            for cover in covers {
                guard let title = try session.catalogue.get(.isbn(cover.isbn)) else {
                    throw CommandFailure(
                        .badData, code: "sample", message: "No title of the sample has this ISBN.", file: cover.file)
                }
                _ = try session.catalogue.setCover(of: .id(title.id), to: .success(cover.picture))
            }
            let library = try session.settings.library()
            // The policy of the sample comes into force before its first loan.
            let then = first.map { session.moved(to: library.zone.instant(of: $0, .midnight)) } ?? session
            switch try then.policies.activate(policy, note: "The sample's policy") {
            case .done: break
            case .refused(let refusal):
                throw CommandFailure(
                    .scriptFailed, code: refusal.code, message: refusal.message, file: files.policy)
            }
            return (library, report.added)
        }
    }

    private static func span(_ text: String) throws -> (first: CivilDate, last: CivilDate) {
        let parts = text.split(separator: "..", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = try? CivilDate(parsing: parts[0]),
            let last = try? CivilDate(parsing: parts[1]),
            first <= last
        else {
            throw CommandFailure.usage("--history: '\(text)' is not a span of dates; expected 2024-10-01..2026-10-06.")
        }
        return (first, last)
    }
}

extension InitCommand {
    /// What was made, as text and as JSON.
    struct Answer {
        var store: String
        var library: LibrarySettings?
        var records: (count: Int, folder: String)?
        var history: SampleHistory.Summary?

        init(store: String) {
            self.store = store
        }

        var lines: [String] {
            var lines = ["The store \(store) is ready."]
            if let library, let records {
                lines.append("\(library.name): \(records.count) records from \(records.folder).")
            }
            if let history {
                lines.append(
                    "\(history.days) days at the desk: \(history.loans) loans, \(history.returns) returns, "
                        + "\(history.holds) holds, \(history.refused) requests refused, \(history.notices) notices, "
                        + "\(history.offers) offers on the market.")
            }
            return lines.map { SafeText.line($0) }
        }

        var json: JSON {
            var object: JSONObject = ["store": .string(store), "version": .integer(SQLiteStore.currentVersion)]
            if let library, let records {
                object["sample"] = [
                    "library": .string(library.name), "records": .integer(Int64(records.count)),
                    "folder": .string(records.folder),
                ]
            }
            if let history {
                object["history"] = [
                    "days": .integer(Int64(history.days)), "loans": .integer(Int64(history.loans)),
                    "returns": .integer(Int64(history.returns)), "holds": .integer(Int64(history.holds)),
                    "refused": .integer(Int64(history.refused)), "notices": .integer(history.notices),
                    "offers": .integer(Int64(history.offers)),
                ]
            }
            return .object(object)
        }
    }
}

extension CommandFailure {
    /// The sample is invented and must not mix with real data.
    fileprivate static func inUse(_ library: LibrarySettings) -> CommandFailure {
        CommandFailure(
            .refused, code: "not_empty",
            message: "The store holds a library already, '\(library.name)': the sample was not put into it. "
                + "It goes into a store of its own: 'moonshelf --store sqlite:sample.db init --sample'.")
    }
}

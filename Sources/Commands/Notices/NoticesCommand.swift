import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf notices`
struct NoticesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notices", abstract: "Find what is overdue, remind and fine; list what was sent.",
        subcommands: [
            SweepCommand.self,
            ListCommand.self,
            NoticesPreviewCommand.self,
            NoticesRemindCommand.self,
            NoticesDeliverCommand.self,
            NoticesFailedCommand.self,
            NoticesRetryCommand.self,
        ])

    /// `moonshelf notices sweep`
    struct SweepCommand: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep",
            abstract: "Look at every open loan that is due or nearly so: post fines, write notices.",
            discussion: """
                Can be stopped at any point and run again; no patron is reminded twice and nothing is charged twice. Ends \
                with 1 if the policy failed for some loan.
                """)

        @ParentCommand var root: Moonshelf
        @OptionGroup(title: "Options of every command") var options: GlobalOptions

        @Flag(help: "Do everything, report, and undo it.")
        var dryRun = false

        @Flag(help: "Answer in JSON.") var json = false
        var stopsOrderly: Bool { true }

        func perform(in workplace: Workplace) throws -> ExitStatus {
            try workplace.refuseTrial(whenKept: !dryRun)
            let desk = try workplace.desk(.writing, onTrial: true)
            let report = dryRun ? try desk.rehearse { try $0.notices.sweep() } : try sweep(desk, workplace.console)
            let currency = try desk.read { try $0.settings.library().currency }
            let charged = Money(minorUnits: report.charged, currency: currency)
            let console = workplace.console
            if json {
                console.print(json: SweepCommand.json(report, charged))
            } else if report.hasNoPolicy {
                console.print("No policy is in force; put one into force with 'moonshelf policy use FILE'.")
            } else {
                console.print(
                    "\(report.loans) loans looked at: \(report.notices) notices, \(report.charges) charges "
                        + "(\(charged) in all), \(report.superseded) stages passed over, \(report.failed) failures"
                        + (report.merged > 0 ? ", \(report.merged) notices merged" : "")
                        + (report.holdsExpired > 0 ? ", \(report.holdsExpired) holds ended" : "")
                        + (report.renewed > 0 ? ", \(report.renewed) loans renewed" : "")
                        + (report.lost > 0 ? ", \(report.lost) copies lost" : "")
                        + (dryRun ? " (tried only, nothing kept)." : "."))
                for failure in report.failures {
                    console.note(
                        SafeText.line(
                            "loan \(failure.loan), \(failure.point.rawValue): \(failure.failure.message)"))
                }
            }
            return report.failed > 0 || report.hasNoPolicy ? .refused : .done
        }

        /// Shows progress at a terminal.
        private func sweep(_ desk: Desk, _ console: Console) throws -> SweepReport {
            defer { console.endProgress() }
            let inAll = console.error.isTerminal ? try desk.read { try $0.notices.dueLoans() } : 0
            return try desk.sweep { report in
                console.progress("\(report.loans) of \(inAll) loans, \(report.notices) notices")
            }
        }

        private static func json(_ report: SweepReport, _ charged: Money) -> JSON {
            [
                "loans": .integer(report.loans), "notices": .integer(report.notices),
                "merged": .integer(report.merged), "superseded": .integer(report.superseded),
                "holds_expired": .integer(report.holdsExpired),
                "renewed": .integer(report.renewed), "lost": .integer(report.lost),
                "charges": .integer(report.charges),
                "charged": .string(charged.description), "failed": .integer(report.failed),
                "failures": .array(
                    report.failures.map {
                        [
                            "loan": .integer($0.loan), "point": .string($0.point.rawValue),
                            "code": .string($0.failure.code), "message": .string($0.failure.message),
                        ]
                    }),
            ]
        }
    }

    /// `moonshelf notices list`
    struct ListCommand: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List notices, the latest first.")

        @ParentCommand var root: Moonshelf
        @OptionGroup(title: "Options of every command") var options: GlobalOptions

        @Option(help: ArgumentHelp("Only those to this patron.", valueName: "USERNAME"))
        var patron: String?

        @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
        var limit = 50

        @Flag(help: "Only unread ones.")
        var unread = false

        @Flag(help: "Answer in JSON.") var json = false

        func validate() throws {
            if !(1...10_000).contains(limit) { throw ValidationError("--limit must be from 1 to 10000.") }
        }

        func perform(in workplace: Workplace) throws -> ExitStatus {
            let rows = try workplace.desk(.reading).read { session in
                var query = NoticeQuery()
                if unread { query.states = NoticeQuery.unreadStates }
                if let patron {
                    guard let found = try session.patrons.get(.username(patron)) else {
                        throw CommandFailure.usage("No patron is called '\(patron)'.")
                    }
                    query.patron = found.id
                }
                return try session.notices.list(query, ListPart(limit: limit)).reversed().map { notice in
                    (notice, try session.patrons.get(.id(notice.patron))?.username ?? "-")
                }
            }
            let console = workplace.console
            if json {
                console.print(json: .array(rows.map { ListCommand.json($0, username: $1) }))
            } else if rows.isEmpty {
                console.print("There are no notices.")
            } else {
                for (notice, username) in rows {
                    console.print(
                        SafeText.line(
                            "\(notice.createdAt)  \(notice.state.rawValue)  \(username)  \(notice.stage)  \(notice.subject)"
                        ))
                }
            }
            return .done
        }

        private static func json(_ notice: Notice, username: String) -> JSON {
            [
                "id": .integer(notice.id), "kind": .string(notice.kind), "patron": .string(username),
                "loan": notice.loan.map { .integer($0) } ?? .null,
                "due_at": notice.dueAt.map { .string($0.description) } ?? .null, "stage": .string(notice.stage),
                "repetition": .integer(notice.repetition), "channel": .string(notice.channel),
                "subject": .string(notice.subject), "body": .string(notice.body),
                "state": .string(notice.state.rawValue), "created_at": .string(notice.createdAt.description),
                "carried_by": notice.carriedBy.map { .integer($0) } ?? .null,
                "tries": .integer(notice.tries), "failure": notice.failure.map { .string($0) } ?? .null,
            ]
        }
    }
}

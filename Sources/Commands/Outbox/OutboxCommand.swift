import ArgumentParser
import Circulation
import Desk
import Schedule
import Secrets
import Server
import Storage
import TextFormats
import Threads

/// `moonshelf outbox`
struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Requests to servers outside: what waits, what was given up; send it, or have it sent again.",
        discussion: """
            Plugins put them there, and subscriptions to events. 'serve', 'schedule watch' and 'plugin work' send them. \
            Messages to patrons are seen to by 'moonshelf notices'.
            """,
        subcommands: [ListCommand.self, SendCommand.self, RetryCommand.self, SecretCommand.self],
        defaultSubcommand: ListCommand.self)

    /// `moonshelf outbox list`
    struct ListCommand: DeskCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what waits, the latest first.",
            discussion: "With --failed it ends with 1 if anything was given up.")

        @ParentCommand var root: Moonshelf
        @OptionGroup(title: "Options of every command") var options: GlobalOptions

        @Flag(help: "What was given up.")
        var failed = false

        @Flag(help: "What was sent in the last 30 days.")
        var sent = false

        @Option(
            help: ArgumentHelp("Only of a plugin, plugin:NAME, or of a subscription, webhook:ID.", valueName: "OWNER"))
        var of: String?

        @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
        var limit = 100

        @Flag(help: "Answer in JSON.")
        var json = false

        var answersInJSON: Bool { json }

        func validate() throws {
            if !(1...100_000).contains(limit) { throw ValidationError("--limit must be from 1 to 100000.") }
            if failed && sent { throw ValidationError("Say --failed or --sent.") }
        }

        func perform(in workplace: Workplace) throws -> ExitStatus {
            let state: OutgoingRequest.State = failed ? .failed : sent ? .sent : .queued
            let requests = try workplace.desk(.reading).read {
                try $0.outbox.list(state, of: of, limit: Int64(limit))
            }
            let console = workplace.console
            if json {
                console.print(json: .array(requests.map(Self.json)))
            } else if requests.isEmpty {
                console.print(failed ? "No request was given up." : sent ? "No request was sent." : "No request waits.")
            } else {
                for request in requests { console.print(SafeText.line(Self.line(request))) }
            }
            return failed && !requests.isEmpty ? .refused : .done
        }

        /// Without what may be secret: the query of the address, further fields, the body.
        private static func line(_ request: OutgoingRequest) -> String {
            let shown = (try? WebAddress(request.url))?.shown ?? request.place
            let tries = "\(request.tries) \(request.tries == 1 ? "try" : "tries")"
            let when =
                switch request.state {
                case .queued: request.tries == 0 ? "waits" : "tried again at \(request.dueAt) after \(tries)"
                case .sent: "sent at \(request.endedAt?.description ?? "-")"
                case .failed: "given up after \(tries)"
                }
            return "\(request.id)  \(request.owner)  \(request.method) \(shown)  \(when)"
                + (request.words.map { ": \($0)" } ?? "")
        }

        private static func json(_ request: OutgoingRequest) -> JSON {
            [
                "id": .integer(request.id), "owner": .string(request.owner), "webhook_id": .string(request.message),
                "method": .string(request.method), "url": .string((try? WebAddress(request.url))?.shown ?? ""),
                "state": .string(request.state.rawValue), "tries": .integer(request.tries),
                "created_at": .string(request.createdAt.description), "due_at": .string(request.dueAt.description),
                "ended_at": request.endedAt.map { .string($0.description) } ?? .null,
                "status": request.status.map { .integer($0) } ?? .null,
                "failure": request.failure.map { .string($0) } ?? .null,
                "message": request.words.map { .string($0) } ?? .null,
            ]
        }
    }

    /// `moonshelf outbox send`
    struct SendCommand: DeskCommand {
        static let configuration = CommandConfiguration(
            commandName: "send", abstract: "Send what is due now, then end.",
            discussion: "Several may run at once, on several machines. Ends with 1 if something did not go out.")

        @ParentCommand var root: Moonshelf
        @OptionGroup(title: "Options of every command") var options: GlobalOptions

        @Flag(help: "Answer in JSON.")
        var json = false

        var answersInJSON: Bool { json }

        func perform(in workplace: Workplace) throws -> ExitStatus {
            let stop = StopSignals.ofCommand
            StopSignals.listen(for: .command)
            let work = try OutboxWorker(workplace.desk(.writing), workplace).work { stop.signal != nil }
            let console = workplace.console
            for problem in work.problems { console.note(SafeText.line(problem)) }
            if json {
                console.print(json: [
                    "sent": .integer(work.sent), "put_off": .integer(work.putOff), "given_up": .integer(work.givenUp),
                    "problems": .array(work.problems.map { .string($0) }),
                ])
            } else {
                console.print("\(work.words).")
            }
            return work.putOff + work.givenUp > 0 ? .refused : .done
        }
    }

    /// `moonshelf outbox retry`
    struct RetryCommand: DeskCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Have requests that were given up sent again.",
            discussion: "They keep their webhook-id, by which their server knows them.")

        @ParentCommand var root: Moonshelf
        @OptionGroup(title: "Options of every command") var options: GlobalOptions

        @Argument(help: ArgumentHelp("The requests.", valueName: "ID"))
        var requests: [Int64] = []

        @Flag(help: "All that were given up.")
        var all = false

        @Flag(help: "Answer in JSON.")
        var json = false

        var answersInJSON: Bool { json }
        var stopsOrderly: Bool { true }

        func validate() throws {
            if all == !requests.isEmpty { throw ValidationError("Name the requests by their ids, or say --all.") }
        }

        func perform(in workplace: Workplace) throws -> ExitStatus {
            let count = try workplace.desk(.writing).write { session in
                try (all ? [nil] : requests.map { $0 }).reduce(Int64(0)) { count, id in
                    switch try session.outbox.retry(id) {
                    case .done(let more): return count + more
                    case .refused(let refusal):
                        throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
                    }
                }
            }
            if json {
                workplace.console.print(json: ["queued": .integer(count)])
            } else {
                workplace.console.print("\(count) queued again.")
            }
            return .done
        }
    }

    /// `moonshelf outbox secret OWNER`
    struct SecretCommand: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "secret", abstract: "Show what signs the requests of a plugin or of a subscription.",
            discussion:
                "It is made when it is first asked for or used. A program that verifies signatures needs it, and no other."
        )

        @ParentCommand var root: Moonshelf
        @OptionGroup(title: "Options of every command") var options: GlobalOptions

        @Argument(help: ArgumentHelp("plugin:NAME, webhook:ID, or script.", valueName: "OWNER"))
        var owner: String

        @Flag(help: "Answer in JSON.")
        var json = false

        func perform(in workplace: Workplace) throws -> ExitStatus {
            let secret = try workplace.desk(.writing).write { session -> String? in
                guard try session.outbox.isOwner(owner) else { return nil }
                return try session.outbox.secret(of: owner).text
            }
            guard let secret else {
                throw CommandFailure.usage(
                    "There is no '\(SafeText.line(owner))': name a plugin in force as plugin:NAME, or a subscription as webhook:ID."
                )
            }
            if json {
                workplace.console.print(json: ["owner": .string(owner), "secret": .string(secret)])
            } else {
                workplace.console.print(secret)
            }
            return .done
        }
    }
}

extension OutboxWorker {
    /// The worker of this process, with the network as it is configured.
    convenience init(_ desk: Desk, _ workplace: Workplace) throws {
        let serving = try workplace.servingSettings()
        let me = JobOwner.ofThisProcess
        let sender = try NetworkRequests(workplace.configurationFile())
        try WebhookSettings(workplace.configurationFile()).apply(at: desk, by: sender)
        self.init(
            desk: desk, sender: sender,
            source: serving.hasURL ? serving.server.url : "http://\(serving.http ?? .standard)", worker: me.text,
            presence: { me.presence(of: $0) })
    }

    /// Works beside this thread, until it is stopped.
    ///
    /// - Throws: ``CommandFailure`` for a mistake in the configuration, and where the system grants no thread.
    static func begin(_ desk: Desk, _ workplace: Workplace) throws -> WorkerThread {
        let (lines, stop) = (LineSink(workplace.console), StopSignals.ofCommand)
        let worker = try OutboxWorker(desk, workplace)
        let thread = WorkerThread(name: "outbox") {
            worker.watch(isStopped: { stop.signal != nil }, wait: { stop.wait($0) }) { work in
                for problem in work.problems { lines.note(SafeText.line(problem)) }
                if !work.isIdle { lines.print("outbox: \(work.words).") }
            }
        }
        guard let thread else {
            throw CommandFailure(.tryAgain, code: "no_thread", message: "The system grants no thread for the outbox.")
        }
        return thread
    }
}

extension OutboxWork {
    var words: String { "\(sent) sent, \(putOff) put off, \(givenUp) given up" }
}

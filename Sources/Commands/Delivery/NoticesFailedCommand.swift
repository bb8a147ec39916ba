import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf notices failed`
struct NoticesFailedCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "failed",
        abstract: "List the notices that were given up, with the reason.",
        discussion: "'moonshelf notices retry' puts them back into the queue.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
    var limit = 100

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func validate() throws {
        if !(1...100_000).contains(limit) { throw ValidationError("--limit must be from 1 to 100000.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let failed = try workplace.desk(.reading).read { try $0.notices.failed(limit: limit) }
        let console = workplace.console
        if json {
            console.print(json: .array(failed.map(Self.json)))
        } else if failed.isEmpty {
            console.print("No notice was given up.")
        } else {
            for one in failed {
                let reason = one.words.map { ": \($0)" } ?? ""
                console.print(
                    TextFolding.terminalSafe(
                        "\(one.notice.id)  \(one.notice.channel)  \(one.username)  \(one.notice.subject)  "
                            + "\(one.notice.failure ?? "failed") after \(one.notice.tries) tries\(reason)"))
            }
        }
        return .done
    }

    private static func json(_ one: FailedDelivery) -> JSON {
        [
            "id": .integer(one.notice.id), "kind": .string(one.notice.kind), "patron": .string(one.username),
            "channel": .string(one.notice.channel), "stage": .string(one.notice.stage),
            "subject": .string(one.notice.subject), "created_at": .string(one.notice.createdAt.description),
            "tries": .integer(one.notice.tries), "failure": one.notice.failure.map { .string($0) } ?? .null,
            "message": one.words.map { .string($0) } ?? .null,
        ]
    }
}

/// `moonshelf notices retry`
struct NoticesRetryCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Put notices that were given up back into the queue.",
        discussion: "They go out with the next 'moonshelf notices deliver', under the same Message-ID as before.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The notices.", valueName: "ID"))
    var notices: [Int64] = []

    @Flag(help: "All that were given up.")
    var all = false

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }
    var stopsOrderly: Bool { true }

    func validate() throws {
        if all == !notices.isEmpty { throw ValidationError("Name the notices by their ids, or say --all.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        let count = try desk.write { session in
            guard !all else { return try session.notices.retryAll() }
            for id in notices {
                if case .refused(let refusal) = try session.notices.retry(id) {
                    throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
                }
            }
            return Int64(notices.count)
        }
        let console = workplace.console
        if json { console.print(json: ["queued": .integer(count)]) } else { console.print("\(count) queued again.") }
        return .done
    }
}

import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf notices failed`
struct NoticesFailedCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "failed", abstract: "List the notices that were given up, with the reason.",
        discussion: "'moonshelf notices retry' puts them back into the queue.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
    var limit = 100

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if !(1...100_000).contains(limit) { throw ValidationError("--limit must be from 1 to 100000.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let failed = try workplace.desk(.reading).read { try $0.notices.failed(limit: limit) }
        let console = workplace.console
        if json {
            console.print(json: .array(failed.map(Self.json)))
        } else if failed.isEmpty {
            console.print("There are no undelivered notices.")
        } else {
            for one in failed {
                let words = one.tried?.words.map { ": \($0)" } ?? ""
                let reason = words + (one.tried?.mayHaveArrived == true ? " (may have arrived)" : "")
                console.print(
                    SafeText.line(
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
            "message": one.tried?.words.map { .string($0) } ?? .null,
            "mail": one.tried?.message.map { .string($0) } ?? .null,
            "may_have_arrived": .bool(one.tried?.mayHaveArrived ?? false),
        ]
    }
}

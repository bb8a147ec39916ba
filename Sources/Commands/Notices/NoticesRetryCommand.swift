import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf notices retry`
struct NoticesRetryCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Put notices that were given up back into the queue.",
        discussion: """
            They go out with the next 'moonshelf notices deliver', under the same Message-ID as before. Those that had \
            shared a mail make up mails anew; where that mail may have arrived, they go as the same mail. With --alone \
            each goes in a mail of its own, so that one that is refused keeps no other back.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The notices.", valueName: "ID"))
    var notices: [Int64] = []

    @Flag(help: "All that were given up.")
    var all = false

    @Flag(help: "Each in a mail of its own.")
    var alone = false

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    func validate() throws {
        if all == !notices.isEmpty { throw ValidationError("Name the notices by their ids, or say --all.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        let count = try desk.write { session in
            guard !all else { return try session.notices.retryAll(alone: alone) }
            for id in notices {
                _ = try session.notices.retry(id, alone: alone).orFailure()
            }
            return Int64(notices.count)
        }
        let console = workplace.console
        if json { console.print(json: ["queued": .integer(count)]) } else { console.print("\(count) queued again.") }
        return .done
    }
}

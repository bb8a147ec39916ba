import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf patrons merge FROM --into PATRON`
struct PatronsMergeCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Make one of two records of one person.",
        discussion: """
            Loans, holds, fees, messages and all else of the record that goes become those of the record that stays; name, \
            category and password of the one that goes are deleted. This cannot be undone. Merging the same two ids again \
            changes nothing.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The record that goes, by its number or username.", valueName: "PATRON"))
    var from: String

    @Option(help: ArgumentHelp("The record that stays, by its number or username.", valueName: "PATRON"))
    var into: String

    @Option(help: ArgumentHelp("Why, for the log; without the names.", valueName: "WORDS"))
    var reason = ""

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let outcome = try workplace.desk(.writing).write { session in
            try session.patrons.merge(try Self.key(from, session), into: try Self.key(into, session), reason: reason)
        }
        let merged: MergedPatron
        switch outcome {
        case .done(let done): merged = done
        case .refused(let refusal): throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        }
        let console = workplace.console
        if json {
            console.print(json: [
                "id": .integer(merged.patron.id), "username": .string(merged.patron.username),
                "owed": .string(merged.owed.description),
                "limits_exceeded": .array(merged.exceeded.map { .string($0.message) }),
            ])
        } else {
            console.print(
                SafeText.line("The records are one now: \(merged.patron.username), \(merged.owed) owed."))
            for limit in merged.exceeded { console.note(SafeText.line(limit.message)) }
        }
        return .done
    }

    /// A username comes before a number.
    private static func key(_ text: String, _ session: DeskSession) throws -> PatronKey {
        if try session.patrons.get(.username(text)) == nil, let id = Int64(text) { return .id(id) }
        return .username(text)
    }
}

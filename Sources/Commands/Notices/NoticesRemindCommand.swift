import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf notices remind`
struct NoticesRemindCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind", abstract: "Write the notice of a stage about one loan at once, by hand.",
        discussion: """
            Without --stage it is the latest stage that the loan has reached; 'moonshelf notices preview' shows its words. \
            The sweep does not say it again, and what the stage charges is charged. It goes out with the next \
            'moonshelf notices deliver'.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("The loan.", valueName: "ID"))
    var loan: Int64?

    @Option(help: ArgumentHelp("The barcode of the copy, instead of the loan.", valueName: "BARCODE"))
    var copy: String?

    @Option(help: ArgumentHelp("The stage's name.", valueName: "STAGE"))
    var stage: String?

    @Flag(help: "Also if the stage was said already; nothing is charged then.")
    var again = false

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if (loan == nil) == (copy == nil) { throw ValidationError("Name the loan by --loan or by --copy.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard let key = loan.map({ LoanKey.id($0) }) ?? copy.map({ LoanKey.barcode($0) }) else { return .wrongUsage }
        let notice = try workplace.desk(.writing).write {
            try $0.notices.remind(key, stage: stage, again: again)
        }.orFailure()
        let console = workplace.console
        if json {
            console.print(json: [
                "id": .integer(notice.id), "kind": .string(notice.kind), "stage": .string(notice.stage),
                "channel": .string(notice.channel), "subject": .string(notice.subject), "body": .string(notice.body),
                "state": .string(notice.state.rawValue),
            ])
        } else {
            console.print(
                SafeText.line("Notice \(notice.id), \(notice.stage), by \(notice.channel): \(notice.subject)"))
        }
        return .done
    }
}

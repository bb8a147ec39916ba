import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf notices preview`
struct NoticesPreviewCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Show what a stage of the policy in force would send about a loan.",
        discussion: """
            Nothing is written or sent. Where the stage merges a patron's notices, the message for all of the patron's \
            loans on the same side of their due time is shown as well.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("The loan.", valueName: "ID"))
    var loan: Int64

    @Option(help: ArgumentHelp("The stage's name.", valueName: "STAGE"))
    var stage: String

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        switch try workplace.desk(.reading, onTrial: true).read({
            try $0.notices.preview(loan: .id(loan), stage: stage)
        }) {
        case .refused(let refusal):
            throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        case .done(let preview):
            if json {
                console.print(json: NoticesPreviewCommand.json(preview))
                return .done
            }
            console.print(
                NoticesPreviewCommand.text(preview.single.channel, preview.single.subject, preview.single.body))
            if let digest = preview.digest {
                console.print("\nWith the patron's other loans, \(digest.loans.count) in all:\n")
                console.print(NoticesPreviewCommand.text(preview.single.channel, digest.subject, digest.body))
            }
            return .done
        }
    }

    private static func text(_ channel: String, _ subject: String, _ body: String) -> String {
        let lines =
            ["By \(channel): \(subject)", ""]
            + body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.map(SafeText.line).joined(separator: "\n")
    }

    private static func json(_ preview: NoticePreview) -> JSON {
        [
            "channel": .string(preview.single.channel), "stage": .string(preview.single.stage),
            "subject": .string(preview.single.subject), "body": .string(preview.single.body),
            "digest": preview.digest.map {
                [
                    "loans": .array($0.loans.map { .integer($0) }), "subject": .string($0.subject),
                    "body": .string($0.body),
                ]
            } ?? .null,
        ]
    }
}

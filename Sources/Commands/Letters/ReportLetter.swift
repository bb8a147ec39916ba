import Circulation
import Languages
import Outbound

/// What is mailed of a report that was run by hand.
enum ReportLetter {
    /// - Parameters:
    ///   - name: what the script is called, which stands in for the title of a report without one.
    ///   - text: the report as the text of the mail; nil: it is attached.
    static func letter(
        _ document: ReportDocument, _ name: String, text: String?, attached: MailMessage.Attachment?,
        in language: Language
    ) -> Letter {
        let subject = document.title.isEmpty ? name : document.title
        let note = attached.map { [language.text(of: JobLetter.attached($0.name))] } ?? []
        let lines = text.map { [$0] } ?? [subject, ""] + note
        return Letter(subject, of: text == nil ? document.library ?? "" : "", lines: lines, attached: attached)
    }
}

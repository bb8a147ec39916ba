import Circulation
import Languages
import Outbound
import TextFormats

/// A mail that is no notice, in the words of the catalogues. All of them are made in this folder.
struct Letter: Hashable {
    var subject: String
    var text: String
    /// The same in HTML; nil: plain text alone.
    var html: String?
    var attached: MailMessage.Attachment?

    /// No name of a library takes more of a line.
    private static let longestName = 120

    /// The name of a library as letters have it, on one line.
    static func head(_ library: String) -> String { String(SafeText.line(library).prefix(longestName)) }

    /// A letter to a person, as plain text and as a page, under the library's name.
    ///
    /// - Parameter paragraphs: in the language already.
    init(_ subject: Phrase, of library: String, in language: Language, _ paragraphs: [String]) {
        let head = Self.head(library)
        let words = language.text(of: subject)
        self.subject = head.isEmpty ? words : language.text(of: "\(head): \(subject)")
        let text = MailText((head.isEmpty ? [] : [.head(head)]) + paragraphs.map { .text($0) })
        self.text = text.plain
        html = text.html(
            title: self.subject, language: language.code, isRightToLeft: language.direction == .rightToLeft)
    }

    /// A letter whose lines are those of a report or of a program, as plain text: no program for mail is to break them.
    init(_ subject: String, of library: String, lines: [String], attached: MailMessage.Attachment?) {
        let head = Self.head(library)
        self.subject = subject
        let whole = ((head.isEmpty ? [] : [head, ""]) + lines).joined(separator: "\n")
        text = whole.last?.isNewline == true ? whole : whole + "\n"
        self.attached = attached
    }
}

extension Language {
    /// `24 December 2026, 18:00`
    func moment(_ date: CivilDate, _ time: CivilTime?) -> String {
        let day = self.date(year: date.year, month: date.month, day: date.day)
        guard let time else { return day }
        return text(of: "\(day), \(time.description.prefix(5))")
    }

    /// `24 December 2026, 18:00`, by the clocks of a zone.
    func moment(_ instant: Instant, _ zone: Zone) -> String {
        let (date, time) = zone.local(of: instant)
        return moment(date, time)
    }
}

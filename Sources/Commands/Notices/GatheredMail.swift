import Circulation
import Desk
import Languages
import Outbound
import TextFormats

/// A message that has several notices of a patron, in their language: what they are about, by kinds, and then each in the words that
/// the library has for it.
struct GatheredMail {
    let subject: String
    let text: MailText

    /// No name of a title takes more of a line.
    private static let longestName = 120

    init(_ gathered: GatheredNotices, to patron: Patron, in language: Language) {
        let library = Self.cut(gathered.library)
        let count = Phrase.count(Int64(gathered.subjects.count), "notice", "notices")
        // Words between two values, such as "from", would fit sentences of others that a catalogue does not know.
        subject = library.isEmpty ? language.text(of: count) : language.text(of: "\(library): \(count)")
        var blocks: [MailText.Block] = library.isEmpty ? [] : [.head(library)]
        let name = Self.cut(patron.name)
        if !name.isEmpty { blocks.append(.text(language.text(of: "Dear \(name),"))) }
        blocks.append(.text(language.text(of: "We have the following notices for you:")))
        for kind in GatheredKind.allCases {
            let subjects = gathered.subjects.filter { $0.kind == kind }
            guard !subjects.isEmpty else { continue }
            blocks.append(.heading("\(language.text(of: Phrase(kind.words))) (\(subjects.count))"))
            blocks.append(.list(subjects.map { Self.line($0, in: language) }))
        }
        blocks.append(.heading(language.text(of: "Your notices in full")))
        blocks += gathered.notices.flatMap { notice -> [MailText.Block] in
            [
                .subheading(SafeText.line(language.sentence(notice.subject))),
                .text(language.sentence(notice.body)),
            ]
        }
        text = MailText(blocks)
    }

    /// `Dune (30012345), due on 24 December 2026`
    private static func line(_ subject: NoticeSubject, in language: Language) -> String {
        let name = named(subject, in: language)
        guard let date = subject.date else { return name }
        let when = language.moment(date, subject.time)
        return subject.kind == .holdReady
            ? language.text(
                of: "\(name), ready for pickup until \(when)") : language.text(of: "\(name), due on \(when)")
    }

    /// `Dune (30012345)`
    private static func named(_ subject: NoticeSubject, in language: Language) -> String {
        let name = apart(cut(language.sentence(subject.name)), in: language)
        guard let barcode = subject.barcode, !barcode.isEmpty else { return name }
        return "\(name) (\(cut(barcode)))"
    }

    /// On one line, without what turns the direction of what follows, and no longer than a line can be.
    private static func cut(_ text: String) -> String {
        let line = SafeText.line(text)
        return line.count > longestName ? line.prefix(longestName - 1) + "…" : line
    }

    /// A name whose letters run the other way keeps its direction for itself, so that barcode and date stay behind it.
    private static func apart(_ name: String, in language: Language) -> String {
        let runsLeft = name.unicodeScalars.contains { scalar in
            [0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF].contains { $0.contains(scalar.value) }
        }
        return runsLeft != (language.direction == .rightToLeft) ? "\u{2068}\(name)\u{2069}" : name
    }
}

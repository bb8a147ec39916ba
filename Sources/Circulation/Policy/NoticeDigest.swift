/// How a patron's notices of one stage are merged into one message: `digest = "patron"` of a row.
package struct NoticeDigest: Hashable, Sendable {
    /// The texts for several, `many` of the row; nil: the single texts, one below the other.
    package var many: Texts?

    package struct Texts: Hashable, Sendable {
        /// Each may name `{{count}}` and `{{list}}` beside what concerns no single loan.
        package var subject: PolicyMessage
        package var body: PolicyMessage
        /// The line of one loan in `{{list}}`.
        package var line: PolicyMessage

        package init(subject: PolicyMessage, body: PolicyMessage, line: PolicyMessage? = nil) {
            self.subject = subject
            self.body = body
            self.line = line ?? NoticeDigest.standardLine
        }
    }

    package static let standardLine: PolicyMessage = "- {{title.title}} ({{loan.due}})"

    package init(many: Texts? = nil) {
        self.many = many
    }

    /// The texts in a language.
    package func order(in language: String?) -> DigestTemplates {
        guard let many else { return DigestTemplates() }
        return DigestTemplates(
            many: DigestTemplates.Texts(
                subject: many.subject.anyText(in: language), body: many.body.anyText(in: language),
                line: many.line.anyText(in: language)))
    }
}

/// A notice that is to be merged with others to the same patron; its texts are templates, filled by the desk.
package struct DigestTemplates: Hashable, Sendable {
    package var many: Texts?

    package struct Texts: Hashable, Sendable {
        package var subject: String
        package var body: String
        package var line: String

        package init(subject: String, body: String, line: String) {
            self.subject = subject
            self.body = body
            self.line = line
        }
    }

    package init(many: Texts? = nil) {
        self.many = many
    }
}

extension PolicyMessage: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self = .text(text)
    }

    /// Like ``text(in:)``, and where that leaves the desk to its own words, the first text there is.
    package func anyText(in language: String?) -> String {
        text(in: language) ?? text(in: nil) ?? ""
    }
}

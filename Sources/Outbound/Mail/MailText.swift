import TextFormats

/// A text with headings and lists, as plain text and as a page that say the same.
package struct MailText: Hashable, Sendable {
    /// A part of the text, apart from its neighbours.
    package enum Block: Hashable, Sendable {
        /// The line at its head, such as the sender's name.
        case head(String)
        case heading(String)
        /// Below a heading.
        case subheading(String)
        /// As it stands, with its lines and blank lines.
        case text(String)
        case list([String])
    }

    package var blocks: [Block]

    package init(_ blocks: [Block]) {
        self.blocks = blocks
    }

    /// A heading stands right above its text or list, all else is apart by a blank line.
    package var plain: String {
        var text = ""
        var isJoined = false
        for block in blocks {
            if !isJoined || block.isHeading { text += text.isEmpty ? "" : "\n" }
            isJoined = block.isHeading
            switch block {
            case .head(let line), .heading(let line), .subheading(let line):
                text += EncodedWords.oneLine(line) + "\n"
            case .text(let words): text += words.last?.isNewline == true ? words : words + "\n"
            case .list(let entries):
                for entry in entries { text += "- " + EncodedWords.oneLine(entry) + "\n" }
            }
        }
        return text
    }

    /// - Parameters: see ``MailPage/html(_:title:language:isRightToLeft:)``.
    package func html(title: String, language: String? = nil, isRightToLeft: Bool = false) -> String {
        let parts = blocks.map { block in
            switch block {
            case .head(let line): "<h1>\(MarkupText.escaped(EncodedWords.oneLine(line)))</h1>"
            case .heading(let line): "<h2>\(MarkupText.escaped(EncodedWords.oneLine(line)))</h2>"
            case .subheading(let line): "<h3>\(MarkupText.escaped(EncodedWords.oneLine(line)))</h3>"
            case .text(let words): MailPage.paragraphs(words)
            case .list(let entries):
                "<ul>\n"
                    + entries.map { "<li>\(MarkupText.escaped(EncodedWords.oneLine($0)))</li>\n" }.joined() + "</ul>"
            }
        }
        return MailPage.page(
            parts.joined(separator: "\n"), title: title, language: language, isRightToLeft: isRightToLeft)
    }
}

extension MailText.Block {
    /// Whether what follows belongs to it.
    fileprivate var isHeading: Bool {
        switch self {
        case .heading, .subheading: true
        case .head, .text, .list: false
        }
    }
}

import Circulation

/// The head of a message, line by line: folded at 76 columns, ASCII, with RFC 2047's encoded words for all else.
struct MailHeader {
    private(set) var text = ""

    /// A field whose value is known to be ASCII without line breaks.
    mutating func add(_ name: String, _ value: String) {
        text += "\(name): \(value)\r\n"
    }

    /// A field of free text.
    mutating func add(_ name: String, text value: String) {
        let clean = EncodedWords.oneLine(value)
        guard EncodedWords.isNeeded(for: clean) else {
            return add(name, Self.folded(clean, after: name.utf8.count + 2))
        }
        add(name, EncodedWords.encode(clean, after: name.utf8.count + 2).joined(separator: "\r\n "))
    }

    /// A field of names and addresses, one a line.
    mutating func add(_ name: String, parties: [MailParty]) {
        let lines = parties.enumerated().map { index, party in
            Self.line(party, after: index == 0 ? name.utf8.count + 2 : 1)
        }
        add(name, lines.joined(separator: ",\r\n "))
    }

    private static func line(_ party: MailParty, after column: Int) -> String {
        let name = EncodedWords.oneLine(party.name)
        guard !name.isEmpty else { return party.address.description }
        let address = "<\(party.address)>"
        let quoted = phrase(name)
        guard let quoted, column + quoted.utf8.count <= 76 else {
            return EncodedWords.encode(name, after: column).joined(separator: "\r\n ") + "\r\n " + address
        }
        let fits = column + quoted.utf8.count + 1 + address.utf8.count <= 76
        return quoted + (fits ? " " : "\r\n ") + address
    }

    /// A name as atoms or in quotes; nil where it is not ASCII, or would be read as an encoded word.
    private static func phrase(_ name: String) -> String? {
        guard !EncodedWords.isNeeded(for: name) else { return nil }
        if name.utf8.allSatisfy({ EmailAddress.isAtom($0) || $0 == UInt8(ascii: " ") }) { return name }
        let escaped = name.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }

    /// ASCII text with a line break before a word that would go beyond column 76.
    private static func folded(_ text: String, after column: Int) -> String {
        var folded = ""
        var column = column
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                // A line of blanks alone would be taken for none.
                let breaks = column + 1 + word.utf8.count > 76 && !word.isEmpty
                folded += breaks ? "\r\n " : " "
                column = breaks ? 1 : column + 1
            }
            folded += word
            column += word.utf8.count
        }
        return folded
    }
}

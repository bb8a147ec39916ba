/// Text of any script in a header (RFC 2047).
enum EncodedWords {
    /// The text as one line: controls, line and paragraph separators become blanks, and none stands at either end.
    static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " }
        guard let first = line.firstIndex(where: { !isBlank($0) }), let last = line.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(line[first...last])
    }

    /// Whether a line must be encoded: it is not ASCII, looks as if it were encoded, or has a word that no line holds.
    static func isNeeded(for line: String) -> Bool {
        line.utf8.contains { $0 >= 0x7F || $0 < 0x20 } || line.contains("=?")
            || line.utf8.split(separator: UInt8(ascii: " ")).contains { $0.count > 60 }
    }

    /// The line as encoded words, each fit for a line of its own.
    ///
    /// - Parameter column: where the first one begins.
    static func encode(_ line: String, after column: Int) -> [String] {
        let costQ = line.utf8.reduce(0) { $0 + (isPlain($1) ? 1 : 3) }
        let takesQ = costQ <= line.utf8.count * 4 / 3
        var words: [String] = []
        var piece: [UInt8] = []
        var length = 0
        func finish() {
            guard !piece.isEmpty else { return }
            words.append(takesQ ? "=?UTF-8?Q?\(quoted(piece))?=" : "=?UTF-8?B?\(Base64.encode(piece))?=")
            (piece, length) = ([], 0)
        }
        for character in line {
            for scalars in parts(of: character) {
                let cost = takesQ ? scalars.reduce(0) { $0 + (isPlain($1) || $1 == 0x20 ? 1 : 3) } : scalars.count
                // The brackets take 12 columns; base64 makes 4 columns out of 3 bytes.
                let room = 76 - 12 - (words.isEmpty ? min(column, 30) : 1)
                if length + cost > (takesQ ? room : room / 4 * 3) { finish() }
                piece += scalars
                length += cost
            }
        }
        finish()
        return words
    }

    /// A character's bytes, kept together unless it is longer than a word may be.
    private static func parts(of character: Character) -> [[UInt8]] {
        let bytes = Array(character.utf8)
        return bytes.count <= 8 ? [bytes] : character.unicodeScalars.map { Array(String($0).utf8) }
    }

    /// What stands for itself, also in a name: section 5 (3).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!*+-/".utf8.contains(byte)
        }
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            if byte == 0x20 { return "_" }
            return isPlain(byte) ? String(UnicodeScalar(byte)) : "=" + QuotedPrintable.hexadecimal(byte)
        }.joined()
    }
}

/// Cuts a statement into tokens as PostgreSQL does, with `standard_conforming_strings` on.
struct PostgresTokens {
    enum Token: Hashable {
        /// A name or keyword, in small letters as the server folds it.
        case word(String)
        /// A name in double quotes.
        case quoted(String)
        case text
        case number
        case symbol(UInt8)
        /// What no statement has that is answered: an unfinished text, a name in Unicode escapes.
        case malformed
    }

    private let bytes: [UInt8]
    private var at = 0

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// All tokens; blanks and comments are none.
    static func all(of text: String) -> [Token] {
        var reader = PostgresTokens(text)
        var tokens: [Token] = []
        while let token = reader.next() {
            tokens.append(token)
            if token == .malformed { break }
        }
        return tokens
    }

    private func byte(_ offset: Int = 0) -> UInt8 { at + offset < bytes.count ? bytes[at + offset] : 0 }

    private mutating func next() -> Token? {
        while at < bytes.count {
            let first = bytes[at]
            if first == 0x20 || (0x09...0x0D).contains(first) {
                at += 1
            } else if first == UInt8(ascii: "-"), byte(1) == first {
                // A comment ends at a carriage return, too.
                while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
            } else if first == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                guard skipComment() else { return .malformed }
            } else {
                return token(first)
            }
        }
        return nil
    }

    /// Comments of this kind may be nested.
    private mutating func skipComment() -> Bool {
        var depth = 0
        repeat {
            guard at + 1 < bytes.count else { return false }
            if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                depth += 1
                at += 2
            } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                depth -= 1
                at += 2
            } else {
                at += 1
            }
        } while depth > 0
        return true
    }

    private mutating func token(_ first: UInt8) -> Token {
        switch first {
        case UInt8(ascii: "'"): return quotedText(UInt8(ascii: "'"), escapes: false) == nil ? .malformed : .text
        case UInt8(ascii: "\""): return quotedText(first, escapes: false).map(Token.quoted) ?? .malformed
        case UInt8(ascii: "$"): return dollar()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case _ where Self.isNameStart(first): return word()
        default:
            at += 1
            return .symbol(first)
        }
    }

    /// What stands between two quotation marks, of which two in a row are one.
    private mutating func quotedText(_ mark: UInt8, escapes: Bool) -> String? {
        at += 1
        var content: [UInt8] = []
        while at < bytes.count {
            if escapes, byte() == UInt8(ascii: "\\") {
                at += 2
            } else if byte() == mark {
                guard byte(1) == mark else {
                    at += 1
                    return String(decoding: content, as: UTF8.self)
                }
                content.append(mark)
                at += 2
            } else {
                content.append(byte())
                at += 1
            }
        }
        return nil
    }

    /// A parameter, or a text between `$tag$` and `$tag$`.
    private mutating func dollar() -> Token {
        var end = at + 1
        if end < bytes.count, (0x30...0x39).contains(bytes[end]) {
            while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
            at = end
            return .number
        }
        while end < bytes.count, Self.isNameStart(bytes[end]) || (0x30...0x39).contains(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return .malformed }
        let tag = bytes[at...end]
        at = end + 1
        while at + tag.count <= bytes.count {
            if bytes[at..<at + tag.count].elementsEqual(tag) {
                at += tag.count
                return .text
            }
            at += 1
        }
        return .malformed
    }

    private mutating func number() -> Token {
        while Self.isNamePart(byte()) || byte() == UInt8(ascii: ".") { at += 1 }
        return .number
    }

    private mutating func word() -> Token {
        let start = at
        while at < bytes.count, Self.isNamePart(bytes[at]) { at += 1 }
        let name = String(decoding: bytes[start..<at].map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
        if byte() == UInt8(ascii: "'"), ["e", "b", "x", "n"].contains(name) {
            return quotedText(byte(), escapes: name == "e") == nil ? .malformed : .text
        }
        if name == "u", byte() == UInt8(ascii: "&"), byte(1) == UInt8(ascii: "'") || byte(1) == UInt8(ascii: "\"") {
            return .malformed
        }
        return .word(name)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
    private static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "$")
    }
}

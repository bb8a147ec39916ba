/// One token with its place and value.
struct Token: Sendable {
    var kind: TokenKind
    var start: SourcePosition
    var end: SourcePosition

    /// The bytes Lua quotes in a message: a name or numeral as written, a string with its delimiters and its escapes
    /// already read.
    var spelling: [UInt8] = []

    /// For a string, how many bytes of `spelling` each delimiter takes.
    var delimiterWidth = 0

    var integer: Int64 = 0
    var number: Double = 0

    var range: SourceRange { SourceRange(start: start, end: end) }

    var text: String { String(decoding: spelling, as: UTF8.self) }

    var stringBytes: [UInt8] { Array(spelling.dropFirst(delimiterWidth).dropLast(delimiterWidth)) }

    /// How Lua shows the token behind the word "near"; a stray NUL it does not show.
    var near: String? {
        switch kind {
        case .name, .string, .number, .integer: Token.quote(spelling)
        case .stray: spelling.first.flatMap(Token.quote(stray:))
        default: kind.quoted
        }
    }

    /// Lua hands the text to C as a string, so it ends at the first NUL.
    static func quote(_ bytes: [UInt8]) -> String {
        "'\(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))'"
    }

    private static func quote(stray byte: UInt8) -> String? {
        guard byte != 0 else { return nil }
        return byte.isPrintable ? "'\(Character(Unicode.Scalar(byte)))'" : "'<\\\(byte)>'"
    }
}

/// What a token is; the raw value is Lua's spelling of it.
enum TokenKind: String, Sendable {
    case and, `break`, `do`, `else`, elseif, end, `false`, `for`, function, goto, `if`, `in`, local, `nil`, not, or,
        `repeat`,
        `return`, then, `true`, until, `while`

    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case caret = "^"
    case hash = "#"
    case ampersand = "&"
    case tilde = "~"
    case bar = "|"
    case less = "<"
    case greater = ">"
    case assign = "="
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftBracket = "["
    case rightBracket = "]"
    case semicolon = ";"
    case colon = ":"
    case comma = ","
    case dot = "."
    case doubleSlash = "//"
    case concatenate = ".."
    case dots = "..."
    case equal = "=="
    case greaterOrEqual = ">="
    case lessOrEqual = "<="
    case notEqual = "~="
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case doubleColon = "::"

    case endOfSource = "<eof>"
    case number = "<number>"
    case integer = "<integer>"
    case name = "<name>"
    case string = "<string>"

    /// A byte that stands for nothing in Lua.
    case stray = "<stray>"

    static let reservedWords: [String: TokenKind] = {
        let words: [TokenKind] = [
            .and, .break, .do, .else, .elseif, .end, .false, .for, .function, .goto, .if, .in, .local, .nil, .not, .or,
            .repeat, .return, .then, .true, .until, .while,
        ]
        return Dictionary(uniqueKeysWithValues: words.map { ($0.rawValue, $0) })
    }()

    /// How Lua names the token where it was expected: quoted, but for the kinds that stand for many spellings.
    var quoted: String {
        switch self {
        case .endOfSource, .number, .integer, .name, .string: rawValue
        default: "'\(rawValue)'"
        }
    }

    /// Whether a block ends before this token, other than a `repeat` block before `until`.
    var endsBlock: Bool {
        switch self {
        case .else, .elseif, .end, .endOfSource: true
        default: false
        }
    }
}

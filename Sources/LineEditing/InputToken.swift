/// A piece of a statement that may not be complete, as an editor colours it and completion reads it.
///
/// Not the parser's token: a text that never ends is a token here, and nothing is an error.
package struct InputToken: Hashable, Sendable {
    /// What it is to Lua.
    package enum Kind: Hashable, Sendable {
        case name, keyword, number, symbol
        /// - Parameter isOpen: its end has not been typed.
        case string(isOpen: Bool)
        case comment(isOpen: Bool)
        /// The word of a command, with its colon, or what follows it.
        case command
    }

    package let kind: Kind
    /// Where it stands among the characters.
    package let range: Range<Int>
    package let text: String

    /// Whether it is this operator, bracket or separator.
    package func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

    /// What a string holds, as far as it was typed, its escapes as they stand.
    package var stringContent: String? {
        guard case .string(let isOpen) = kind, let first = text.first else { return nil }
        if first == "[" {
            let level = text.dropFirst().prefix { $0 == "=" }.count + 2
            return String(text.dropFirst(level).dropLast(isOpen ? 0 : level))
        }
        return String(text.dropFirst().dropLast(isOpen ? 0 : 1))
    }

    /// The reserved words of Lua 5.4.
    package static let keywords: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
        "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]
}

/// Cuts a text into tokens of Lua.
package struct InputScanner {
    private let characters: [Character]
    private var at = 0
    private var tokens: [InputToken] = []

    /// All tokens of a text, in order; blanks are none.
    package static func tokens(_ characters: [Character]) -> [InputToken] {
        var scanner = InputScanner(characters: characters)
        scanner.scan()
        return scanner.tokens
    }

    /// The same; ranges count characters.
    package static func tokens(_ text: String) -> [InputToken] { tokens(Array(text)) }

    private init(characters: [Character]) { self.characters = characters }

    private func peek(_ offset: Int = 0) -> Character? {
        at + offset < characters.count ? characters[at + offset] : nil
    }

    private mutating func scan() {
        while let character = peek() {
            let start = at
            switch character {
            case _ where character.isWhitespace: at += 1
            case "\"", "'": quoted(character)
            case "-" where peek(1) == "-": comment()
            case "[" where longBracket(at) != nil:
                add(longText() ? .string(isOpen: false) : .string(isOpen: true), start)
            case _ where character.isNumber || character == "." && peek(1)?.isNumber == true: number()
            case _ where InputScanner.isNamePart(character): name()
            default: symbol()
            }
        }
    }

    private mutating func add(_ kind: InputToken.Kind, _ start: Int) {
        tokens.append(InputToken(kind: kind, range: start..<at, text: String(characters[start..<at])))
    }

    /// Whether a name of Lua may have the character.
    package static func isNamePart(_ character: Character) -> Bool {
        character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    }

    private mutating func name() {
        let start = at
        while let character = peek(), InputScanner.isNamePart(character) { at += 1 }
        add(InputToken.keywords.contains(String(characters[start..<at])) ? .keyword : .name, start)
    }

    private mutating func number() {
        let start = at
        while let character = peek() {
            let isSign = (character == "+" || character == "-") && "eEpP".contains(characters[max(start, at - 1)])
            // `1..2` joins two numbers.
            if character == "." && peek(1) == "." { break }
            guard isSign || character == "." || InputScanner.isNamePart(character) else { break }
            at += 1
        }
        if at == start { at += 1 }
        add(.number, start)
    }

    private mutating func quoted(_ quote: Character) {
        let start = at
        at += 1
        while let character = peek(), character != "\n" {
            at += 1
            if character == quote { return add(.string(isOpen: false), start) }
            if character == "\\" && peek() != nil { at += 1 }
        }
        add(.string(isOpen: true), start)
    }

    private mutating func comment() {
        let start = at
        at += 2
        if longBracket(at) != nil { return add(.comment(isOpen: !longText()), start) }
        while let character = peek(), character != "\n" { at += 1 }
        add(.comment(isOpen: peek() == nil), start)
    }

    /// The level of the long bracket that opens at a place.
    private func longBracket(_ place: Int) -> Int? {
        guard place < characters.count, characters[place] == "[" else { return nil }
        var level = 0
        while place + 1 + level < characters.count, characters[place + 1 + level] == "=" { level += 1 }
        return place + 1 + level < characters.count && characters[place + 1 + level] == "[" ? level : nil
    }

    /// - Returns: whether its end was found.
    private mutating func longText() -> Bool {
        guard let level = longBracket(at) else { return false }
        let end = ["]"] + Array(repeating: "=", count: level) + ["]"]
        at += level + 2
        while at < characters.count {
            if characters[at] == "]", characters[at...].prefix(end.count).map(String.init) == end {
                at += end.count
                return true
            }
            at += 1
        }
        return false
    }

    private mutating func symbol() {
        let start = at
        for length in [3, 2] where at + length <= characters.count {
            guard InputScanner.symbols.contains(String(characters[at..<at + length])) else { continue }
            at += length
            return add(.symbol, start)
        }
        at += 1
        add(.symbol, start)
    }

    private static let symbols: Set<String> = ["...", "..", "==", "~=", "<=", ">=", "//", "<<", ">>", "::"]
}

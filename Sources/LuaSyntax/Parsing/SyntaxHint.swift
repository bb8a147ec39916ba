/// What the author of a text that is not Lua may have meant: hints for the mistakes of people who come from other
/// languages, or from a word processor.
package enum SyntaxHint {
    /// The hint for a text that cannot be read, nil where nothing is known that helps.
    ///
    /// - Parameters:
    ///   - error: what Lua says, with the place.
    ///   - source: the whole text.
    static func hint(for error: LuaSyntaxError, in source: [UInt8], from start: Int) -> String? {
        let place = Place(error, source, from: start)
        return character(place) ?? operators(place) ?? words(place) ?? separators(place, error.message)
    }

    /// The tokens before the place, the one there, and the bytes.
    private struct Place {
        let bytes: ArraySlice<UInt8>
        let before: [Token]
        let token: Token?
        /// Whether an `else` has an `if` behind it on its line, as in languages without `elseif`.
        var splitsElseIf = false

        init(_ error: LuaSyntaxError, _ source: [UInt8], from start: Int) {
            let offset = min(max(error.position.offset, start), source.count)
            bytes = source[offset...]
            var lexer = Lexer(source, from: start)
            var before: [Token] = []
            var found: Token?
            while let token = try? lexer.next(), token.kind != .endOfSource {
                if token.start.offset >= offset {
                    found = token
                    break
                }
                if let last = before.last, last.kind == .else, token.kind == .if, last.start.line == token.start.line {
                    splitsElseIf = true
                }
                before.append(token)
                // A file may be long; what is near the fault is what counts.
                if before.count > 4_096 { before.removeFirst(2_048) }
            }
            self.before = before
            token = found
        }

        var last: Token? { before.last }

        func begins(with text: String) -> Bool { bytes.starts(with: text.utf8) }
    }

    // MARK: - Characters

    /// Letters that look like those of Lua and are others.
    private static func character(_ place: Place) -> String? {
        guard let first = place.bytes.first, first >= 0x80 else { return nil }
        guard let scalar = String(decoding: place.bytes.prefix(4), as: UTF8.self).unicodeScalars.first else {
            return nil
        }
        switch scalar {
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{201A}", "\u{AB}", "\u{BB}", "\u{FF02}",
            "\u{300C}", "\u{300D}":
            return "a text stands between straight quotation marks, \"...\""
        case "\u{2260}": return "'not equal' is written '~='"
        case "\u{2264}": return "'at most' is written '<='"
        case "\u{2265}": return "'at least' is written '>='"
        case "\u{D7}": return "'times' is written '*'"
        case "\u{F7}": return "'divided by' is written '/'"
        case "\u{2010}"..."\u{2015}", "\u{2212}": return "a minus is the character '-'"
        case "\u{2026}": return "three dots are written '...'"
        case "\u{3001}": return "a comma is the character ','"
        case "\u{3002}": return "a dot is the character '.'"
        case "\u{FF01}"..."\u{FF5E}":
            let plain = Unicode.Scalar(scalar.value - 0xFEE0).map { Character($0) } ?? "?"
            return "this is the wide form of '\(plain)'; write '\(plain)' itself"
        default: break
        }
        if scalar.properties.isWhitespace || scalar.properties.generalCategory == .format {
            return
                "an invisible character stands here (U+\(String(scalar.value, radix: 16, uppercase: true))); remove it"
        }
        return scalar.properties.isAlphabetic
            ? "names have the letters a to z, digits and '_' alone; a text stands between quotation marks" : nil
    }

    // MARK: - Operators

    private static let operatorWords: [(String, String)] = [
        ("!=", "'not equal' is written '~='"), ("&&", "'&&' is written 'and'"), ("||", "'||' is written 'or'"),
        ("=>", "a function is written 'function(x) ... end'"), ("!", "'!' is written 'not'"),
        ("?", "a choice is written 'condition and this or that', or with 'if'"),
        ("//", "a comment begins with '--'"), ("/*", "a comment begins with '--'"), ("#", "a comment begins with '--'"),
    ]

    private static func operators(_ place: Place) -> String? {
        // Of `&&` and `||` Lua takes the first letter for an operator.
        if let last = place.last, [.ampersand, .bar].contains(last.kind), place.begins(with: last.kind.rawValue) {
            return "'\(last.kind.rawValue)\(last.kind.rawValue)' is written '\(last.kind == .bar ? "or" : "and")'"
        }
        if let last = place.last, last.kind == .assign, place.begins(with: ">") {
            return "a function is written 'function(x) ... end'"
        }
        for sign in ["+", "-", "*", "/", "..", "%"] where place.begins(with: sign + "=") {
            let name = place.last.map(\.text).flatMap { $0.isEmpty ? nil : $0 } ?? "x"
            return "'\(sign)=' is written out: \(name) = \(name) \(sign) ..."
        }
        if place.begins(with: "+"), place.token?.kind == .plus, place.last?.kind == .plus || place.begins(with: "++") {
            return "'++' is written out: x = x + 1"
        }
        return operatorWords.first { place.begins(with: $0.0) }?.1
    }

    // MARK: - Words

    private static let elseIfs: Set<String> = ["elif", "elsif", "elseIf", "ElseIf", "elsIf"]
    private static let declarations: Set<String> = ["let", "var", "const"]
    private static let functions: Set<String> = ["def", "fn", "func", "fun", "Function"]

    private static func words(_ place: Place) -> String? {
        for token in [place.last, place.token].compactMap(\.self) where token.kind == .name {
            if elseIfs.contains(token.text) { return "write 'elseif'" }
        }
        if let last = place.last, last.kind == .name {
            if declarations.contains(last.text) { return "a variable begins with 'local'" }
            if functions.contains(last.text) { return "a function begins with 'function'" }
        }
        if place.splitsElseIf, place.token == nil || place.token?.kind == .endOfSource {
            return "'else if' opens an 'if' with an 'end' of its own; 'elseif' is one word"
        }
        return nil
    }

    // MARK: - What stands between

    private static let units: Set<String> = ["day", "week", "month", "hour", "minute"]

    private static func separators(_ place: Place, _ message: String) -> String? {
        if message.hasPrefix("malformed number"), let token = malformed(place) { return token }
        guard let token = place.token else { return nil }
        if token.kind == .assign { return assignment(place, message) }
        if token.kind == .equal, message.hasPrefix("syntax error") { return "to give a value, write '='" }
        if token.kind == .colon || place.last?.kind == .colon { return "a field is written with '=': name = value" }
        if token.kind == .leftBrace, message.hasPrefix("'then' expected") || message.hasPrefix("'do' expected") {
            return "blocks have no braces: 'if ... then ... end', 'for ... do ... end'"
        }
        guard message.hasPrefix("'}' expected") || message.hasPrefix("')' expected") else { return nil }
        return missing(place, token)
    }

    /// `14days`, which Lua takes for one number.
    private static func malformed(_ place: Place) -> String? {
        let text = String(decoding: place.bytes.prefix(24), as: UTF8.self)
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let word = text.dropFirst(number.count).prefix { $0.isASCII && $0.isLetter }
        guard !number.isEmpty, let unit = unit(String(word)) else { return nil }
        return "write \(unit)(\(number))"
    }

    /// `weeks` for `week` and `weeks`.
    package static func unit(_ word: String) -> String? {
        let word = word.lowercased()
        let single = word.hasSuffix("s") ? String(word.dropLast()) : word
        return units.contains(single) ? single + "s" : nil
    }

    private static func assignment(_ place: Place, _ message: String) -> String? {
        if message.hasPrefix("'then' expected") || message.hasPrefix("'do' expected") {
            return "to compare, write '=='"
        }
        if message.hasPrefix("')' expected") {
            return isInCall(place) ? "named arguments stand in braces: f{ name = value }" : "to compare, write '=='"
        }
        if message.hasPrefix("'}' expected") {
            return place.last?.kind == .string
                ? "a field's name stands without quotation marks: name = value"
                : "a field's name is one word; others are written [\"two words\"] = value"
        }
        return place.before.contains { $0.kind == .return } || message.contains("expected")
            ? "to compare, write '=='" : nil
    }

    /// Whether the parenthesis that is open here is that of a call.
    private static func isInCall(_ place: Place) -> Bool {
        var depth = 0
        for (index, token) in place.before.enumerated().reversed() {
            if token.kind == .rightParenthesis { depth += 1 }
            guard token.kind == .leftParenthesis else { continue }
            if depth == 0 { return index > 0 && place.before[index - 1].kind == .name }
            depth -= 1
        }
        return false
    }

    private static func missing(_ place: Place, _ token: Token) -> String? {
        let last = place.last
        if let last, [.integer, .number].contains(last.kind), token.kind == .name, let unit = unit(token.text) {
            return "write \(unit)(\(last.text))"
        }
        if let last, last.kind == .name, [.integer, .number].contains(token.kind), let unit = unit(last.text) {
            return "write \(unit)(\(token.text))"
        }
        switch token.kind {
        case .name, .string, .integer, .number, .leftBrace, .leftBracket, .true, .false, .nil, .not, .function:
            let word = [.string, .name, .integer, .number].contains(token.kind) ? token.text : token.kind.rawValue
            return "a comma is missing before '\(DisplayText(String(word.prefix(40))).text)'"
        case .semicolon, .end, .return, .local, .endOfSource: return nil
        default: return nil
        }
    }
}

/// Which form of a text goes with a number: the expression of `Plural-Forms` in a catalogue, as GNU gettext defines it
/// (C's operators over `n`).
package struct PluralRule: Sendable {
    private indirect enum Expression: Sendable {
        case number(Int64)
        case count
        case binary(String, Expression, Expression)
        case not(Expression)
        case choice(Expression, Expression, Expression)
    }

    /// How many forms there are.
    package let forms: Int
    private let expression: Expression

    /// English: one, and several.
    package static let english = PluralRule(
        forms: 2, expression: .binary("!=", .count, .number(1)))

    private init(forms: Int, expression: Expression) {
        self.forms = forms
        self.expression = expression
    }

    /// - Parameter text: `nplurals=2; plural=(n != 1);`
    /// - Returns: nil if it is no such rule.
    package init?(_ text: String) {
        var forms: Int?
        var expression: Expression?
        for part in text.split(separator: ";") {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = part[..<equals].filter { !$0.isWhitespace }
            let value = part[part.index(after: equals)...]
            switch name {
            case "nplurals": forms = Int(value.filter { !$0.isWhitespace })
            case "plural":
                var parser = Parser(value)
                expression = parser.parse()
            default: return nil
            }
        }
        guard let forms, (1...10).contains(forms), let expression else { return nil }
        self.init(forms: forms, expression: expression)
    }

    /// The form for a number, from 0.
    package func form(of number: Int64) -> Int {
        let form = Self.value(of: expression, number.magnitude > UInt64(Int64.max) ? .max : Int64(number.magnitude))
        return (0..<Int64(forms)).contains(form) ? Int(form) : forms - 1
    }

    private static func value(of expression: Expression, _ count: Int64) -> Int64 {
        switch expression {
        case .number(let number): return number
        case .count: return count
        case .not(let inner): return value(of: inner, count) == 0 ? 1 : 0
        case .choice(let condition, let yes, let no):
            return value(of: value(of: condition, count) != 0 ? yes : no, count)
        case .binary(let sign, let left, let right):
            let (first, second) = (value(of: left, count), value(of: right, count))
            switch sign {
            case "||": return first != 0 || second != 0 ? 1 : 0
            case "&&": return first != 0 && second != 0 ? 1 : 0
            case "==": return first == second ? 1 : 0
            case "!=": return first != second ? 1 : 0
            case "<=": return first <= second ? 1 : 0
            case ">=": return first >= second ? 1 : 0
            case "<": return first < second ? 1 : 0
            case ">": return first > second ? 1 : 0
            case "+": return first &+ second
            case "-": return first &- second
            case "*": return first &* second
            case "/": return second == 0 ? 0 : first / second
            default: return second == 0 ? 0 : first % second
            }
        }
    }

    /// Reads an expression of at most a few hundred signs by the precedence of C.
    private struct Parser {
        private var rest: Substring
        private var depth = 0

        /// From weak to strong.
        private static let levels = [
            ["||"], ["&&"], ["==", "!="], ["<=", ">=", "<", ">"], ["+", "-"], ["*", "/", "%"],
        ]

        init(_ text: Substring) { rest = text }

        mutating func parse() -> Expression? {
            guard rest.utf8.count <= 1_000, let whole = choice() else { return nil }
            skipSpaces()
            return rest.isEmpty ? whole : nil
        }

        private mutating func choice() -> Expression? {
            depth += 1
            defer { depth -= 1 }
            guard depth < 50, let condition = binary(0) else { return nil }
            guard take("?") else { return condition }
            guard let yes = choice(), take(":"), let no = choice() else { return nil }
            return .choice(condition, yes, no)
        }

        private mutating func binary(_ level: Int) -> Expression? {
            guard level < Self.levels.count else { return unary() }
            guard var left = binary(level + 1) else { return nil }
            while let sign = Self.levels[level].first(where: { take($0) }) {
                guard let right = binary(level + 1) else { return nil }
                left = .binary(sign, left, right)
            }
            return left
        }

        private mutating func unary() -> Expression? {
            depth += 1
            defer { depth -= 1 }
            guard depth < 50 else { return nil }
            if take("!") { return unary().map { .not($0) } }
            if take("(") {
                guard let inner = choice(), take(")") else { return nil }
                return inner
            }
            if take("n") { return .count }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            return Int64(digits).map { .number($0) }
        }

        private mutating func skipSpaces() { rest = rest.drop { $0.isWhitespace } }

        private mutating func take(_ sign: String) -> Bool {
            skipSpaces()
            // `!` alone, not the beginning of `!=`.
            guard rest.hasPrefix(sign), sign != "!" || !rest.hasPrefix("!=") else { return false }
            rest = rest.dropFirst(sign.count)
            return true
        }
    }
}

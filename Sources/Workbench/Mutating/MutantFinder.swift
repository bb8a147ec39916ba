import Circulation
import LuaSyntax
import Scripting

/// Finds the changes that a policy's tests should notice: numbers one off, days, dates and amounts changed, comparisons
/// turned, conditions negated, words of a choice exchanged, rows taken out or swapped.
struct MutantFinder: LuaVisitor {
    private let file: String
    private let source: SourceText
    private(set) var mutants: [Mutant] = []
    /// Literals whose meaning the call or the field around them decides; they were seen to there.
    private var handled: Set<SourceRange> = []

    private init(_ chunk: Chunk) {
        file = chunk.name
        source = chunk.source
    }

    /// In the order of the source.
    static func mutants(of chunk: Chunk) -> [Mutant] {
        var finder = MutantFinder(chunk)
        let outline = PolicyOutline(chunk)
        if let api = outline?["api"] { finder.handled.insert(api.value.range) }
        chunk.walk(&finder)
        if let outline { finder.addRows(of: outline) }
        return finder.mutants.sorted {
            ($0.range.start, $0.range.end.offset, $0.to) < ($1.range.start, $1.range.end.offset, $1.to)
        }
    }

    // MARK: - Expressions

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .suffixed(let suffixed):
            addLiteralCall(expression)
            for call in suffixed.textCalls { handleEquivalents(of: call.name, call.arguments) }
        case .table(let table): for entry in table.entries { addChoice(entry) }
        case .binary(let binary): for link in binary.links { addOperator(link) }
        case .unary(.not, let operand):
            // `not x` becomes `x`.
            replace(expression.range, with: source[operand.range])
        case .boolean(let value) where !handled.contains(expression.range):
            replace(expression.range, with: value ? "false" : "true")
        case .integer(let value) where !handled.contains(expression.range):
            addNeighbours(of: value, at: expression.range)
        case .number(let value) where !handled.contains(expression.range) && value.magnitude < 1e15:
            replace(expression.range, with: "\(value + 1)")
        default: break
        }
    }

    mutating func enter(_ statement: Statement) {
        guard case .conditional(let branches, _) = statement.kind else { return }
        for branch in branches where !branch.condition.isComparison {
            replace(branch.condition.range, with: "not (\(source[branch.condition.range]))")
        }
    }

    private mutating func addNeighbours(of value: Int64, at range: SourceRange) {
        if value < .max { replace(range, with: "\(value + 1)") }
        if value > 0 { replace(range, with: "\(value - 1)") }
    }

    /// A place that is 0 is the first one to Lua as well, as in `text:sub(1, 3)`; whether `find` takes a text as it is matters only where it
    /// has a sign of patterns in it.
    private mutating func handleEquivalents(of name: String, _ arguments: [Expression]) {
        let place = name == "sub" || name == "byte" ? 0 : 1
        guard ["sub", "byte", "find", "match", "gmatch"].contains(name), arguments.count > place else { return }
        if case .integer(1) = arguments[place].kind {
            handled.insert(arguments[place].range)
            replace(arguments[place].range, with: "2")
        }
        if name == "find", arguments.count > 2, let text = arguments[0].stringLiteral,
            !text.contains(where: { "^$()%.[]*+-?".contains($0) })
        {
            handled.insert(arguments[2].range)
        }
    }

    /// `money "0.20"`, `percent "6.62"`, `date "2026-03-31"`: the least step up and down.
    private mutating func addLiteralCall(_ expression: Expression) {
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            call.arguments.count == 1, let literal = call.arguments.first, let text = literal.stringLiteral
        else { return }
        handled.insert(literal.range)
        for changed in MutantFinder.neighbours(of: text, madeBy: word.name) {
            replace(literal.range, with: "\"\(changed)\"")
        }
    }

    private static func neighbours(of text: String, madeBy word: String) -> [String] {
        switch word {
        case "money": decimalNeighbours(of: text, places: 2)
        case "percent": decimalNeighbours(of: text, places: nil)
        case "date":
            [Int64(1), -1].compactMap { step in
                (try? CivilDate(parsing: text)).flatMap { try? $0.adding(days: step) }?.description
            }
        default: []
        }
    }

    /// One more and one less in the last place; a currency behind the number stays.
    private static func decimalNeighbours(of text: String, places: Int?) -> [String] {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let number = parts.first else { return [] }
        let digits = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count > 1 ? String(digits[1]) : ""
        let missing = max(0, (places ?? 0) - fraction.count)
        let padded = fraction + String(repeating: "0", count: missing)
        guard let scaled = Int64(String(digits[0]) + padded), scaled >= 0, scaled < .max / 2 else { return [] }
        let rest = parts.count > 1 ? " \(parts[1])" : ""
        return [scaled + 1, scaled - 1].filter { $0 >= 0 }.map { value in
            let written = String(value)
            let whole = String(repeating: "0", count: max(0, padded.count + 1 - written.count)) + written
            return padded.isEmpty
                ? whole + rest : "\(whole.dropLast(padded.count)).\(whole.suffix(padded.count))\(rest)"
        }
    }

    /// A field of a rule that takes one of several words takes the next.
    private mutating func addChoice(_ entry: TableConstructor.Entry) {
        guard let name = entry.name?.name, let field = RuleField.named[name], field.kind == .choice,
            let text = entry.value.stringLiteral, let index = field.choices.firstIndex(of: text)
        else { return }
        replace(entry.value.range, with: "\"\(field.choices[(index + 1) % field.choices.count])\"")
    }

    private mutating func addOperator(_ link: BinaryExpression.Link) {
        let others: [String] =
            switch link.operation {
            case .less: ["<=", ">"]
            case .lessOrEqual: ["<", ">="]
            case .greater: [">=", "<"]
            case .greaterOrEqual: [">", "<="]
            case .equal: ["~="]
            case .notEqual: ["=="]
            case .and: ["or"]
            case .or: ["and"]
            case .add: ["-"]
            case .subtract: ["+"]
            default: []
            }
        for other in others { replace(link.operationRange, with: other) }
    }

    // MARK: - Rows

    private mutating func addRows(of outline: PolicyOutline) {
        for table in PolicyOutline.rowTables {
            let rows = outline.rows(of: table)
            for row in rows { takeOut(row) }
            // Each stage of notices is looked at by itself, wherever it stands.
            guard table != "notices" else { continue }
            for (row, next) in zip(rows, rows.dropFirst()) where row.range.end.offset <= next.range.start.offset {
                swap(row, next)
            }
        }
    }

    private mutating func takeOut(_ row: PolicyOutline.Row) {
        var end = row.range.end.offset
        let bytes = source.bytes
        while end < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end]) { end += 1 }
        let isSeparated = end < bytes.count && (bytes[end] == UInt8(ascii: ",") || bytes[end] == UInt8(ascii: ";"))
        let last = isSeparated ? source.position(atOffset: end + 1) : row.range.end
        replace(SourceRange(start: row.range.start, end: last), with: "")
    }

    private mutating func swap(_ row: PolicyOutline.Row, _ next: PolicyOutline.Row) {
        let between = source[SourceRange(start: row.range.end, end: next.range.start)]
        replace(
            SourceRange(start: row.range.start, end: next.range.end),
            with: source[next.range] + between + source[row.range])
    }

    private mutating func replace(_ range: SourceRange, with text: String) {
        let from = source[range]
        guard from != text else { return }
        mutants.append(Mutant(file: file, range: range, from: from, to: text))
    }
}

extension SuffixedExpression {
    /// Calls of functions of texts in it, `text:find(...)` and `string.find(text, ...)`, with what stands behind the text.
    fileprivate var textCalls: [(name: String, arguments: [Expression])] {
        suffixes.indices.compactMap { index in
            switch suffixes[index].kind {
            case .method(let name, let arguments): return (name.name, arguments)
            case .call(let arguments):
                guard index == 1, case .field(let name) = suffixes[0].kind, case .variable(let module) = base.kind,
                    module.binding == .global, module.name == "string"
                else { return nil }
                return (name.name, Array(arguments.dropFirst()))
            case .field, .index: return nil
            }
        }
    }
}

extension Expression {
    /// Whether turning an operator in it negates it anyway.
    fileprivate var isComparison: Bool {
        switch withoutParentheses.kind {
        case .binary(let binary):
            binary.links.contains { link in
                switch link.operation {
                case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual: true
                default: false
                }
            }
        case .unary(.not, _), .boolean: true
        default: false
        }
    }
}

import Circulation
import LuaSyntax
import Scripting
import TextFormats

// Larger changes, as a hand slips: tried only where tests fail, for the one that makes them pass.
extension MutantFinder {
    /// Units and amounts mistaken for others, digits exchanged, one variable written for another, a sign forgotten, a number for
    /// a text as a key, the next open day for the one before, equality for a bound, a word misspelt, a condition too many. In
    /// the order of the source.
    ///
    /// - Parameter words: those that the policy and its tests name.
    static func slips(of chunk: Chunk, words: [String] = []) -> [Mutant] {
        var finder = TypoFinder(chunk, words: words)
        chunk.walk(&finder)
        if let outline = PolicyOutline(chunk) { finder.addConditions(of: outline) }
        return finder.slips
    }
}

private struct TypoFinder: LuaVisitor {
    private static let units = ["minutes", "hours", "days", "open_days", "weeks", "months", "years"]
    private static let neighbours = ["next_open": "previous_open", "previous_open": "next_open"]

    private let chunk: Chunk
    private let words: [String]
    private var functions = [0]
    private(set) var slips: [Mutant] = []

    init(_ chunk: Chunk, words: [String]) {
        self.chunk = chunk
        self.words = words
    }

    /// A row of one condition less, and without any.
    mutating func addConditions(of outline: PolicyOutline) {
        for row in PolicyOutline.rowTables.flatMap({ outline.rows(of: $0) }) {
            for field in row.fields where RowConditions.names.contains(field.name) {
                takeOut(SourceRange(start: field.key.range.start, end: field.value.range.end))
            }
        }
    }

    /// An entry of a table with the comma behind it.
    private mutating func takeOut(_ range: SourceRange) {
        let bytes = chunk.source.bytes
        var end = range.end.offset
        while end < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end]) { end += 1 }
        let isSeparated = end < bytes.count && (bytes[end] == UInt8(ascii: ",") || bytes[end] == UInt8(ascii: ";"))
        let last = isSeparated ? chunk.source.position(atOffset: end + 1) : range.end
        replace(SourceRange(start: range.start, end: last), with: "")
    }

    mutating func enter(_ function: FunctionBody) { functions.append(function.id) }
    mutating func leave(_ function: FunctionBody) { functions.removeLast() }

    mutating func enter(_ statement: Statement) {
        if case .return(let values) = statement.kind, let first = values.first { addSign(first) }
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .variable(let variable): exchange(variable)
        case .integer(let value) where value > 1: addTypos(of: value, at: expression.range)
        case .unary(.minus, let operand): replace(expression.range, with: chunk.source[operand.range])
        case .string:
            guard let text = expression.stringLiteral, TypoWords.isWord(text),
                let nearest = NameSuggestion.nearest(to: text, among: words)
            else { return }
            replace(expression.range, with: "\"\(nearest)\"")
        case .binary(let binary):
            for link in binary.links where link.operation == .equal {
                for other in [">=", "<="] { replace(link.operationRange, with: other) }
            }
            guard binary.links.count == 1, let link = binary.links.first, link.operation == .subtract else { return }
            let (first, second) = (chunk.source[binary.first.range], chunk.source[link.operand.range])
            replace(expression.range, with: "\(second) - \(first)")
        case .table(let table): table.entries.forEach { addKey($0) }
        case .suffixed(let suffixed):
            addAmounts(expression)
            for suffix in suffixed.suffixes {
                if case .field(let name) = suffix.kind, let other = Self.neighbours[name.name] {
                    replace(name.range, with: other)
                }
            }
        default: break
        }
    }

    /// A unit of time for each other, and a variable of the same function for one that was declared before it.
    private mutating func exchange(_ variable: Variable) {
        if variable.binding == .global {
            guard Self.units.contains(variable.name) else { return }
            for unit in Self.units { replace(variable.range, with: unit) }
        } else if let function = functions.last, function != 0 {
            let others = chunk.declarations.filter {
                $0.function == function && $0.origin != .parameter && $0.name != variable.name
                    && $0.range.end.offset < variable.range.start.offset
            }
            for name in Set(others.map(\.name)).sorted().prefix(6) { replace(variable.range, with: name) }
        }
    }

    private mutating func addTypos(of value: Int64, at range: SourceRange) {
        var others: Set<Int64> = [value + 2, max(value - 2, 0)]
        if value < .max / 10 { others.insert(value * 10) }
        if value % 10 == 0 { others.insert(value / 10) }
        if let turned = Int64(String(String(value).reversed())) { others.insert(turned) }
        for other in others.sorted() { replace(range, with: "\(other)") }
    }

    /// Ten times as much, and a tenth.
    private mutating func addAmounts(_ expression: Expression) {
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            word.name == "money" || word.name == "percent", call.arguments.count == 1,
            let literal = call.arguments.first, let text = literal.stringLiteral
        else { return }
        if word.name == "percent", text.utf8.count < 12, let value = Double(text), value > 0, value <= 1 {
            // 0.0662 where 6.62 is meant.
            replace(literal.range, with: "\"\(Self.hundredfold(text))\"")
        }
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let digits = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard digits.count == 2, let whole = Int64(digits[0]), digits[1].count == 2, let cents = Int64(digits[1]),
            whole >= 0, whole < 1_000_000_000
        else { return }
        let amount = whole * 100 + cents
        let others = amount % 10 == 0 ? [amount * 10, amount / 10] : [amount * 10]
        for other in others {
            let last = other % 100
            let number = "\(other / 100).\(last < 10 ? "0" : "")\(last)"
            replace(literal.range, with: "\"\(([number] + parts.dropFirst()).joined(separator: " "))\"")
        }
    }

    /// The point two places to the right, no zeros before or behind what counts.
    private static func hundredfold(_ text: String) -> String {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let fraction = (parts.count > 1 ? parts[1] : "").padding(to: 2)
        let whole = ((parts.first ?? "") + fraction.prefix(2)).drop { $0 == "0" }
        let rest = fraction.dropFirst(2)
        return (whole.isEmpty ? "0" : String(whole)) + (rest.isEmpty ? "" : ".\(rest)")
    }

    private mutating func addKey(_ entry: TableConstructor.Entry) {
        if case .expression(let key) = entry.key, case .integer(let value) = key.kind {
            replace(key.range, with: "\"\(value)\"")
        }
        if entry.name != nil { addSign(entry.value) }
    }

    private mutating func addSign(_ expression: Expression) {
        if case .variable(let variable) = expression.kind, variable.binding != .global {
            replace(expression.range, with: "-\(variable.name)")
        }
    }

    private mutating func replace(_ range: SourceRange, with text: String) {
        let from = chunk.source[range]
        guard from != text else { return }
        slips.append(Mutant(file: chunk.name, range: range, from: from, to: text))
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String { self + String(repeating: "0", count: max(0, length - count)) }
}

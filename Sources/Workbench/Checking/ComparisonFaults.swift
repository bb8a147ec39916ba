import Circulation
import LuaSyntax

/// Finds comparisons and sums in a policy's functions that cannot mean what they say: `unlike_comparison`,
/// `missed_day`,
/// `unknown_value` and `wrong_type`.
struct ComparisonFaults: LuaVisitor {
    private let kinds: KindInference
    private let file: String
    private let source: SourceText
    private let bindings: CallBindings
    /// Functions that do not depend on the day of a sweep: they answer a sum, or are asked at the desk.
    private let withoutSweep: Set<Int>
    private var functions: [Int] = []
    private(set) var findings: [Finding] = []

    static func findings(
        in chunk: Chunk, _ kinds: KindInference, _ bindings: CallBindings, outline: PolicyOutline?
    ) -> [Finding] {
        var visitor = ComparisonFaults(kinds: kinds, chunk: chunk, bindings: bindings, outline: outline)
        chunk.walk(&visitor)
        return visitor.findings
    }

    private init(kinds: KindInference, chunk: Chunk, bindings: CallBindings, outline: PolicyOutline?) {
        let decided = outline?.functions ?? []
        let swept = decided.filter { Self.swept.contains($0.name) }
        withoutSweep = Self.called(by: decided.filter { !Self.swept.contains($0.name) }, kinds.scopes)
            .subtracting(Self.called(by: swept, kinds.scopes))
        self.kinds = kinds
        self.bindings = bindings
        file = chunk.name
        source = chunk.source
    }

    /// The decision points at which a sweep asks once for each day and loses what a missed day would have brought.
    private static let swept = Set([DecisionPoint.overdue, .lost].map(\.rawValue))

    /// The decision functions themselves and those that they call, through any number of others.
    private static func called(by functions: [PolicyOutline.DecisionFunction], _ scopes: ScopeAnalysis) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = functions.map(\.body)
        while let body = waiting.popLast() {
            guard found.insert(body.id).inserted else { continue }
            var calls = CalledFunctions(scopes: scopes)
            body.walk(&calls)
            waiting += calls.bodies
        }
        return found
    }

    private struct CalledFunctions: LuaVisitor {
        let scopes: ScopeAnalysis
        private(set) var bodies: [FunctionBody] = []

        mutating func enter(_ function: FunctionBody) { bodies.append(function) }

        mutating func enter(_ expression: Expression) {
            if let callee = expression.call?.callee, let body = scopes.function(callee) { bodies.append(body) }
        }
    }

    mutating func enter(_ function: FunctionBody) { functions.append(function.id) }

    mutating func leave(_ function: FunctionBody) { functions.removeLast() }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .conditional(let branches, _): for branch in branches { checkTruth(branch.condition) }
        case .whileLoop(let condition, _): checkTruth(condition)
        case .repeatLoop(_, let condition): checkTruth(condition)
        default: break
        }
    }

    mutating func enter(_ expression: Expression) {
        if case .unary(.length, let operand) = expression.kind { checkLength(of: operand, in: expression) }
        guard case .binary(let binary) = expression.kind else { return }
        for (place, link) in binary.links.enumerated() {
            let left = place == 0 ? binary.first : nil
            let kind = kinds.kind(binary, upTo: place)
            if link.operation.isComparison {
                compare(left, kind, link, in: expression)
            } else {
                reckon(kind, link, in: expression)
            }
        }
    }

    // MARK: - Truth

    /// A condition that is a number, an amount or a list, which always count as true.
    private mutating func checkTruth(_ condition: Expression) {
        let condition = condition.withoutParentheses
        switch condition.kind {
        case .unary(.not, let operand): checkTruth(operand)
        case .binary(let binary):
            // What stands left of the last operator that is neither `and` nor `or` is not a condition of its own.
            let links = binary.links.reversed().prefix { $0.operation == .and || $0.operation == .or }
            if links.count == binary.links.count { checkTruth(binary.first) }
            for link in links.reversed() { checkTruth(link.operand) }
        case .suffixed, .variable:
            guard let field = kinds.field(condition), field.isAlwaysThere, let kind = field.kind else { return }
            let text = source[condition.range]
            let better =
                switch KindInference.plain(kind) {
                case "list": "#\(text) > 0"
                case "money": "\(text) > money \"0.00\""
                default: "\(text) > 0"
                }
            report(
                "unlike_comparison", condition.range,
                "'\(text)' is \(Self.words(kind)), which always counts as true", better)
        default: break
        }
    }

    // MARK: - Comparisons

    private mutating func compare(
        _ left: Expression?, _ leftKind: String?, _ link: BinaryExpression.Link, in expression: Expression
    ) {
        let range = SourceRange(start: left?.range.start ?? expression.range.start, end: link.operand.range.end)
        let rightKind = kinds.kind(link.operand)
        guard let leftKind, let rightKind else {
            if let left { compareBound(left, link, range) }
            return checkOrder(of: leftKind == nil ? link.operand : left, leftKind ?? rightKind, link, range)
        }
        let sides: [(Expression?, String, Expression?, String)] = [
            (left, leftKind, link.operand, rightKind), (link.operand, rightKind, left, leftKind),
        ]
        for (one, kind, other, otherKind) in sides {
            if missesDay(kind, link.operation, other) {
                return reportMissedDay(one, kind, other, range)
            }
            if otherKind == "none", kind != "none" {
                return report(
                    "unlike_comparison", range, "'none' is only for rows; what is set to none reads nil here", "nil")
            }
        }
        if areAlike(leftKind, rightKind, link.operation) { return }
        if let constant = [left, link.operand].compactMap({ $0 }).first(where: isWrittenElsewhere) {
            let place = kinds.scopes.written(constant)
            let (own, other) = constant == left ? (leftKind, rightKind) : (rightKind, leftKind)
            return report(
                "unlike_comparison", place.range,
                "\(Self.words(own)), which line \(range.start.line) compares with \(Self.words(other))",
                Self.literal(place, as: KindInference.plain(other), source))
        }
        report(
            "unlike_comparison", range,
            "\(Self.words(leftKind)) is compared with \(Self.words(rightKind)), which "
                + (link.operation == .equal
                    ? "is never true" : link.operation == .notEqual ? "is always true" : "fails"),
            suggestion(left, leftKind, link.operand, rightKind))
    }

    private func isWrittenElsewhere(_ expression: Expression) -> Bool {
        kinds.scopes.written(expression).range != expression.range
            && kinds.scopes.written(expression) != expression.withoutParentheses
    }

    /// What calls of the function around hand over for one of the two: a fault of theirs is found in the call, where it
    /// is written.
    private mutating func compareBound(_ left: Expression, _ link: BinaryExpression.Link, _ range: SourceRange) {
        var reported: Set<SourceRange> = []
        for (one, other) in bindings.bound(left, link.operand) {
            guard let oneKind = kinds.kind(one), let otherKind = kinds.kind(other) else { continue }
            let sides = [(one, left, oneKind, other, link.operand), (other, link.operand, otherKind, one, left)]
            if let side = sides.first(where: { missesDay($0.2, link.operation, $0.3) }) {
                if reported.insert(range).inserted { reportMissedDay(side.1, side.2, side.4, range) }
                continue
            }
            guard oneKind != "none", otherKind != "none", !areAlike(oneKind, otherKind, link.operation) else {
                continue
            }
            // Of two that are handed over it is the constant, not the field of the case.
            let handed = [(one, oneKind, otherKind), (other, otherKind, oneKind)]
                .filter { $0.0 != left && $0.0 != link.operand }
            guard let (given, kind, wanted) = handed.first(where: { kinds.field($0.0) == nil }) ?? handed.first else {
                continue
            }
            let place = kinds.scopes.written(given)
            guard reported.insert(place.range).inserted else { continue }
            report(
                "unlike_comparison", place.range,
                "\(Self.words(kind)) is handed over, and line \(range.start.line) compares it with \(Self.words(wanted))",
                Self.literal(place, as: KindInference.plain(wanted), source))
        }
    }

    /// Whatever the other operand is: lists have no order.
    private mutating func checkOrder(
        of side: Expression?, _ kind: String?, _ link: BinaryExpression.Link, _ range: SourceRange
    ) {
        guard link.operation.isOrder, let kind = kind.map(KindInference.plain), kind == "list" else { return }
        report(
            "unlike_comparison", range, "\(Self.words(kind)) is neither smaller nor greater than anything",
            side.map { "#\(source[$0.range])" })
    }

    /// Zero is what is not late at all, which no sweep can miss; a remainder of zero comes round, and can be missed.
    private func missesDay(_ kind: String, _ operation: BinaryOperator, _ other: Expression?) -> Bool {
        guard kind == "number:lateness" || kind == "number:remainder", operation == .equal, let other else {
            return false
        }
        if case .integer(let day) = kinds.scopes.resolved(other).kind {
            // Without a sweep the first days may well have a rule of their own.
            if isWithoutSweep { return kind == "number:lateness" && day > 2 }
            return day != 0 || kind == "number:remainder"
        }
        if isWithoutSweep { return false }
        return kinds.kind(other).map(KindInference.plain) == "number"
    }

    private var isWithoutSweep: Bool { functions.contains(where: withoutSweep.contains) }

    private mutating func reportMissedDay(
        _ side: Expression?, _ kind: String, _ other: Expression?, _ range: SourceRange
    ) {
        let word = side.map { source[$0.range] } ?? "the days overdue"
        let message =
            isWithoutSweep
            ? "this holds on that one day alone, neither before nor afterwards"
            : "a sweep that misses the day never sees this: '\(word)' may be one day below and the next above"
        findings.append(
            Finding(
                code: "missed_day", severity: isWithoutSweep ? .warning : .error, file: file, range: range,
                message: message,
                suggestion: kind == "number:lateness" ? other.map { "\(word) >= \(source[$0.range])" } : nil))
    }

    private func areAlike(_ left: String, _ right: String, _ operation: BinaryOperator) -> Bool {
        let (left, right) = (KindInference.plain(left), KindInference.plain(right))
        if left == right { return !(operation.isOrder && ["list", "table", "boolean", "nil", "none"].contains(left)) }
        let pair = Set([left, right])
        if pair.contains("nil") { return !operation.isOrder }
        if pair.contains("unlimited") { return !pair.isDisjoint(with: ["number", "money", "period"]) }
        if pair == ["instant", "date"] { return operation.isOrder }
        return pair == ["list", "table"] && !operation.isOrder
    }

    /// What to write in place of the literal.
    private func suggestion(_ left: Expression?, _ leftKind: String, _ right: Expression, _ rightKind: String)
        -> String?
    {
        let (leftKind, rightKind) = (KindInference.plain(leftKind), KindInference.plain(rightKind))
        if Set([leftKind, rightKind]) == ["instant", "date"] {
            let instant = leftKind == "instant" ? left : right
            return instant.map { "date(\(source[$0.range]))" }
        }
        if leftKind == "list", rightKind == "number" { return left.map { "#\(source[$0.range])" } }
        if rightKind == "list", leftKind == "number" { return "#\(source[right.range])" }
        return Self.literal(right, as: leftKind, source) ?? left.flatMap { Self.literal($0, as: rightKind, source) }
    }

    /// A literal as another kind writes it.
    static func literal(_ expression: Expression, as kind: String, _ source: SourceText) -> String? {
        let expression = expression.withoutParentheses
        var text = source[expression.range]
        var isNumber = false
        switch expression.kind {
        case .integer, .number: isNumber = true
        case .string:
            guard let literal = expression.stringLiteral else { return nil }
            text = literal
            isNumber = Double(text) != nil
        default: break
        }
        switch kind {
        case "money" where isNumber:
            return Double(text).map { "money \"\(Self.amount($0))\"" }
        case "period" where isNumber: return Int(text).map { "days(\($0))" }
        case "number":
            if isNumber { return text }
            guard let call = expression.call, let argument = call.arguments.first else { return nil }
            return argument.stringLiteral ?? source[argument.range]
        case "text" where isNumber: return "\"\(text)\""
        default: return nil
        }
    }

    private static func amount(_ number: Double) -> String {
        guard number.magnitude < 1e12 else { return "\(number)" }
        let cents = Int((number * 100).rounded())
        let rest = String(cents.magnitude % 100)
        return "\(cents < 0 ? "-" : "")\(cents.magnitude / 100).\(rest.count < 2 ? "0" + rest : rest)"
    }

    // MARK: - Sums

    private mutating func reckon(_ leftKind: String?, _ link: BinaryExpression.Link, in expression: Expression) {
        guard let left = leftKind.map(KindInference.plain),
            let right = kinds.kind(link.operand).map(KindInference.plain)
        else { return }
        let range = SourceRange(start: expression.range.start, end: link.operand.range.end)
        let pair = Set([left, right])
        if let verb = Self.verb(link.operation), let odd = [left, right].first(where: Self.isNoQuantity) {
            let side = odd == right ? link.operand : nil
            return report(
                "wrong_type", range, "\(Self.words(left)) and \(Self.words(right)) cannot be \(verb)",
                odd == "list" ? side.map { "#\(source[$0.range])" } : nil)
        }
        switch link.operation {
        case .add, .subtract:
            let isWrong =
                pair.contains("number") && !pair.isDisjoint(with: ["money", "instant", "date", "period"])
                || pair.contains("money") && !pair.isDisjoint(with: ["instant", "date", "period"])
            guard isWrong else { return }
            let wanted = pair.contains("money") ? "money" : "period"
            report(
                "wrong_type", range,
                "\(Self.words(left)) and \(Self.words(right)) cannot be \(link.operation == .add ? "added" : "subtracted")",
                Self.literal(link.operand, as: wanted, source))
        case .multiply where pair == ["money"] || !pair.isDisjoint(with: ["instant", "date"]):
            report("wrong_type", range, "\(Self.words(left)) cannot be multiplied by \(Self.words(right))", nil)
        default: return
        }
    }

    private static func verb(_ operation: BinaryOperator) -> String? {
        switch operation {
        case .add: "added"
        case .subtract: "subtracted"
        case .multiply: "multiplied"
        case .divide: "divided"
        default: nil
        }
    }

    /// What nothing can be reckoned with, whatever stands on the other side.
    private static func isNoQuantity(_ kind: String) -> Bool {
        ["list", "table", "boolean", "nil", "function"].contains(kind)
    }

    /// `#` counts a list or the letters of a text.
    private mutating func checkLength(of operand: Expression, in expression: Expression) {
        guard let kind = kinds.kind(operand).map(KindInference.plain),
            ["number", "money", "percent", "date", "instant", "period", "boolean"].contains(kind)
        else { return }
        report(
            "wrong_type", expression.range, "\(Self.words(kind)) has no length: '#' counts what is in a list",
            source[operand.range])
    }

    // MARK: - Words

    static func words(_ kind: String) -> String {
        switch KindInference.plain(kind) {
        case "number": "a number"
        case "text": "a text"
        case "money": "an amount of money"
        case "date": "a date"
        case "instant": "an instant"
        case "period": "a period"
        case "percent": "a percentage"
        case "boolean": "true or false"
        case "list": "a list"
        case "nil": "nothing"
        default: "a \(KindInference.plain(kind))"
        }
    }

    private mutating func report(_ code: String, _ range: SourceRange, _ message: String, _ suggestion: String?) {
        findings.append(Finding(code: code, file: file, range: range, message: message, suggestion: suggestion))
    }
}

extension BinaryOperator {
    var isOrder: Bool {
        switch self {
        case .less, .greater, .lessOrEqual, .greaterOrEqual: true
        default: false
        }
    }

    var isComparison: Bool { isOrder || self == .equal || self == .notEqual }
}

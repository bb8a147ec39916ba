import LuaSyntax

/// Finds conditions that come out the same for every case, code `constant_condition`: one value unlike two others at once,
/// more than one bound and less than a lower one, `or` before a lone text, `and false or`, a value compared with itself, a function
/// that is not called, a branch that an earlier one of its `if` always goes before.
struct ConstantConditions: LuaVisitor {
    let scopes: ScopeAnalysis
    private let file: String
    private let source: SourceText
    private(set) var findings: [Finding] = []

    static func findings(in chunk: Chunk, scopes: ScopeAnalysis) -> [Finding] {
        var visitor = ConstantConditions(scopes: scopes, chunk: chunk)
        chunk.walk(&visitor)
        return visitor.findings
    }

    private init(scopes: ScopeAnalysis, chunk: Chunk) {
        self.scopes = scopes
        file = chunk.name
        source = chunk.source
    }

    /// A field or a variable held against a literal, or against anything else.
    struct Comparison {
        var subject: String
        var operation: BinaryOperator
        var other: Expression
        var range: SourceRange
    }

    mutating func enter(_ function: FunctionBody) { lookForDeadBranches(in: function.block) }

    mutating func enter(_ statement: Statement) {
        guard case .conditional(let branches, _) = statement.kind else { return }
        for branch in branches {
            lookForFunction(branch.condition)
            lookForDeadBranches(in: branch.block)
        }
    }

    private mutating func lookForFunction(_ condition: Expression) {
        let condition = condition.withoutParentheses
        if case .variable(let variable) = condition.kind, scopes.function(condition) != nil {
            report(condition.range, "'\(variable.name)' is a function, which always counts as true: call it")
        }
    }

    mutating func enter(_ expression: Expression) {
        if case .unary(.not, let operand) = expression.kind { lookForFunction(operand) }
        guard case .binary(let binary) = expression.kind else { return }
        if let link = binary.links.first, link.operation.isComparison, let path = binary.first.accessPath,
            !path.steps.isEmpty, text(binary.first) == text(link.operand)
        {
            let range = SourceRange(start: binary.first.range.start, end: link.operand.range.end)
            report(range, "a value is compared with itself")
        }
        lookForLoneText(binary, in: expression)
        lookForLostChoice(binary)
        for operation in [BinaryOperator.or, .and] {
            let parts = comparisons(binary, joinedBy: operation, in: expression)
            for (place, part) in parts.enumerated() {
                guard let earlier = parts[..<place].first(where: { clashes($0, part, operation) }) else { continue }
                let range = SourceRange(start: earlier.range.start, end: part.range.end)
                report(
                    range,
                    operation == .or
                        ? "this is always true: no value is both; write 'and'" : "this is never true: no value is both")
                break
            }
        }
    }

    /// `member and false or true`, which is true for all.
    private mutating func lookForLostChoice(_ binary: BinaryExpression) {
        for (place, link) in binary.links.enumerated().dropFirst() where link.operation == .or {
            let before = binary.links[place - 1]
            guard before.operation == .and, [.boolean(false), .nil].contains(before.operand.kind) else { continue }
            let range = SourceRange(start: before.operand.range.start, end: link.operand.range.end)
            report(
                range,
                "this always comes to what stands behind 'or': '\(text(before.operand))' never wins over it; use 'if'")
        }
    }

    /// `category == "staff" or "guest"`.
    private mutating func lookForLoneText(_ binary: BinaryExpression, in expression: Expression) {
        for (place, link) in binary.links.enumerated().dropFirst() where link.operation == .or {
            let left = binary.links[place - 1]
            let before =
                left.operation.isComparison
                ? comparison(binary.first, left) : comparison(left.operand.withoutParentheses)
            let other = link.operand.withoutParentheses
            guard let before, other.isLiteral else { continue }
            report(
                other.range, "a value alone is not a comparison, and always counts as true",
                "\(before.subject) \(before.operation.rawValue) \(source[other.range])")
        }
    }

    // MARK: - Comparisons of one value

    /// What `and` or `or` joins, as far as it is compared.
    func comparisons(
        _ binary: BinaryExpression, joinedBy operation: BinaryOperator, in expression: Expression
    ) -> [Comparison] {
        let joined = binary.links.reversed().prefix { $0.operation == operation }.reversed()
        guard !joined.isEmpty else { return [] }
        let head = binary.links.dropLast(joined.count)
        var parts: [Comparison] = []
        if head.isEmpty {
            if let first = comparison(binary.first.withoutParentheses) { parts.append(first) }
        } else if head.count == 1, let link = head.first {
            parts += [comparison(binary.first, link)].compactMap { $0 }
        }
        return parts + joined.compactMap { comparison($0.operand.withoutParentheses) }
    }

    func comparison(_ expression: Expression) -> Comparison? {
        guard case .binary(let binary) = expression.kind, binary.links.count == 1, let link = binary.links.first else {
            return nil
        }
        return comparison(binary.first, link)
    }

    private func comparison(_ first: Expression, _ link: BinaryExpression.Link) -> Comparison? {
        guard link.operation.isComparison, first.accessPath != nil else { return nil }
        return Comparison(
            subject: text(first), operation: link.operation, other: scopes.resolved(link.operand),
            range: SourceRange(start: first.range.start, end: link.operand.range.end))
    }

    private func clashes(_ left: Comparison, _ right: Comparison, _ operation: BinaryOperator) -> Bool {
        guard left.subject == right.subject else { return false }
        if let one = left.other.stringLiteral, let two = right.other.stringLiteral {
            let wanted: BinaryOperator = operation == .or ? .notEqual : .equal
            return one != two && left.operation == wanted && right.operation == wanted
        }
        guard operation == .and, let one = quantity(left.other), let two = quantity(right.other),
            one.base == two.base,
            one.unit == two.unit || !one.base.isEmpty && (one.offset == 0 || two.offset == 0)
        else { return false }
        return excludes(left.operation, one.offset, right.operation, two.offset)
            || excludes(right.operation, two.offset, left.operation, one.offset)
    }

    // MARK: - Quantities

    /// What something is compared with: so far from a base that is written alike on both sides, or from nothing.
    struct Quantity {
        /// As it is written: `holiday` of `holiday + days(7)`; empty for a number, an amount or a period alone.
        var base: String
        /// Of what `offset` counts; those of days and of minutes cannot be held against each other.
        var unit: String
        var offset: Int64
    }

    func quantity(_ expression: Expression) -> Quantity? {
        let expression = expression.withoutParentheses
        switch expression.kind {
        case .integer(let number): return Quantity(base: "", unit: "number", offset: number)
        case .binary(let binary):
            guard binary.links.count == 1, let link = binary.links.first, binary.first.accessPath != nil,
                let step = step(scopes.resolved(link.operand))
            else { return nil }
            let base = text(scopes.resolved(binary.first))
            switch link.operation {
            case .add: return Quantity(base: base, unit: step.unit, offset: step.count)
            case .subtract: return Quantity(base: base, unit: step.unit, offset: -step.count)
            default: return nil
            }
        case .variable, .suffixed:
            if let step = step(expression) { return Quantity(base: "", unit: step.unit, offset: step.count) }
            guard expression.call == nil, expression.accessPath != nil else { return nil }
            return Quantity(base: text(expression), unit: "", offset: 0)
        default: return nil
        }
    }

    /// `days(7)`, `money "5.00"`.
    private func step(_ expression: Expression) -> (unit: String, count: Int64)? {
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            let argument = call.arguments.first
        else { return nil }
        if word.name == "money" { return argument.stringLiteral.flatMap(Self.thousandths).map { ("money", $0) } }
        guard case .integer(let count) = argument.kind, (-100_000...100_000).contains(count) else { return nil }
        switch word.name {
        case "days": return ("days", count)
        case "weeks": return ("days", count * 7)
        case "hours": return ("minutes", count * 60)
        case "minutes": return ("minutes", count)
        default: return nil
        }
    }

    /// An amount in thousandths, the smallest parts that any currency has.
    private static func thousandths(_ amount: String) -> Int64? {
        guard let number = Double(amount), number.magnitude < 1e12 else { return nil }
        return Int64((number * 1_000).rounded())
    }

    /// Whether nothing is both more than one number and less than another.
    private func excludes(_ lower: BinaryOperator, _ least: Int64, _ upper: BinaryOperator, _ most: Int64) -> Bool {
        switch (lower, upper) {
        case (.greater, .less), (.greater, .lessOrEqual), (.greaterOrEqual, .less): least >= most
        case (.greaterOrEqual, .lessOrEqual), (.equal, .lessOrEqual), (.greaterOrEqual, .equal): least > most
        case (.equal, .equal): least != most
        default: false
        }
    }

    func text(_ expression: Expression) -> String { String(source[expression.range]) }

    mutating func report(_ range: SourceRange, _ message: String, _ better: String? = nil) {
        findings.append(
            Finding(
                code: "constant_condition", severity: .warning, file: file, range: range, message: message,
                suggestion: better))
    }
}

extension Expression {
    fileprivate var isLiteral: Bool {
        switch kind {
        case .string, .integer, .number: true
        default: false
        }
    }
}

import LuaSyntax

// Branches that are never taken, since an earlier one is whenever theirs would be.
extension ConstantConditions {
    /// A condition that does not hold any more where reading goes on.
    private struct Past {
        var comparison: Comparison
        var line: Int
    }

    /// Looks at the `if` statements of a block, and at what follows those that always leave it.
    mutating func lookForDeadBranches(in block: Block) {
        var past: [Past] = []
        for statement in block.statements {
            defer { if statement.changesPast { past = [] } }
            guard case .conditional(let branches, _) = statement.kind else { continue }
            var seen = past
            var allLeave = true
            for branch in branches {
                let condition = branch.condition.withoutParentheses
                if let earlier = seen.first(where: { isMet(by: condition, $0.comparison) }) {
                    report(
                        condition.range,
                        "this branch is never taken: line \(earlier.line), '\(text(in: earlier.comparison))', goes before it"
                            + " whenever it would be")
                }
                allLeave = allLeave && branch.block.leaves
                guard let comparison = comparison(condition), isLasting(condition) else { continue }
                let one = Past(comparison: comparison, line: condition.range.start.line)
                seen.append(one)
                // It does not hold after the statement, unless an earlier branch leads there.
                if allLeave { past.append(one) }
            }
        }
    }

    private func text(in comparison: Comparison) -> String {
        "\(comparison.subject) \(comparison.operation.rawValue) \(text(comparison.other))"
    }

    /// Whether what is compared stays what it is while the function goes on.
    private func isLasting(_ condition: Expression) -> Bool {
        guard case .binary(let binary) = condition.kind, case .local(let id) = binary.first.accessPath?.root else {
            return false
        }
        return !scopes.isReassigned(id)
    }

    /// Whether an earlier comparison holds wherever a condition does.
    private func isMet(by condition: Expression, _ earlier: Comparison) -> Bool {
        var parts = [comparison(condition)].compactMap { $0 }
        if case .binary(let binary) = condition.kind { parts += comparisons(binary, joinedBy: .and, in: condition) }
        return parts.contains { implies($0, earlier) }
    }

    private func implies(_ one: Comparison, _ other: Comparison) -> Bool {
        guard one.subject == other.subject else { return false }
        if let left = one.other.stringLiteral, let right = other.other.stringLiteral {
            switch (one.operation, other.operation) {
            case (.equal, .equal), (.notEqual, .notEqual): return left == right
            case (.equal, .notEqual): return left != right
            default: return false
            }
        }
        guard let left = quantity(one.other), let right = quantity(other.other), left.base == right.base,
            left.unit == right.unit
        else { return false }
        return implies(one.operation, left.offset, other.operation, right.offset)
    }

    private func implies(
        _ one: BinaryOperator, _ left: Int64, _ other: BinaryOperator, _ right: Int64
    ) -> Bool {
        switch (one, other) {
        case (.greaterOrEqual, .greaterOrEqual), (.equal, .greaterOrEqual), (.greater, .greaterOrEqual),
            (.greater, .greater):
            left >= right
        case (.greaterOrEqual, .greater), (.equal, .greater): left > right
        case (.lessOrEqual, .lessOrEqual), (.equal, .lessOrEqual), (.less, .lessOrEqual), (.less, .less): left <= right
        case (.lessOrEqual, .less), (.equal, .less): left < right
        case (.equal, .equal), (.notEqual, .notEqual): left == right
        case (.equal, .notEqual): left != right
        default: false
        }
    }
}

extension Statement {
    /// Whether what was compared before may have changed behind it: a field is assigned, or a label is jumped to.
    fileprivate var changesPast: Bool {
        var search = ChangeSearch()
        walk(&search)
        return search.isFound
    }
}

private struct ChangeSearch: LuaVisitor {
    private(set) var isFound = false

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .label: isFound = true
        case .assignment(let targets, _):
            if targets.contains(where: { $0.accessPath?.steps.isEmpty != true }) { isFound = true }
        default: break
        }
    }
}

import Circulation

extension CaseModel {
    /// Whether the case is one of some.
    func isIn(_ scope: CaseScope) throws -> Condition { .every(try scope.conditions.map(meets)) }

    private func meets(_ condition: CaseScope.Condition) throws -> Condition {
        var record = root
        for name in condition.path.dropLast() {
            guard case .record(let part)? = try record.value(name) else { return .constant(false) }
            record = part
        }
        if let chain = condition.chain {
            guard case .list(let codes)? = try record.value(chain), let contains = codes.contains else {
                return .constant(false)
            }
            return .some(
                try condition.values.map { value in
                    if case .text(let code) = value { try contains(.known(code)) } else { .constant(false) }
                })
        }
        let value = try condition.path.last.flatMap { try record.value($0) } ?? .null
        return .some(condition.values.map { equals(value, $0) })
    }

    private func equals(_ value: Value, _ wanted: FieldValue) -> Condition {
        switch (value, wanted) {
        case (.text(let text), .text(let word)): texts.number(of: text).equals(.constant(texts.number(of: word)))
        case (.integer(let number), .integer(let wanted)): number.equals(.constant(wanted))
        case (.flag(let condition), .flag(let wanted)): wanted ? condition : condition.negated
        case (.money(let amount), .money(let wanted)): amount.equals(.constant(wanted.minorUnits))
        case (.date(let date), .date(let wanted)): date.equals(.constant(Int64(wanted.dayNumber)))
        default: .constant(false)
        }
    }
}

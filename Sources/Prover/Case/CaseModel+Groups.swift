import Circulation

// Those to whom the patron is linked.
extension CaseModel {
    /// What some to whom the patron is linked have or owe together.
    func number(of group: PatronGroup, _ field: String) throws -> Number? {
        guard case .record(let record) = try value("patron", group.rawValue) else { return nil }
        switch try record.value(field) {
        case .integer(let number), .money(let number): return number
        default: return nil
        }
    }

    /// A group that the patron is of has no fewer people and loans than the patron.
    func bound(_ value: Value, _ name: String, of prefix: String) throws {
        guard case .integer(let number) = value,
            PatronGroup.allCases.contains(where: { $0.hasPatron && prefix == "patron.\($0.rawValue)" })
        else { return }
        if name == "people" { try path.assume(.constant(1) <= number) }
        if name == "loans", case .list(let own) = try self.value("patron", "loans") {
            try path.assume(own.length() <= number)
        }
    }
}

// Elements of lists of which one stands for all others.
extension Path {
    /// How many elements of a list meet a condition, among those of which one stands for all.
    struct Counted: Hashable {
        let list: String
        let condition: Condition
        let count: Number
    }

    /// How many elements of a list meet a condition, among those of which one stands for all.
    ///
    /// - Parameters:
    ///   - list: as names of variables tell it from others.
    ///   - condition: of the element that stands for all. Where another one holds of it as well, no more elements meet this one
    ///     than that one.
    ///   - total: how many elements the one stands for.
    ///   - why: what is not followed exactly with it.
    func count(in list: String, where condition: Condition, of total: Number, _ why: Unsettled?) throws -> Number {
        let name = "those of \(list) with \(condition.smt)"
        let count = try number(name, ProofDomain.listLength)
        if let why {
            loosen(name, why)
            approximate(why)
        }
        if counted.contains(where: { $0.list == list && $0.condition == condition }) { return count }
        try assume(count <= total)
        for other in counted where other.list == list {
            if try isAlways(condition.implies(other.condition)) { try assume(count <= other.count) }
            if try isAlways(other.condition.implies(condition)) { try assume(other.count <= count) }
        }
        counted.append(Counted(list: list, condition: condition, count: count))
        // A case is written with elements that are all alike.
        wish(count.equals(.constant(0)))
        wish(count.equals(.constant(0)) || count.equals(total) && condition)
        return count
    }

    /// Whether some element of a list meets a condition.
    ///
    /// - Parameter meets: what the element at a place meets; at ``List/any`` stands the one that stands for all behind those that are
    ///   looked at one by one.
    func isAny(of list: String, _ meets: (Int64) throws -> Condition) throws -> Condition {
        let length = try number("#\(list)", ProofDomain.listLength)
        let first = try (1...Interpreter.mostRounds).map { try .constant($0) <= length && meets($0) }
        return try .some(first + [isAnyOther(of: list, meets(List.any))])
    }

    /// Whether some element of a list meets a condition, among those of which one stands for all.
    func isAnyOther(of list: String, _ condition: Condition) throws -> Condition {
        let length = try number("#\(list)", ProofDomain.listLength)
        let others = (length + .constant(-Interpreter.mostRounds)).greatest(.constant(0))
        return try .constant(1) <= count(in: list, where: condition, of: others, nil)
    }

    /// Whether a condition of an element that stands for all holds whatever the case.
    private func isAlways(_ condition: Condition) throws -> Bool {
        let solver = explorer.solver
        return try solver.check(standing.map(solver.fact), with: solver.fact(condition.negated)) == .impossible
    }

    func noteStanding(_ fact: Condition) {
        let variables = fact.variables
        if !variables.isEmpty, variables.allSatisfy({ $0.contains(List.standing) }) { standing.append(fact) }
    }
}

/// A condition, and whether it holds.
struct Literal: Hashable {
    let condition: Condition
    let holds: Bool
    /// Whether the desk reckoned it.
    var isReckoned = false
}

// Elements of lists of which one stands for all others.
extension Path {
    /// How many elements of a list meet a condition, among those of which one stands for all.
    struct Counted: Hashable {
        let list: String
        let condition: Condition
        let count: Number
    }

    /// An element that is known by itself, among those of which one stands for all.
    struct Witness: Hashable {
        let list: String
        let place: Int64
        let isThere: Condition
    }

    /// Notes an element that is known by itself: what is counted is so of some element where it is so of this one.
    func note(_ witness: Witness) throws {
        if witnesses.contains(witness) { return }
        witnesses.append(witness)
        for counted in counted { try relate(witness, counted) }
    }

    private func relate(_ witness: Witness, _ counted: Counted) throws {
        guard witness.list == counted.list else { return }
        let (list, standing) = (witness.list, "\(witness.list)\(List.standing)")
        let own = counted.condition.renamed { name in
            Path.isOfElement(name, of: list) ? name.replacing(standing, with: "\(list)[\(witness.place)]") : name
        }
        if let own { try assume((witness.isThere && own).implies(.constant(1) <= counted.count)) }
    }

    /// How many elements of a list meet a condition, among those of which one stands for all.
    ///
    /// - Parameters:
    ///   - list: as names of variables tell it from others.
    ///   - condition: of the element that stands for all. Where another one holds of it as well, no more elements meet this one
    ///     than that one.
    ///   - total: how many elements the one stands for; none where the list is so short.
    ///   - why: what is not followed exactly with it.
    ///   - hasWitness: whether one of them is known by itself, so that the others need not meet the condition.
    func count(
        in list: String, where condition: Condition, of total: Number, _ why: Unsettled?, hasWitness: Bool = false
    ) throws -> Number {
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
        explorer.gathered.counts[name] = counted.last
        for witness in witnesses { try relate(witness, counted[counted.count - 1]) }
        // A case is written with elements that are all alike, but for those that are known by themselves.
        wish(count.equals(.constant(0)))
        if hasWitness { wish(count.equals(.constant(0)) || count.equals(.constant(1)) && condition.negated) }
        wish(count.equals(.constant(0)) && condition.negated || count.equals(total) && condition)
        return count
    }

    /// Whether some element of a list meets a condition.
    ///
    /// - Parameter meets: what the element at a place meets; at ``List/any`` stands the one that stands for all behind those that are
    ///   looked at one by one.
    func isAny(of list: String, _ meets: (Int64) throws -> Condition) throws -> Condition {
        let length = try number("#\(list)", ProofDomain.listLength)
        let first = try (1...List.rounds(of: list)).map { try .constant($0) <= length && meets($0) }
        return try .some(first + [isAnyOther(of: list, meets(List.any))])
    }

    /// Whether some element of a list meets a condition, among those of which one stands for all.
    func isAnyOther(of list: String, _ condition: Condition) throws -> Condition {
        let length = try number("#\(list)", ProofDomain.listLength)
        let others = (length + .constant(-List.rounds(of: list))).greatest(.constant(0))
        return try .constant(1) <= count(in: list, where: condition, of: others, nil)
    }

    /// Whether a variable says something of the element of a list that stands for all, as against what is so of the whole list.
    static func isOfElement(_ variable: String, of list: String) -> Bool {
        let element = "\(list)\(List.standing)"
        guard variable.contains(element), !variable.hasPrefix("those of \(list) with "),
            !variable.hasPrefix("\(Extreme.name)\(list) by ")
        else { return false }
        guard variable.hasPrefix("sum of ") else { return true }
        // Of a list within the element each element has a sum of its own.
        return variable.split(separator: element, omittingEmptySubsequences: false).dropFirst().contains {
            $0.prefix { $0 != " " && $0 != ")" }.contains(List.standing)
        }
    }

    /// Whether a condition of an element that stands for all holds whatever the case.
    func isAlways(_ condition: Condition) throws -> Bool {
        let solver = explorer.solver
        return try solver.check(standing, with: solver.fact(condition.negated)) == .impossible
    }
}

/// A condition, and whether it holds.
struct Literal: Hashable {
    let condition: Condition
    let holds: Bool
    /// Whether the desk reckoned it.
    var isReckoned = false
}

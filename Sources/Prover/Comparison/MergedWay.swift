/// A way through a question, or several that come to the same.
struct MergedWay<Kind: Equatable> {
    /// In the order in which they were decided.
    var literals: [Literal]
    /// What it comes to; nil: nothing that is looked at.
    let kind: Kind?
    /// The place of a way of it.
    let example: Int

    /// Ways without what does not matter to them: a condition of which both outcomes come to the same. Those of one kind
    /// may have cases in common, those of two kinds have none. Those without a kind are left out.
    ///
    /// - Parameter ways: all ways of one question, in the order in which they were gone.
    static func merged(_ ways: ArraySlice<MergedWay>, _ depth: Int = 0) -> [MergedWay] {
        guard let first = ways.first else { return [] }
        guard let literal = ways.lazy.compactMap({ $0.literals.count > depth ? $0.literals[depth] : nil }).first else {
            return first.kind == nil ? [] : [MergedWay(literals: [], kind: first.kind, example: first.example)]
        }
        func side(_ holds: Bool) -> [MergedWay] {
            let slice = ways.filter { $0.literals.count > depth && $0.literals[depth].holds == holds }
            return merged(slice[...], depth + 1)
        }
        let (those, others) = (side(true), side(false))
        return joined(those, others, Literal(condition: literal.condition, holds: true))
            + joined(others, those, Literal(condition: literal.condition, holds: false), isSecond: true)
    }

    /// What is found on one side of a condition: without the condition, where the other side has as much.
    private static func joined(
        _ parts: [MergedWay], _ others: [MergedWay], _ literal: Literal, isSecond: Bool = false
    ) -> [MergedWay] {
        parts.compactMap { part in
            let wider = others.first { $0.kind == part.kind && Set($0.literals).isSubset(of: part.literals) }
            if let wider {
                // Of two that are alike one stays.
                return wider.literals == part.literals && isSecond ? nil : part
            }
            var own = part
            own.literals.insert(literal, at: 0)
            return own
        }
    }
}

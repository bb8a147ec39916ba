import Circulation

extension DeskModel {
    /// How many other open holds the patron has on the item type by which the row counts them; nil where no copy is
    /// known.
    ///
    /// On a type that the row names there are at least as many as on the copy's own, which is that type or lies below
    /// it.
    func heldOfItemType() throws -> Number? {
        guard try model.part("copy") != nil, let own = try model.number("hold", "of_item_type") else { return nil }
        guard let row = try rule.row(setting: .hold),
            let named = rule.policy.tables.source.rules[row].conditions.itemTypes
        else { return own }
        let held = try path.number(HeldTypes.name(named), ProofDomain.bounds(of: "of_item_type"))
        let code = try model.chain("copy.item_type", .itemType).first()
        let isOwn = Condition.some(named.map { code.equals(.constant(model.texts.number(of: $0))) })
        try path.assume(own <= held)
        try path.assume(isOwn.implies(held.equals(own)))
        path.wish(held.equals(own))
        path.say(held, "holds on \(RowConditions.either(named))")
        path.approximate(try rule.site(.hold).unsettled("holds are counted by an item type above the copy's own"))
        return held
    }
}

/// The variable that says how many holds there are on the item types that a row names.
enum HeldTypes {
    private static let prefix = "hold.of_item_types by "

    static func name(_ itemTypes: [String]) -> String { prefix + itemTypes.sorted().joined(separator: ", ") }

    /// What a variable counts in a case; nil if it counts no holds.
    static func count(_ name: String, in question: Case) -> Int64? {
        guard name.hasPrefix(prefix) else { return nil }
        let types = name.dropFirst(prefix.count).split(separator: ", ").map { String($0) }
        return question.holds(countedBy: RowConditions(itemTypes: types))?.count
    }
}

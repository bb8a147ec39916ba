import TextFormats

extension HoldFacts {
    /// How many other open holds the patron has on the copy's own item type; 0 where they were not counted.
    package var ofItemType: Int64 {
        get { itemTypeCounts?.first ?? 0 }
        set { itemTypeCounts = [newValue] + (itemTypeCounts?.dropFirst() ?? []) }
    }

    /// The same for that type and, after it, those above it; empty where they were not counted.
    package var ofItemTypes: [Int64] {
        get { itemTypeCounts ?? [] }
        set { if !newValue.isEmpty { itemTypeCounts = newValue } }
    }
}

extension Case {
    /// The item type by which a row counts holds, and how many other open holds the patron has on it: the type nearest
    /// to the copy's own that the row names, or the copy's own where it names none.
    ///
    /// Where a case has fewer counts than the copy has types, the last count is that of all types above it.
    ///
    /// - Returns: nil where no copy is known.
    package func holds(countedBy conditions: RowConditions?) -> (itemType: String, count: Int64)? {
        guard let types = copy?.itemTypes, !types.isEmpty else { return nil }
        let place = conditions?.itemTypes.flatMap { named in types.firstIndex(where: named.contains) } ?? 0
        let counts = hold?.ofItemTypes ?? []
        return (types[place], counts.isEmpty ? 0 : counts[min(place, counts.count - 1)])
    }
}

extension CompiledTables {
    /// What `holds_of_item_type` says against a hold; nil: nothing.
    func fullOfItemType(_ question: Case, _ rule: MatchedRule) -> Refusal.Reason? {
        guard let maximum = rule.hold.maximumOfItemType else { return nil }
        let conditions = rule.row(setting: .hold).map { source.rules[$0].conditions }
        guard let held = question.holds(countedBy: conditions), held.count >= maximum else { return nil }
        return .holds(held.count, on: held.itemType, of: maximum, origin: rule.origin(of: HoldTerms.ofItemType))
    }
}

extension RuleRow {
    fileprivate var limitsHoldsOfItemType: Bool {
        if case .integer? = fields[HoldTerms.ofItemType] { true } else { false }
    }

    /// The item types by which it counts holds, in order; empty: by the copy's own; nil: it counts none.
    package var typesOfCountedHolds: [String]? { limitsHoldsOfItemType ? conditions.itemTypes?.sorted() ?? [] : nil }
}

extension PolicyTables {
    /// Whether a row limits the holds of an item type.
    package var limitsHoldsOfItemType: Bool { rules.contains(where: \.limitsHoldsOfItemType) }
}

extension Refusal.Reason {
    fileprivate static func holds(
        _ count: Int64, on itemType: String, of maximum: Int64, origin: RuleOrigin?
    ) -> Refusal.Reason {
        let message =
            switch (maximum, count) {
            case (0, _): "Holds are not allowed on items of type \(itemType)."
            case (1, 1): "This account has 1 hold on items of type \(itemType); the limit is one."
            case (1, _): "This account has \(count) holds on items of type \(itemType); the limit is one."
            default: "This account has \(count) holds on items of type \(itemType); the limit is \(maximum)."
            }
        return Refusal.Reason(
            code: Refusal.Code.limit, message: message, origin: origin,
            figures: ["limit": .integer(maximum), "count": .integer(count), "item_type": .string(itemType)])
    }
}

extension CompiledTables {
    /// Whether the order of rows depends on the case: with `match` on item types a row that names the copy's own type
    /// goes before one that names its parent, whichever is written first.
    func isOrderedByCase(_ question: Case) -> Bool {
        weighsItemTypes && (question.copy?.itemTypes.count ?? 0) > 1
    }

    /// The positions among `positions` in the order of importance for a case: the conditions of `match` from the most
    /// important on, a nearer item type before its parents, rows alike in all that as written.
    func positions(_ positions: [Int], byImportanceFor question: Case) -> [Int] {
        self.positions(positions, byImportanceFor: question.copy?.itemTypes ?? [])
    }

    /// The same for an item type with its ancestors.
    func positions(_ positions: [Int], byImportanceFor types: [String]) -> [Int] {
        let ranks = Dictionary(uniqueKeysWithValues: positions.map { ($0, distances(of: $0, from: types)) })
        return positions.sorted { left, right in
            guard let ofLeft = ranks[left], let ofRight = ranks[right], ofLeft != ofRight else {
                return left < right
            }
            return ofLeft.lexicographicallyPrecedes(ofRight)
        }
    }

    /// For each condition of `match` how far a row is from naming the case's own value; the least is the nearest.
    private func distances(of position: Int, from itemTypes: [String]) -> [Int] {
        let conditions = source.rules[order[position]].conditions
        return (source.match?.dimensions ?? []).map { dimension in
            guard conditions.has(dimension) else { return .max }
            guard dimension == RowConditions.itemTypeName else { return 0 }
            return itemTypes.firstIndex { conditions.itemTypes?.contains($0) ?? false } ?? itemTypes.count
        }
    }

    /// Why a row that matches gave way to another: what of `match` the winner names and it does not.
    ///
    /// - Parameters:
    ///   - row: the zero-based row that lost, which comes after the winner in the order of importance.
    ///   - winner: the zero-based row that won.
    func importance(of row: Int, behind winner: Int, for question: Case) -> String {
        let loser = source.rules[row].conditions
        let other = source.rules[winner].conditions
        let types = question.copy?.itemTypes ?? []
        for dimension in source.match?.dimensions ?? [] {
            let word = dimension.replacing("_", with: " ")
            if other.has(dimension) && !loser.has(dimension) {
                return "it matches, but row \(winner + 1) names the \(word) and this row does not"
            }
            guard dimension == RowConditions.itemTypeName, let nearest = RowConditions.nearest(types, other.itemTypes),
                let named = RowConditions.nearest(types, loser.itemTypes), nearest != named
            else { continue }
            return "it matches, but row \(winner + 1) names \(RowConditions.either([nearest])), which is nearer than"
                + " \(RowConditions.either([named]))"
        }
        return "it matches, but row \(winner + 1) is as important and stands before it"
    }
}

extension RowConditions {
    static let itemTypeName = "item_type"

    /// The first of `types`, a type and its ancestors, that a condition names.
    fileprivate static func nearest(_ types: [String], _ named: [String]?) -> String? {
        types.first { named?.contains($0) ?? false }
    }
}

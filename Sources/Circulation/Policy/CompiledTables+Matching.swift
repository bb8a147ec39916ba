extension CompiledTables {
    /// The rule for a case: each group from the first row, in reading order or in the order of `match`, that sets any field
    /// of it and matches.
    ///
    /// - Throws: what `when` throws.
    package func matchedRule(for question: Case, when: WhenCondition) throws -> MatchedRule {
        var candidates = CandidateRows(rules.candidates(for: question), whens: rules.whens)
        var positions = Array(repeating: -1, count: groups.count)
        if isOrderedByCase(question) {
            let ranked = self.positions(candidates.rows.positions, byImportanceFor: question)
            for index in groups.indices {
                let first = try ranked.first { try setters[index].contains($0) && candidates.contains($0, when: when) }
                if let first { positions[index] = first }
            }
            return MatchedRule(tables: self, positions: positions)
        }
        for index in groups.indices {
            if let position = try candidates.first(in: setters[index], when: when) { positions[index] = position }
        }
        return MatchedRule(tables: self, positions: positions)
    }
}

/// The rows that a case may match, with their `when` functions asked only when it comes to them, and only once.
struct CandidateRows {
    private(set) var rows: RowSet
    private var unasked: RowSet
    private let whens: [Int?]

    init(_ rows: RowSet, whens: [Int?]) {
        self.rows = rows
        self.whens = whens
        unasked = rows
    }

    /// The first position from `start` on that is in `set` and matches.
    mutating func first(in set: RowSet, from start: Int = 0, when: WhenCondition) throws -> Int? {
        var start = start
        while let position = rows.firstCommon(with: set, from: start) {
            if try contains(position, when: when) { return position }
            start = position + 1
        }
        return nil
    }

    /// Whether the row at `position` matches.
    mutating func contains(_ position: Int, when: WhenCondition) throws -> Bool {
        guard rows.contains(position) else { return false }
        guard let condition = whens[position], unasked.contains(position) else { return true }
        unasked.remove(position)
        if try when(condition) { return true }
        rows.remove(position)
        return false
    }
}

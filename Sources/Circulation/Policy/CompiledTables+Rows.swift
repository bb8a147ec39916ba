extension CompiledTables {
    /// The rows of `rules`, zero-based, that set any field of a group: the first of them that matches a case counts.
    package func rows(setting group: RuleGroup) -> [Int] {
        groups.firstIndex(of: group).map { index in setters[index].positions.map { order[$0] } } ?? []
    }

    /// The built-in fields of a row of `rules`; their defaults where no row sets a group.
    package func terms(ofRow row: Int?) -> RuleTerms {
        row.flatMap { row in order.firstIndex(of: row) }.map { terms[$0] } ?? .standard
    }

    /// Whether it depends on the case which of two rows goes before the other.
    package var ordersRowsByCase: Bool { weighsItemTypes }
}

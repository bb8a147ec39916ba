/// What one field comes to in each row of a policy's tables, for reading the same field of many rules.
package struct RuleColumn: Sendable {
    package let field: String
    /// Its group's place among ``CompiledTables/groups``; nil for a free field that no row has.
    fileprivate let group: Int?
    /// By reading position; nil for nothing and for `none`.
    fileprivate let values: [RuleValue?]
    fileprivate let standard: RuleValue?

    /// - Parameter tables: those of the rules that are to be read.
    package init(_ field: String, of tables: CompiledTables) {
        self.field = field
        let standard = RuleField.named[field]?.standard
        group = tables.groups.firstIndex(of: RuleField.named[field]?.group ?? .free(field))
        self.standard = standard
        values = tables.order.map { row in
            switch tables.source.rules[row].fields[field] {
            case .some(.none): nil
            case .some(let value): value
            case nil: standard
            }
        }
    }
}

extension MatchedRule {
    /// The same as by the field's name.
    package subscript(column: RuleColumn) -> RuleValue? {
        guard let group = column.group, positions[group] >= 0 else { return column.standard }
        return column.values[positions[group]]
    }
}

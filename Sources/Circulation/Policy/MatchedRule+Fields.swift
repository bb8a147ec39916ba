/// A field that a row set.
package struct SetField: Hashable, Sendable {
    package var name: String
    package var value: RuleValue
    /// Where it stands in the policy.
    package var origin: RuleOrigin
}

extension MatchedRule {
    /// The fields that rows set, in the order in which they are documented, free ones after them by name. Fields that
    /// only have their defaults are not among them.
    package var setFields: [SetField] {
        var fields: [SetField] = []
        for (name, group) in tables.usedFields where positions[group] >= 0 {
            let row = tables.order[positions[group]]
            guard let value = tables.source.rules[row].fields[name] else { continue }
            fields.append(SetField(name: name, value: value, origin: tables.origin(ofRule: row, field: name)))
        }
        return fields
    }
}

extension CompiledTables {
    /// The names of the fields that any row sets: as documented, free ones after them by name; each with the place of its
    /// group among ``groups``.
    package var fieldsInUse: [(name: String, group: Int)] { usedFields }
}

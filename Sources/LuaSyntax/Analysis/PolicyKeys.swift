/// Finds keys of a policy and fields of its rows that mean nothing.
package struct PolicyKeys: Sendable {
    /// The fields a row may have.
    package struct RowFields: Hashable, Sendable {
        package let names: Set<String>
        /// Whether a library may add fields of its own. If so, only what looks misspelt is reported, as a warning.
        package let allowsOthers: Bool
        /// Fields that belong to another list of rows, by name with the list's key: one's own of that name would mislead.
        package let elsewhere: [String: String]

        package init(
            _ names: some Sequence<String>, allowsOthers: Bool = false, elsewhere: [String: String] = [:]
        ) {
            self.names = Set(names)
            self.allowsOthers = allowsOthers
            self.elsewhere = elsewhere
        }
    }

    private let topLevel: Set<String>
    private let rowFields: [String: RowFields]
    private let file: String

    /// - Parameters:
    ///   - topLevel: the keys of the policy itself, decision points among them.
    ///   - rowFields: the fields of rows, for each list of rows.
    package init(topLevel: some Sequence<String>, rowFields: [String: RowFields], file: String) {
        self.topLevel = Set(topLevel)
        self.rowFields = rowFields
        self.file = file
    }

    /// The findings `unknown_point` and `unknown_rule_field`, in order of place.
    package func findings(in outline: PolicyOutline) -> [Finding] {
        let keys = outline.fields.filter { !topLevel.contains($0.name) }.map { field in
            Finding(
                code: "unknown_point", file: file, range: field.key.range,
                message: "a policy has no key '\(field.name)'",
                suggestion: NameSuggestion.nearest(to: field.name, among: topLevel))
        }
        return (keys + outline.rows.flatMap(findings(in:))).sorted()
    }

    private func findings(in row: PolicyOutline.Row) -> [Finding] {
        guard let known = rowFields[row.table] else { return [] }
        return row.fields.filter { !known.names.contains($0.name) }.compactMap { field in
            if let list = known.elsewhere[field.name] {
                return Finding(
                    code: "unknown_rule_field", severity: known.allowsOthers ? .warning : .error, file: file,
                    range: field.key.range,
                    message: "rows of '\(row.table)' have no field '\(field.name)': it belongs to rows of '\(list)'")
            }
            let nearest = NameSuggestion.nearest(to: field.name, among: known.names)
            guard nearest != nil || !known.allowsOthers else { return nil }
            return Finding(
                code: "unknown_rule_field", severity: known.allowsOthers ? .warning : .error, file: file,
                range: field.key.range, message: "rows of '\(row.table)' have no field '\(field.name)'",
                suggestion: nearest)
        }
    }
}

import TextFormats

/// Finds keys of a policy and fields of its rows that mean nothing.
package struct PolicyKeys: Sendable {
    /// The fields a row may have.
    package struct RowFields: Hashable, Sendable {
        package let names: Set<String>
        /// Whether a library may add fields of its own.
        package let allowsOthers: Bool
        /// The fields of one's own that the policy declares; nil where none needs to be declared, and only what looks
        /// misspelt is reported, as a warning.
        package let declared: Set<String>?
        /// The fields that the policy's functions read of their rule: those are declared as well, though what looks
        /// misspelt is a warning.
        package let read: Set<String>
        /// Fields that belong to another list of rows, by name with the list's key: one's own of that name would mislead.
        package let elsewhere: [String: String]
        /// What others call a field, with its name here.
        package let synonyms: [String: String]
        /// What a function could ask instead of a row, by name: `age` is `case.patron.age`.
        package let askable: [String: String]

        package init(
            _ names: some Sequence<String>, allowsOthers: Bool = false, declared: Set<String>? = nil,
            read: Set<String> = [], elsewhere: [String: String] = [:], synonyms: [String: String] = [:],
            askable: [String: String] = [:]
        ) {
            self.names = Set(names)
            self.allowsOthers = allowsOthers
            self.declared = declared
            self.read = read
            self.elsewhere = elsewhere
            self.synonyms = synonyms
            self.askable = askable
        }

        /// What is to be said of a field.
        package struct Complaint: Hashable, Sendable {
            package let severity: Finding.Severity
            package let message: String
            package let suggestion: String?
        }

        /// What is wrong with a field of a row; nil if rows have it.
        package func complaint(about name: String, in table: String) -> Complaint? {
            if names.contains(name) || declared?.contains(name) == true { return nil }
            let isOpen = allowsOthers && declared == nil
            let isRead = allowsOthers && read.contains(name)
            let plain = "rows of '\(table)' have no field '\(name)'"
            if let list = elsewhere[name], !isRead {
                return Complaint(
                    severity: isOpen ? .warning : .error, message: "\(plain): it belongs to rows of '\(list)'",
                    suggestion: nil)
            }
            if isOpen || isRead {
                let nearest = NameSuggestion.nearest(to: name, among: names)
                return nearest.map { Complaint(severity: .warning, message: plain, suggestion: $0) }
            }
            let meant = synonyms[name].flatMap { names.contains($0) ? $0 : nil }
            let suggestion = meant ?? NameSuggestion.meant(by: name, among: names)
            return Complaint(
                severity: .error, message: plain + (suggestion == nil ? hint(for: name) : ""), suggestion: suggestion)
        }

        private func hint(for name: String) -> String {
            let asked = askable[name].map { "; '\($0)' can be asked in 'when'" } ?? ""
            guard allowsOthers else { return asked }
            return "\(asked); a field of the library's own is declared by fields = { \"\(name)\" }"
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
                suggestion: NameSuggestion.meant(by: field.name, among: topLevel))
        }
        return (keys + outline.rows.flatMap(findings(in:))).sorted()
    }

    private func findings(in row: PolicyOutline.Row) -> [Finding] {
        guard let known = rowFields[row.table] else { return [] }
        return row.fields.compactMap { field in
            known.complaint(about: field.name, in: row.table).map { complaint in
                Finding(
                    code: "unknown_rule_field", severity: complaint.severity, file: file, range: field.key.range,
                    message: complaint.message, suggestion: complaint.suggestion)
            }
        }
    }
}

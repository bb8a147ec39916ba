/// The fields of a library's own that are in force.
package struct CustomFields: Hashable, Sendable {
    /// Each once, in the order of their names.
    package let all: [CustomField]
    /// Names that a plugin once declared and none does any more: a policy of that time reads them as nil.
    package let lapsed: [CustomField.Owner: Set<String>]
    private let byOwner: [CustomField.Owner: [CustomField]]

    /// Of a library that has none.
    package static let none = CustomFields([])

    /// - Parameter former: what versions declared that are not in force.
    package init(_ fields: [CustomField], former: [CustomField] = []) {
        var known: Set<[String]> = []
        all = fields.sorted { ($0.owner.rawValue, $0.name, $0.plugin) < ($1.owner.rawValue, $1.name, $1.plugin) }
            .filter { known.insert([$0.owner.rawValue, $0.name]).inserted }
        byOwner = Dictionary(grouping: all, by: \.owner)
        var lapsed: [CustomField.Owner: Set<String>] = [:]
        for field in former where !known.contains([field.owner.rawValue, field.name]) {
            lapsed[field.owner, default: []].insert(field.name)
        }
        self.lapsed = lapsed
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Those of a kind of record, by name.
    package subscript(owner: CustomField.Owner) -> [CustomField] { byOwner[owner] ?? [] }

    /// The field of a name; nil: none is declared.
    package func field(_ owner: CustomField.Owner, _ name: String) -> CustomField? {
        self[owner].first { $0.name == name }
    }
}

import Circulation
package import Languages
import TextFormats

/// The headings by which columns are known, kind by kind, from what explains files; and tables to begin with.
package enum KnownHeadings {
    /// A field of a kind.
    package struct Field: Sendable {
        package let name: String
        package let label: Phrase
        /// In words, what a cell holds.
        package let holds: String
        package let isRequired: Bool
        /// What files may call it, its own name first.
        package let headings: [String]
    }

    /// The fields of a kind that pages offer.
    package static func fields(of kind: String) -> [Field] {
        guard let known = NativeRecords.kinds[kind] else { return [] }
        let names = Dictionary(grouping: isNamed(kind) ? FieldNames.all(of: kind) : [], by: \.field)
        return FieldLabels.fields(of: kind).compactMap { name, label in
            guard let member = known.cellMember(name) else { return nil }
            var seen: Set<String> = []
            let headings = ["\(known.plural).\(name)"] + (names[name] ?? []).map(\.heading)
            return Field(
                name: name, label: label, holds: member.holds, isRequired: member.isRequired && name != "key",
                // The name with its kind is one that nothing else has.
                headings: (headings.dropFirst() + headings.prefix(1)).filter {
                    seen.insert(FieldNames.key($0)).inserted
                }
            )
        }
    }

    /// Whether columns of a kind are known by their names alone.
    private static func isNamed(_ kind: String) -> Bool { !FieldNames.fields(of: kind).isEmpty }

    /// As mapping files call a kind.
    package static func plural(_ kind: String) -> String? { NativeRecords.kinds[kind]?.plural }

    /// The kind that mapping files call so, by the name of one record.
    package static func kind(_ plural: String) -> String? {
        FieldLabels.kinds.map(\.0).first { NativeRecords.kinds[$0]?.plural == plural }
    }

    /// The words of which a field is one, as the status of a copy; empty: it is any.
    package static func words(of field: String, in kind: String) -> [String] {
        guard case .choice(let words)? = NativeRecords.kinds[kind]?.cellMember(field)?.kind else { return [] }
        return words
    }

    /// What can be read in two ways.
    package enum Content: Sendable { case date, amount }

    /// What can be read in two ways in the cells of a field; nil: nothing.
    package static func content(of field: String, in kind: String) -> Content? {
        switch NativeRecords.kinds[kind]?.cellMember(field)?.cell {
        case .date, .moment: .date
        case .amount: .amount
        default: nil
        }
    }

    // MARK: - Examples

    /// A table of a kind with one row that is made up, as CSV: its headings are known, and it imports. Rows about patrons and copies name
    /// those of the examples of these.
    ///
    /// - Parameter code: the first code of a kind that the library has, nil: it has none.
    package static func example(of kind: String, code: (String) -> String?) -> [UInt8]? {
        guard let known = NativeRecords.kinds[kind], let values = values[kind] else { return nil }
        let isKnown = TableProfiles.profile(for: CSVHeader(CSVRecord(fields: values.map(\.0), line: 1))) != nil
        var writer = CSVWriter()
        writer.record(values.map { isKnown ? $0.0 : "\(known.plural).\($0.0)" })
        writer.record(
            values.map { name, value in
                switch name {
                case "branch", "home_branch", "pickup_branch": code("branch") ?? value
                case "category", "item_type": code(name) ?? value
                default: value
                }
            })
        return writer.bytes
    }

    /// Fields with a made-up value.
    private static let values: [String: [(String, String)]] = [
        "title": [
            ("isbn", "9783522202558"), ("title", "Momo"), ("authors", "Michael Ende"), ("publisher", "Thienemann"),
            ("year", "1973"), ("language", "de"), ("genres", "children|fantasy"), ("copies", "2"),
        ],
        "copy": [
            ("barcode", "EX-0001"), ("isbn", "9783522202558"), ("title", "Momo"), ("authors", "Michael Ende"),
            ("branch", "main"), ("item_type", "book"), ("replacement_price", "12.50"), ("location", "shelf-1"),
            ("acquired_on", "2026-01-15"),
        ],
        "patron": [
            ("username", "EX-1001"), ("name", "Ada"), ("surname", "Example"), ("category", "adult"),
            ("home_branch", "main"), ("email", "ada@example.org"), ("phone", "030 1234567"),
            ("birth_date", "2012-03-24"), ("expires_on", "2030-12-31"), ("language", "de"),
        ],
        "loan": [
            ("username", "EX-1001"), ("barcode", "EX-0001"), ("lent_on", "2026-02-01"), ("due_on", "2026-03-01"),
            ("returned_on", "2026-02-20"),
        ],
        "hold": [
            ("username", "EX-1001"), ("isbn", "9783522202558"), ("pickup_branch", "main"),
            ("placed_at", "2026-02-01"),
        ],
        "course": [("code", "EX-101"), ("name", "An example"), ("isbn", "9783522202558")],
        "branch": [("code", "example-branch"), ("name", "Example branch")],
        "category": [("code", "example-category"), ("name", "Example category")],
        "item_type": [("code", "example-type"), ("name", "Example type")],
        "location": [("code", "example-shelf"), ("name", "Example shelf")],
        "ledger_entry": [
            ("username", "EX-1001"), ("kind", "charge"), ("amount", "2.50"), ("at", "2026-02-01"),
            ("label", "An example"), ("key", "example-1"),
        ],
    ]
}

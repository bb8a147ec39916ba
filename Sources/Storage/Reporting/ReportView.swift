import Circulation

/// A view that anybody with the capability `sql` may read: its SQL, and its documentation, come from here.
///
/// It shows every row of one table, and no column that identifies a patron or leads to one: no name, username,
/// address, birth date, free text or payload of an event. Instants are texts in UTC, `2026-12-24T18:00:00Z`, dates
/// `2026-12-24`, amounts of money whole minor units, flags 0 or 1.
package struct ReportView: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package let name: String
        /// Of what it is made, in the SQL that the databases share.
        let expression: String
    }

    package let name: String
    /// One sentence.
    package let summary: String
    let table: String
    package private(set) var columns: [Column]
    /// What the declaration of the table's record calls personal.
    package let personalColumns: [String]

    init(
        _ name: String, of table: String, _ summary: String, _ columns: [Column], personalColumns: [String] = []
    ) {
        self.name = name
        self.table = table
        self.summary = summary
        self.columns = columns
        self.personalColumns = personalColumns
    }

    /// A view of the table of a declared record: each of its columns is shown as what the declaration says it holds.
    init<Record: DeclaredRecord>(_ name: String, of record: Record.Type, _ summary: String, _ columns: [Column]) {
        let declaration = record.declaration
        self.init(
            name, of: declaration.table, summary,
            columns.map { column in
                switch declaration.kind(ofColumn: column.expression) {
                case .instant: .instant(column.name)
                case .date: .date(column.name)
                default: column
                }
            }, personalColumns: declaration.personalColumns)
    }

    /// What makes the view.
    var script: String {
        // A name of the library's own may be a word of SQL.
        let list = columns.map { "\($0.expression) AS \"\($0.name)\"" }.joined(separator: ", ")
        return "CREATE VIEW \(name) AS SELECT \(list) FROM \(table);"
    }
}

extension ReportView.Column: ExpressibleByStringLiteral {
    /// A column under its own name: of a declared record as what it holds, of another table as it stands.
    package init(stringLiteral name: String) {
        self.init(name: name, expression: name)
    }

    static func instant(_ name: String) -> Self { .init(name: name, expression: "{instant \(name)}") }
    static func date(_ name: String) -> Self { .init(name: name, expression: "{date \(name)}") }
    static func of(_ expression: String, as name: String) -> Self { .init(name: name, expression: expression) }
}

extension ReportView {
    /// All there are.
    package static let all: [ReportView] = [
        ReportView("report_branches", of: "branches", "Branches.", ["code", "name", "parent"]),
        ReportView(
            "report_categories", of: "categories", "Categories of patrons.", ["code", "name", "parent"]),
        ReportView("report_item_types", of: "item_types", "Item types.", ["code", "name", "parent"]),
        ReportView("report_locations", of: "locations", "Shelving locations that have names.", ["code", "name"]),
        ReportView(
            "report_titles", of: Title.self, "Titles; lists are JSON.",
            [
                "id", "isbn", "title", "authors", "publisher", "year", "language", "genres", "subjects", "college",
                "edition", "series", "series_number", "stars", "recommended",
            ]),
        ReportView("report_title_genres", of: "title_genres", "Genres of titles, a row each.", ["title", "genre"]),
        ReportView(
            "report_copies", of: Copy.self, "Copies.",
            [
                "id", "barcode", "title", "branch", "item_type", "status", "replacement_price",
                "replacement_currency", "location", "acquired_on", "call_number",
            ]),
        ReportView(
            "report_patrons", of: Patron.self, "Patrons, without anything by which one could be told or reached.",
            ["id", "category", "home_branch", "language", "expires_on"]),
        ReportView(
            "report_patron_links", of: PatronLink.self,
            "Who answers for whom (`guardian`: `other` for `patron`), and who lives with whom (`household`: `other` is the one to whom all of it are linked).",
            ["id", "patron", "other", "kind", "added_at"]),
        ReportView(
            "report_blocks", of: PatronBlock.self, "Blocks and suspensions of patrons, without their reasons.",
            ["id", "patron", "kind", "created_at", "ends", "lifted_at"]),
        ReportView(
            "report_loans", of: Loan.self, "Loans, imported history included, as they stood when they were made.",
            [
                "id", "copy", "title", "patron", "category", "home_branch", "item_type", "branch",
                "lent_at", "due_at", "original_due_at", "returned_at",
                "lost_at", "claimed_at", "recalled_at", "renewed_at",
                "renewals", "on_site", "channel",
                .of("CAST(CASE WHEN import_key IS NULL THEN 0 ELSE 1 END AS {integer})", as: "imported"),
            ]),
        ReportView(
            "report_holds", of: Hold.self, "Holds, closed ones too.",
            [
                "id", "title", "copy", "patron", "pickup_branch", "placed_at", "priority",
                "expires_on", "state", "held_copy", "shelved_at", "closed_at", "loan",
                "channel",
            ]),
        ReportView(
            "report_in_house_uses", of: InHouseUse.self, "Uses in the house.",
            ["id", "copy", "title", "category", "item_type", "branch", "used_at"]),
        ReportView(
            "report_fees", of: LedgerEntry.self, "Lines of patrons' accounts, without their words.",
            ["id", "patron", "loan", "kind", "amount", "currency", "at"]),
        ReportView(
            "report_notices", of: Notice.self, "Notices, without their texts.",
            [
                "id", "kind", "patron", "loan", "stage", "repetition", "channel", "state", "created_at",
                "sent_at", "tries",
            ]),
        ReportView(
            "report_policies", of: PolicyActivation.self, "Policies that were put into force.",
            ["id", "policy", "name", "effective_from", "activated_at"]),
        ReportView(
            "report_events", of: "events", "What happened, without who did it and what it says.",
            ["sequence", .instant("at"), "kind", "channel", "patron", "copy", "loan"]),
    ]

    static let names = Set(all.map(\.name))

    /// All there are, with columns for fields of the library's own that are not personal.
    static func all(with fields: CustomFields) -> [ReportView] {
        fields.isEmpty ? all : all.map { $0.adding(fields) }
    }

    private func adding(_ fields: CustomFields) -> ReportView {
        guard let owner = CustomField.Owner.allCases.first(where: { name == "report_\($0.table)" }) else { return self }
        var view = self
        view.columns += fields[owner].filter { !$0.isPersonal }.map(Column.init)
        return view
    }

    /// Takes all views away, so that the tables below them can change.
    static var droppingScript: String {
        // Those of earlier versions too, if there ever were others: a name that was given stays in this list.
        all.map { "DROP VIEW IF EXISTS \($0.name);" }.joined(separator: "\n")
    }

    static func makingScript(_ fields: CustomFields) -> String {
        all(with: fields).map(\.script).joined(separator: "\n")
    }
}

extension CustomField.Owner {
    /// The table that keeps such records.
    package var table: String {
        switch self {
        case .patron: Patron.declaration.table
        case .title: Title.declaration.table
        case .copy: Copy.declaration.table
        }
    }
}

extension ReportView.Column {
    /// A field of the library's own: texts, and dates as such; whole numbers and ids; 0 or 1; amounts in minor units.
    init(_ field: CustomField) {
        let value = "{json extra \(field.name)}"
        let expression =
            switch field.kind {
            case .text, .date, .branch: value
            case .integer, .patron, .title: "CAST(\(value) AS {integer})"
            case .number: "CAST(\(value) AS DOUBLE PRECISION)"
            case .boolean:
                "CASE CAST(\(value) AS VARCHAR) WHEN 'true' THEN 1 WHEN '1' THEN 1 WHEN 'false' THEN 0 WHEN '0' THEN 0 END"
            case .money: "CAST(REPLACE(SUBSTR(\(value), 1, LENGTH(\(value)) - 4), '.', '') AS {integer})"
            }
        self.init(name: field.name, expression: expression)
    }
}

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
    package let columns: [Column]

    init(_ name: String, of table: String, _ summary: String, _ columns: [Column]) {
        self.name = name
        self.table = table
        self.summary = summary
        self.columns = columns
    }

    /// What makes the view.
    var script: String {
        let list = columns.map { "\($0.expression) AS \($0.name)" }.joined(separator: ", ")
        return "CREATE VIEW \(name) AS SELECT \(list) FROM \(table);"
    }
}

extension ReportView.Column: ExpressibleByStringLiteral {
    /// A column that is shown as it stands.
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
        ReportView(
            "report_titles", of: "titles", "Titles; lists are JSON.",
            [
                "id", "isbn", "title", "authors", "publisher", "year", "language", "genres", "subjects", "college",
                "edition", "stars", "recommended",
            ]),
        ReportView("report_title_genres", of: "title_genres", "Genres of titles, a row each.", ["title", "genre"]),
        ReportView(
            "report_copies", of: "copies", "Copies.",
            [
                "id", "barcode", "title", "branch", "item_type", "status", "replacement_price",
                "replacement_currency",
            ]),
        ReportView(
            "report_patrons", of: "patrons", "Patrons, without anything by which one could be told or reached.",
            ["id", "category", "home_branch", "language", .date("expires_on")]),
        ReportView(
            "report_blocks", of: "blocks", "Blocks and suspensions of patrons, without their reasons.",
            ["id", "patron", "kind", .instant("created_at"), .date("ends"), .instant("lifted_at")]),
        ReportView(
            "report_loans", of: "loans", "Loans, imported history included, as they stood when they were made.",
            [
                "id", "copy", "title", "patron", "category", "home_branch", "item_type", "branch",
                .instant("lent_at"), .instant("due_at"), .instant("original_due_at"), .instant("returned_at"),
                .instant("lost_at"), .instant("claimed_at"), .instant("recalled_at"), .instant("renewed_at"),
                "renewals", "on_site", "channel",
                .of("CAST(CASE WHEN import_key IS NULL THEN 0 ELSE 1 END AS {integer})", as: "imported"),
            ]),
        ReportView(
            "report_holds", of: "holds", "Holds, closed ones too.",
            [
                "id", "title", "copy", "patron", "pickup_branch", .instant("placed_at"), "priority",
                .date("expires_on"), "state", "held_copy", .instant("shelved_at"), .instant("closed_at"), "loan",
                "channel",
            ]),
        ReportView(
            "report_in_house_uses", of: "in_house_uses", "Uses in the house.",
            ["id", "copy", "title", "category", "item_type", "branch", .instant("used_at")]),
        ReportView(
            "report_fees", of: "ledger", "Lines of patrons' accounts, without their words.",
            ["id", "patron", "loan", "kind", "amount", "currency", .instant("at")]),
        ReportView(
            "report_notices", of: "notices", "Notices, without their texts.",
            [
                "id", "kind", "patron", "loan", "stage", "repetition", "channel", "state", .instant("created_at"),
                .instant("sent_at"), "tries",
            ]),
        ReportView(
            "report_policies", of: "policy_activations", "Policies that were put into force.",
            ["id", "policy", "name", .instant("effective_from"), .instant("activated_at")]),
        ReportView(
            "report_events", of: "events", "What happened, without who did it and what it says.",
            ["sequence", .instant("at"), "kind", "channel", "patron", "copy", "loan"]),
    ]

    static let names = Set(all.map(\.name))

    /// Takes all views away, so that the tables below them can change.
    static var droppingScript: String {
        // Those of earlier versions too, if there ever were others: a name that was given stays in this list.
        all.map { "DROP VIEW IF EXISTS \($0.name);" }.joined(separator: "\n")
    }

    static var makingScript: String { all.map(\.script).joined(separator: "\n") }
}

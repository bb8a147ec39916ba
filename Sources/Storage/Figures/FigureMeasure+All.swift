import Circulation

extension FigureMeasure {
    /// All measures, in the order in which forms offer them.
    package static let all: [FigureMeasure] = [
        circulation(.loans, "Loans", "Loans, by time of checkout"),
        circulation(.returns, "Returns", "Returns, by time of return"),
        circulation(.renewals, "Renewals", "Renewals, by time of renewal"),
        circulation(.inHouse, "In-house uses", "In-house uses of copies, by time of use"),
        FigureMeasure(
            "open_loans", "Open loans", "Loans that are open now",
            loans("loans.returned_at IS NULL AND loans.copy IS NOT NULL")),
        FigureMeasure(
            "overdue_loans", "Overdue loans",
            "Loans overdue now, except those that are lost or claimed returned",
            loans(
                "\(LoanRepository.isRunning) AND loans.copy IS NOT NULL AND loans.due_at IS NOT NULL AND loans.due_at < ?"
            )),
        FigureMeasure(
            "holds", "Holds", "Holds, by the time at which they were placed",
            holds(moment: "holds.placed_at")),
        FigureMeasure(
            "open_holds", "Open holds", "Holds that are now waiting, on their way or on the hold shelf",
            holds(condition: "holds.closed_at IS NULL")),
        FigureMeasure(
            "new_patrons", "New patrons", "Patrons who joined, by the category and branch that they have now",
            FigureSource(
                table: "events", moment: "events.at",
                condition: "\(EventRepository.isOfNewPatron) AND events.patron IS NOT NULL", columns: patronColumns,
                lookups: ["patrons": "patrons.id = events.patron"])),
        FigureMeasure(
            "patrons", "Patrons", "All current patrons", FigureSource(table: "patrons", columns: patronColumns)),
        fees(
            "fees_charged", "Fees charged",
            "Fines and other charges, by the day on which they were posted", ["fine", "charge"]),
        fees("fees_paid", "Fees paid", "Payments, by the day on which they were posted", ["payment"]),
        fees("fees_waived", "Fees waived", "Amounts waived, by the day on which they were posted", ["waiver"]),
        FigureMeasure(
            "titles", "Titles", "Titles in the catalogue",
            FigureSource(table: "titles", columns: FigureSource.titleColumns)),
        FigureMeasure(
            "copies", "Copies", "Copies that are neither lost nor withdrawn",
            FigureSource(
                table: "copies", condition: "copies.status NOT IN ('lost', 'withdrawn')",
                columns: FigureSource.titleColumns.with([
                    .branch: "copies.branch", .itemType: "copies.item_type", .status: "copies.status",
                ]), lookups: ["titles": "titles.id = copies.title"])),
    ]

    private static let loanColumns = FigureSource.titleColumns.with([
        .branch: "loans.branch", .category: "loans.category", .itemType: "loans.item_type",
    ])
    private static let patronColumns: [FigureDimension: String] = [
        .branch: "patrons.home_branch", .category: "patrons.category", .language: "patrons.language",
    ]
    private static let titleOfLoan = ["titles": "titles.id = loans.title"]

    /// What ``LoanMeasure`` names. Other systems rarely know the hour, so imported history has none.
    private static func circulation(_ measure: LoanMeasure, _ words: String, _ summary: String) -> FigureMeasure {
        let knowsHours = measure == .loans || measure == .returns
        return FigureMeasure(
            measure.rawValue, words, summary,
            FigureSource(
                counted: measure, table: "loans", moment: "counted.at",
                clockCondition: knowsHours ? "loans.import_key IS NULL" : nil, value: "SUM(counted.times)",
                columns: loanColumns, lookups: titleOfLoan))
    }

    private static func loans(_ condition: String) -> FigureSource {
        FigureSource(table: "loans", condition: condition, columns: loanColumns, lookups: titleOfLoan)
    }

    private static func holds(moment: String? = nil, condition: String? = nil) -> FigureSource {
        FigureSource(
            table: "holds", moment: moment, condition: condition,
            clockCondition: moment == nil ? nil : "holds.import_key IS NULL",
            columns: FigureSource.titleColumns.with([.branch: "holds.pickup_branch", .category: "patrons.category"]),
            lookups: ["titles": "titles.id = holds.title", "patrons": "patrons.id = holds.patron"])
    }

    /// Lines of accounts, as what was charged or taken off; branch and item type are those of the loan that they are about.
    private static func fees(_ name: String, _ words: String, _ summary: String, _ kinds: [String]) -> FigureMeasure {
        let list = kinds.map { "'\($0)'" }.joined(separator: ", ")
        let sign = kinds.contains("charge") ? "" : "-"
        return FigureMeasure(
            name, words, summary, isAmount: true,
            FigureSource(
                table: "ledger", moment: "ledger.at", condition: "ledger.kind IN (\(list))",
                value: "SUM(\(sign)ledger.amount)",
                columns: [.branch: "loans.branch", .category: "patrons.category", .itemType: "loans.item_type"],
                lookups: ["loans": "loans.id = ledger.loan", "patrons": "patrons.id = ledger.patron"]))
    }
}

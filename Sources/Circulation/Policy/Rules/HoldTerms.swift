/// What a row says about holds.
package struct HoldTerms: Sendable {
    static let ofItemType = "holds_of_item_type"
    static let fields = [
        RuleField("holds", .hold, .integer, standard: .unlimited, "How many holds a patron may have."),
        RuleField(
            ofItemType, .hold, .integer, standard: .unlimited,
            "How many holds a patron may have on the item type that the row names, or else on the copy's own."),
        RuleField("holds_per_day", .hold, .integer, standard: .unlimited, "How many holds a patron may place a day."),
        RuleField("hold_shelf", .hold, .period, "How long a copy waits on the hold shelf."),
    ]

    /// nil: without limit.
    package let maximum: Int64?
    /// nil: without limit.
    package let maximumOfItemType: Int64?
    /// nil: without limit.
    package let maximumPerDay: Int64?
    /// nil: without end.
    package let shelf: Period?

    init(_ row: RuleFieldReader) {
        maximum = row.maximum("holds")
        maximumOfItemType = row.maximum(Self.ofItemType)
        maximumPerDay = row.maximum("holds_per_day")
        shelf = row.period("hold_shelf")
    }
}

/// What a row says about further copies of a title.
package enum SameTitleTerms: String, Sendable, CaseIterable {
    case allow, confirm, refuse

    static let field = RuleField(
        "same_title", .sameTitle, allow, "Whether a patron may borrow another copy of a title that they have.")

    init(_ row: RuleFieldReader) { self = row.choice("same_title") ?? .allow }
}

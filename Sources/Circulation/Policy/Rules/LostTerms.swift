/// What a row says about copies that do not come back.
package struct LostTerms: Sendable {
    /// How long a return takes the fee for a loss back.
    package enum Refund: Sendable {
        case never, always
        case within(Period)
    }

    static let fields = [
        RuleField("lost_after", .lost, .period, "Lateness from which a copy counts as lost."),
        RuleField(
            "lost_fee", .lost, .moneyOrReplacementPrice, "What a lost copy costs; one without a price costs nothing."),
        RuleField(
            "lost_refund_within", .lost, .period, with: [.endless],
            "How long after a loss a return takes the fee back: less than that, always (unlimited) or never."),
    ]

    /// nil: copies are lost only where staff say so.
    package let after: Period?
    package let fee: RuleAmount?
    package let refund: Refund

    init(_ row: RuleFieldReader) {
        after = row.period("lost_after")
        fee = row.amount("lost_fee")
        refund =
            switch row.value("lost_refund_within") {
            case .period(let period): .within(period)
            case .unlimited: .always
            default: .never
            }
    }
}

/// What a row says about copies that do not come back.
package struct LostTerms: Sendable {
    /// How long a return takes the fee for a loss back.
    package enum Refund: Sendable {
        case never, always
        case within(Period)
    }
    /// What of the fee for a loss a return takes back.
    package enum Refunded: String, Sendable, CaseIterable { case all, unpaid }
    /// What becomes of the fine when the copy is declared lost.
    package enum FineOfLoss: String, Sendable, CaseIterable { case keep, forgive }
    /// What becomes of the fine when a return takes the fee for the loss back.
    package enum FineOfFound: String, Sendable, CaseIterable { case keep, restore, charge }

    private static let refundNeed = RuleField.Need(
        "lost_refund_within", otherwise: "no return of what it matches takes the fee for a loss back")

    static let fields = [
        RuleField("lost_after", .lost, .period, "Lateness from which a copy counts as lost."),
        RuleField(
            "lost_fee", .lost, .moneyOrReplacementPrice, "What a lost copy costs; one without a price costs nothing."),
        RuleField(
            "lost_refund_within", .lost, .period, with: [.endless],
            "How long after a loss a return takes the fee back: less than that, always (unlimited) or never."),
        RuleField(
            "lost_refund", .lost, Refunded.all, needs: refundNeed,
            "What a return takes back of the fee: all of it, what was paid becoming credit, or only what is unpaid."),
        RuleField(
            "lost_fine", .lost, FineOfLoss.keep,
            "Whether the unpaid fine of a loan is forgiven when its copy is declared lost."),
        RuleField(
            "lost_found_fine", .lost, FineOfFound.keep, needs: refundNeed,
            "The fine where a return takes the fee back: kept as it is, the forgiven fine restored, or charged up to"
                + " the return."),
    ]

    /// nil: copies are lost only where staff say so.
    package let after: Period?
    package let fee: RuleAmount?
    package let refund: Refund
    package let refunded: Refunded
    package let fineOfLoss: FineOfLoss
    package let fineOfFound: FineOfFound

    init(_ row: RuleFieldReader) {
        after = row.period("lost_after")
        fee = row.amount("lost_fee")
        refund =
            switch row.value("lost_refund_within") {
            case .period(let period): .within(period)
            case .unlimited: .always
            default: .never
            }
        refunded = row.choice("lost_refund") ?? .all
        fineOfLoss = row.choice("lost_fine") ?? .keep
        fineOfFound = row.choice("lost_found_fine") ?? .keep
    }
}

/// What a row says about renewals.
package struct RenewalTerms: Sendable {
    /// What a renewal counts from.
    package enum Start: String, Sendable, CaseIterable { case due, now }
    /// Until when loans renew by themselves.
    package enum Until: Sendable {
        case date(CivilDate)
        /// Counted from when the loan began.
        case period(Period)
    }

    private static let need = RuleField.Need("renewals", otherwise: "what it matches is never renewed")

    static let fields = [
        RuleField("renewals", .renewal, .integer, standard: .integer(0), "How often a loan may be renewed."),
        RuleField(
            "renewal_period", .renewal, .period, needs: need, "How long a renewal lasts; otherwise as long as a loan."),
        RuleField(
            "renew_from", .renewal, Start.now, needs: need,
            "Whether a renewal counts from the old due date or from now."),
        RuleField(
            "renew_not_before", .renewal, .period, needs: need,
            "How long before its due time a loan can first be renewed."),
        RuleField(
            "auto_renew", .renewal, .boolean, standard: .boolean(false), needs: need,
            "Whether loans renew by themselves."),
        RuleField(
            "auto_renew_until", .renewal, .dateOrPeriod, needs: need, "Until when loans renew by themselves."),
        RuleField(
            "unseen_renewals", .renewal, .integer, standard: .unlimited,
            "How many renewals may happen without the copy being seen."),
    ]

    /// nil: without limit.
    package let maximum: Int64?
    package let period: Period?
    package let start: Start
    package let notBefore: Period?
    package let isAutomatic: Bool
    package let automaticUntil: Until?
    /// nil: without limit.
    package let maximumUnseen: Int64?

    init(_ row: RuleFieldReader) {
        maximum = row.maximum("renewals")
        period = row.period("renewal_period")
        start = row.choice("renew_from") ?? .now
        notBefore = row.period("renew_not_before")
        isAutomatic = row.boolean("auto_renew")
        automaticUntil =
            switch row.value("auto_renew_until") {
            case .date(let date): .date(date)
            case .period(let period): .period(period)
            default: nil
            }
        maximumUnseen = row.maximum("unseen_renewals")
    }
}

/// What a row says about fines, and about what counts as late.
package struct FineTerms: Sendable {
    /// What counts of lateness that exceeds the grace: all of it, or what exceeds it.
    package enum GraceMode: String, Sendable, CaseIterable {
        case allOrNothing = "all_or_nothing"
        case deduct
    }
    /// Whether a started period counts.
    package enum Rounding: String, Sendable, CaseIterable { case started, whole }

    private static let need = RuleField.Need(
        "fine", "fine_steps", otherwise: "there is no fine for what it matches")

    static let fields = [
        RuleField("fine", .fine, .money, "What each `per` of lateness costs."),
        RuleField(
            "per", .fine, .period, with: [.notEmpty], standard: .period(.days(1)), needs: need, "The unit of lateness."),
        RuleField("grace", .fine, .period, needs: need, "Lateness that costs nothing."),
        RuleField(
            "grace_mode", .fine, GraceMode.allOrNothing, needs: need,
            "Whether past the grace the whole time counts, or only what exceeds it."),
        RuleField(
            "fine_cap", .fine, .moneyOrReplacementPrice, with: [.endless], needs: need,
            "The most that a loan's fine comes to."),
        RuleField("fine_steps", .fine, .fineSteps, "A fine that changes with the length of lateness."),
        RuleField(
            "fine_closed_days", .fine, .boolean, standard: .boolean(true), needs: need,
            "Whether closed days are fined as well."),
        RuleField(
            "rounding", .fine, Rounding.started, needs: need, "Whether a started `per` counts, or only a whole one."),
    ]

    package let fine: Money?
    package let per: Period
    package let grace: Period?
    package let graceMode: GraceMode
    package let cap: RuleAmount?
    package let steps: [FineStep]
    package let countsClosedDays: Bool
    package let rounding: Rounding

    init(_ row: RuleFieldReader) {
        fine = row.money("fine")
        per = row.period("per") ?? .days(1)
        grace = row.period("grace")
        graceMode = row.choice("grace_mode") ?? .allOrNothing
        cap = row.amount("fine_cap")
        steps = if case .fineSteps(let steps) = row.value("fine_steps") { steps } else { [] }
        countsClosedDays = row.boolean("fine_closed_days")
        rounding = row.choice("rounding") ?? .started
    }
}

/// What a row says about suspensions.
package struct SuspensionTerms: Sendable {
    /// Whether a suspension follows one that runs already, or the longer of the two holds.
    package enum Mode: String, Sendable, CaseIterable { case add, longest }

    private static let need = RuleField.Need(
        "suspension", otherwise: "no patron is suspended for what it matches")

    static let fields = [
        RuleField(
            "suspension", .suspension, .period, with: [.days],
            "Suspension from borrowing for each late `suspension_per`."),
        RuleField(
            "suspension_per", .suspension, .period, with: [.notEmpty], standard: .period(.days(1)), needs: need,
            "The unit of lateness that suspensions count."),
        RuleField(
            "suspension_cap", .suspension, .period, with: [.days, .endless], needs: need,
            "The longest suspension for one return."),
        RuleField(
            "suspension_mode", .suspension, Mode.longest, needs: need,
            "Whether a new suspension follows one that runs already, or the longer of the two holds."),
    ]

    package let length: Period?
    package let per: Period
    package let cap: Period?
    package let mode: Mode

    init(_ row: RuleFieldReader) {
        length = row.period("suspension")
        per = row.period("suspension_per") ?? .days(1)
        cap = row.period("suspension_cap")
        mode = row.choice("suspension_mode") ?? .longest
    }
}

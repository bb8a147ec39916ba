/// A field that a rule row may set; the built-in ones, each with its group, type and default.
package struct RuleField: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case boolean, integer, text, choice, period, money, moneyOrReplacementPrice, date, dateOrPeriod, dueTime
        case fineSteps
    }

    package var name: String
    package var group: RuleGroup
    package var kind: Kind
    /// For `choice`, the words allowed.
    package var choices: [String]
    /// What holds where no row sets the field; nil: nothing.
    package var standard: RuleValue?
    /// One sentence for help and documentation.
    package var summary: String

    private init(
        _ name: String, _ group: RuleGroup, _ kind: Kind, choices: [String] = [], standard: RuleValue? = nil,
        _ summary: String
    ) {
        self.name = name
        self.group = group
        self.kind = kind
        self.choices = choices
        self.standard = standard
        self.summary = summary
    }

    /// All built-in fields, in the order in which they are documented.
    package static let all: [RuleField] = [
        RuleField("lend", .lending, .boolean, standard: .boolean(true), "Whether the copy is lent at all."),
        RuleField("reason", .lending, .text, "What the refusal says where `lend` is false."),
        RuleField("loan", .period, .period, "How long a loan lasts."),
        RuleField(
            "due_at", .period, .date,
            "A fixed due date, instead of a period. It moves off a closed day as `closed` says; `open_days` and"
                + " `same_weekday` move it as `next_open` does."),
        RuleField("due_limit", .period, .date, "The latest due date; a later one moves back to an open day."),
        RuleField(
            "due_time", .period, .dueTime, standard: .text("closing"),
            "The time of day of a due date: `closing`, `end_of_day` or `\"HH:MM\"`."),
        RuleField(
            "due_expiry", .period, .boolean, standard: .boolean(true),
            "Whether the due date is capped by the end of the membership."),
        RuleField(
            "closed", .period, .choice, choices: ["keep", "next_open", "previous_open", "open_days", "same_weekday"],
            standard: .text("next_open"), "What happens to a due date on which the branch is closed."),
        RuleField(
            "closed_hours", .period, .choice, choices: ["keep", "next_open", "previous_close"],
            standard: .text("keep"), "What happens to a due time in hours at which the branch is closed."),
        RuleField("renewals", .renewal, .integer, standard: .integer(0), "How often a loan may be renewed."),
        RuleField("renewal_period", .renewal, .period, "How long a renewal lasts; otherwise as long as a loan."),
        RuleField(
            "renew_from", .renewal, .choice, choices: ["due", "now"], standard: .text("now"),
            "Whether a renewal counts from the old due date or from now."),
        RuleField("renew_not_before", .renewal, .period, "How long before its due time a loan can first be renewed."),
        RuleField("auto_renew", .renewal, .boolean, standard: .boolean(false), "Whether loans renew by themselves."),
        RuleField("auto_renew_until", .renewal, .dateOrPeriod, "Until when loans renew by themselves."),
        RuleField(
            "unseen_renewals", .renewal, .integer, standard: .unlimited,
            "How many renewals may happen without the copy being seen."),
        RuleField("fine", .fine, .money, "What each `per` of lateness costs."),
        RuleField("per", .fine, .period, standard: .period(.days(1)), "The unit of lateness."),
        RuleField("grace", .fine, .period, "Lateness that costs nothing."),
        RuleField(
            "grace_mode", .fine, .choice, choices: ["all_or_nothing", "deduct"], standard: .text("all_or_nothing"),
            "Whether past the grace the whole time counts, or only what exceeds it."),
        RuleField("fine_cap", .fine, .moneyOrReplacementPrice, "The most that a loan's fine comes to."),
        RuleField("fine_steps", .fine, .fineSteps, "A fine that changes with the length of lateness."),
        RuleField(
            "fine_closed_days", .fine, .boolean, standard: .boolean(true), "Whether closed days are fined as well."),
        RuleField(
            "rounding", .fine, .choice, choices: ["started", "whole"], standard: .text("started"),
            "Whether a started `per` counts, or only a whole one."),
        RuleField("suspension", .suspension, .period, "Suspension from borrowing for each late `suspension_per`."),
        RuleField(
            "suspension_per", .suspension, .period, standard: .period(.days(1)),
            "The unit of lateness that suspensions count."),
        RuleField("suspension_cap", .suspension, .period, "The longest suspension for one return."),
        RuleField(
            "suspension_mode", .suspension, .choice, choices: ["add", "longest"], standard: .text("longest"),
            "Whether a new suspension follows one that runs already, or the longer of the two holds."),
        RuleField("holds", .hold, .integer, standard: .unlimited, "How many holds a patron may have."),
        RuleField("holds_per_day", .hold, .integer, standard: .unlimited, "How many holds a patron may place a day."),
        RuleField("hold_shelf", .hold, .period, "How long a copy waits on the hold shelf."),
        RuleField(
            "same_title", .sameTitle, .choice, choices: ["allow", "confirm", "refuse"], standard: .text("allow"),
            "Whether a patron may borrow another copy of a title that they have."),
        RuleField("lost_after", .lost, .period, "Lateness from which a copy counts as lost."),
        RuleField(
            "lost_fee", .lost, .moneyOrReplacementPrice, "What a lost copy costs; one without a price costs nothing."),
        RuleField(
            "lost_refund_within", .lost, .period,
            "How long after a loss a return takes the fee back: less than that, always (unlimited) or never."),
        RuleField("rental", .rental, .money, "What borrowing costs for each started `rental_per`."),
        RuleField("rental_per", .rental, .period, "The unit of the rental charge; without it, once a loan."),
        RuleField(
            "rental_closed_days", .rental, .boolean, standard: .boolean(true),
            "Whether days on which the branch is closed are charged."),
    ]

    /// The built-in fields by name.
    package static let named: [String: RuleField] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// Fields that are taken together from one row.
package enum RuleGroup: Hashable, Sendable {
    case lending, period, renewal, fine, suspension, hold, sameTitle, lost, rental
    /// A free field is a group of its own.
    case free(String)

    package static let builtIn: [RuleGroup] = [
        .lending, .period, .renewal, .fine, .suspension, .hold, .sameTitle, .lost, .rental,
    ]

    /// The group's name in explanations.
    package var name: String {
        switch self {
        case .lending: "lend"
        case .period: "loan"
        case .renewal: "renewals"
        case .fine: "fine"
        case .suspension: "suspension"
        case .hold: "holds"
        case .sameTitle: "same_title"
        case .lost: "lost"
        case .rental: "rental"
        case .free(let field): field
        }
    }
}

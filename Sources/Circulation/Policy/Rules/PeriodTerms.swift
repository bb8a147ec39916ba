/// What a row says about the length of a loan and its due time.
package struct PeriodTerms: Sendable {
    /// What happens to a due date on a closed day.
    package enum Closed: String, Sendable, CaseIterable {
        case keep
        case nextOpen = "next_open"
        case previousOpen = "previous_open"
        case openDays = "open_days"
        case sameWeekday = "same_weekday"
    }
    /// What happens to a due time in hours at which the branch is closed.
    package enum ClosedHours: String, Sendable, CaseIterable {
        case keep
        case nextOpen = "next_open"
        case previousClose = "previous_close"
    }
    /// The time of day of a due date.
    package enum TimeOfDay: Sendable {
        case closing, endOfDay
        case at(CivilTime)
    }

    private static let need = RuleField.Need("loan", "due_at", otherwise: "nothing that it matches is lent")

    static let fields = [
        RuleField("loan", .period, .period, "How long a loan lasts."),
        RuleField(
            "due_at", .period, .date,
            "A fixed due date, instead of a period. It moves off a closed day as `closed` says; `open_days` and"
                + " `same_weekday` move it as `next_open` does."),
        RuleField(
            "due_limit", .period, .date, with: [.endless], needs: need,
            "The latest due date; a later one moves back to an open day."),
        RuleField(
            "due_time", .period, .dueTime, standard: .text("closing"), needs: need,
            "The time of day of a due date: `closing`, `end_of_day` or `\"HH:MM\"`."),
        RuleField(
            "due_expiry", .period, .boolean, standard: .boolean(true), needs: need,
            "Whether the due date is capped by the end of the membership."),
        RuleField(
            "closed", .period, Closed.nextOpen, needs: need,
            "What happens to a due date on which the branch is closed."),
        RuleField(
            "closed_hours", .period, ClosedHours.keep, needs: need,
            "What happens to a due time in hours at which the branch is closed."),
    ]

    package let loan: Period?
    package let dueAt: CivilDate?
    package let dueLimit: CivilDate?
    package let dueTime: TimeOfDay
    package let isCappedByMembership: Bool
    package let closed: Closed
    package let closedHours: ClosedHours

    init(_ row: RuleFieldReader) {
        loan = row.period("loan")
        dueAt = row.date("due_at")
        dueLimit = row.date("due_limit")
        dueTime =
            switch row.text("due_time") {
            case "end_of_day": .endOfDay
            case let text?: (try? CivilTime(parsing: text)).map { .at($0) } ?? .closing
            case nil: .closing
            }
        isCappedByMembership = row.boolean("due_expiry")
        closed = row.choice("closed") ?? .nextOpen
        closedHours = row.choice("closed_hours") ?? .keep
    }
}

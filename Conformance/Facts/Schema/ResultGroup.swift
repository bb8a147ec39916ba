/// Results of steps that are found together.
package enum ResultGroup: String, Sendable, CaseIterable {
    case permission, loan, account, suspension, hold, notices, calendar, rule

    package var fields: [SchemaField] {
        switch self {
        case .permission:
            [
                SchemaField(
                    "allowed", .either(.flag, .code(["asks"])),
                    "Whether it was done, or staff are asked whether to go on."),
                SchemaField("reason", .text, "The code of the first reason against it; null: there was none."),
                SchemaField("reasons", .list(.text), "The codes of all reasons against it."),
                SchemaField(
                    "term", .text, "The term of the rule from which the first reason comes; null: from none."),
                SchemaField("limit", .number, "The limit that stands against it."),
                SchemaField("count", .number, "How many there are, where a number stands against it."),
                SchemaField("until", .date, "The last day of the block that stands against it."),
                SchemaField("soonest", .moment, "From when on it is possible, where it is too soon."),
                SchemaField("granted", .number, "How many requests at the same time were granted."),
                SchemaField("refused", .number, "How many requests at the same time were refused."),
                SchemaField(
                    "blocked", .list(.code(["checkout", "renew", "hold"])), "What of these is refused, in this order."),
            ]
        case .loan:
            [
                SchemaField("due", .moment, "The due time of the loan."),
                SchemaField("due_changed", .flag, "Whether the step changed the due time."),
                SchemaField(
                    "due_capped", .flag, "Whether the loan would be due later if the membership did not end."),
                SchemaField("loan_days", .number, "Days from the day of the step to the due date."),
                SchemaField("renewals", .number, "How often the loan was renewed."),
                SchemaField("last_renewal", .flag, "Whether no further renewal is allowed."),
                SchemaField("recalled", .flag, "Whether the loan was recalled."),
                SchemaField("lost", .flag, "Whether the copy has been declared lost."),
                SchemaField("late", .flag, "Whether the loan is past its due time."),
                SchemaField("returned", .moment, "The moment that is written down for the return."),
                SchemaField("loans", .number, "How many open loans the patron has."),
                SchemaField("group_overdue", .number, "How many loans of the patron's group are late."),
                SchemaField("last_auto_renewal", .date, "The last day on which the loan would renew by itself."),
            ]
        case .account:
            [
                SchemaField("fine", .money, "What the lateness of the loan costs, payments not taken off."),
                SchemaField("fines", .number, "How many loans of the patron have cost a fine."),
                SchemaField("fine_lines", .number, "In how many lines that was charged."),
                SchemaField(
                    "charges", .money, "What else the loan was charged: for a loss, for notices, by the policy."),
                SchemaField("charge_lines", .number, "In how many lines that was charged."),
                SchemaField("charged", .list(.money), "The amounts of these lines."),
                SchemaField("rental", .money, "What borrowing cost."),
                SchemaField("owed", .money, "What the patron owes; negative: what the library owes."),
                SchemaField("refunded", .money, "What was paid for a loss and became credit."),
                SchemaField("forgiven", .money, "What the patron was let off."),
            ]
        case .suspension:
            [
                SchemaField("suspended", .flag, "Whether the return brought a suspension."),
                SchemaField("suspended_until", .date, "The last day of that suspension."),
                SchemaField("suspension_days", .number, "Days from the day of the return to that day."),
            ]
        case .hold:
            [
                SchemaField("place", .number, "The place of the hold in the queue, from 1."),
                SchemaField("queue", .list(.text), "The patrons who wait for the title, in order."),
                SchemaField(
                    "state", .code(["waiting", "transit", "shelf", "filled", "expired", "cancelled"]),
                    "What has become of the hold."),
                SchemaField("shelf_until", .moment, "Until when a copy waits on the hold shelf."),
                SchemaField("holds", .number, "How many holds of the patron wait, or have a copy set aside."),
            ]
        case .notices:
            [
                SchemaField("sent", .number, "How many messages the step sent."),
                SchemaField(
                    "stages", .list(.text), "The stages of notices that the step reached and did not pass over."),
                SchemaField("sent_total", .number, "How many messages were sent until now."),
                SchemaField("loans_told", .list(.number), "How many loans each message of the step tells of."),
                SchemaField("kept", .flag, "Whether the last message is on record."),
                SchemaField(
                    "tried_again", .flag, "Whether the last message waits to be sent, for the first time or again."),
                SchemaField("failed", .flag, "Whether it is on record that the last message could not be sent."),
                SchemaField("next_notice", .moment, "When the next notice of the loan is sent; null: none is."),
            ]
        case .calendar:
            [
                SchemaField("open", .flag, "Whether it is open."),
                SchemaField("date", .moment, "The day that was found; null: there is none."),
                SchemaField(
                    "weekday", .code(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]), "The weekday of that day."),
                SchemaField("open_days", .number, "How many open days were counted."),
                SchemaField("any_open", .flag, "Whether one at least was counted."),
                SchemaField("moved", .number, "How many due times were moved."),
            ]
        case .rule:
            [
                SchemaField("value", .any, "What the rule sets the field to."),
                SchemaField("row", .number, "The row of `rules` that sets it, from 1; null: none of them."),
                SchemaField("values", .list(.any), "What the rows that fit set it to, the best first."),
                SchemaField("rows", .list(.number), "These rows, from 1."),
                SchemaField("accepted", .flag, "Whether the rules are accepted."),
                SchemaField(
                    "fault", .code(["amount", "other"]),
                    "What could not be read of rules that are not accepted; null: they are."),
            ]
        }
    }
}

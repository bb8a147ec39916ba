/// Something that a step does: its code, what it is told, and which results it has.
package struct SchemaOperation: Sendable {
    package var code: String
    package var summary: String
    package var operands: [String]
    package var results: [ResultGroup]

    private init(_ code: String, _ operands: [String], _ results: [ResultGroup], _ summary: String) {
        self.code = code
        self.summary = summary
        self.operands = operands
        self.results = results
    }

    /// What every operation may be told.
    static let common = ["op", "at", "times", "expect"]

    private static let ofLoan: [ResultGroup] = [.permission, .loan, .account]

    package static let all: [SchemaOperation] = [
        Self(
            "checkout", ["patron", "copy", "branch", "on_site", "override", "channel"],
            [.permission, .loan, .account, .hold],
            "A copy is lent. Of a copy that the patron has already, the loan has been renewed."),
        Self(
            "ask_checkout", ["patron", "copy", "branch", "on_site", "channel"], [.permission],
            "Whether a copy would be lent is asked, and it is not."),
        Self(
            "checkout_at_once", ["patron", "branch"], [.permission, .loan],
            "Several copies are asked for at the same time, `times` of them, each of a title of its own."),
        Self("renew", ["copy", "branch", "channel", "override"], ofLoan, "The loan of a copy has been renewed."),
        Self("auto_renew", ["copy"], ofLoan, "The sweep renews the loan if it renews by itself."),
        Self(
            "last_auto_renewal", ["copy"], [.loan],
            "Until when the loan renews by itself is found out, and nothing done."),
        Self(
            "return", ["copy", "dated", "branch"], [.permission, .loan, .account, .suspension, .hold],
            "A copy comes back; one that is lost is found by it, one on its way arrives."),
        Self("fine", ["copy", "dated"], [.account], "What a return would cost is asked, and nothing done."),
        Self("set_due", ["copy", "due"], [.permission, .loan], "Staff set the due time of a loan."),
        Self("declare_lost", ["copy"], ofLoan, "A copy on loan has been declared lost."),
        Self(
            "find_lost", ["copy", "dated"], [.permission, .loan, .account, .suspension, .hold], "A lost copy is found."),
        Self("claim_returned", ["copy", "dated"], ofLoan, "The patron says that the copy was returned."),
        Self("charge", ["patron", "amount"], [.account], "Staff charge an amount."),
        Self("pay", ["patron", "amount"], [.permission, .account], "The patron pays."),
        Self(
            "forgive", ["patron", "amount", "copy", "what"], [.permission, .account],
            "The patron is let off an amount, or a line of a loan's account."),
        Self("refund", ["patron", "amount"], [.permission, .account], "Money is given back."),
        Self("block", ["patron", "kind", "until"], [.account], "Staff block a patron."),
        Self("unblock", ["patron", "kind"], [.permission], "Staff lift the blocks of that kind."),
        Self(
            "ask_standing", ["patron"], [.permission],
            "What of checkout, renewal and hold is refused to the patron is asked, and nothing done."),
        Self(
            "place_hold", ["patron", "title", "copy", "pickup", "expires", "branch", "channel", "override"],
            [.permission, .hold, .loan, .account],
            "A hold is placed; results of loans are those of the copy's loan, which it may recall."),
        Self("cancel_hold", ["patron", "title"], [.permission, .hold], "The patron's hold is cancelled."),
        Self("move_hold", ["patron", "title", "to"], [.permission, .hold], "Staff move a hold to another place."),
        Self(
            "arrange_holds", ["title", "places"], [.permission, .hold],
            "Staff put all who wait for a title in an order, `places` of those who wait, in the order of their holds."),
        Self(
            "suspend_hold", ["patron", "title", "until"], [.permission, .hold], "A hold is passed over until a day."),
        Self("look", ["patron", "copy", "title"], [.loan, .account, .hold, .notices], "Nothing is done."),
        Self(
            "sweep", ["patron", "copy", "title", "page"], [.loan, .account, .hold, .notices],
            "The nightly job: reminders, fines, losses, renewals, holds that expire."),
        Self(
            "sweep_daily", ["patron", "copy", "until_day"], [.loan, .account, .hold, .notices],
            "The sweep on each day from the present one up to a day, at the same time of day."),
        Self(
            "remind", ["copy", "stage"], [.permission, .notices],
            "Staff have the notice of a stage written by hand; without `stage` that of the latest stage reached."),
        Self("fail_notice", [], [.notices], "The last message cannot be sent, and that is told to the desk."),
        Self("next_notice", ["copy"], [.notices], "When the next notice of the loan is sent is found out."),
        Self(
            "close_days", ["branch", "date"], [.loan, .calendar, .notices],
            "Staff close days, and due times on them are moved."),
        Self("is_open", ["branch", "date"], [.calendar], "Whether it is open on a day, or at a moment with a time."),
        Self("add_days", ["branch", "from", "days", "mode"], [.calendar], "Days are added; a time of day stays."),
        Self(
            "count_open_days", ["branch", "from", "until_day", "inclusive", "between"], [.calendar],
            "Open days after the first day up to the last, in whatever order the two stand."),
        Self("next_open", ["branch", "from", "inclusive"], [.calendar], "The next open day after a day."),
        Self("previous_open", ["branch", "from", "inclusive"], [.calendar], "The last open day before a day."),
        Self(
            "ask_rule", ["patron", "copy", "branch", "field"], [.rule], "Which row sets a field for a loan is asked."),
        Self("accept_rules", [], [.rule], "The rules are put into force, if they are accepted."),
    ]

    package static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
}

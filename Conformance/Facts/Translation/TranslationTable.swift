import TextFormats

/// What other systems call the fields, operations and results of the neutral schema. No entry is made for a single fact:
/// each is another name, or another unit, of something that the schema has.
package enum TranslationTable {
    /// A field of another system.
    struct Entry: Sendable {
        /// Its names.
        var names: [String]
        /// Where it stands in the schema: below `given`, or below the step with `step.`; `list[].x` is a field of the first.
        var path: String
        var reading: TranslationReading
        /// Only for these operations; empty: for all.
        var operations: [String]
        /// What else it says.
        var beside: [(path: String, value: JSON)]
        /// Whether null means something, as without limit.
        var takesNull: Bool

        init(
            _ names: String..., to path: String, _ reading: TranslationReading = .same, of operations: [String] = [],
            beside: [(path: String, value: JSON)] = [], takesNull: Bool = false
        ) {
            self.names = names
            self.path = path
            self.reading = reading
            self.operations = operations
            self.beside = beside
            self.takesNull = takesNull
        }
    }

    /// An operation of another system.
    struct OperationEntry: Sendable {
        var words: [String]
        var code: String
        /// What the step is told by it.
        var operands: JSONObject
        /// What it takes for granted.
        var presets: [(path: String, value: JSON)]

        init(
            _ words: String..., to code: String, _ operands: JSONObject = [:],
            given presets: [(path: String, value: JSON)] = []
        ) {
            self.words = words
            self.code = code
            self.operands = operands
            self.presets = presets
        }
    }

    /// How a system works where its facts do not say.
    struct Convention: Sendable {
        var systems: [ForeignSystem]
        var path: String
        var value: JSON
        /// Only where this is said; nil: always.
        var needs: String?
        /// Not where this is said.
        var unless: String?
    }

    static let conventions = [
        // Koha's and RERO's days end at 23:59.
        Convention(systems: [.koha, .rero], path: "rule.due_time", value: "23:59"),
        Convention(systems: [.koha, .invenio], path: "rule.renew_from", value: "due"),
        // FOLIO keeps the time of day of lending.
        Convention(systems: [.folio], path: "keep_time", value: true, needs: "rule.loan"),
        // Koha asks for the end of a membership only where it is told to.
        Convention(systems: [.koha], path: "rule.due_expiry", value: false, needs: "patrons[].expires"),
        // Koha charges whole intervals; Evergreen charges nothing for closed days.
        Convention(systems: [.koha], path: "rule.rounding", value: "whole", needs: "rule.fine"),
        Convention(systems: [.evergreen], path: "rule.fine_closed_days", value: false, needs: "rule.fine"),
        Convention(systems: [], path: "rule.per", value: "1 day", needs: "rule.fine"),
        // A loan that is to be renewed is due soon, where nothing is said of it.
        Convention(
            systems: [], path: "loans[].due", value: "now + 2 days", needs: "loans[].copy", unless: "loans[].lent"),
        // Koha takes the grace off a suspension.
        Convention(systems: [.koha], path: "rule.grace_mode", value: "deduct", needs: "rule.suspension"),
    ]

    // MARK: Operations

    private static let lent: [(path: String, value: JSON)] = [("loans[].copy", "copy")]

    static let operations = [
        OperationEntry("is_closed", "is_holiday", "is_open", "is_open_day", "is_open_at", to: "is_open"),
        OperationEntry("add_days", to: "add_days"),
        OperationEntry("add_open_days", to: "add_days", ["mode": "open_days"]),
        OperationEntry("open_days_between", "count_open_days", "open_days", "days_between", to: "count_open_days"),
        OperationEntry("has_open_day_strictly_between", to: "count_open_days", ["between": true]),
        OperationEntry("next_open_day", to: "next_open"),
        OperationEntry("first_open_day_on_or_after", to: "next_open", ["inclusive": true]),
        OperationEntry("previous_open_day", to: "previous_open"),
        OperationEntry("last_open_day_on_or_before", to: "previous_open", ["inclusive": true]),
        OperationEntry("checkout", "check out", "checkout another", to: "checkout"),
        OperationEntry("circ_test", to: "ask_checkout"),
        OperationEntry("renew", to: "renew", given: lent),
        OperationEntry("renew without seeing the item", to: "renew", ["channel": "web"], given: lent),
        OperationEntry(
            "auto-renew job", "auto_renew", to: "auto_renew",
            given: lent + [("rule.auto_renew", true)]),
        OperationEntry(
            "latest_auto_renew_date", to: "last_auto_renewal",
            given: lent + [("rule.auto_renew", true)]),
        OperationEntry(
            "recall", to: "place_hold", ["patron": "recaller"], given: lent + [("loans[].lent", "now")]),
        OperationEntry("return", "check in", "checkin", "return today", "fine", to: "return", given: lent),
        OperationEntry("rental_charge", "rental charge", to: "checkout"),
        OperationEntry(
            "put on hold shelf", to: "return",
            given: [("holds", [["patron": "reader", "title": "title"]])]),
        OperationEntry(
            "is_pickup_expired", to: "sweep",
            given: [("holds", [["patron": "reader", "title": "title", "on_shelf": true]])]),
        OperationEntry("list", to: "look", ["title": "title"]),
        OperationEntry("upcoming_due", "overdue job", "notice job", to: "sweep"),
        OperationEntry("schedule", to: "next_notice", given: lent),
        OperationEntry("automated_blocks", "system_penalties", to: "ask_standing"),
        OperationEntry("place hold", "place a hold", "place request", "place a request", to: "place_hold"),
    ]

    // MARK: Given

    private static let calendar = [
        Entry("weekly_closed", to: "calendar.weekly", .weekdays), Entry("weekly_open", to: "calendar.weekly", .week),
        Entry("yearly_closed", to: "calendar.yearly"), Entry("closed_dates", "closed", to: "calendar.closed", .closed),
        Entry("open_exceptions", to: "calendar.open", .opened), Entry("exceptions", to: "calendar", .exceptions),
        Entry("weekdays", to: "", .nothing), Entry("tz", to: "zone", .zone),
    ]

    private static let dayModes: [String: JSON] = [
        "Days": "keep", "Calendar": "open_days", "Datedue": "next_open", "Dayweek": "same_weekday",
    ]

    static let given =
        [
            Entry("calendar", to: "calendar.only", .calendar(calendar)),
            Entry(
                "days_mode", to: "step.mode",
                .words(["Days": "days", "Calendar": "open_days", "Datedue": "next_open"]), of: ["add_days"]),
            Entry("days_mode", to: "rule.closed", .words(dayModes)),
            Entry("open_hours_daily", to: "calendar.weekly", .daily),
            Entry("loan_at", to: "now", .moment, of: ["renew"], beside: [("loans[].lent", "now")]),
            Entry("now", "loan_at", "start", to: "now", .moment),
        ] + calendar + loans + dueTimes + renewals + stock + limits + standing + money + losses + holds + notices

    private static let loans = [
        Entry("loan_minutes", to: "rule.loan", .units("minutes")),
        Entry("loan_hours", to: "rule.loan", .units("hours")),
        Entry("loan_days", to: "rule.loan", .units("days")), Entry("loan_weeks", to: "rule.loan", .units("weeks")),
        Entry("loan_months", to: "rule.loan", .units("months")),
        Entry("renewal_days", to: "rule.renewal_period", .units("days")),
        Entry("renewal_hours", to: "rule.renewal_period", .units("hours")),
        Entry(
            "hours_policy", to: "rule.closed_hours",
            .words(["close": "previous_close", "open": "next_open", "ignore": "keep"])),
        Entry("due_time_local", to: "rule.due_time"),
    ]

    private static let dueTimes = [
        Entry("loan_period", "period", "duration", to: "rule.loan", .period),
        Entry("renewal_period", to: "rule.renewal_period", .period),
        Entry("profile", to: "", .nothing), Entry("offset", to: "opening_offset", .period),
        Entry("limit_due", to: "rule.due_limit", .date),
        Entry("patron_expires", to: "patrons[].expires", .moment),
        Entry("cap_at_patron_expiry", to: "rule.due_expiry"),
        Entry("min_guaranteed", to: "recall.guaranteed", .period),
        Entry("return_interval", to: "recall.notice", .period), Entry("recall_at", to: "step.at", .moment),
        Entry(
            "renew_from", to: "rule.renew_from",
            .words(["current due date": "due", "due date": "due", "now": "now", "today": "now", "system date": "now"])),
        Entry(
            "closed_strategy", to: "",
            .settings([
                "end of next open day": moved("next_open"), "end of the next open day": moved("next_open"),
                "end of previous open day": moved("previous_open"),
                "end of the previous open day": moved("previous_open"),
                "keep the current due date": moved("keep"),
                "keep the current due date/time": [("rule.closed", "keep"), ("keep_time", true)],
                "end of current open hours": hours("closing"), "end of current service point hours": hours("closing"),
                "beginning of next open hours": hours("opening"),
                "beginning of next open service point hours": hours("opening"),
            ])),
    ]

    private static func moved(_ closed: JSON) -> [(path: String, value: JSON)] {
        [("rule.closed", closed), ("rule.due_time", "end_of_day"), ("keep_time", false)]
    }

    private static func hours(_ mode: JSON) -> [(path: String, value: JSON)] {
        [("keep_time", true), ("keep_time_closed", mode)]
    }

    private static let money = [
        Entry("fine_per_interval", to: "rule.fine", .money),
        Entry("interval", "fine_interval", to: "rule.per", .period),
        Entry("fine_per_day", to: "rule.fine", .money),
        Entry("fine_per_hour", to: "rule.fine", .money, beside: [("rule.per", "1 hour")]),
        Entry("grace_days", to: "rule.grace", .units("days")), Entry("grace", to: "rule.grace", .period),
        Entry("max_fine", "max_total", "fine_cap", "overdue_fines_cap", "cap", to: "rule.fine_cap", .money),
        Entry("replacement_price", to: "copies[].price", .money),
        Entry("count_closed", to: "rule.rental_closed_days", of: ["checkout"]),
        // Where closed days do not count, a suspension is of open days: that is no other name of a term.
        Entry("count_closed", to: "rule.fine_closed_days", .words(["true": true])),
        Entry(
            "suspension_days_per_interval", "suspension_days_per_late_day", to: "rule.suspension", .units("days")),
        Entry("interval_days", to: "rule.suspension_per", .units("days"), beside: [("suspension_parts", true)]),
        Entry("cap_at_replacement_price", to: "rule.fine_cap", .words(["true": "replacement_price"])),
        Entry("max_suspension_days", to: "rule.suspension_cap", .units("days")),
        Entry("returned", to: "step.at", .moment), Entry("days_late", to: "loans[].due", .ago),
        Entry("rental_charge", to: "rule.rental", .money),
        Entry("rental_per_day", to: "rule.rental", .money, beside: [("rule.rental_per", "1 day")]),
        Entry("rental_per_hour", to: "rule.rental", .money, beside: [("rule.rental_per", "1 hour")]),
        Entry("discount_percent", to: "rental_discount"),
    ]

    /// What a return takes back of the fee for a loss, and what becomes of the fine.
    private static let losses = [
        Entry("lost_charge", "lost_set_cost", to: "rule.lost_fee", .money),
        Entry("no_refund_after_days", to: "rule.lost_refund_within", .units("days")),
        Entry("lost_for_days", to: "loans[].stated", .ago, beside: [("loans[].state", "lost")]),
        Entry(
            "lost_return_policy", to: "",
            .settings([
                "no refund": [("rule.lost_refund_within", "none")], "keep": [("rule.lost_refund_within", "none")],
                "refund": [], "refund_unpaid": [("rule.lost_refund", "unpaid")],
                "restore": [("rule.lost_fine", "forgive"), ("rule.lost_found_fine", "restore")],
                "charge": [("rule.lost_found_fine", "charge")],
            ])),
    ]

    private static let holds = [
        Entry("pickup_delay_days", to: "rule.hold_shelf", .units("days")),
        Entry("shelf_expiry", to: "rule.hold_shelf", .period),
        Entry("waiting_for_days", to: "holds[].placed", .ago), Entry("put_on_shelf", to: "now", .moment),
        Entry("hold_fee", to: "hold_fee", .money),
        Entry(
            "holds_placed_in_order", "queue_size", to: "holds", .waiters,
            beside: [("loans", [["copy": "copy", "patron": "borrower"]])]),
    ]

    private static let notices = [
        Entry("look_ahead_days", to: "notices", .notice), Entry("notice", to: "notices", .notice),
        Entry("loans_due_in_days", to: "loans", .dues(1)), Entry("loans_overdue_days", to: "loans", .dues(-1)),
        Entry("overdue_repeat_days", to: "overdue_each"),
    ]

    private static let renewals = [
        Entry("renewals_allowed", to: "rule.renewals", takesNull: true),
        Entry("precision", to: "", .settings(["date": []])), Entry("auto", to: "rule.auto_renew"),
        Entry("renewals_used", to: "loans[].renewals"), Entry("unseen_allowed", to: "rule.unseen_renewals"),
        Entry("unseen_used", to: "loans[].unseen_renewals"),
        Entry(
            "no_renewal_before_days", "no_auto_renewal_before_days", to: "rule.renew_not_before", .units("days")),
        Entry("no_auto_renewal_after_days", to: "rule.auto_renew_until", .units("days")),
        Entry("due", "loan_due", to: "loans[].due", .moment), Entry("due_in_days", to: "loans[].due", .ahead),
        Entry("issued_days_ago", to: "loans[].lent", .ago),
    ]

    /// Copies of the title, and those who wait for them.
    private static let stock = [
        Entry("items_of_title", to: "copies[].count"), Entry("items_on_loan", to: "loans", .others, of: ["renew"]),
        Entry("title_level_holds", "holds_on_title", to: "holds", .waiters),
        Entry("item_level_hold_on_this_item", to: "holds", .waitersForCopy),
        Entry("renew_if_other_items_can_fill", to: "renew_if_copies_suffice"),
    ]

    private static let limits = [
        Entry("max_loans", "max_checkouts", "max_items", to: "limits", .limit([:])),
        Entry("max_holds", "category_max", "max_requests", to: "rule.holds", takesNull: true),
        Entry("max_holds_per_day", to: "rule.holds_per_day", takesNull: true),
        Entry("placed_today", to: "holds", .holds, of: ["place_hold"]),
        Entry("current", to: "holds", .holds, of: ["place_hold"]), Entry("current", to: "loans", .loans([:])),
        Entry("items_out", "loans_out", to: "loans", .loans([:])),
        Entry("lost_items", to: "loans", .loans(["state": "lost"])),
        Entry("patron_overdue_items", "overdue", "overdue_items", to: "loans", .loans(["due": "now - 10 days"])),
    ]

    private static let standing = [
        Entry("restriction_until", to: "patrons", .restriction),
        Entry(
            "patron", to: "",
            .settings([
                "restricted": [("patrons[].blocks", [[:]])], "expired": [("patrons[].expires", "now - 1 days")],
                "in good standing": [], "active": [], "not expired": [], "not restricted": [],
            ])),
        Entry("allow_renewal_for_expired", to: "renew_when_expired"),
        Entry("credit", to: "patrons[].credit", .money), Entry("credit_counts", to: "", .settings(["true": []])),
        Entry(
            "overdue_policy", to: "",
            .settings([
                "block": [("standing", [["counts": "overdue", "reaches": 1, "refuses": ["checkout", "renew"]]])],
                "ask": [("standing", [["counts": "overdue", "reaches": 1, "refuses": ["checkout"], "asks": true]])],
                "allow": [],
            ])),
        Entry("allow_multiple_copies", to: "rule.same_title", .words(["true": "allow", "false": "confirm"])),
        Entry("max_items_out", to: "standing", .standing(["counts": "loans", "refuses": ["checkout"]], "reaches")),
        Entry("max_overdue_items", to: "standing", .standing(["counts": "overdue"], "exceeds")),
        Entry("max_lost_items", to: "standing", .standing(["counts": "lost"], "exceeds")),
        Entry("max_overdue", to: "standing", .standing(["counts": "overdue"], "reaches")),
        Entry(
            "max_owed", "max_fees", "max_fines", "max_outstanding", to: "standing",
            .standing(["counts": "owed"], "exceeds")),
        Entry("owed", "outstanding_fees", "outstanding", "fees", "fines", to: "patrons[].owes", .money),
    ]

    // MARK: Steps

    static let when = [
        Entry("date", "at", "on", to: "date", .moment, of: ["is_open"]),
        Entry("date", "from", "after", "before", to: "from", .moment, of: ["add_days", "next_open", "previous_open"]),
        Entry("from", to: "from", .moment, of: ["count_open_days"]), Entry("to", to: "until_day", .moment),
        Entry("days", to: "days"), Entry("inclusive", to: "inclusive"), Entry("onsite", "on_site", to: "on_site"),
        Entry("at_branch", to: "branch"), Entry("at", to: "at", .moment), Entry("pickup", to: "pickup"),
        Entry("dated", to: "dated", .moment), Entry("from", to: "given.loans[].due", .moment, of: ["renew"]),
    ]

    // MARK: Results

    /// Names of the codes with which this desk refuses.
    private static let reasons: [String: JSON] = [
        "TOO_MANY_CHECKOUTS": "limit", "TOO_MANY_ONSITE_CHECKOUTS": "limit", "PATRON_EXCEEDS_CHECKOUT_COUNT": "limit",
        "tooManyReserves": "limit", "tooManyReservesToday": "limit", "tooManyHoldsForThisRecord": "limit",
        "USERBLOCKEDWITHENDDATE": "blocked", "USERBLOCKEDNOENDDATE": "blocked", "USERBLOCKEDOVERDUE": "overdue",
        "restriction": "blocked", "PATRON_ACCOUNT_EXPIRED": "expired", "PATRON_EXCEEDS_OVERDUE_COUNT": "overdue",
        "PATRON_EXCEEDS_FINES": "fees_owed", "auto_too_much_oweing": "fees_owed", "BIBLIO_ALREADY_ISSUED": "same_title",
        "too_many": "renewals", "auto_too_late": "renewals", "too_unseen": "renewals",
        "LOAN_RENEWAL_LIMIT_REACHED": "renewals",
        "loan at maximum renewal number": "renewals", "too_soon": "too_soon", "auto_too_soon": "too_soon",
        "on_reserve": "holds_waiting", "Maximum number of late items is reached": "overdue", "auto_renew": .null,
        "overdue": "overdue", "NOT_FOR_LOAN": "not_lent",
        "itemAlreadyOnHold": "same_title",
    ]

    static let expect = [
        Entry("open", "is_open", "result", to: "open", of: ["is_open"]),
        Entry("closed", "is_closed", to: "open", .opposite, of: ["is_open"]),
        Entry("result", "open", "has_open_day", to: "any_open", of: ["count_open_days"]),
        Entry("open_days", "days", "count", to: "open_days", of: ["count_open_days"]),
        Entry("date", "due", "result", to: "date", .moment, of: ["add_days", "next_open", "previous_open"]),
        Entry(
            "error", to: "date", .words(["no open day": .null, "no open date": .null, "true": .null]),
            of: ["next_open", "previous_open"]),
        Entry("weekday", to: "weekday", .weekday), Entry("due", "due_date", to: "due", .moment),
        Entry("allowed", to: "allowed", .allowed),
        Entry("reason", "code", "fail_part", to: "reason", .words(reasons)),
        Entry("count", to: "count"), Entry("limit", "max_allowed", "max", to: "limit"), Entry("until", to: "until"),
        Entry("soonest", to: "soonest", .moment), Entry("renewals", to: "renewals"),
        Entry("expired", to: "state", .words(["true": "expired", "false": "shelf"]), of: ["sweep"]),
        Entry("changed", to: "due_changed"), Entry("loan_days", to: "loan_days"),
        Entry("fine", to: "fine", .money), Entry("owed", "balance", to: "owed", .money),
        Entry("rental", to: "rental", .money), Entry("suspension_days", to: "suspension_days"),
        Entry("suspended_until", to: "suspended_until"), Entry("suspended", to: "suspended"),
        Entry("expires", "expires_at", to: "shelf_until", .moment), Entry("next_run", to: "next_notice", .moment),
        Entry("loans", "notices", "sent", "messages", to: "sent", of: ["sweep"]),
        Entry(
            "blocked", to: "blocked",
            .list(.words(["borrowing": "checkout", "renewal": "renew", "request": "hold"]))),
    ]

    /// The names that each entry knows, and where they stand in the schema, by what they are names of.
    package static var names: [(part: String, names: [String], path: String)] {
        [("given", given), ("when", when), ("expect", expect)].flatMap { part, entries in
            entries.map { (part, $0.names, $0.path) }
        }
    }
}

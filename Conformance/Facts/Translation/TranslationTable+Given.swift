import Circulation
import TextFormats

// What other systems call what is given.
extension TranslationTable {
    static let given =
        [
            Entry("calendar", "opening_hours", "openings", to: "calendar.only", .calendar(calendar)),
            Entry(
                "days_mode", "useDaysMode", to: "step.mode",
                .words([
                    "Days": "days", "Calendar": "open_days", "Datedue": "next_open", "days": "days",
                    "calendar": "open_days", "datedue": "next_open",
                ]), of: ["add_days"]),
            Entry("days_mode", "useDaysMode", "use_days_mode", to: "rule.closed", .words(dayModes)),
            Entry("open_hours_daily", "opening_hours_daily", to: "calendar.weekly", .daily),
            Entry("hours", to: "calendar.only", .calendar(calendar)),
            Entry("loan_at", to: "now", .moment, of: ["renew"], beside: [("loans[].lent", "now")]),
            Entry(
                "now", "loan_at", "start", "today", "current_date", "current_time", "clock", "date", "xact_start",
                to: "now",
                .moment),
            Entry(
                "lent_at", "loan_date", "checkout_time", "issue_date", "checkout_date", "lending_date", "issued_on",
                "lent",
                "checked_out", "borrowed_on", to: "now", .moment, of: ["checkout", "next_notice"]),
        ] + calendar + records + loans + dueTimes + renewals + stock + money + limits + standing + losses + holds
        + notices + schema

    private static let calendar = [
        Entry(
            "weekly_closed", "closed_on", "holiday_dayname", "closed_weekdays", "closed_on_weekdays", "weekly_holidays",
            "closed_days_of_week", to: "calendar.weekly", .weekdays),
        Entry("weekly_open", "open_weekdays", "weekly_hours", "week", to: "calendar.weekly", .week),
        Entry("yearly_closed", "annual_closures", "repeatable_holidays", to: "calendar.yearly", .list(.same)),
        Entry(
            "closed_dates", "closed_on", "closed", "holidays", "single_holidays", "special_holidays",
            "exception_holidays", "closures", "closed_days", to: "calendar.closed", .closed
        ),
        Entry("open_exceptions", "special_openings", "extra_open_days", to: "calendar.open", .opened),
        Entry("exceptions", to: "calendar", .exceptions),
        Entry("weekdays", to: "", .nothing), Entry("tz", "time_zone", "timezone", to: "zone", .zone),
    ]

    private static let records = [
        Entry("loans", "checkouts", "issues", "current_loans", "open_loans", to: "loans", .records("loans")),
        Entry("holds", "reserves", "requests", to: "holds", .records("holds")),
        Entry("patrons", "borrowers", to: "patrons", .records("patrons")),
        Entry("copies", "items", to: "copies", .records("copies")),
    ]

    private static let dayModes: [String: JSON] = [
        "Days": "keep", "Calendar": "open_days", "Datedue": "next_open", "Dayweek": "same_weekday",
        "days": "keep", "calendar": "open_days", "datedue": "next_open", "dayweek": "same_weekday",
    ]

    private static let loans = [
        Entry("loan_minutes", to: "rule.loan", .units("minutes")),
        Entry("loan_hours", to: "rule.loan", .units("hours")),
        Entry("loan_days", "days_due_back", "days_until_due_back", to: "rule.loan", .units("days")),
        Entry("loan_weeks", to: "rule.loan", .units("weeks")),
        Entry("loan_months", to: "rule.loan", .units("months")),
        Entry("renewal_days", to: "rule.renewal_period", .units("days")),
        Entry("renewal_hours", to: "rule.renewal_period", .units("hours")),
        Entry(
            "hours_policy", to: "rule.closed_hours",
            .words(["close": "previous_close", "open": "next_open", "ignore": "keep"])),
        Entry("due_time_local", "due_time", to: "rule.due_time"),
    ]

    private static let dueTimes = [
        Entry(
            "loan_period", "period", "duration", "issuelength", "circ_duration", "loan_periode", "loan",
            "default_loan_period", "borrowing_period", "normal_duration", "checkout_duration", "lending_period",
            to: "rule.loan", .period),
        Entry(
            "renewal_period", "renewalperiod", "renew_period", "renew_for", "renewal_duration",
            to: "rule.renewal_period",
            .period),
        Entry("profile", to: "", .nothing), Entry("offset", to: "opening_offset", .period),
        Entry(
            "item_circulation_restriction", "circulation_restriction", to: "rule.loan",
            .words([
                "NO_RESTRICTION": "4 weeks", "ONE_WEEK": "1 weeks", "TWO_WEEKS": "2 weeks", "THREE_WEEKS": "3 weeks",
                "FOUR_WEEKS": "4 weeks", "FOR_REFERENCE_ONLY": "none",
            ])),
        Entry("limit_due", "due_limit", "hard_due_date_limit", "latest_due", to: "rule.due_limit", .date),
        Entry("fixed_due", "fixed_due_date", "hard_due_date", "hardduedate", to: "rule.due_at", .date),
        Entry(
            "patron_expires", "expiry_date", "membership_ends", "membership_expires", "card_expires", "dateexpiry",
            "expire_date", "expires_on", to: "patrons[].expires", .moment),
        Entry(
            "cap_at_patron_expiry", "restrict_due_date_to_expiry", "due_not_after_expiry", "due_before_patron_expiry",
            "ReturnBeforeExpiry", to: "rule.due_expiry", .flag),
        Entry(
            "min_guaranteed", "minimum_guaranteed_loan_period", "guaranteed_loan_period", to: "recall.guaranteed",
            .period),
        Entry("return_interval", "recall_return_interval", to: "recall.notice", .period),
        Entry("recall_at", to: "step.at", .moment),
        Entry(
            "renew_from", "renewal_from", "RenewalPeriodBase", to: "rule.renew_from",
            .words([
                "current due date": "due", "due": "due", "due date": "due", "date_due": "due", "old due date": "due",
                "now": "now", "today": "now", "system date": "now", "current date": "now", "SYSTEM_DATE": "now",
                "CURRENT_DUE_DATE": "due", "renewal date": "now", "the due date": "due", "day of renewal": "now",
            ])),
        Entry(
            "closed_strategy", "closed_mode", "closed_day_mode", "if_closed", "when_closed", "on_closed_day",
            "closed_library_due_date_management",
            "closed_day_strategy", to: "",
            .settings([
                "end of next open day": moved("next_open"), "end of the next open day": moved("next_open"),
                "end of previous open day": moved("previous_open"),
                "end of the previous open day": moved("previous_open"),
                "keep the current due date": moved("keep"),
                "keep the current due date/time": [("rule.closed", "keep"), ("keep_time", true)],
                "keep the current due date and time": [("rule.closed", "keep"), ("keep_time", true)],
                "end of current open hours": hours("closing"), "end of the current open hours": hours("closing"),
                "end of current service point hours": hours("closing"),
                "beginning of next open hours": hours("opening"),
                "beginning of the next open hours": hours("opening"),
                "beginning of next open service point hours": hours("opening"),
                "next open day": [("rule.closed", "next_open")], "next day": [("rule.closed", "next_open")],
                "previous open day": [("rule.closed", "previous_open")], "keep": [("rule.closed", "keep")],
                "ignore": [("rule.closed", "keep")], "forward": [("rule.closed", "next_open")],
                "datedue": [("rule.closed", "next_open")],
                "calendar": [("rule.closed", "open_days")], "dayweek": [("rule.closed", "same_weekday")],
                "backward": [("rule.closed", "previous_open")], "skip": [("rule.closed", "open_days")],
            ])),
        Entry(
            "skip_closed_days", "move_due_off_closed_days", "due_moves_to_next_open_day", to: "rule.closed",
            .words(["true": "next_open", "false": "keep"])),
    ]

    private static func moved(_ closed: JSON) -> [(path: String, value: JSON)] {
        [("rule.closed", closed), ("rule.due_time", "end_of_day"), ("keep_time", false)]
    }

    private static func hours(_ mode: JSON) -> [(path: String, value: JSON)] {
        [("keep_time", true), ("keep_time_closed", mode)]
    }

    private static let money = [
        Entry(
            "fine_per_interval", "overdue_fine", "late_fee", "overdue_fine_quantity", "fine_quantity", "recurring_fine",
            "fine_rate", "fine_amount",
            to: "rule.fine", .money),
        Entry(
            "interval", "overdue_fine_interval_id", "fine_interval_id", "fine_interval", "chargeperiod",
            "charge_period", "fine_period", "recurrence_interval",
            to: "rule.per", .period),
        Entry(
            "fine_per_day", "daily_late_fee", "late_fee_per_day", "overdue_fee_per_day", "daily_fine", "fine_each_day",
            "overdue_fine_per_day", "fine_daily", to: "rule.fine", .money
        ),
        Entry("fine_per_hour", "hourly_fine", to: "rule.fine", .money, beside: [("rule.per", "1 hour")]),
        Entry("fine_per_minute", to: "rule.fine", .money, beside: [("rule.per", "1 minute")]),
        Entry("fine_per_week", "weekly_fine", to: "rule.fine", .money, beside: [("rule.per", "1 week")]),
        Entry("fine_per_open_day", to: "rule.fine", .money, beside: [("rule.fine_closed_days", false)]),
        Entry("grace_days", to: "rule.grace", .units("days")),
        Entry("grace", "grace_period", "grace_periode", "firstremind", to: "rule.grace", .period),
        Entry(
            "max_fine", "max_total", "fine_cap", "overdue_fines_cap", "cap", "overduefinescap", "max_overdue_fine",
            to: "rule.fine_cap", .price),
        Entry("replacement_price", "item_price", "price", "replacement_cost", to: "copies[].price", .money),
        Entry("count_closed", to: "rule.rental_closed_days", .flag, of: ["checkout"]),
        Entry(
            "count_closed", "fine_closed_days", "charge_closed_days", "fine_on_closed_days", "count_closed_days",
            to: "rule.fine_closed_days", .flag),
        Entry(
            "exclude_closed_days", "charge_only_open_days", "fine_only_open_days", "skip_holidays_in_fines",
            "exclude_holidays", "skip_closed_days_in_fines",
            "ignore_holidays", "finesCalendar",
            to: "rule.fine_closed_days", .words(["true": false, "false": true, "noFinesWhenClosed": false])),
        Entry(
            "rounding", to: "rule.rounding",
            .words([
                "a started interval counts whole": "started", "started": "started", "up": "started", "ceil": "started",
                "only whole intervals": "whole", "only whole intervals count": "whole", "whole": "whole",
                "down": "whole", "full": "whole", "floor": "whole",
            ])),
        Entry(
            "suspension_days_per_interval", "restriction_days_per_day_late", "suspension_days_per_late_day", "finedays",
            "suspension_days_per_day_late",
            to: "rule.suspension", .units("days")),
        Entry(
            "interval_days", "suspension_interval_days", "suspension_chargeperiod", to: "rule.suspension_per",
            .units("days"), beside: [("suspension_parts", true)]),
        Entry(
            "cap_at_replacement_price", "cap_fine_to_replacement_price", "cap_fine_at_item_price", to: "rule.fine_cap",
            .words(["true": "replacement_price"])),
        Entry("item_type_default_price", "default_replacement_cost", "default_price", to: "fine_cap_default", .money),
        Entry("max_suspension_days", "maxsuspensiondays", to: "rule.suspension_cap", .units("days")),
        Entry(
            "mode", "suspension_mode", to: "rule.suspension_mode",
            .words([
                "cumulative": "add", "add": "add", "longest": "longest", "not cumulative": "longest",
                "non-cumulative": "longest",
            ]), of: ["return"]),
        Entry("returned", "returned_on", "checkin_date", "return_date", to: "step.at", .moment),
        Entry(
            "days_late", "days_overdue", "overdue_by", "late_by", "overdue", to: "loans[].due", .ago,
            of: ["return", "fine"]),
        Entry("hours_late", "hours_overdue", to: "loans[].due", .sinceHours("hours"), of: ["return", "fine"]),
        Entry("overdue_minutes", "minutes_late", to: "loans[].due", .sinceHours("minutes"), of: ["return", "fine"]),
        Entry("rental_charge", "rental_fee", "loan_fee", "checkout_fee", "borrowing_fee", to: "rule.rental", .money),
        Entry("rental_per_day", "daily_rental", to: "rule.rental", .money, beside: [("rule.rental_per", "1 day")]),
        Entry("rental_per_hour", to: "rule.rental", .money, beside: [("rule.rental_per", "1 hour")]),
        Entry("discount_percent", "rental_discount_percent", "rentaldiscount", to: "rental_discount", .number),
    ]

    /// What a return takes back of the fee for a loss, and what becomes of the fine.
    private static let losses = [
        Entry(
            "lost_charge", "lost_set_cost", "lost_fee", "lost_item_fee", "lost_processing_fee", to: "rule.lost_fee",
            .price),
        Entry("forgive_fine", "fine_forgiven", to: "rule.lost_fine", .words(["true": "forgive", "false": "keep"])),
        Entry("no_refund_after_days", to: "rule.lost_refund_within", .units("days")),
        Entry("lost_after", "long_overdue_after", "age_to_lost_after", to: "rule.lost_after", .period),
        Entry("lost_for_days", "lost_days_ago", to: "loans[].stated", .ago, beside: [("loans[].state", "lost")]),
        Entry(
            "lost_return_policy", "lostreturn", to: "",
            .settings([
                "no refund": [("rule.lost_refund_within", "none")], "keep": [("rule.lost_refund_within", "none")],
                "none": [("rule.lost_refund_within", "none")], "0": [("rule.lost_refund_within", "none")], "1": [],
                "refund": [], "refund unpaid": [("rule.lost_refund", "unpaid")],
                "restore": [("rule.lost_fine", "forgive"), ("rule.lost_found_fine", "restore")],
                "charge": [("rule.lost_found_fine", "charge")],
            ])),
    ]

    private static let holds = [
        Entry(
            "pickup_delay_days", "pickup_days", "shelf_days", "ReservesMaxPickUpDelay", to: "rule.hold_shelf",
            .units("days")),
        Entry(
            "shelf_expiry", "pickup_hold_duration", "hold_pickup_duration", "hold_shelf_expire_interval",
            "hold_shelf_period", "pickup_period",
            "hold_shelf_expiry_period", "shelf_period",
            "hold_shelf_time", to: "rule.hold_shelf", .period),
        Entry("waiting_for_days", "on_shelf_for_days", to: "holds[].placed", .ago),
        Entry(
            "put_on_shelf", "arrived", "item_arrived", "ready_on", "ready_since", "shelf_time", "awaiting_pickup_since",
            "available_since",
            "on_shelf_since", "shelved_at", to: "now", .moment),
        Entry(
            "request_expires", "hold_expires", "reserve_expires", "hold_wanted_until", to: "holds[].expires", .moment,
            beside: [("holds[].patron", "reader"), ("holds[].title", "title"), ("holds[].placed", "now - 20 days")]),
        Entry(
            "hold_placed", "request_time", "hold_time", "reserved", "requested", "placed", to: "holds[].placed", .moment
        ),
        Entry("hold_fee", "reserve_fee", "pickup_fee", to: "hold_fee", .money),
        Entry(
            "holds_placed_in_order", "queue_size", "queue_length", to: "holds", .waiters,
            beside: [("loans", [["copy": "copy", "patron": "borrower"]])]),
    ]

    private static let notices = [
        Entry(
            "look_ahead_days", "advance_notice_days", "reminder_days_before_due", "notice_days_before",
            "reminder_before", "days_in_advance",
            "due_soon_days", "remind_days_before", to: "notices", .notice("before")),
        Entry(
            "overdue_notice_after_days", "first_overdue_notice_after", "reminder_after", "overdue_reminder_after",
            to: "notices", .notice("after")),
        Entry("notice", "notice_policy", to: "notices", .notice("before")),
        Entry("loans_due_in_days", to: "loans", .dues(1)), Entry("loans_overdue_days", to: "loans", .dues(-1)),
        Entry("overdue_repeat_days", to: "overdue_each", .number),
    ]

    private static let renewals = [
        Entry(
            "renewals_allowed", "max_renewals", "renewalsallowed", "renewal_limit", "reborrow_limit", "renewals",
            "number_of_renewals", "numberAllowed", to: "rule.renewals", .number, takesNull: true),
        Entry("auto", "auto_renew", to: "rule.auto_renew", .flag),
        Entry(
            "renewals_used", "loan_renewals", "renewed", "renewals_done", "renewed_times", "times_renewed",
            "renewal_count", "already_renewed",
            "renewals_so_far", to: "loans[].renewals", .number),
        Entry("renewals_unlimited", to: "", .settings(["true": [("rule.renewals", .null)], "false": []])),
        Entry("renewed_on", "renewal_date", to: "step.at", .moment, of: ["renew"]),
        Entry("unseen_allowed", "unseen_renewals_allowed", to: "rule.unseen_renewals", .number),
        Entry("unseen_used", "unseen_renewals_used", to: "loans[].unseen_renewals", .number),
        Entry(
            "no_renewal_before_days", "not_renewable_before", "no_auto_renewal_before_days", "norenewalbefore",
            "no_renewal_before",
            "renewable_days_before_due", "earliest_renewal_days_before_due", to: "rule.renew_not_before", .units("days")
        ),
        Entry(
            "no_auto_renewal_after_days", "no_auto_renewal_after", to: "rule.auto_renew_until", .units("days")),
        Entry(
            "due", "loan_due", "due_date", "current_due", "old_due", "original_due_date", "item_due", to: "loans[].due",
            .moment),
        Entry("due_in_days", "days_until_due", to: "loans[].due", .ahead),
        Entry("issued_days_ago", "checked_out_days_ago", "lent_days_ago", to: "loans[].lent", .ago),
        Entry("checked_out", "issued", "lent", "loan_date", "issue_date", "checkout_date", to: "loans[].lent", .moment),
    ]

    /// Copies of the title, and those who wait for them.
    private static let stock = [
        Entry("items_of_title", "copies_of_title", "copies_owned", to: "copies[].count", .number),
        Entry("items_on_loan", "copies_on_loan", to: "loans", .others, of: ["renew"]),
        Entry(
            "title_level_holds", "holds_for_title", "holds_on_title", "holds_waiting", "waiting_holds", "pending_holds",
            "holds_by_others",
            "other_holds", "reserves_on_title", "holds_in_queue", "open_holds", to: "holds", .waiters),
        Entry("item_level_hold_on_this_item", "item_level_holds", to: "holds", .waitersForCopy),
        Entry("renew_if_other_items_can_fill", to: "renew_if_copies_suffice", .flag),
    ]

    private static let limits = [
        Entry(
            "max_loans", "max_items_checked_out", "global_limit", "max_items_on_loan", "max_checkouts", "max_items",
            "maxissueqty", "loan_limit", "max_books", "borrowing_limit",
            to: "limits", .limit([:]), takesNull: true),
        Entry("limit", "max", "maximum", to: "limits", .limit([:]), of: ["checkout", "ask_checkout"], takesNull: true),
        Entry("limit", "max", "maximum", to: "rule.holds", .number, of: ["place_hold"], takesNull: true),
        Entry("limit", "max", "maximum", to: "rule.renewals", .number, of: ["renew", "auto_renew"], takesNull: true),
        Entry(
            "max_holds", "category_max", "max_requests", "maxreserves", "reservesallowed", "reserve_limit",
            to: "rule.holds", .number, takesNull: true),
        Entry("max_holds_per_day", "holds_per_day", to: "rule.holds_per_day", .number, takesNull: true),
        Entry("placed_today", "holds_placed_today", to: "holds", .holds, of: ["place_hold"]),
        Entry(
            "current", "current_holds", "holds_placed", "existing_holds", "open_requests", "reserves_count",
            to: "holds",
            .holds, of: ["place_hold"]),
        Entry(
            "current", "items_currently_out", "items_checked_out", "items_on_loan", "items_out", "loans_out",
            "current_checkouts",
            "active_loans", "loans_count", "books_out",
            "checked_out_items", "issues_count", "borrowed", to: "loans", .loans([:])),
        Entry("lost_items", "lost_count", "lost_books", to: "loans", .loans(["state": "lost"])),
        Entry("claims_returned", "claims_returned_count", to: "loans", .loans(["state": "claimed"])),
        Entry(
            "patron_overdue_items", "overdue_item_count", "overdue_loan_count", "overdue", "overdue_items",
            "overdue_count", "overdue_loans", "overdues",
            "items_overdue", to: "loans", .loans(["due": "now - 10 days"])),
    ]

    /// Fields of the schema itself, and terms of its rules, by their own names.
    private static let schema: [Entry] = {
        let plain = Schema.given.fields.compactMap { field -> Entry? in
            switch field.kind {
            case .flag, .period, .money, .zone, .moment: Entry(field.name, to: field.name, .of(field.kind))
            default: nil
            }
        }
        let terms = RuleField.all.filter { !["loan", "holds", "reason", "due_at"].contains($0.name) }.map { field in
            Entry(field.name, to: "rule.\(field.name)", .of(field), takesNull: field.kind == .integer)
        }
        return plain + terms
    }()
}

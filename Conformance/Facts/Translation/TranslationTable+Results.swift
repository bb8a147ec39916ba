import Circulation
import TextFormats

// What other systems say of patrons, of steps and of what is found.
extension TranslationTable {
    static let standing = [
        Entry(
            "restriction_until", "debarred_until", "blocked_until", "suspended_until_date", "debarred", to: "patrons",
            .restriction),
        Entry(
            "patron", "patron_status", "patron_state", "membership", "account_status", "member_status", to: "",
            .settings([
                "restricted": [("patrons[].blocks", [[:]])], "blocked": [("patrons[].blocks", [[:]])],
                "barred": [("patrons[].blocks", [[:]])], "debarred": [("patrons[].blocks", [[:]])],
                "suspended": [("patrons[].blocks", [[:]])], "pending": [("patrons[].blocks", [[:]])],
                "expired": [("patrons[].expires", "today - 1 days")],
                "in good standing": [], "active": [], "not expired": [], "not restricted": [], "valid": [],
                "unrestricted": [], "ok": [],
            ])),
        Entry(
            "patron_blocked", "debarred", "patron_restricted", "barred", "is_blocked", to: "patrons",
            .flagged(["blocks": [[:]]])),
        Entry("patron_active", "active", "patron_valid", to: "patrons", .unflagged(["blocks": [[:]]])),
        Entry("patron_pending", "pending", to: "patrons", .flagged(["blocks": [[:]]])),
        Entry(
            "patron_expired", "membership_expired", "expired", to: "patrons", .flagged(["expires": "today - 1 days"])),
        Entry(
            "allow_renewal_for_expired", "renew_expired_patrons", "expired_may_renew", to: "renew_when_expired", .flag),
        Entry("credit", "account_credit", to: "patrons[].credit", .money),
        Entry(
            "overdue_policy", "OverduesBlockCirc", "overdues_block", to: "",
            .settings([
                "block": [("standing", [["counts": "overdue", "reaches": 1, "refuses": ["checkout", "renew"]]])],
                "ask": [asked], "confirm": [asked], "confirmation": [asked], "allow": [], "noblock": [], "ignore": [],
                "blockitem": [("renew_overdue", false)], "block item": [("renew_overdue", false)],
                "block all": [("standing", [["counts": "overdue", "reaches": 1, "refuses": ["checkout", "renew"]]])],
            ])),
        Entry(
            "allow_multiple_copies", "AllowMultipleIssuesOnABiblio", "allow_same_title_twice", to: "rule.same_title",
            .words(["true": "allow", "false": "confirm"])),
        Entry("max_items_out", to: "standing", .standing(["counts": "loans", "refuses": ["checkout"]], "reaches")),
        Entry("PATRON_EXCEEDS_FINES", to: "standing", .standing(["counts": "owed"], "reaches")),
        Entry("PATRON_EXCEEDS_OVERDUE_COUNT", to: "standing", .standing(["counts": "overdue"], "reaches")),
        Entry("PATRON_EXCEEDS_LOST_COUNT", to: "standing", .standing(["counts": "lost"], "reaches")),
        Entry("PATRON_EXCEEDS_CHECKOUT_COUNT", to: "limits", .limit([:])),
        Entry(
            "block_borrowing", "patron_block_borrowing", "block_checkout", to: "patrons",
            .flagged(["blocks": [["refuses": ["checkout"]]]])),
        Entry(
            "block_renewal", "patron_block_renewals", "block_renewals", to: "patrons",
            .flagged(["blocks": [["refuses": ["renew"]]]])),
        Entry(
            "block_requests", "patron_block_requests", "block_holds", to: "patrons",
            .flagged(["blocks": [["refuses": ["hold"]]]])),
        Entry("max_overdue_items", to: "standing", .standing(["counts": "overdue"], "exceeds")),
        Entry("max_lost_items", to: "standing", .standing(["counts": "lost"], "exceeds")),
        Entry(
            "max_overdue", "max_overdues", "overdue_limit", to: "standing", .standing(["counts": "overdue"], "reaches")),
        Entry(
            "max_owed", "max_outstanding_fees", "max_fees_owed", "max_fines_owed", "max_fees", "max_fines",
            "max_outstanding", "noissuescharge", "fine_limit",
            "debt_limit",
            "max_debt", "fines_block_threshold", "max_balance", "charge_limit", "max_amount_owed", "maxoutstanding",
            to: "standing", .standing(["counts": "owed"], "exceeds")),
        Entry(
            "owed", "current_fines", "current_debt", "existing_fines", "fines_owed", "amountoutstanding",
            "outstanding_fees", "outstanding", "fees", "fines", "balance",
            "debt",
            "amount_owed",
            "unpaid_fines",
            "account_balance", "patron_owes", "outstanding_charges", to: "patrons[].owes", .money),
        Entry("patron_category", "category", to: "patrons[].category"),
        Entry("patron_home_branch", "patron_home_library", "home_branch", "home_library", to: "patrons[].branch"),
        Entry("item_type", "circulate_as_type", "material_type", "itype", "copy_type", to: "copies[].item_type"),
        Entry("item_home_branch", "owning_library", "item_owning_library", "owning_branch", to: "copies[].branch"),
        Entry(
            "not_for_loan", "reference_only", "notforloan", "no_loan", to: "rule.lend",
            .words(["true": false, "false": true, "1": false, "0": true])),
        Entry("loanable", "circulate", "circulates", "lendable", to: "rule.lend", .flag),
        Entry("recalled", "is_recalled", to: "loans[].recalled", .flag),
        Entry("pickup_branch", "pickup_library", to: "step.pickup", of: ["place_hold"]),
    ]

    private static let asked: (path: String, value: JSON) = (
        "standing", [["counts": "overdue", "reaches": 1, "refuses": ["checkout"], "asks": true]]
    )

    // MARK: Steps

    static let when = [
        Entry("date", "at", "on", "day", "when", to: "date", .moment, of: ["is_open", "close_days"]),
        Entry(
            "date", "from", "after", "before", "start", "on", to: "from", .moment,
            of: ["add_days", "next_open", "previous_open"]),
        Entry("from", "start", "first", to: "from", .moment, of: ["count_open_days"]),
        Entry("to", "until", "end", "last", to: "until_day", .moment, of: ["count_open_days"]),
        Entry("days", "count", "number_of_days", to: "days", .number, of: ["add_days"]),
        Entry("inclusive", to: "inclusive", .flag), Entry("onsite", "on_site", to: "on_site", .flag),
        Entry("at_branch", "branch", "library", "location", to: "branch"),
        Entry("dated", "backdate", "backdated_to", "return_date", "dropbox_date", to: "dated", .moment, of: ["return"]),
        Entry("from", to: "given.loans[].due", .moment, of: ["renew"]),
        Entry("at", "date", "now", "time", "on", "when", "today", to: "at", .moment),
        Entry("pickup", "pickup_branch", "pickup_library", to: "pickup", of: ["place_hold"]),
        Entry("amount", "sum", "pays", to: "amount", .money, of: ["pay", "charge", "forgive", "refund"]),
        Entry("patron", "borrower", "usr", to: "patron", of: ["look", "place_hold", "cancel_hold", "pay"]),
        Entry("override", "force", "confirmed", to: "override", .flag),
        Entry("times", "attempts", to: "times", .number),
        Entry("item_type", "material_type", to: "given.copies[].item_type"),
        Entry(
            "channel", to: "channel",
            .words(["desk": "desk", "opac": "web", "web": "web", "self": "self", "sip": "self"])),
    ]

    // MARK: Results

    static let expect = [
        Entry("open", "is_open", "result", to: "open", .flag, of: ["is_open"]),
        Entry("closed", "is_closed", "is_holiday", to: "open", .opposite, of: ["is_open"]),
        Entry("result", "open", "has_open_day", to: "any_open", .flag, of: ["count_open_days"]),
        Entry(
            "open_days", "days", "count", "result", "working_days", to: "open_days", .number, of: ["count_open_days"]),
        Entry(
            "date", "due", "result", "day", "next", "next_open_day", "previous_open_day", to: "date", .moment,
            of: ["add_days", "next_open", "previous_open"]),
        Entry(
            "error", to: "date", .words(["no open day": .null, "no open date": .null, "true": .null]),
            of: ["next_open", "previous_open"]),
        Entry("weekday", to: "weekday", .weekday),
        Entry("due", "due_date", "new_due", "new_due_date", "returnDate_expected", to: "due", .moment),
        Entry("lost", to: "lost", .flag),
        Entry("loan_policy", "value", "policy", "setting", to: "value", of: ["ask_rule"]),
        Entry("saved", "accepted", "valid", to: "accepted", .flag, of: ["accept_rules"]),
        Entry("succeeded", "granted", "successful", to: "granted", .number, of: ["checkout_at_once"]),
        Entry("refused", "rejected", "failed", to: "refused", .number, of: ["checkout_at_once"]),
        Entry("results", to: "reason", .reason),
        Entry("penalties", to: "reasons", .list(.reason), of: ["ask_standing"]),
        Entry(
            "allowed", "can", "may", "success", "ok", "succeeded", "granted", "permitted", "can_checkout", "can_renew",
            "can_borrow",
            "can_reserve", "can_request", "can_extend", "can_be_issued", "can_be_renewed", "can_be_reserved",
            "can_loan", "can_hold", "is_allowed",
            "prolonged", "lent", "renewable", "loanable", "borrowable", "can_place_hold", "renewed", "possible",
            "eligible",
            to: "allowed", .allowed),
        Entry(
            "blocked", "blocked_actions", to: "blocked",
            .list(
                .words([
                    "borrowing": "checkout", "renewal": "renew", "request": "hold", "checkout": "checkout",
                    "loans": "checkout", "renewals": "renew", "renew": "renew", "hold": "hold", "requests": "hold",
                ])), of: ["ask_standing"]),
        Entry("minutes", to: "fine", .cents, of: ["return"]),
        Entry("return_recorded_as", "returned", "returned_on", "return_date", to: "returned", .moment),
        Entry("fine_lines", to: "fine_lines", .number),
        Entry("charges", "charge_count", to: "charge_lines", .number, of: ["sweep"]),
        Entry("amount", "charged", "charge", "lost_fee", "fee", to: "charges", .money, of: ["sweep", "declare_lost"]),
        Entry("refused", "denied", "blocked", "rejected", "failed", to: "allowed", .refusal),
        Entry(
            "reason", "status", "result", "code", "fail_part", "error", "message", "block_reason", "event", "textcode",
            "problem",
            to: "reason",
            .reason),
        Entry("count", "current", to: "count", .number),
        Entry("limit", "max_allowed", "max", "maximum", to: "limit", .number), Entry("until", to: "until", .date),
        Entry("soonest", "earliest", "soonest_renewal", "renewable_from", to: "soonest", .moment),
        Entry("renewals", "renewals_used", "renewal_count", to: "renewals", .number),
        Entry("expired", to: "state", .words(["true": "expired", "false": "shelf"]), of: ["sweep"]),
        Entry("changed", "due_changed", to: "due_changed", .flag), Entry("loan_days", "days", to: "loan_days", .number),
        Entry(
            "fine", "fine_amount", "overdue_fine", "fine_charged", "late_fee", "fee", "amount", "fines", "fine_total",
            to: "fine", .money, of: ["return", "fine", "look", "find_lost", "renew", "sweep_daily"]),
        Entry(
            "owed", "account_balance", "balance", "amount_owed", "outstanding", "total_owed", "debt", to: "owed", .money
        ),
        Entry("rental", "rental_charge", "rental_fee", "charged", "fee", to: "rental", .money, of: ["checkout"]),
        Entry("suspension_days", "debarment_days", to: "suspension_days", .number),
        Entry("suspended_until", "debarred", "debarred_until", "restricted_until", to: "suspended_until", .date),
        Entry("suspended", "debarred", to: "suspended", .flag),
        Entry(
            "expires", "pickup_deadline", "pickup_before", "hold_shelf_expiry", "shelf_expiry", "pick_up_by",
            "expires_at", "shelf_until", "pickup_until",
            "hold_expires", "pickup_by", to: "shelf_until",
            .moment),
        Entry("next_run", to: "next_notice", .moment),
        Entry(
            "loans", "reminders_sent", "notices", "sent", "messages", "notices_sent", "reminders", "messages_sent",
            to: "sent", .number,
            of: ["sweep", "sweep_daily", "close_days"]),
        Entry("place", "priority", "position", "queue_position", to: "place", .number),
        Entry("queue", "order", to: "queue"),
        Entry(
            "state", "status", "hold_status", to: "state",
            .words(["expired": "expired", "cancelled": "expired", "canceled": "expired", "removed": "expired"]),
            of: ["sweep"]),
        Entry(
            "state", "status", "hold_status", to: "state",
            .words([
                "waiting": "shelf", "awaiting pickup": "shelf", "shelf": "shelf", "on shelf": "shelf",
                "ready for pickup": "shelf", "in transit": "transit", "transit": "transit", "in queue": "waiting",
                "pending": "waiting", "not filled": "waiting", "kept": "waiting", "open": "waiting",
                "expired": "expired", "cancelled": "cancelled", "canceled": "cancelled", "filled": "filled",
                "fulfilled": "filled", "removed": "expired", "deleted": "expired",
            ])),
        Entry("loans", "items_out", "checkouts", "loan_count", to: "loans", .number),
        Entry("holds", "hold_count", to: "holds", .number), Entry("recalled", to: "recalled", .flag),
        Entry("overdue", "late", "is_overdue", to: "late", .flag),
    ]
}

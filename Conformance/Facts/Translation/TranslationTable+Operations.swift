import TextFormats

// What other systems call the operations.
extension TranslationTable {
    private static let lent: [(path: String, value: JSON)] = [("loans[].copy", "copy")]
    private static let waiting: (path: String, value: JSON) = (
        "holds", [["patron": "reader", "title": "title"]]
    )
    private static let shelved: (path: String, value: JSON) = (
        "holds", [["patron": "reader", "title": "title", "on_shelf": true]]
    )
    private static let lost: [(path: String, value: JSON)] = lent + [("loans[].state", "lost")]

    /// Whole phrases.
    static let operations = [
        OperationEntry("is_closed", "is_holiday", "is_open", "is_open_day", "is_open_at", to: "is_open"),
        OperationEntry("add_days", "days_forward", to: "add_days"),
        OperationEntry("add_open_days", "add_working_days", to: "add_days", ["mode": "open_days"]),
        OperationEntry("open_days_between", "count_open_days", "open_days", "days_between", to: "count_open_days"),
        OperationEntry("has_open_day_strictly_between", to: "count_open_days", ["between": true]),
        OperationEntry("next_open_day", to: "next_open"),
        OperationEntry("first_open_day_on_or_after", to: "next_open", ["inclusive": true]),
        OperationEntry("previous_open_day", "prev_open_day", to: "previous_open"),
        OperationEntry("last_open_day_on_or_before", to: "previous_open", ["inclusive": true]),
        OperationEntry("circ_test", "can_book_be_issued", to: "ask_checkout"),
        OperationEntry("rental_charge", "rental charge", to: "checkout"),
        OperationEntry("put on hold shelf", to: "return", given: [waiting]),
        OperationEntry("is_pickup_expired", to: "sweep", given: [shelved]),
        OperationEntry(
            "list", "list queue", "hold queue", "queue position", "position in queue", "place in queue", to: "look",
            ["title": "title"]),
        OperationEntry("upcoming_due", "overdue job", "notice job", "pre-due job", to: "sweep"),
        OperationEntry("schedule", to: "next_notice", given: lent),
        OperationEntry(
            "automated_blocks", "automated patron blocks", "system_penalties", "check blocks", "patron blocks",
            "patron standing",
            to: "ask_standing"),
        OperationEntry("match", "effective_rule", "effective_value", "find rule", "which rule", to: "ask_rule"),
        OperationEntry("save_rule", "save rule", to: "accept_rules"),
        OperationEntry("all_matches", "all matches", to: "ask_rule"),
        OperationEntry("look", "status", "query", to: "look"),
    ]

    private static let minutes: [(path: String, value: JSON)] =
        lent + [("rule.fine", "0.01"), ("rule.per", "1 minutes")]

    /// Operations that go on with what they are about.
    static let operationBeginnings = [
        OperationEntry("accrue", "reminder fees", "reminders", "run", "fine for", to: "sweep"),
        OperationEntry("move", "reorder", to: "move_hold"), OperationEntry("cancel", to: "cancel_hold"),
        OperationEntry("is_due_soon", "is_late", "is_overdue", to: "look"),
        OperationEntry("overdue_minutes", "chargeable_minutes", to: "return", given: minutes),
        OperationEntry("apply_closed_strategy", to: "checkout"),
        OperationEntry("apply_new_closures", "close_days", "add_closures", to: "close_days"),
        OperationEntry("group_overdue_count", to: "look"),
        OperationEntry("effective_rule", to: "ask_rule"), OperationEntry("check in again", to: "return", given: lent),
        OperationEntry("return of a lost", "return of lost", to: "return", given: lost),
        OperationEntry("return back-dated", "return backdated", "return first", to: "return", given: lent),
    ]

    /// An operation by the words in it: all of `words`, and of others only such as name what it is about.
    struct OperationWords: Sendable {
        var words: Set<String>
        var entry: OperationEntry

        init(
            _ words: String, _ code: String, _ operands: JSONObject = [:],
            given presets: [(path: String, value: JSON)] = []
        ) {
            self.words = Set(words.split(separator: " ").map(String.init))
            entry = OperationEntry(words, to: code, operands, given: presets)
        }
    }

    /// In the order in which they are looked for: what asks for more words first.
    static let operationWords = [
        OperationWords("latest auto renewal", "last_auto_renewal", given: lent + [("rule.auto_renew", true)]),
        OperationWords("last auto renewal", "last_auto_renewal", given: lent + [("rule.auto_renew", true)]),
        OperationWords("auto renewal", "auto_renew", given: lent + [("rule.auto_renew", true)]),
        OperationWords("automatic renewal", "auto_renew", given: lent + [("rule.auto_renew", true)]),
        OperationWords("renewal without seeing", "renew", ["channel": "web"], given: lent),
        OperationWords("unseen renewal", "renew", ["channel": "web"], given: lent),
        OperationWords("online renewal", "renew", ["channel": "web"], given: lent),
        OperationWords("opac renewal", "renew", ["channel": "web"], given: lent),
        OperationWords("renewal", "renew", given: lent),
        OperationWords("recall", "place_hold", ["patron": "recaller"], given: lent + [("loans[].lent", "now")]),
        OperationWords("simultaneous loan", "checkout_at_once", ["times": 2]),
        OperationWords("concurrent loan", "checkout_at_once", ["times": 2]),
        OperationWords("parallel loan", "checkout_at_once", ["times": 2]),
        OperationWords("cancel hold", "cancel_hold", given: [waiting]),
        OperationWords("suspend hold", "suspend_hold", given: [waiting]),
        OperationWords("expiry hold job", "sweep"), OperationWords("expiry job", "sweep"),
        OperationWords("fill hold", "checkout", given: [shelved]),
        OperationWords("collect hold", "checkout", given: [shelved]),
        OperationWords("fetch hold", "checkout", given: [shelved]),
        OperationWords("pickup hold", "checkout", given: [shelved]),
        OperationWords("place hold", "place_hold"), OperationWords("add hold", "place_hold"),
        OperationWords("make hold", "place_hold"), OperationWords("create hold", "place_hold"),
        OperationWords("claim return", "claim_returned", given: lent),
        OperationWords("return lost", "return", given: lost), OperationWords("found lost", "return", given: lost),
        OperationWords("find lost", "return", given: lost), OperationWords("declare lost", "declare_lost", given: lent),
        OperationWords("mark lost", "declare_lost", given: lent),
        OperationWords("set lost", "declare_lost", given: lent),
        OperationWords("calculate due", "checkout"), OperationWords("compute due", "checkout"),
        OperationWords("calc due", "checkout"), OperationWords("get due", "checkout"),
        OperationWords("can loan", "ask_checkout"), OperationWords("may loan", "ask_checkout"),
        OperationWords("can borrow", "ask_checkout"), OperationWords("may borrow", "ask_checkout"),
        OperationWords("return hold", "return", given: [waiting]), OperationWords("shelf", "return", given: [waiting]),
        OperationWords("can hold", "place_hold"), OperationWords("may hold", "place_hold"),
        OperationWords("calculate fine", "return", given: lent), OperationWords("compute fine", "return", given: lent),
        OperationWords("calc fine", "return", given: lent), OperationWords("assess fine", "return", given: lent),
        OperationWords("calculate fee", "return", given: lent), OperationWords("overdue fine", "return", given: lent),
        OperationWords("overdue fee", "return", given: lent),
        OperationWords("return", "return", given: lent), OperationWords("bring back", "return", given: lent),
        OperationWords("give back", "return", given: lent), OperationWords("hand in", "return", given: lent),
        OperationWords("waive", "forgive"), OperationWords("forgive", "forgive"), OperationWords("refund", "refund"),
        OperationWords("pay", "pay"), OperationWords("payment", "pay"),
        OperationWords("notice hand", "remind", given: lent), OperationWords("reminder hand", "remind", given: lent),
        OperationWords("notice job", "sweep"), OperationWords("notice", "sweep"), OperationWords("notice run", "sweep"),
        OperationWords("notice send", "sweep"), OperationWords("nightly job", "sweep"),
        OperationWords("overdue job", "sweep"), OperationWords("nightly", "sweep"), OperationWords("cron", "sweep"),
        OperationWords("run job", "sweep"), OperationWords("sweep", "sweep"),
        OperationWords("next open day", "next_open"), OperationWords("previous open day", "previous_open"),
        OperationWords("open day count", "count_open_days"), OperationWords("open day between", "count_open_days"),
        OperationWords("closed", "is_open"), OperationWords("open", "is_open"),
        OperationWords("fine", "return", given: lent),
        OperationWords("loan", "checkout"), OperationWords("lend", "checkout"), OperationWords("borrow", "checkout"),
        OperationWords("hold", "place_hold"),
    ]

    private static func begins(_ text: String, _ beginning: String) -> Bool {
        guard text.hasPrefix(beginning) else { return false }
        return text.dropFirst(beginning.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }

    /// Words that only say what an operation is about.
    static let nouns: Set<String> = [
        "patron", "copy", "title", "loan", "hold", "branch", "overdue", "day", "job", "it", "same", "another", "other",
        "again", "today", "now", "date", "period", "new", "their", "his", "her", "with", "due", "try", "attempt",
        "back", "desk", "this", "that", "me", "and", "dvd", "one", "fine", "fee", "run", "process", "via", "dry",
        "calculate", "calculation", "compute", "count", "barcode", "add", "create", "make", "new", "can", "generate",
        "send", "perform",
        "do", "put", "set", "aside", "place", "ask", "request", "counter", "staff", "system", "scheduled", "schedule",
        "queue", "notice", "expiry", "return", "first", "early", "assess", "soon", "advance", "upcoming", "courtesy",
        "start", "begin", "finish",
        "complete", "different",
        "two", "three", "four", "type",
    ]

    /// The operation of words such as `checkout`, `issue the item` or `can_renew`.
    static func operation(_ words: String) -> OperationEntry? {
        let plain = words.lowercased()
        if let whole = operations.first(where: { $0.words.contains(plain) }) { return whole }
        let key = FieldName.key(plain)
        if let same = operations.first(where: { $0.words.contains { FieldName.key($0) == key } }) { return same }
        if let long = operationBeginnings.first(where: { $0.words.contains { begins(plain, $0) } }) { return long }
        let named = Set(FieldName.classes(FieldName.words(words)))
        return operationWords.first { entry in
            entry.words.isSubset(of: named)
                && named.subtracting(entry.words).allSatisfy { nouns.contains($0) || FieldName.says(nothing: $0) }
        }?.entry
    }
}

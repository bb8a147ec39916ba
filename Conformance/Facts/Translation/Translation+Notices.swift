import Circulation
import TextFormats

// What patrons are told, and when.
extension Translation {
    mutating func readNotices() throws {
        try readTransport()
        try readDigest()
        try readBatch()
        try readReminders()
        try readRuns()
        try readStates()
        try readByHand()
    }

    /// A notice that staff ask for. How the interface of the other system answers says whether it is written.
    private mutating func readByHand() throws {
        guard code == "remind" else { return }
        set("notices", [["stage": "late", "after": "1 days"]])
        guard let status = taken("http", "http_status", "status_code", as: \.integerValue, from: \.expect) else {
            return
        }
        guard (200...499).contains(status), expect["allowed"] == nil || expect["allowed"] == .bool(status < 400) else {
            throw NotExpressed("what the status \(status) says is not known")
        }
        expect["allowed"] = .bool(status < 400)
    }

    /// A notice that cannot be sent.
    private mutating func readTransport() throws {
        guard let transport = taken("transport", "mail_server", as: \.stringValue) else { return }
        guard ["fails", "down", "broken"].contains(transport) else {
            throw NotExpressed("a transport that \(transport)")
        }
        set("notices", [["stage": "late", "after": "1 days"]])
        set("loans", [["copy": "copy", "due": "now - 2 days"]])
        steps = [["op": "sweep"], ["op": "fail_notice"]]
        for (name, result, isOpposite) in [
            ("notice_deleted", "kept", true), ("retried", "tried_again", false), ("error_logged", "failed", false),
        ] {
            guard let found = taken(name, as: \.boolValue, from: \.expect) else { continue }
            expect[result] = .bool(found != isOpposite)
        }
    }

    /// Loans at some branches that are due on the next day, and messages of a patron or of a branch.
    private mutating func readDigest() throws {
        guard let loans = taken("loans_due_tomorrow", as: \.objectValue) else { return }
        let days = taken("days_ahead", "days_in_advance") ?? 1
        guard let before = TranslationReading.period(days, "days") else { throw NotExpressed("days_ahead is a number") }
        let merges = taken("digest", "wants_digest") ?? false
        let isByBranch = taken("per_branch", "digest_per_branch", as: \.boolValue) == true
        for entry in loans.entries {
            set("loans", [["branch": .string(entry.key), "count": entry.value, "due": "today + 1 days"]])
        }
        for branch in isByBranch ? loans.keys.map(Optional.some) : [nil] {
            var row: JSONObject = [
                "stage": .string("upcoming" + (branch.map { " \($0)" } ?? "")), "before": before, "digest": merges,
            ]
            if let branch { row["branch"] = .string(branch) }
            set("notices", .array([.object(row)]))
        }
        if let counts = taken("loan_counts", from: \.expect) { expect["loans_told"] = counts }
    }

    /// A run that does so many at a time, the oldest of them first: older loans were made at a branch of their own.
    private mutating func readBatch() throws {
        guard let count = taken("due_notices_in_the_past", "overdue_notices_due", as: \.integerValue) else { return }
        guard let size = taken("batch_limit", "page_size", as: \.integerValue), (1...count).contains(size), count <= 500
        else {
            throw NotExpressed("so many notices, or so few at a time, are not tried")
        }
        set("notices", [["stage": "newer", "after": "1 days", "branch": "main"]])
        set("notices", [["stage": "older", "after": "1 days", "branch": "older"]])
        given["loans"] = [
            ["count": .integer(count - size), "due": "now - 5 days"],
            ["count": .integer(size), "due": "now - 6 days", "branch": "older"],
        ]
        steps = [["op": "sweep", "page": .integer(size)], ["op": "sweep"]]
        if let done = taken("processed", "sent", from: \.expect) { expect("sent", done, of: 0) }
        if let rest = taken("left", "remaining", from: \.expect) { expect("sent", rest, of: 1) }
        guard let order = taken("order", from: \.expect) else { return }
        guard order == "oldest first" else { throw NotExpressed("what expect.order means by \(order.text())") }
        expect("stages", .array(Array(repeating: "older", count: Int(size))), of: 0)
    }

    /// Stages of reminders: `{type: due_soon, days_before}`, `{type: overdue, open_days_after}`.
    private mutating func readReminders() throws {
        guard let list = left.given["reminders"]?.arrayValue, list.allSatisfy({ $0["fee"] == nil }) else { return }
        _ = taken("reminders")
        var (late, rows): (Int, [(stage: String, row: JSON)]) = (0, [])
        for reminder in list {
            let kind = reminder["type"]?.stringValue ?? "overdue"
            if let days = reminder["days_before"]?.integerValue {
                rows.append((kind, ["stage": .string(kind), "before": .string("\(days) days")]))
                continue
            }
            late += 1
            let stage = "\(kind)#\(late)"
            let after =
                reminder["open_days_after"]?.integerValue.map { "\($0) open days" }
                ?? (reminder["days_after"] ?? reminder["after_days"])?.integerValue.map { "\($0) days" }
            guard let after else { throw NotExpressed("a reminder does not say when") }
            rows.append((stage, ["stage": .string(stage), "after": .string(after)]))
        }
        set("notices", .array(rows.map(\.row)))
        given["loans"] = [["copy": "copy", "lent": "due - 20 days"]]
        if let words = taken("loan_due", "due", "due_date", as: \.stringValue) {
            // What follows a comma only explains.
            let plain = words.split(separator: ",").first.map(String.init) ?? words
            guard let due = TranslationReading.moment(plain) else {
                throw NotExpressed("the due time \(words) is not known")
            }
            given["loans"] = [["copy": "copy", "due": due]]
        }
        for stage in (taken("already_sent", as: \.arrayValue) ?? []).compactMap(\.stringValue).reversed() {
            guard let row = rows.first(where: { $0.stage == stage })?.row, let after = row["after"]?.stringValue else {
                throw NotExpressed("no reminder is called \(stage)")
            }
            if steps[0]["at"] == nil, left.when["at"] == nil { steps[0]["at"] = "now" }
            steps.insert(["op": "sweep", "at": .string("due + \(after)")], at: 0)
        }
        for name in ["sent", "new"] {
            if let stages = left.expect[name], stages.arrayValue != nil {
                expect["stages"] = taken(name, from: \.expect)
            }
        }
        if let all = taken("sent_total_overdue", "sent_total", from: \.expect) { expect["sent_total"] = all }
    }

    /// When the job runs: `run at …`, `run one second before the due time`, `run after the due date`.
    private mutating func readRuns() throws {
        guard words.begins("run"), !words.names("job"), left.given["notice"] != nil else { return }
        let by = left.given["notice"]?["by"]?.stringValue.flatMap(PeriodWords.period)?.elapsedMinutes ?? 0
        let isBefore = left.given["notice"]?["timing"] == "before"
        let passed = taken("due_already_passed", as: \.boolValue) == true
        var at = passed ? "due + 24 hours" : "due \(isBefore ? "-" : "+") \(60 * by - (isBefore ? 1 : -1)) seconds"
        let text = words.text
        if let named = fact.operation.components(after: "run at "),
            case .string(let moment)? = TranslationReading.moment(named)
        {
            at = moment
        } else if text == "run one second before the due time" {
            at = "due - 1 seconds"
        } else if text.hasPrefix("run after the due ") {
            at = "due + 24 hours"
        } else if text.hasPrefix("run before the due ") {
            at = "due - 1 hours"
        } else if text != "run", text != "run once" {
            throw NotExpressed("when \"\(text)\" is, is not known")
        }
        steps = [["op": "sweep", "at": .string(at)]]
        set("loans[].copy", "copy")
        if let state = left.given["loan"]?.stringValue {
            _ = taken("loan")
            guard ["closed", "returned"].contains(state) else { throw NotExpressed("a loan that is \(state)") }
            steps.insert(["op": "return", "at": "now"], at: 0)
        }
        if let status = taken("item_status", as: \.stringValue) {
            let states: [String: JSON] = [
                "claimed returned": "claimed", "declared lost": "lost", "aged to lost": "lost", "lost": "lost",
                "lost and paid": "lost", "checked out": "open",
            ]
            guard let state = states[status.lowercased()] else { throw NotExpressed("a copy that is \(status)") }
            set("loans[].state", state)
        }
        guard let discarded = taken("discarded", from: \.expect) else { return }
        guard discarded == true else { throw NotExpressed("what is kept is not said") }
        (expect["next_notice"], expect["sent"]) = (.null, 0)
    }

    /// `is_due_soon`, `is_late`: a loan that is due at some time.
    private mutating func readStates() throws {
        guard words.begins("is_due_soon", "is_late", "is_overdue") else { return }
        if !left.given.keys.contains(where: { $0.contains("due") && !$0.contains("soon") }) {
            set("loans[].due", "2026-06-09T12:00:00Z")
        }
        set("loans[].copy", "copy")
        let isLate = !words.begins("is_due_soon")
        steps = [["op": isLate ? "look" : "sweep"]]
        guard let found = taken("result", "late", "due_soon", as: \.boolValue, from: \.expect) else { return }
        expect[isLate ? "late" : "sent"] = isLate ? .bool(found) : (found ? 1 : 0)
    }
}

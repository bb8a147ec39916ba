import Circulation
import TextFormats

// What lateness and losses cost.
extension Translation {
    mutating func readMoney() throws {
        try readRates()
        try readIntervals()
        try readFineSteps()
        try readReminderFees()
        try readAccrual()
        try readPayments()
        try readCharging()
        try readRentalSpan()
    }

    private mutating func readRates() throws {
        // A fine for each interval, whose amount nobody states, still makes a line for each.
        if left.given["fine_interval"] != nil, !left.given.keys.contains(where: { $0.hasPrefix("fine_per") }) {
            set("rule.fine", "0.10")
        }
        if let fee = taken("recall_fine_per_interval", "overdueRecallFine", "recall_fine") {
            guard let amount = TranslationReading.amount(fee) else { throw NotExpressed("recall_fine is no amount") }
            set("rules", [["recalled": true, "fine": .string(amount.amountText)]])
        }
        if taken("ignore_grace_if_recalled", "ignoreGracePeriodRecall", as: \.boolValue) == true {
            set("rules", [["recalled": true, "grace": "none"]])
        }
        // A sweep a day until the copy comes back makes a line for each day that costs something.
        if left.expect["fine_lines"] != nil, code == "return" {
            steps[steps.count - 1]["at"] = "now"
            steps.insert(["op": "sweep_daily", "at": "due + 12 hours", "until_day": "now"], at: 0)
        }
        if let removed = taken("fine_line_removed", from: \.expect) {
            guard removed == true else { throw NotExpressed("what is left of the fine is not said") }
            expect["fine"] = "0.00"
        }
    }

    /// So many intervals late, for each length of interval that the fact names: loans of kinds that differ in it.
    private mutating func readIntervals() throws {
        guard let late = taken("intervals_late", as: \.integerValue) else { return }
        let lengths = taken("interval_minutes", as: \.objectValue) ?? ["day": 1440]
        let recalled = taken("recalled") ?? false
        guard let step = steps.last, late >= 0 else { throw NotExpressed("so many intervals are not tried") }
        var (copies, loans, rules, done): ([JSON], [JSON], [JSON], [JSONObject]) = ([], [], [], [])
        for entry in lengths.entries {
            guard let minutes = entry.value.integerValue, !minutes.multipliedReportingOverflow(by: late).overflow else {
                throw NotExpressed("an interval is so many minutes")
            }
            let name = JSON.string(entry.key)
            copies.append(["name": name, "title": name, "item_type": name])
            loans.append(["copy": name, "due": .string("now - \(minutes * late) minutes"), "recalled": recalled])
            rules.append(["item_type": name, "per": .string("\(minutes) minutes")])
            var own = step
            own["copy"] = name
            done.append(own)
        }
        given["loans"] = .array(loans)
        set("copies", .array(copies))
        set("rules", .array(rules))
        steps = done
        // All must cost the same.
        if let fine = left.expect["fine"], let amount = TranslationReading.amount(fine) {
            for index in steps.indices.dropLast() { expect("fine", .string(amount.amountText), of: index) }
        }
    }

    /// `[{from, to, per_day}]`, by days or open days late, and what it comes to on each of some days.
    private mutating func readFineSteps() throws {
        let counting = taken("day_counting", as: \.stringValue) ?? "days"
        let unit = counting.contains("open") ? "open days" : "days"
        if let list = left.given["intervals"]?.arrayValue ?? left.given["fine_steps"]?.arrayValue,
            list.allSatisfy({ $0["from"]?.integerValue != nil })
        {
            _ = taken("intervals", "fine_steps")
            let rows = try list.map { step -> JSON in
                guard let from = step["from"]?.integerValue,
                    let amount = (step["per_day"] ?? step["fee"] ?? step["fine"]).flatMap(TranslationReading.amount)
                else { throw NotExpressed("a step of a fine needs a beginning and an amount") }
                var row: JSONObject = ["from": .string("\(from) \(unit)"), "fine": .string(amount.amountText)]
                if let to = step["to"]?.integerValue { row["to"] = .string("\(to) \(unit)") }
                return .object(row)
            }
            set("rule.fine_steps", .array(rows))
        }
        guard let key = left.expect.keys.first(where: { $0.hasPrefix("fine_by_") }),
            let days = left.expect[key]?.objectValue
        else { return }
        left.expect[key] = Optional<JSON>.none
        let counted = key.contains("open") ? "open days" : "days"
        if counted == "open days", left.given["calendar"] == nil {
            set("calendar.weekly", ["sat": "closed", "sun": "closed"])
        }
        set("loans", [["copy": "copy", "due": "today"]])
        let sorted = days.entries.compactMap { entry in Int64(entry.key).map { ($0, entry.value) } }.sorted {
            $0.0 < $1.0
        }
        steps = try sorted.map { day, fine in
            guard let amount = TranslationReading.amount(fine) else { throw NotExpressed("a fine is an amount") }
            return [
                "op": "sweep", "at": .string("due + \(day) \(counted)"),
                "expect": ["fine": .string(amount.amountText)],
            ]
        }
    }

    /// Stages after the due time with a fee each, counted from the one before, and a job on each of some days.
    private mutating func readReminderFees() throws {
        guard let list = left.given["reminders"]?.arrayValue, list.allSatisfy({ $0["after_days"] != nil }) else {
            return
        }
        _ = taken("reminders")
        var distance: Int64 = 0
        let rows = try list.enumerated().map { index, reminder -> JSON in
            guard let days = reminder["after_days"]?.integerValue else {
                throw NotExpressed("a reminder needs its days")
            }
            distance += days
            var row: JSONObject = [
                "stage": .string("reminder \(index + 1)"), "after": .string("\(24 * distance) hours"),
            ]
            if let fee = reminder["fee"].flatMap(TranslationReading.amount), fee.isPositive {
                row["charge"] = .string(fee.amountText)
            }
            return .object(row)
        }
        set("notices", .array(rows))
        let days = (taken("job", as: \.stringValue) ?? "").split { !$0.isNumber }.compactMap { Int64($0) }
        guard days.count == 2, days[0] <= days[1], days[1] < 400 else {
            throw NotExpressed("on which days the job runs is not known")
        }
        given["loans"] = [["copy": "copy", "due": "today"]]
        steps = (days[0]...days[1]).map { ["op": "sweep", "at": .string("now + \($0) days")] }
        // What was sent on the due date and before the first of these days counts as well.
        let sent = taken("notices_cumulative", as: \.arrayValue, from: \.expect) ?? []
        if !sent.isEmpty, sent.count != steps.count { throw NotExpressed("the days are not as many as the numbers") }
        for (index, count) in sent.enumerated() { expect("sent_total", count, of: index) }
        if let fees = taken("fees_charged", as: \.arrayValue, from: \.expect) {
            expect["charged"] = .array(
                try fees.map { fee in
                    guard let amount = TranslationReading.amount(fee) else { throw NotExpressed("a fee is an amount") }
                    return .string(amount.amountText)
                })
        }
    }

    /// `accrue 1.00 then 2.00 for the same loan`: a night for each amount.
    private mutating func readAccrual() throws {
        guard fact.operation.lowercased().hasPrefix("accrue") else { return }
        _ = taken("fine_line")
        let amounts = fact.operation.split { !"0123456789.".contains($0) }
            .compactMap { try? Money(parsing: String($0), currency: .eur) }
        guard !amounts.isEmpty else { throw NotExpressed("\"\(fact.operation)\" names no amount") }
        set("nightly_fines", .array(amounts.map { .string($0.amountText) }))
        given["loans"] = [["copy": "copy", "due": "now"]]
        // The same night once more costs nothing.
        steps = amounts.indices.map { ["op": "sweep", "at": .string("now + \($0 + 1) days"), "times": 2] }
        if let lines = taken("lines", from: \.expect) { expect["fines"] = lines }
        if let amount = taken("amount", "fine", as: TranslationReading.amount, from: \.expect) {
            expect["fine"] = .string(amount.amountText)
        }
    }

    /// What was charged and paid before the copy comes back.
    private mutating func readPayments() throws {
        let isBackdated = words.names("back-dated") || words.names("backdated")
        let charged = taken("fine_charged", "fine_already_charged", as: TranslationReading.amount)
        let paid = taken("paid", "amount_paid", "already_paid", as: TranslationReading.amount)
        if let fine = taken("overdue_fine", as: TranslationReading.amount) {
            // A day late when the copy is declared lost.
            set("rule.fine", .string(fine.amountText))
            set("loans[].due", "now - 2 days")
            set("loans[].stated", "now - 1 days")
            set("loans[].state", "lost")
        }
        if let charged, !left.given.keys.contains(where: { $0.hasPrefix("fine_per") }) {
            set("rule.fine", .string(charged.amountText))
        }
        if charged != nil, left.given["due"] == nil, left.given["loan_due"] == nil {
            set("loans[].due", "now - 1 days")
        }
        if let paid, paid.isPositive { steps.insert(["op": "pay", "amount": .string(paid.amountText)], at: 0) }
        if charged != nil { steps.insert(["op": "sweep"], at: 0) }
        if isBackdated, left.when["dated"] == nil { steps[steps.count - 1]["dated"] = "due" }
        if let dated = taken("return_dated", "backdated_to"),
            let moment = dated.stringValue.flatMap(TranslationReading.moment)
        {
            steps[steps.count - 1]["dated"] = moment
        }
    }

    /// Loans that age to lost in the sweep, which charges for them after a while.
    private mutating func readCharging() throws {
        guard words.names("charging job") || words.names("billing job") else { return }
        if let item = taken("item", "item_status", as: \.stringValue), !item.hasPrefix("aged to lost") {
            throw NotExpressed("what given.item means by \(item) is not in the table")
        }
        set("rule.lost_after", "7 days")
        set("loans[].copy", "copy")
        set("loans[].due", "now - 8 days")
        guard let words = taken("billing_delay", as: \.stringValue) else { return }
        guard let (delay, _) = PeriodWords.leading(words) else {
            throw NotExpressed("what given.billing_delay means by \(words) is not in the table")
        }
        set("lost_billed_after", .string(TranslationReading.text(delay)))
        let elapsed = taken("elapsed", as: \.stringValue) ?? ""
        var more = Period(delay.count + 1, delay.unit)
        if elapsed.hasPrefix("less than") { more = delay }
        if let exact = PeriodWords.period(elapsed) { more = exact }
        set("loans[].due", .string("now - \(TranslationReading.text(more))"))
    }

    /// What is borrowed from a day to another, or for so many hours.
    private mutating func readRentalSpan() throws {
        guard left.given.keys.contains(where: { $0.hasPrefix("rental") }) else { return }
        if let hours = left.given["hours"]?.integerValue {
            _ = taken("hours")
            set("rule.loan", .string("\(hours) hours"))
        }
        guard let from = left.given["from"]?.stringValue, let to = left.given["to"]?.stringValue,
            let first = try? CivilDate(parsing: from.prefix(10)), let last = try? CivilDate(parsing: to.prefix(10))
        else { return }
        (left.given["from"], left.given["to"]) = (Optional<JSON>.none, Optional<JSON>.none)
        set("now", .string(from))
        set("rule.loan", .string("\(last.days(since: first)) days"))
    }
}

import Circulation
import TextFormats

// What comes of all fields together.
extension Translation {
    /// What one field says of another: where closed days do not count, a suspension is of open days.
    mutating func finish(hasMark: Bool) throws {
        try finishSteps(hasMark)
        finishTerms()
        finishHolds()
    }

    private mutating func finishSteps(_ hasMark: Bool) throws {
        if let subject, subject < steps.count - 1 {
            for entry in expect.entries { expect(entry.key, entry.value, of: subject) }
            expect = [:]
        }
        if hasMark {
            // A limit that is reached holds for what is asked for next.
            for entry in expect.entries { expect(entry.key, entry.value, of: steps.count - 1) }
            expect = [:]
            set("copies", [["name": "copy-next"]])
            steps.append(["op": "ask_checkout", "copy": "copy-next", "expect": ["reason": "limit"]])
        }
        // Moments of facts that say nothing of the present are about the first step.
        if given["now"] == nil, steps.count == 1, let at = steps[0]["at"]?.stringValue, at.first?.isNumber == true {
            given["now"] = .string(at)
        }
        for path in ["last_auto_renewal", "suspended_until", "until"] {
            if let text = expect[path]?.stringValue { expect[path] = .string(try day(text)) }
        }
        if var holds = given["holds"]?.arrayValue {
            for index in holds.indices {
                guard var hold = holds[index].objectValue, let ends = hold["expires"]?.stringValue else { continue }
                hold["expires"] = .string(try day(ends))
                holds[index] = .object(hold)
            }
            given["holds"] = .array(holds)
        }
    }

    /// A day, as a date.
    private func day(_ text: String) throws -> String {
        if (try? CivilDate(parsing: text)) != nil { return text }
        let zone = given["zone"]?.stringValue.flatMap { Zone(identifier: $0) } ?? .utc
        var words = MomentWords(zone: zone, now: Scenario.noon)
        if let now = given["now"]?.stringValue.flatMap({ MomentText($0) }) { words.now = try now.moment(words).instant }
        guard let moment = try MomentText(text)?.moment(words) else { throw NotExpressed("\(text) is no day") }
        return moment.date.description
    }

    /// Who waits for a copy that comes back, where its time on the shelf is asked for.
    private mutating func finishHolds() {
        guard code == "return", expect["shelf_until"] != nil, given["holds"] == nil else { return }
        given["loans"] = Optional<JSON>.none
        set("holds", [["patron": "reader", "title": "title"]])
    }

    private mutating func finishTerms() {
        // The cap of a copy without a price stands beside the price of others.
        if given["fine_cap_default"] != nil, var rule = given["rule"]?.objectValue {
            rule["fine_cap"] = Optional<JSON>.none
            given["rule"] = .object(rule)
        }
        // FOLIO reckons grace in minutes.
        if system == .folio, let grace = value(at: "rule.grace")?.stringValue,
            let minutes = PeriodWords.period(grace)?.elapsedMinutes
        {
            set("rule.grace", .string("\(minutes) minutes"))
        }
        guard value(at: "rule.fine_closed_days") == false else { return }
        for path in ["rule.suspension", "rule.suspension_cap"] {
            guard let days = value(at: path)?.stringValue, days.hasSuffix(" days") else { continue }
            set(path, .string(days.replacing(" open days", with: " days").replacing(" days", with: " open days")))
        }
    }
}

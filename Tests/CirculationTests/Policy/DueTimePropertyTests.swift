import Circulation
import TestSupport
import Testing

/// What holds of every due time, over calendars, zones, modes and periods drawn at random from a fixed seed.
@Suite("Properties of due times")
struct DueTimePropertyTests {
    static let modes = ["keep", "next_open", "previous_open", "open_days", "same_weekday"]
    static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Etc/UTC"]

    private static func question(_ random: inout SplitMix) throws -> Case {
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].filter { _ in
            Int.random(in: 0..<4, using: &random) > 0
        }
        let shifts = [#"[["09:00","17:00"]]"#, #"[["08:00","12:00"],["14:00","19:00"]]"#, #"[["00:00","24:00"]]"#]
        let hours = shifts.randomElement(using: &random) ?? shifts[0]
        let weekly = (days.isEmpty ? ["wed"] : days).map { "\"\($0)\":\(hours)" }.joined(separator: ",")
        let start = try CivilDate(year: 2026, month: 1, day: 1)
        let closed = try (0..<12).map { _ in
            try start.adding(days: Int64.random(in: 0..<450, using: &random)).description
        }
        var question = try Sample.checkout(
            zone: zones.randomElement(using: &random) ?? "Etc/UTC",
            calendar: try Sample.calendar("{\(weekly)}", closed: closed))
        question.now = Instant(seconds: 1_767_225_600 + Int64.random(in: 0..<31_536_000, using: &random))
        if Int.random(in: 0..<3, using: &random) == 0 {
            question.patron.expiresOn = try question.today.adding(days: Int64.random(in: -5..<60, using: &random))
        }
        return question
    }

    private static func period(_ random: inout SplitMix) -> Period {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .hours(Int64.random(in: 1..<200, using: &random))
        case 1: .weeks(Int64.random(in: 0..<9, using: &random))
        case 2: .months(Int64.random(in: 0..<4, using: &random))
        case 3: .openDays(Int64.random(in: 0..<40, using: &random))
        default: .days(Int64.random(in: 0..<90, using: &random))
        }
    }

    private static func due(_ period: Period, _ mode: String, _ question: Case) throws -> DueTime {
        try due(["loan": .period(period)], mode, question)
    }

    private static func due(_ length: [String: RuleValue], _ mode: String, _ question: Case) throws -> DueTime {
        let rule = try MatchedRule(
            fields: length.merging([
                "closed": .text(mode),
                // The other way round a time in the evening would move on, and a later one on a closed day back.
                "closed_hours": .text(mode == "previous_open" ? "previous_close" : "next_open"),
            ]) { $1 })
        return try #require(try Sample.tables([]).dueTime(for: question, rule: rule))
    }

    @Test("a due time is always after now", arguments: modes)
    func afterNow(_ mode: String) throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<400 {
            let question = try Self.question(&random)
            let period = Self.period(&random)
            let due = try Self.due(period, mode, question)
            #expect(due.instant > question.now, "\(period) at \(question.now) in \(question.zone)")
        }
    }

    @Test(
        "a due date is never on a closed day unless such days are kept or a cap leaves no open one",
        arguments: modes.dropFirst())
    func notOnClosedDays(_ mode: String) throws {
        var random = SplitMix(seed: 2)
        for _ in 0..<400 {
            let question = try Self.question(&random)
            let period = Self.period(&random)
            let due = try Self.due(period, mode, question)
            let cap = question.patron.expiresOn.flatMap { $0 >= question.today ? $0 : nil }
            let isForced = try cap.map { cap in
                let previous = try question.calendar.previousOpen(onOrBefore: cap)
                return due.date == cap && previous <= question.today
            }
            #expect(
                question.calendar.isOpen(due.date) || isForced == true
                    || question.zone.date(of: due.instant) != due.date
                    || question.zone.local(of: due.instant).time == .midnight,
                "\(period) at \(question.now) in \(question.zone): \(due)")
        }
    }

    @Test("a fixed date that is open stands, and one on a closed day moves as the row says", arguments: modes)
    func fixedDates(_ mode: String) throws {
        var random = SplitMix(seed: 5)
        for _ in 0..<400 {
            var question = try Self.question(&random)
            question.patron.expiresOn = nil
            let fixed = try question.today.adding(days: Int64.random(in: 1..<90, using: &random))
            let due = try Self.due(["due_at": .date(fixed)], mode, question)
            let next = try question.calendar.nextOpen(onOrAfter: fixed)
            let previous = try question.calendar.previousOpen(onOrBefore: fixed)
            switch mode {
            case "keep": #expect(due.date == fixed)
            case "previous_open": #expect(due.date == previous || previous <= question.today && due.date == next)
            default: #expect(due.date == next)
            }
            #expect(due.instant > question.now)
        }
    }

    @Test("a due date is never beyond the end of the membership", arguments: modes)
    func notBeyondCap(_ mode: String) throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<400 {
            let question = try Self.question(&random)
            let due = try Self.due(Self.period(&random), mode, question)
            if let end = question.patron.expiresOn, end >= question.today { #expect(due.date <= end) }
        }
    }

    @Test("a longer period is never due earlier", arguments: ["keep", "next_open", "previous_open", "open_days"])
    func monotone(_ mode: String) throws {
        var random = SplitMix(seed: 4)
        for _ in 0..<400 {
            let question = try Self.question(&random)
            let shorter = Self.period(&random)
            let longer = Period(shorter.count + Int64.random(in: 1..<10, using: &random), shorter.unit)
            #expect(
                try Self.due(shorter, mode, question).instant <= Self.due(longer, mode, question).instant,
                "\(shorter) at \(question.now) in \(question.zone)")
        }
    }
}

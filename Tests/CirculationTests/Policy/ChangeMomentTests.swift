import Circulation
import TestSupport
import Testing

@Suite("Until when tables say the same of a loan")
struct ChangeMomentTests {
    private static let minute: Int64 = 60_000_000

    /// A loan that is due on Monday, 2026-05-18, and a moment from the day before it to three days after it.
    private func question(_ random: inout SplitMix) throws -> Case {
        let due = try Sample.instant("2026-05-18T10:00").adding(
            microseconds: Int64.random(in: 0..<600, using: &random) * Self.minute)
        var question = try Sample.overdue(due: "2026-05-18T10:00", now: "2026-05-17T12:00")
        question.loan?.dueAt = due
        let passed = Int64.random(in: 0..<5_000, using: &random) * Self.minute + Int64.random(in: 0...1, using: &random)
        question.now = try question.now.adding(microseconds: passed)
        if Bool.random(using: &random) {
            // At such a moment a period begins, or has just begun.
            let hours = Int64.random(in: 0..<40, using: &random)
            question.now = try due.adding(microseconds: hours * 60 * Self.minute + passed % 2)
        }
        return question
    }

    private func dayEnd(_ question: Case) throws -> Instant {
        try question.zone.startOfDay(question.today.adding(days: 1))
    }

    /// Moments between that of the case and another one.
    private func moments(_ question: Case, _ end: Instant) throws -> [Instant] {
        let last = try end.adding(microseconds: -1)
        let between = stride(from: question.now.microseconds + 1, to: end.microseconds, by: Int(7 * Self.minute) + 3)
        return between.map { Instant(microseconds: $0) } + (last > question.now ? [last] : [])
    }

    @Test("a fine is the same until the moment that is named for it", arguments: 0..<400 as Range<UInt64>)
    func fines(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var question = try question(&random)
        question.point = .fine
        let units: [Period.Unit] = [.hours, .minutes, .hours, .days]
        func period(_ most: Int64) -> Period {
            let unit = units.randomElement(using: &random) ?? .hours
            return Period(Int64.random(in: 1...(unit == .minutes ? 60 * most : most), using: &random), unit)
        }
        var fields = FineTests.daily(["per": .period(period(5))])
        if Bool.random(using: &random) { fields["grace"] = .period(period(3)) }
        if Bool.random(using: &random) { fields["grace_mode"] = .text("deduct") }
        if Bool.random(using: &random) { fields["rounding"] = .text("whole") }
        if Bool.random(using: &random) { fields["fine_cap"] = .money(try Sample.money("1.00")) }
        if Int.random(in: 0..<4, using: &random) == 0 { fields["fine_closed_days"] = .boolean(false) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let last = Period(9, .hours)
            fields["fine_steps"] = .fineSteps([
                FineStep(from: .hours(2), to: last, fine: try Sample.money("0.10")),
                FineStep(from: .hours(10), to: nil, fine: try Sample.money("0.50")),
            ])
        }
        let (tables, rule) = (try Sample.tables([]), try MatchedRule(fields: fields))
        let now = try tables.fine(for: question, rule: rule)
        let change = tables.fineChange(after: question, rule: rule)
        #expect(change.map { $0 >= question.now } ?? true)
        for moment in try moments(question, min(change ?? .latest, dayEnd(question))) {
            var later = question
            later.now = moment
            let fine = try tables.fine(for: later, rule: rule)
            #expect(fine == now, "\(fields) at \(moment), not before \(change as Any)")
        }
    }

    @Test("the notices are the same until the moment that is named for them", arguments: 0..<300 as Range<UInt64>)
    func notices(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let question = try question(&random)
        func distance() -> Period? {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .hours(Int64.random(in: 0..<40, using: &random))
            case 1: .days(Int64.random(in: 0..<3, using: &random))
            case 2: Period(Int64.random(in: 0..<900, using: &random), .minutes)
            default: nil
            }
        }
        let rows = (0..<4).map { number in
            let (before, every) = (number == 0 ? distance() : nil, distance())
            return NoticeRow(
                stage: "s\(number)", before: before, after: before == nil ? distance() : nil,
                every: (every?.count ?? 0) > 0 ? every : nil, times: number == 1 ? 3 : nil, channel: "email",
                subject: "S", body: "B", place: Sample.place(number))
        }
        let tables = try PolicyTables(notices: rows).compiled()
        let now = try tables.noticesDue(for: question, when: Sample.noCondition)
        let change = tables.noticesChange(after: question)
        var end = min(change ?? .latest, try dayEnd(question))
        if let due = question.loan?.dueAt, question.now < due { end = min(end, due) }
        for moment in try moments(question, end) {
            var later = question
            later.now = moment
            #expect(try tables.noticesDue(for: later, when: Sample.noCondition) == now, "\(rows) at \(moment)")
        }
    }

    @Test("what is reckoned by days has no such moment, and a fine at its cap has none")
    func none() throws {
        let question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-05-20T12:00", point: .fine)
        let tables = try Sample.tables([])
        #expect(try tables.fineChange(after: question, rule: MatchedRule(fields: FineTests.daily)) == nil)
        let capped = FineTests.hourly(["fine_cap": .money(try Sample.money("1.00"))])
        #expect(try tables.fineChange(after: question, rule: MatchedRule(fields: capped)) == nil)
        let next = try tables.fineChange(after: question, rule: MatchedRule(fields: FineTests.hourly))
        #expect(try next == Sample.instant("2026-05-20T12:00").adding(microseconds: 1))
        let open = FineTests.hourly(["fine_closed_days": .boolean(false)])
        #expect(try tables.fineChange(after: question, rule: MatchedRule(fields: open)) == question.now)
    }

    @Test("a loss by hours has its moment")
    func losses() throws {
        let question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-05-20T12:00", point: .lost)
        func change(_ period: Period) throws -> Instant? {
            try MatchedRule(fields: ["lost_after": .period(period)]).lossChange(after: question)
        }
        #expect(try change(.days(3)) == nil)
        #expect(try change(.hours(40)) == nil)
        #expect(try change(.hours(48)) == Sample.instant("2026-05-20T17:00"))
    }
}

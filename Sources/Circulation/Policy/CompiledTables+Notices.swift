extension CompiledTables {
    /// The notices to record for the loan now: of all stages reached and not yet recorded the latest one to be sent, and
    /// the ones before it as superseded.
    ///
    /// A stage with days, weeks, months or open days is reached at the local midnight that opens its day; one with hours
    /// or minutes counts from the due instant; one with neither `before` nor `after` is reached at the due instant. A
    /// stage `before` the due time is dropped once that has come. Of several rows with one stage's name the first that
    /// matches holds. Of a stage that repeats without end at most the last ``repetitionsRecorded`` missed repetitions
    /// are recorded. A superseded notice charges nothing. What another system has said already is neither said nor recorded.
    /// - Throws: what `when` throws; ``PolicyFailure`` with the code `bad_answer`: no open day, a date out of range.
    package func noticesDue(for question: Case, when: WhenCondition) throws -> [PlannedNotice] {
        guard let loan = question.loan else { return [] }
        var candidates = CandidateRows(notices.candidates(for: question), whens: notices.whens)
        var stages: Set<String> = []
        var reached: [ReachedNotice] = []
        var position = 0
        while let row = candidates.rows.first(from: position) {
            position = row + 1
            let notice = source.notices[row]
            guard !stages.contains(notice.stage), try candidates.contains(row, when: when) else { continue }
            stages.insert(notice.stage)
            let origin = origin(ofNotice: row)
            reached += try PolicyFailure.placing(at: origin) {
                try NoticeSchedule(notice, of: loan, in: question).reached(row: row)
            }
        }
        return orders(of: reached, about: loan, in: question.patron.language)
    }

    /// How many missed repetitions of one stage are recorded at most.
    package static let repetitionsRecorded: Int64 = 400

    private func orders(
        of reached: [ReachedNotice], about loan: LoanFacts, in language: String?
    ) -> [PlannedNotice] {
        guard let latest = reached.max() else { return [] }
        let recorded = Set(loan.notices.map { RecordedNotice(stage: $0.stage, repetition: $0.repetition) })
        return reached.sorted().compactMap { notice in
            let row = source.notices[notice.row]
            let key = RecordedNotice(stage: row.stage, repetition: notice.repetition)
            if recorded.contains(key) || loan.isSaid(at: notice.at) { return nil }
            let isSuperseded = notice != latest
            var order = order(ofNotice: notice.row, in: language)
            order.repetition = notice.repetition
            order.isSuperseded = isSuperseded
            if isSuperseded { order.charge = nil }
            return order
        }
    }

    private func order(ofNotice index: Int, in language: String?) -> PlannedNotice {
        let row = source.notices[index]
        return PlannedNotice(
            stage: row.stage, channel: row.channel, subject: row.subject.anyText(in: language),
            body: row.body.anyText(in: language), digest: row.digest?.order(in: language), charge: row.charge,
            origin: origin(ofNotice: index))
    }

    /// What a stage would send for the loan, whether its time has come or not: the first row of that name whose conditions
    /// the case meets. nil where there is none.
    ///
    /// - Throws: what `when` throws.
    package func notice(ofStage stage: String, for question: Case, when: WhenCondition) throws -> PlannedNotice? {
        var candidates = CandidateRows(notices.candidates(for: question), whens: notices.whens)
        for row in candidates.rows.positions where source.notices[row].stage == stage {
            if try candidates.contains(row, when: when) { return order(ofNotice: row, in: question.patron.language) }
        }
        return nil
    }

    /// The names of the stages, in the order in which they are written.
    package var stages: [String] {
        var seen: Set<String> = []
        return source.notices.map(\.stage).filter { seen.insert($0).inserted }
    }

    /// How long before its due time a loan enters the sweep at the latest: the policy's `notices_from`, or its largest
    /// `before`; zero if no notice comes before the due time.
    ///
    /// Periods of days are a day longer than the policy says, since a stage of two days is reached at the midnight that
    /// opens its day, and open days are taken generously, since the calendar is not known here. So the period selects
    /// loans; ``noticesDue(for:when:)`` decides.
    package var firstNoticeLead: Period {
        let ofDayItself = source.notices.contains { $0.after.map { $0.count == 0 && !$0.isElapsed } ?? false }
        let leads = source.noticesFrom.map { [$0] } ?? source.notices.compactMap(\.before)
        let minutes = leads.map(\.generousMinutes) + (ofDayItself ? [Period.days(0).generousMinutes] : [])
        return Period(minutes.max() ?? 0, .minutes)
    }
}

/// One stage or repetition whose time has come.
struct ReachedNotice: Comparable {
    let at: Instant
    let row: Int
    let repetition: Int64

    /// By time; at the same time the later row of the table is the later notice.
    static func < (left: ReachedNotice, right: ReachedNotice) -> Bool {
        (left.at, left.row, left.repetition) < (right.at, right.row, right.repetition)
    }
}

extension LoanFacts {
    /// Whether another system has said what was to be said at a moment.
    package func isSaid(at moment: Instant) -> Bool { noticesSentUntil.map { moment < $0 } ?? false }
}

private struct RecordedNotice: Hashable {
    let stage: String
    let repetition: Int64
}

/// When the repetitions of one row's stage are reached for one loan.
struct NoticeSchedule {
    let notice: NoticeRow
    let zone: Zone
    let calendar: OpeningCalendar
    let dueAt: Instant
    let now: Instant

    init(_ notice: NoticeRow, of loan: LoanFacts, in question: Case) {
        self.notice = notice
        zone = question.zone
        calendar = question.calendar
        dueAt = loan.dueAt
        now = question.now
    }

    /// The repetitions reached by now, the last ones if there are very many.
    func reached(row: Int) throws -> [ReachedNotice] {
        if notice.before != nil && now >= dueAt { return [] }
        guard let last = try lastReached() else { return [] }
        let first = max(0, last - CompiledTables.repetitionsRecorded + 1)
        return try (first...last).map { ReachedNotice(at: try time(of: $0), row: row, repetition: $0) }
    }

    /// The last repetition reached, found by doubling and halving, since the steps are not all of one length.
    private func lastReached() throws -> Int64? {
        guard count > 0, try time(of: 0) <= now else { return nil }
        var low: Int64 = 0
        var high: Int64 = 1
        while high < count, isReached(high) {
            low = high
            high = high > Int64.max / 2 ? .max : high * 2
        }
        high = min(high, count)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isReached(middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// The next repetition after the moment of the case; nil if there is none, or no more before the due time.
    func next() throws -> Instant? {
        if notice.before != nil && now >= dueAt { return nil }
        let repetition = try lastReached().map { $0 + 1 } ?? 0
        guard repetition < count else { return nil }
        // A further one out of range is never reached.
        return repetition == 0 ? try time(of: 0) : try? time(of: repetition)
    }

    private var count: Int64 { notice.every == nil ? min(notice.times ?? 1, 1) : notice.times ?? .max }

    /// A time out of range is not reached.
    private func isReached(_ repetition: Int64) -> Bool {
        ((try? time(of: repetition)).map { $0 <= now }) ?? false
    }

    private func time(of repetition: Int64) throws -> Instant {
        let base = try self.base()
        guard repetition > 0, let every = notice.every else { return base }
        let (count, overflow) = every.count.multipliedReportingOverflow(by: repetition)
        if overflow { throw TimeError.outOfRange }
        let step = Period(count, every.unit)
        if step.isElapsed { return try step.added(to: base, in: zone, calendar: calendar) }
        return try zone.startOfDay(step.added(to: zone.date(of: base), calendar: calendar))
    }

    private func base() throws -> Instant {
        guard let distance = try notice.before?.negated() ?? notice.after else { return dueAt }
        if distance.isElapsed { return try distance.added(to: dueAt, in: zone, calendar: calendar) }
        return try zone.startOfDay(distance.added(to: zone.date(of: dueAt), calendar: calendar))
    }
}

extension Period {
    /// At least as many minutes as the period can come to before a due time, from the midnight that opens its day.
    var generousMinutes: Int64 {
        let minutesPerDay: Int64 = 1440
        let (perUnit, extra): (Int64, Int64) =
            switch unit {
            case .minutes: (1, 1)
            case .hours: (60, 1)
            case .days: (minutesPerDay, minutesPerDay + 60)
            case .weeks: (7 * minutesPerDay, minutesPerDay + 60)
            case .months: (31 * minutesPerDay, minutesPerDay + 60)
            // Three weeks for a closure of the house, and open days no rarer than one a week.
            case .openDays: (7 * minutesPerDay, 22 * minutesPerDay)
            }
        let (product, overflow) = count.multipliedReportingOverflow(by: perUnit)
        let (sum, carry) = product.addingReportingOverflow(extra)
        return overflow || carry ? Int64.max / 2_000_000_000 : sum
    }
}

import Circulation
import Storage

extension NoticeService {
    /// Sweeps all open loans within this session's transaction. ``Desk/sweep(pageSize:between:)`` commits page by page
    /// instead.
    package func sweep() throws -> SweepReport {
        var report = SweepReport()
        while try expireHolds(into: &report) {}
        for part in session.extensions {
            var end: Int64? = 0
            while let last = end { end = try part.announce(after: last, limit: Self.pageSize, in: session) }
        }
        var position: DuePosition?
        while let next = try renewPage(after: position, into: &report) { position = next }
        try session.loans.announceMilestones()
        position = nil
        var run = SweepRun(startedAt: session.now, turns: SweepTurns())
        while let next = try sweepPage(after: position, into: &report, &run) { position = next }
        return report
    }

    /// How many open loans a sweep looks at, by the policy in force; 0 without one, or where it cannot be loaded.
    package func dueLoans() throws -> Int64 {
        guard let activation = try session.policies.inForce() else { return 0 }
        let desk = try CaseBuilder(session: session)
        do {
            return try session.policies.asking(activation.policy, at: .overdue) { policy in
                try session.transaction.loans.dueCount(before: desk.horizon(of: policy))
            }
        } catch is Refused {
            return 0
        }
    }

    /// Ends the next holds whose time is over.
    ///
    /// - Returns: whether there may be more.
    func expireHolds(limit: Int64 = NoticeService.pageSize, into report: inout SweepReport) throws -> Bool {
        let ended = try session.holds.expire(limit: limit)
        report.holdsExpired += ended
        return ended >= limit
    }

    /// How many loans one page of a sweep looks at.
    static let pageSize: Int64 = 500

    /// Sweeps the next loans by due time: those past it and those near it.
    ///
    /// - Returns: where the page ended; nil after the last one.
    func sweepPage(
        after position: DuePosition?, size: Int64 = NoticeService.pageSize, into report: inout SweepReport,
        _ run: inout SweepRun
    ) throws -> DuePosition? {
        try sweepPage(into: &report, &run) { try $0.look(with: $1, after: position, limit: size) } ?? nil
    }

    /// Sweeps those of these loans that run and are past their due time or near it.
    func sweepPage(of loans: [Int64], into report: inout SweepReport, _ run: inout SweepRun) throws {
        try sweepPage(into: &report, &run) { try $0.look(with: $1, among: loans) }
    }

    @discardableResult
    private func sweepPage<Result>(
        into report: inout SweepReport, _ run: inout SweepRun,
        _ look: (inout SweepPage, any LendingPolicy) throws -> Result
    ) throws -> Result? {
        guard let activation = try session.policies.inForce() else {
            report.hasNoPolicy = true
            return nil
        }
        var sweep = try SweepPage(session)
        let end: Result
        do {
            end = try session.policies.asking(activation.policy, at: .overdue) { try look(&sweep, $0) }
        } catch let refused as Refused {
            guard let failed = refused.failed else { throw refused }
            try session.record(.policyFailed, failed)
            report.failed += 1
            report.failures.append(SweepReport.Failure(loan: 0, point: .overdue, failure: failed.failure))
            return nil
        }
        try sweep.write(into: &report, &run.digests)
        try run.turns.keep(sweep.turns, ofLoans: sweep.looked, in: session.transaction)
        return end
    }
}

/// What a sweep keeps from page to page.
struct SweepRun {
    var digests: DigestRun
    var turns: SweepTurns

    init(startedAt moment: Instant, turns: SweepTurns) {
        digests = DigestRun(startedAt: moment)
        self.turns = turns
    }
}

extension Desk {
    /// Ends holds whose time is over, renews loans that renew by themselves, and looks at the open loans that are due or
    /// nearly so, at all or at those of which there can be something new to say (``SweepScope``), in pages with a
    /// transaction each: writes down what is due soon and overdue, posts fines, queues notices;
    /// puts titles in the order of how often they were lent. It can be stopped at any point and run again; nothing is
    /// posted twice. Those who lend at the same time wait for one page at most; see ``ChorePace``.
    ///
    /// A loan about which a policy fails is skipped, counted and written down; what was posted for it stays.
    ///
    /// - Parameters:
    ///   - pageSize: how many loans share a transaction; nil: as many as are done in ``ChorePace/pageTime``.
    ///   - between: called after each page's commit; what it throws ends the sweep there.
    package func sweep(
        pageSize: Int64? = nil, between: (SweepReport) throws -> Void = { _ in }
    ) throws -> SweepReport {
        var report = SweepReport()
        var pace = ChorePace(size: pageSize)
        while try sweepPage(&report, &pace, { try $0.notices.expireHolds(limit: $1, into: &$2) }) {}
        for part in extensions {
            var end: Int64? = 0
            while let last = end {
                end = try pace.page(of: self) { try part.announce(after: last, limit: $1, in: $0) }
            }
        }
        try sweepLoans(&report, ChorePace(size: pageSize), { if $0.renewed > 0 { try between($0) } }) {
            try $0.notices.renewPage(after: $1, size: $2, into: &$3)
        }
        let scope = try read { try SweepScope($0) }
        if let loans = scope.loans {
            try sweep(loans, scope, pageSize, &report, between)
        } else {
            try sweepAll(scope, pageSize, &report, between)
        }
        try placeTitles()
        return report
    }

    private func sweepAll(
        _ scope: SweepScope, _ pageSize: Int64?, _ report: inout SweepReport, _ between: (SweepReport) throws -> Void
    ) throws {
        if let reached = scope.reached { try write { try $0.transaction.sweeps.begin(reached) } }
        try announceMilestones(pageSize: pageSize)
        var run: SweepRun?
        try sweepLoans(&report, ChorePace(size: pageSize), between) { session, position, size, report in
            // A page that is undone must not leave its mark on the run.
            var pages = run ?? SweepRun(startedAt: session.now, turns: SweepTurns(scope))
            let next = try session.notices.sweepPage(after: position, size: size, into: &report, &pages)
            run = pages
            return next
        }
        if let reached = run?.turns.reached { try write { try $0.transaction.sweeps.complete(reached) } }
    }

    /// Looks at some loans alone.
    private func sweep(
        _ loans: [DuePosition], _ scope: SweepScope, _ pageSize: Int64?, _ report: inout SweepReport,
        _ between: (SweepReport) throws -> Void
    ) throws {
        for milestone in LoanMilestone.allCases {
            var (pace, rest) = (ChorePace(size: pageSize), loans.map(\.loan)[...])
            while !rest.isEmpty {
                let page = Array(rest.prefix(Int(pace.size)))
                try pace.page(of: self) { session, _ in try session.loans.announce(milestone, among: page) }
                rest = rest.dropFirst(page.count)
            }
        }
        var run: SweepRun?
        var (pace, rest) = (ChorePace(size: pageSize), loans.map(\.loan)[...])
        while !rest.isEmpty {
            let page = Array(rest.prefix(Int(pace.size)))
            run = try sweepPage(&report, &pace) { session, _, report in
                var pages = run ?? SweepRun(startedAt: session.now, turns: SweepTurns(scope))
                try session.notices.sweepPage(of: page, into: &report, &pages)
                return pages
            }
            rest = rest.dropFirst(page.count)
            try between(report)
        }
        let reached = run.map { $0.turns.reached } ?? scope.reached
        if let reached, scope.isWorthKeeping { try write { try $0.transaction.sweeps.complete(reached) } }
    }

    private func sweepLoans(
        _ report: inout SweepReport, _ pace: ChorePace, _ between: (SweepReport) throws -> Void,
        _ page: (DeskSession, DuePosition?, Int64, inout SweepReport) throws -> DuePosition?
    ) throws {
        var pace = pace
        var position: DuePosition?
        repeat {
            position = try sweepPage(&report, &pace) { try page($0, position, $1, &$2) }
            try between(report)
        } while position != nil
    }

    /// A page that is undone must not be counted.
    private func sweepPage<Result>(
        _ report: inout SweepReport, _ pace: inout ChorePace,
        _ page: (DeskSession, Int64, inout SweepReport) throws -> Result
    ) throws -> Result {
        let (result, counted) = try pace.page(of: self) { session, size in
            var counted = report
            return (try page(session, size, &counted), counted)
        }
        report = counted
        return result
    }
}

import Circulation
import Storage

extension NoticeService {
    /// Sweeps all open loans within this session's transaction. ``Desk/sweep()`` commits page by page instead.
    package func sweep() throws -> SweepReport {
        var report = SweepReport()
        while try expireHolds(into: &report) {}
        var position: DuePosition?
        while let next = try sweepPage(after: position, into: &report) { position = next }
        return report
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
        after position: DuePosition?, size: Int64 = NoticeService.pageSize, into report: inout SweepReport
    ) throws -> DuePosition? {
        guard let activation = try session.policies.inForce() else {
            report.hasNoPolicy = true
            return nil
        }
        var sweep = try SweepPage(session)
        let end: DuePosition?
        do {
            end = try session.policies.asking(activation.policy, at: .overdue) { policy in
                try sweep.look(with: policy, after: position, limit: size)
            }
        } catch let refused as Refused {
            guard let failed = refused.failed else { throw refused }
            try session.record(.policyFailed(failed))
            report.failed += 1
            report.failures.append(SweepReport.Failure(loan: 0, point: .overdue, failure: failed.failure))
            return nil
        }
        try sweep.write(into: &report)
        return end
    }
}

extension Desk {
    /// Ends holds whose time is over and looks at every open loan that is due or nearly so, in pages with a transaction
    /// each: posts fines, queues notices. It can be stopped at any point and run again; nothing is posted twice.
    ///
    /// A loan about which a policy fails is skipped, counted and written down; what was posted for it stays.
    ///
    /// - Parameters:
    ///   - pageSize: how many loans share a transaction.
    ///   - between: called after each page's commit; what it throws ends the sweep there.
    package func sweep(
        pageSize: Int64 = 500, between: (SweepReport) throws -> Void = { _ in }
    ) throws -> SweepReport {
        var report = SweepReport()
        var isUnfinished = true
        while isUnfinished {
            let (more, counted) = try write { session in
                var counted = report
                let more = try session.notices.expireHolds(limit: max(1, pageSize), into: &counted)
                return (more, counted)
            }
            isUnfinished = more
            report = counted
        }
        var position: DuePosition?
        repeat {
            // A page that is undone must not be counted.
            let (next, counted) = try write { session in
                var counted = report
                let next = try session.notices.sweepPage(
                    after: position, size: max(1, pageSize), into: &counted)
                return (next, counted)
            }
            position = next
            report = counted
            try between(report)
        } while position != nil
        return report
    }
}

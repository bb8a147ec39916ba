import Circulation
import Storage

extension Desk {
    /// Of the loans that a sweep would leave out now there must be nothing to say: each is asked about, and nothing is
    /// written. Where the next sweep looks at all loans there is nothing to check.
    func checkSweep(_ report: inout DoctorReport, limit: Int) throws {
        guard let reached = try store.read({ try $0.sweeps.reached() }), let actor = Actor(asAsked: reached.actor)
        else {
            return
        }
        let sweeper = acting(as: actor)
        var position: DuePosition?
        var found = 0
        repeat {
            let start = position
            let page = try sweeper.read { try $0.notices.leftOut(after: start, limit: NoticeService.pageSize) }
            for loan in page.unsaid where found < limit {
                found += 1
                report.broken.append(
                    DoctorReport.Broken(
                        invariant: "sweep", table: "loans", id: "\(loan)",
                        message: "A sweep would leave it out, though there is something to say of it."))
            }
            position = page.end
        } while position != nil && found < limit
    }
}

extension NoticeService {
    /// Of the next loans by due time those that a sweep would leave out now, though there is something to say of them.
    ///
    /// - Returns: where the page ended; nil after the last one, and where a sweep looks at all.
    func leftOut(after position: DuePosition?, limit: Int64) throws -> (unsaid: [Int64], end: DuePosition?) {
        let scope = try SweepScope(session)
        guard let looked = scope.loans, let activation = try session.policies.inForce() else { return ([], nil) }
        let isLooked = Set(looked.map(\.loan))
        let horizon = max(scope.reached?.horizon ?? session.now, LoanMilestone.farthestHorizon(at: session.now))
        let page = try transaction.loans.running(before: horizon, after: position, limit: limit)
        let left = page.map(\.id).filter { !isLooked.contains($0) }
        var unsaid = Set(try session.loans.unannounced(among: left))
        try session.policies.asking(activation.policy, at: .overdue) { policy in
            var sweep = try SweepPage(session)
            try sweep.look(with: policy, among: left)
            guard !sweep.isEmpty else { return }
            // Which of them it is shows one by one.
            for loan in left {
                var alone = try SweepPage(session)
                try alone.look(with: policy, among: [loan])
                if !alone.isEmpty { unsaid.insert(loan) }
            }
        }
        guard let last = page.last, let due = last.due else { return (unsaid.sorted(), nil) }
        return (unsaid.sorted(), DuePosition(dueAt: due.instant, loan: last.id))
    }
}

import Circulation
import Storage

/// A moment in the life of a loan that time brings about, not a person.
enum LoanMilestone: CaseIterable {
    case overdue, dueSoon

    /// How long before its due time a loan is due soon, in microseconds: three days.
    private static let lead: Int64 = 3 * 24 * 3_600_000_000

    var kind: EventKind<Loan> {
        switch self {
        case .overdue: .loanOverdue
        case .dueSoon: .loanDueSoon
        }
    }

    var lead: Int64 { self == .dueSoon ? Self.lead : 0 }

    /// The due time before which any of them has come.
    static func farthestHorizon(at now: Instant) -> Instant { allCases.map { $0.horizon(at: now) }.max() ?? now }

    /// Before which due time it has come.
    func horizon(at now: Instant) -> Instant { (try? now.adding(microseconds: lead)) ?? .latest }

    /// Where the loans begin for which it can have come.
    func beginning(at now: Instant) -> DuePosition? {
        self == .dueSoon ? DuePosition(dueAt: now, loan: .min) : nil
    }

    /// Of a loan that lasts no longer than the lead it says nothing that it is due soon, and of one from another system
    /// nothing that was said there.
    func concerns(_ loan: Loan) -> Bool {
        guard let due = loan.due?.instant else { return true }
        if let until = loan.noticesSentUntil, due.microseconds - lead < until.microseconds { return false }
        guard self == .dueSoon else { return true }
        return due.microseconds - max(loan.lentAt, loan.renewedAt ?? loan.lentAt).microseconds > lead
    }
}

extension LoanService {
    /// Writes down of the next loans by due time, each once for a due time, that a milestone has come.
    ///
    /// - Returns: where the page ended, nil after the last one; and whether anything was written.
    func announce(
        _ milestone: LoanMilestone, after position: DuePosition?, limit: Int64
    ) throws -> (end: DuePosition?, isWritten: Bool) {
        let page = try near(milestone, after: position, limit: limit)
        let new = page.filter { !$0.isAnnounced && milestone.concerns($0.loan) }
        for near in new { try session.record(milestone.kind, near.loan) }
        return (page.last.flatMap(Self.position), !new.isEmpty)
    }

    /// Writes the same down of these loans, by due time.
    func announce(_ milestone: LoanMilestone, among loans: [Int64]) throws {
        for loan in try unannounced(milestone, among: loans) { try session.record(milestone.kind, loan) }
    }

    /// Those of these loans of which some milestone has come and was not written down.
    func unannounced(among loans: [Int64]) throws -> [Int64] {
        try LoanMilestone.allCases.flatMap { try unannounced($0, among: loans).map(\.id) }
    }

    private func unannounced(_ milestone: LoanMilestone, among loans: [Int64]) throws -> [Loan] {
        let beginning = milestone.beginning(at: session.now)?.dueAt ?? .earliest
        let near = try transaction.loans.nearDue(
            among: loans, before: milestone.horizon(at: session.now), announcedBy: milestone.kind.name,
            lead: milestone.lead)
        return near.filter { near in
            guard let due = near.loan.due?.instant, due >= beginning else { return false }
            return !near.isAnnounced && milestone.concerns(near.loan)
        }.map(\.loan)
    }

    /// Whether the next loans by due time have one of which ``announce(_:after:limit:)`` would write.
    ///
    /// - Returns: where to go on: before the first such loan, or behind the page; nil after the last one.
    func unannounced(
        _ milestone: LoanMilestone, after position: DuePosition?, limit: Int64
    ) throws -> (isThere: Bool, at: DuePosition?) {
        var last = position
        let page = try near(milestone, after: position, limit: limit)
        for near in page {
            if !near.isAnnounced && milestone.concerns(near.loan) { return (true, last) }
            last = Self.position(near)
        }
        return (false, page.isEmpty ? nil : last)
    }

    private func near(
        _ milestone: LoanMilestone, after position: DuePosition?, limit: Int64
    ) throws -> [LoanRepository.NearDue] {
        try transaction.loans.nearDue(
            before: milestone.horizon(at: session.now), announcedBy: milestone.kind.name, lead: milestone.lead,
            after: position ?? milestone.beginning(at: session.now), limit: limit)
    }

    private static func position(_ near: LoanRepository.NearDue) -> DuePosition? {
        near.loan.due.map { DuePosition(dueAt: $0.instant, loan: near.loan.id) }
    }

    /// All milestones of all loans within this session's transaction.
    func announceMilestones() throws {
        for milestone in LoanMilestone.allCases {
            var position: DuePosition?
            repeat {
                position = try announce(milestone, after: position, limit: NoticeService.pageSize).end
            } while position != nil
        }
    }
}

extension Desk {
    /// The same, in pages with a transaction each. Where nothing is to be written, no writer waits for it.
    func announceMilestones(pageSize: Int64?) throws {
        var pace = ChorePace(size: pageSize)
        for milestone in LoanMilestone.allCases {
            var next: (isThere: Bool, at: DuePosition?) = (false, nil)
            repeat {
                let position = next.at
                next = try read { session in
                    try session.loans.unannounced(milestone, after: position, limit: NoticeService.pageSize)
                }
                // Where one is new, most of those behind it are.
                var isWritten = next.isThere
                while isWritten {
                    let start = next.at
                    (next.at, isWritten) = try pace.page(of: self) {
                        try $0.loans.announce(milestone, after: start, limit: $1)
                    }
                    isWritten = isWritten && next.at != nil
                }
            } while next.at != nil
        }
    }
}

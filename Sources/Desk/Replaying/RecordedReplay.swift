import Circulation
import Storage
import TextFormats

/// Puts each recorded request to a policy once more, with the facts as they were: the events are folded, and before each one
/// that answers a request its case is made anew from the tables as they are then.
final class RecordedReplay: ReplayRun {
    var sweep = ReplaySweepRun()
    /// Loans about whose return a policy failed.
    var failedReturns: Set<Int64> = []
    var writer = JSONWriter(reservingCapacity: 4_096)

    override func take(_ item: ReplayStream.Item, _ body: EventBody) throws {
        try accounts.pass(to: item.record.at)
        if plan.covers(item.record.at) { try ask(about: item, body) }
        note(body, at: item.record.at)
        do {
            try fold.apply(body)
        } catch let error as StoreError where error.code != .interrupted {
            try contradict(item.record.sequence, "The event \(item.record.kind) cannot be applied: \(error)")
        }
    }

    override func finish() throws { try finishFines() }

    /// Most cases are those that the events tell, so that little has to be read of them: see ``check(_:_:_:)``.
    override func read(_ record: DecisionRecord) throws -> Case {
        if let request = try? Case(requestOf: record) { return request }
        return try super.read(record)
    }

    private func note(_ body: EventBody, at moment: Instant) {
        switch body {
        case .noticeRecorded(let notices): accounts.recorded(notices.filter { counts($0.loan) })
        case .ledgerPosted(let entries): accounts.posted(entries.filter { counts($0.loan) }, at: moment)
        default: break
        }
    }

    private func ask(about item: ReplayStream.Item, _ body: EventBody) throws {
        switch body {
        case .ledgerPosted(let entries):
            try askAhead(of: entries, item)
            try sweepPage(item, body)
        case .noticeRecorded: try sweepPage(item, body)
        case .policyFailed(let failed):
            if failed.point == .checkin, let loan = failed.loan { failedReturns.insert(loan) }
        case .loanMade(let loan): try askCheckouts(item, loan)
        case .requestRefused(let refused): try askRefused(item, refused)
        case .loanRenewed, .loanReturned, .loanLost, .loanRecalled: try askAboutLoan(item, body)
        case .hold(let change) where change.step == .placed: try askHold(item, change.hold)
        default: break
        }
    }
}

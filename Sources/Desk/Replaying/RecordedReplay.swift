import Circulation
import Storage
import TextFormats

/// Puts each recorded request to a policy once more, with the facts as they were: the events are folded, and before each one
/// that answers a request its case is made anew from the tables as they are then.
///
/// What the policy answers changes nothing of the past, so that events are folded on the calling thread, and cases are put
/// to the policy and compared on a second one, in their turn: see ``inTurn(_:)``. The candidate, the accounts, the observer
/// and the summary are the second one's. Events and decisions are read ahead on a third, whose are the library's tables. All
/// else is the first one's.
final class RecordedReplay: ReplayRun {
    var sweep = ReplaySweepRun()
    /// Loans about whose return a policy failed.
    var failedReturns: Set<Int64> = []
    /// Loans that are not back and have lines in the ledger.
    var charged: Set<Int64> = []
    /// How long before its due time a loan enters a sweep of the candidate.
    let noticesFrom: Period
    /// Of the last event.
    private var moment: Instant?
    private let turns = SerialWorker()
    var writer = JSONWriter(reservingCapacity: 4_096)

    override init(
        _ plan: ReplayPlan, _ candidate: any LendingPolicy, from tables: Transaction, _ fold: ReplayFold,
        _ observer: any ReplayObserver
    ) throws {
        noticesFrom = candidate.noticesFrom
        try super.init(plan, candidate, from: tables, fold, observer)
        stream = ReplayStream(PrefetchedPages(of: ReplayReader(tables) { Self.request(of: $0, $1, $2, plan) }))
    }

    override func run() throws -> ReplaySummary {
        defer { stream.end() }
        do {
            return try super.run()
        } catch {
            turns.abandon()
            throw error
        }
    }

    override func inTurn(_ turn: @escaping () throws -> Void) throws { try turns.take(turn) }

    override func take(_ item: ReplayStream.Item, _ body: EventBody) throws {
        if item.record.at != moment {
            moment = item.record.at
            try inTurn { [accounts, moment = item.record.at] in try accounts.pass(to: moment) }
        }
        if plan.covers(item.record.at) {
            try ask(about: item, body)
            try readUnasked(item)
        }
        try note(body, at: item.record.at)
        do {
            try fold.apply(body)
        } catch let error as StoreError where error.code != .interrupted {
            try report(item.record.sequence, "The event \(item.record.kind) cannot be applied: \(error)")
        }
    }

    override func finish() throws {
        try finishFines()
        try turns.finish()
    }

    /// Most cases are those that the events tell, so that little has to be read of them: see ``check(_:_:_:)``.
    ///
    /// - Returns: nil for a damaged case, or of an event that is not asked about.
    private static func request(
        of record: DecisionRecord, _ event: EventRecord, _ body: EventBody, _ plan: ReplayPlan
    ) -> Case? {
        guard plan.covers(event.at), ReplayPlan.kinds.contains(event.kind) else { return nil }
        if body[.loanMade] != nil, let request = try? Case(checkoutOf: record) { return request }
        if let request = try? Case(requestOf: record) { return request }
        return try? Case(recorded: record)
    }

    private func note(_ body: EventBody, at moment: Instant) throws {
        if let notices = body[.noticeRecorded] {
            let counted = notices.filter { counts($0.loan) }
            try inTurn { [accounts] in accounts.recorded(counted) }
        } else if let entries = body[.ledgerPosted] {
            for case let loan? in entries.map(\.loan) where try fold.loan(loan)?.returnedAt == nil {
                charged.insert(loan)
            }
            let counted = entries.filter { counts($0.loan) }
            try inTurn { [accounts] in accounts.posted(counted, at: moment) }
        } else if let back = body[.loanReturned] {
            charged.remove(back.loan)
        }
    }

    private func ask(about item: ReplayStream.Item, _ body: EventBody) throws {
        if let entries = body[.ledgerPosted] {
            try askAhead(of: entries, item)
            noteRelief(entries, item)
        }
        try sweepPage(item, body)
        if let failed = body[.policyFailed], failed.point == .checkin, let loan = failed.loan {
            failedReturns.insert(loan)
        }
        if let loan = body[.loanMade] { try askCheckouts(item, loan) }
        if let refused = body[.requestRefused] { try askRefused(item, refused) }
        if let change = body[.hold(.placed)] { try askHold(item, change.hold) }
        try askAboutLoan(item, body)
    }
}

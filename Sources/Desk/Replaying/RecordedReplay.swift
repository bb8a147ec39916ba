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
    /// Loans about which a policy failed otherwise.
    var failedLoans: Set<Int64> = []
    let questions: SelectedQuestions
    /// Whether loans are looked at in sweeps at all.
    let looksAtSweeps: Bool
    /// How long before its due time a loan enters a sweep of the candidate.
    let noticesFrom: Period
    /// Of the last event.
    private var moment: Instant?
    private let turns = SerialWorker()
    var writer = JSONWriter(reservingCapacity: 4_096)

    init(
        _ plan: ReplayPlan, _ candidate: any LendingPolicy, _ questions: SelectedQuestions, from tables: Transaction,
        _ fold: ReplayFold, _ observer: any ReplayObserver
    ) throws {
        self.questions = questions
        looksAtSweeps = plan.from != nil || !questions.sparesSweeps
        noticesFrom = candidate.noticesFrom
        try super.init(plan, candidate, from: tables, fold, observer)
        accounts.followsSweeps = !looksAtSweeps
        stream = ReplayStream(PrefetchedPages(of: ReplayReader(tables) { Self.request(of: $0, $1, $2, plan) }))
    }

    /// Whether all of a loan lies in the time that is asked about.
    func isWithin(_ loan: Loan) -> Bool { plan.from.map { $0 <= loan.lentAt } ?? true }

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
        try note(item, body)
        do {
            try fold.apply(body)
        } catch let error as StoreError where error.code != .interrupted {
            try report(item.record.sequence, "The event \(item.record.kind) cannot be applied: \(error)")
        }
    }

    override func finish() throws {
        try finishReach()
        try finishFines()
        try turns.finish()
        summary.effort = questions.effort
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

    private func note(_ item: ReplayStream.Item, _ body: EventBody) throws {
        let moment = item.record.at
        if let notices = body[.noticeRecorded] {
            let counted = notices.filter { counts($0.loan) }
            try inTurn { [accounts, run = sweep.number] in accounts.recorded(counted, in: run) }
        } else if let entries = body[.ledgerPosted] {
            for case let loan? in entries.map(\.loan) where try fold.loan(loan)?.returnedAt == nil {
                charged.insert(loan)
            }
            let counted = entries.filter { counts($0.loan) }
            let run = try isOfSweep(item, body) ? sweep.number : 0
            try inTurn { [accounts] in accounts.posted(counted, at: moment, in: run) }
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
        try checkReach(item, body)
        if let failed = body[.policyFailed], let loan = failed.loan {
            if failed.point == .checkin { failedReturns.insert(loan) } else { failedLoans.insert(loan) }
        }
        if let loan = body[.loanMade] { try askCheckouts(item, loan) }
        if let loan = body[.loanImported] { try askArrival(item, loan) }
        if let refused = body[.requestRefused] { try askRefused(item, refused) }
        if let change = body[.hold(.placed)] { try askHold(item, change.hold) }
        try askAboutLoan(item, body)
    }
}

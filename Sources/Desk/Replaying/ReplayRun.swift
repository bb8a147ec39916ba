import Circulation
import Storage
import TextFormats

/// Reads what is recorded, event by event, and keeps what both ways of replaying it need.
class ReplayRun {
    let plan: ReplayPlan
    let candidate: any LendingPolicy
    let fold: ReplayFold
    let observer: any ReplayObserver
    let accounts: ReplayAccounts
    var stream: ReplayStream
    var summary = ReplaySummary()
    /// Events that were seen to ahead of their turn.
    var asked: Set<Int64> = []
    /// The request last seen that wrote lines of the ledger, and the loans of which it took lines off.
    private var relieved: (request: String, loans: Set<Int64>) = ("", [])
    /// What recorded cases say of patrons that no event does.
    private var people: [Int64: KnownPerson] = [:]
    /// Stored answers by their text: on one day most are alike.
    private var answers: [String: ReplayedAnswer] = [:]
    private var sampling: SelectionSampling?
    private var sampledLoans: Set<Int64> = []
    /// The last event about which something was contradicted.
    private(set) var contradicted: Int64?
    /// What the candidate reads at a point, and at those that are asked with it.
    private let needs: [DecisionPoint: CaseNeeds]
    private let prunedBefore: Instant?
    /// How many events there are, and the last one that has to be read.
    private let total: Int64
    private let last: Int64

    init(
        _ plan: ReplayPlan, _ candidate: any LendingPolicy, from tables: Transaction, _ fold: ReplayFold,
        _ observer: any ReplayObserver
    ) throws {
        self.plan = plan
        self.candidate = candidate
        self.fold = fold
        self.observer = observer
        accounts = ReplayAccounts(plan, observer)
        needs = Dictionary(
            uniqueKeysWithValues: DecisionPoint.allCases.map { point in
                (point, point.askedTogether.map(candidate.needs).reduce(.none) { $0.merged(with: $1) })
            })
        stream = ReplayStream(ReplayReader(tables))
        total = try tables.events.count()
        last = try plan.until.map { try tables.events.lastSequence(before: $0) } ?? .max
        prunedBefore = try DecisionPruning.last(in: tables)
        if let sample = plan.sample {
            sampling = SelectionSampling(sample, of: try Self.requests(of: plan, in: tables), seed: plan.seed)
        }
    }

    /// How many requests a plan covers: answered ones by their kinds, and of those that were refused the ones about which a policy was asked.
    private static func requests(of plan: ReplayPlan, in tables: Transaction) throws -> Int64 {
        let refused = EventKind.requestRefused.name
        var query = EventQuery(from: plan.from, until: plan.until, kinds: ReplayPlan.kinds.subtracting([refused]))
        var requests = try tables.events.count(query)
        query.kinds = [refused]
        try tables.events.forEach(query) { record in
            if (try? Event(record).body())?[.requestRefused]?.isDecided == true { requests += 1 }
            return true
        }
        return requests
    }

    /// The loan whose return is claimed, if the event tells of that.
    func claim(in body: EventBody) -> LoanChange? { body[.loanClaimed] }

    /// Notes loans of which the desk takes off what it charged.
    func noteRelief(_ entries: [LedgerEntry], _ item: ReplayStream.Item) {
        let loans = entries.filter { $0.key.hasPrefix("back:") || $0.key.hasSuffix(":closed") }.compactMap(\.loan)
        if relieved.request != item.record.requestID { relieved = (item.record.requestID, []) }
        relieved.loans.formUnion(loans)
    }

    /// Whether the request of an event has taken off what was charged for a loan, as a closure does that is entered late.
    func isRelieved(_ loan: Int64, _ item: ReplayStream.Item) -> Bool {
        relieved.request == item.record.requestID && relieved.loans.contains(loan)
    }

    func run() throws -> ReplaySummary {
        var events: Int64 = 0
        while let item = try stream.next() {
            guard item.record.sequence <= last else { break }
            if let body = item.body {
                try take(item, body)
            } else {
                try report(item.record.sequence, item.fault ?? "The event cannot be read.")
            }
            events += 1
            if events % 1_000 == 0 { try progress(to: events) }
        }
        try finish()
        summary.events = events
        try accounts.end()
        try observer.progressed(events: summary.events, of: total)
        return summary
    }

    private func progress(to events: Int64) throws {
        try inTurn { [observer, total] in try observer.progressed(events: events, of: total) }
    }

    /// Does something after all that was left to be done so before: at once, or while the next events are read. All
    /// that the observer is told of goes this way, and all that rests on what the candidate has answered.
    func inTurn(_ turn: @escaping () throws -> Void) throws { try turn() }

    /// Sees to the next event.
    func take(_ item: ReplayStream.Item, _ body: EventBody) throws {}

    /// Sees to what is left after the last one.
    func finish() throws {}

}

// MARK: - What the modes share

extension ReplayRun {
    /// Reports a contradiction in its turn.
    func report(_ event: Int64, _ message: String) throws {
        try inTurn { [self] in try contradict(event, message) }
    }

    /// Reports a contradiction at once.
    func contradict(_ event: Int64, _ message: String) throws {
        contradicted = event
        try observer.contradicted(ReplayContradiction(event: event, message: message))
    }

    /// A case as it is put to the candidate: with what that one reads, as the tables are now.
    func asking(_ question: Case) throws -> Case {
        let needs = needs[question.point] ?? .none
        if needs.isEmpty, !question.hasGathered { return question }
        let desk = try CaseBuilder(session: fold.session(at: question.now, as: .desk))
        return try desk.completed(question, needs)
    }

    func asking(_ about: LoanCase) throws -> LoanCase {
        var about = about
        about.question = try asking(about.question)
        return about
    }

    /// Whether the next request is asked at all.
    func takes(_ loan: Int64? = nil) -> Bool {
        guard sampling != nil else { return true }
        let takes = sampling?.takesNext() ?? true
        if takes, let loan { sampledLoans.insert(loan) }
        return takes
    }

    /// Whether a request that was refused is asked: of a sample those that a policy decided.
    func takes(_ refused: RefusedRequest) -> Bool {
        guard refused.isOfLending else { return false }
        return refused.isDecided ? takes(refused.loan) : sampling == nil
    }

    /// Whether a loan's notices and fees are counted.
    func counts(_ loan: Int64?) -> Bool {
        guard let loan else { return false }
        return sampling == nil || sampledLoans.contains(loan)
    }

    func person(_ patron: Int64?) -> KnownPerson? { patron.flatMap { people[$0] } }

    /// The case that the decision log has, as far as it is asked for; what is personal in it is remembered.
    ///
    /// - Returns: nil if there is none, which is counted, or if it cannot be read.
    func recordedCase(_ item: ReplayStream.Item, isExpected: Bool) throws -> RecordedCase? {
        guard let record = item.decisions.first else {
            if !isExpected {
                try inTurn { [self] in summary.unasked += 1 }
            } else if let prunedBefore, item.record.at < prunedBefore {
                try inTurn { [self] in
                    summary.unanswerable += 1
                    summary.answerableFrom = prunedBefore
                }
            } else {
                try report(item.record.sequence, "The decision log has no case for the event \(item.record.kind).")
            }
            return nil
        }
        do {
            let recorded = try item.request ?? RecordedCase(record, Case(recorded: record))
            let patron = recorded.content.patron
            if let known = KnownPerson(patron) { people[patron.id] = known }
            return recorded
        } catch let error as CaseError {
            try report(item.record.sequence, "The stored case cannot be read: \(error.message)")
        } catch let error as TextError {
            try report(item.record.sequence, "The stored case cannot be read: \(error.message)")
        }
        return nil
    }

    /// The answer that the decision log has, nil if it cannot be read.
    func stored(_ record: DecisionRecord) throws -> ReplayedAnswer? {
        if let answer = answers[record.decisionJSON], answer.answer == record.answer { return answer }
        do {
            let answer = try ReplayedAnswer(record)
            if !answer.isBroken { keep(answer, of: record) }
            if answer.isBroken {
                try contradict(
                    record.event, "The stored answer \"\(record.answer)\" is not that of the stored decision.")
            }
            return answer
        } catch let error as DeskError {
            try contradict(record.event, "The stored decision cannot be read: \(error.message)")
        } catch let error as TextError {
            try contradict(record.event, "The stored decision cannot be read: \(error.message)")
        }
        return nil
    }

    private func keep(_ answer: ReplayedAnswer, of record: DecisionRecord) {
        if answers.count >= 256 { answers.removeAll(keepingCapacity: true) }
        answers[record.decisionJSON] = answer
    }

    func tell(
        _ item: ReplayStream.Item, _ question: Case, loan: Int64?, _ before: ReplayedAnswer, _ after: ReplayedAnswer
    ) throws {
        summary.requests += 1
        summary.first = summary.first ?? item.record.at
        summary.last = item.record.at
        try observer.decided(
            ReplayedDecision(
                event: item.record.sequence, at: item.record.at, kind: item.record.kind, point: question.point,
                patron: question.patron.id, loan: loan, title: question.title?.id,
                category: question.patron.category, itemType: question.copy?.itemTypes.first,
                branch: question.branch, before: before, after: after))
    }

    /// Asks for what is allowed, and for its due time if that did not come with it.
    ///
    /// - Parameter isDone: staff went on in spite of the refusal.
    func answer(_ question: Case, overriding before: ReplayedAnswer? = nil) -> ReplayedAnswer {
        let decision = candidate.decide(question)
        var after = ReplayedAnswer(decision)
        let isOverridden = before.map { $0.isOverridden && $0.answer == after.answer && $0.code == after.code } ?? false
        after.isOverridden = isOverridden
        guard decision.answer == .allow || isOverridden else {
            after.due = nil
            after.cost = 0
            return after
        }
        guard after.due == nil else { return after }
        var later = question
        later.point = .due
        let second = candidate.decide(later)
        guard second.answer != .failed, let due = second.due else {
            return ReplayedAnswer(
                answer: Decision.Answer.failed.rawValue, code: Refusal.Code.policyFailed,
                message: second.failure?.message ?? "The policy gave no due time.", origin: second.refusal?.origin)
        }
        after.due = due.instant
        after.cost &+= ReplayedAnswer(second).cost
        return after
    }
}

extension DecisionPoint {
    /// The points that may be asked with a question's facts.
    fileprivate var askedTogether: [DecisionPoint] {
        switch self {
        case .request, .checkout, .due: [.request, .checkout, .due, .price]
        case .renew: [.renew, .due, .price]
        default: [self]
        }
    }
}

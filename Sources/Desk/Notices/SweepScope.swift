import Circulation
import Storage

/// Which loans a sweep looks at: all, or those alone of which it can have something to say that the last one could not.
///
/// A policy is a pure function, so that it says the same of a loan as long as the loan's case is the same. What a case
/// has changes by events, and with the time: at midnight, at the due instant, or where hours and minutes count. So the
/// first sweep of a day looks at all loans, and keeps up to which event it knew what had happened, and which loans have
/// their turn again on the same day, and when. A later one looks at the loans of the patrons whom events and moments
/// since then concern. `docs/decisions/0031-what-a-sweep-leaves-out.md` says why.
struct SweepScope {
    /// What a sweep that does all that it has to will have reached; nil where the next one is to look at all loans.
    let reached: SweepReached?
    /// The loans to be looked at, by due time and id; nil: all.
    let loans: [DuePosition]?
    /// Whether it is worth a transaction to write down that nothing had to be done.
    let isWorthKeeping: Bool

    /// With more patrons than this, it is quicker to look at all loans.
    private static let mostPatrons = 20_000
    /// How many events may be read again by the next sweep.
    private static let mostEvents = 500

    /// - Parameter session: of a transaction in which nothing was changed yet.
    init(_ session: DeskSession) throws {
        let sweeps = session.transaction.sweeps
        let new = try Self.new(session)
        guard let new, let kept = try sweeps.reached(), kept.isContinued(by: new),
            let (patrons, events) = try Self.patrons(since: kept, new, session)
        else {
            (reached, loans, isWorthKeeping) = (new, nil, true)
            return
        }
        var next = new
        next.generation = kept.generation
        next.dayEndsAt = kept.dayEndsAt
        let horizon = max(new.horizon, LoanMilestone.farthestHorizon(at: new.beganAt))
        let found = patrons.isEmpty ? [] : try sweeps.running(ofPatrons: patrons, before: horizon)
        (reached, loans, isWorthKeeping) = (next, found, !found.isEmpty || events > Self.mostEvents)
    }

    /// What a sweep of all loans would reach now; nil without a policy that can be asked, and for one on trial.
    private static func new(_ session: DeskSession) throws -> SweepReached? {
        guard session.shelf.trial == nil, let activation = try session.policies.inForce() else { return nil }
        let desk = try CaseBuilder(session: session)
        let horizon: Instant
        do {
            horizon = try session.policies.asking(activation.policy, at: .overdue) { try desk.horizon(of: $0) }
        } catch is Refused {
            return nil
        }
        let transaction = session.transaction
        let zones = [desk.settings.library.zone] + desk.settings.branches.compactMap(\.zone)
        let ends = try zones.map { try $0.startOfDay($0.date(of: session.now).adding(days: 1)) }
        return SweepReached(
            generation: Int64.random(in: 1 ... .max), beganAt: session.now, dayEndsAt: ends.min() ?? session.now,
            horizon: horizon, event: try transaction.events.lastSequence(),
            settings: try transaction.settings.revision(), activation: activation.id, actor: session.actor.asAsked)
    }

    /// The patrons whose loans may have something new, and how many events tell of it; nil: they may be all.
    private static func patrons(
        since kept: SweepReached, _ new: SweepReached, _ session: DeskSession
    ) throws -> (patrons: Set<Int64>, events: Int)? {
        let sweeps = session.transaction.sweeps
        let changed = try ChangedFacts(since: kept.event, upTo: mostPatrons, session.transaction)
        guard !changed.isAnything else { return nil }
        var patrons = changed.patrons
        if !changed.loans.isEmpty { patrons.formUnion(try sweeps.patrons(ofLoans: changed.loans)) }
        if !changed.titles.isEmpty { patrons.formUnion(try sweeps.patrons(ofTitles: changed.titles)) }
        if !changed.copies.isEmpty { patrons.formUnion(try sweeps.patrons(ofTitlesOf: changed.copies)) }
        patrons.formUnion(try sweeps.patrons(turnedBy: new.beganAt))
        // What is past its due time from now on counts for its patron's other loans as well.
        patrons.formUnion(try sweeps.patrons(dueFrom: kept.beganAt, through: new.beganAt))
        patrons.formUnion(try sweeps.patrons(dueFrom: kept.horizon, through: new.horizon))
        for milestone in LoanMilestone.allCases {
            let (start, end) = (milestone.horizon(at: kept.beganAt), milestone.horizon(at: new.beganAt))
            patrons.formUnion(try sweeps.patrons(dueFrom: start, through: end))
        }
        return patrons.count <= mostPatrons ? (patrons, changed.count) : nil
    }
}

extension SweepReached {
    /// Whether a sweep can go on from it as another one would begin: on the same day, by the same settings and policy.
    fileprivate func isContinued(by new: SweepReached) -> Bool {
        isWhole && settings == new.settings && activation == new.activation && actor == new.actor
            && beganAt <= new.beganAt && new.beganAt < dayEndsAt && horizon <= new.horizon && event <= new.event
    }
}

extension Actor {
    /// What cases have of it.
    fileprivate var asAsked: String { "\(role.rawValue)/\(channel.rawValue)/\(branch ?? "")" }

    /// One of whom cases have the same; nil where it cannot be read.
    init?(asAsked text: String) {
        let words = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, let role = ActorFacts.Role(rawValue: words[0]),
            let channel = ActorFacts.Channel(rawValue: words[1])
        else { return nil }
        self.init(
            name: "desk", role: role, channel: channel, branch: words[2].isEmpty ? nil : words[2], isOperator: true)
    }
}

/// Of which loans a sweep's pages keep when their turn comes again on the same day.
struct SweepTurns {
    /// What the sweep will have reached; nil: nothing is kept.
    private(set) var reached: SweepReached?
    /// Whether no loan has a turn yet.
    let isFirst: Bool
    private var looked: Int64 = 0
    private var turned: Int64 = 0

    init(_ scope: SweepScope) {
        reached = scope.reached
        isFirst = scope.loans == nil
    }

    /// Where nothing is kept.
    init() {
        reached = nil
        isFirst = false
    }

    /// Keeps the turns of loans that were looked at. Where they are too many, the next sweep looks at all loans.
    ///
    /// - Parameter turns: the moment from which on something new may be said of a loan.
    mutating func keep(_ turns: [Int64: Instant], ofLoans loans: [Int64], in transaction: Transaction) throws {
        guard let end = reached?.dayEndsAt else { return }
        let turns = turns.filter { $0.value < end }
        looked += Int64(loans.count)
        turned += Int64(turns.count)
        if turned > 1_000 && turned > looked / 4 {
            try transaction.sweeps.forget()
            reached = nil
        } else if !isFirst || !turns.isEmpty {
            try transaction.sweeps.setTurns(turns, ofLoans: loans, isFirst: isFirst)
        }
    }
}

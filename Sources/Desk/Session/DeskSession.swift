package import Circulation
package import Storage
import TextFormats

/// The desk within one transaction. It ends with its transaction: every later use throws.
package final class DeskSession {
    /// The moment of this transaction, when it had its turn; it does not move while the transaction lasts.
    package var now: Instant {
        if let begunAt { return begunAt }
        // Where this fails, so does what is done next.
        try? transaction.begin()
        let now = clock()
        begunAt = now
        return now
    }
    private var begunAt: Instant?
    private let clock: () -> Instant
    package private(set) var actor: Actor
    /// The tables; what changes them is ``record(_:_:at:)``.
    package let transaction: Transaction
    let shelf: PolicyShelf
    let rankings: RankingCache
    let extensions: [any DeskExtension]
    /// Made when something is first written down.
    private lazy var requestID = makeRequestID()
    private let makeRequestID: () -> String
    private var ordinal: Int64 = 0
    private lazy var writer = JSONWriter(reservingCapacity: 1_024)
    private var settingsKept: SettingsSnapshot?
    /// Refusals of this transaction, so that they can be written down after it was undone.
    private(set) var refusals: [WrittenRefusal] = []
    /// The requests that are being carried out, the innermost last.
    private(set) var requestsUnderway: [String] = []

    /// Whether what is written follows from a request that was allowed, whomever else it concerns.
    private(set) var isConsequence = false

    /// Whether something was removed that the store's files must not keep either.
    var erasesTraces = false

    /// A refusal with what the log keeps about it.
    struct WrittenRefusal {
        var bodies: [EventBody]
        var asked: AskedDecision?
    }

    init(
        transaction: Transaction, shelf: PolicyShelf, rankings: RankingCache = RankingCache(),
        now: @autoclosure @escaping () -> Instant,
        actor: Actor, extensions: [any DeskExtension], requestID: @escaping () -> String
    ) {
        self.transaction = transaction
        self.shelf = shelf
        self.rankings = rankings
        clock = now
        if transaction.hasBegun { begunAt = now() }
        self.actor = actor
        self.extensions = extensions
        makeRequestID = requestID
    }

    /// About when it is, without waiting for a turn.
    var presumedNow: Instant { clock() }

    package var settings: SettingsService { SettingsService(session: self) }
    package var catalogue: CatalogueService { CatalogueService(session: self) }
    package var patrons: PatronService { PatronService(session: self) }
    package var loans: LoanService { LoanService(session: self) }
    package var holds: HoldService { HoldService(session: self) }
    package var notices: NoticeService { NoticeService(session: self) }
    package var fees: FeeService { FeeService(session: self) }
    package var policies: PolicyService { PolicyService(session: self) }
    package var shadow: ShadowService { ShadowService(session: self) }
    package var plugins: PluginService { PluginService(session: self) }
    package var outbox: OutboxService { OutboxService(session: self) }
    package var webhooks: WebhookService { WebhookService(session: self) }
    var customFields: CustomFieldService { CustomFieldService(session: self) }
    package var events: EventService { EventService(session: self) }
    package var statistics: StatisticsService { StatisticsService(session: self) }
    package var jobs: JobService { JobService(session: self) }
    package var accounts: AccountService { AccountService(session: self) }
    package var idempotency: IdempotencyStore { IdempotencyStore(session: self) }
    package var imports: ImportService { ImportService(session: self) }

    /// Runs the body so that what it did is undone if it throws. Refusals in it are written down in either case.
    package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let before = refusals.count
        do {
            return try transaction.savepoint(body)
        } catch {
            settingsKept = nil
            for refusal in refusals[before...] { try write(refusal) }
            throw error
        }
    }

    /// Runs the body as another actor, within the same transaction and request.
    package func acting<Result>(as other: Actor, _ body: () throws -> Result) rethrows -> Result {
        let before = actor
        actor = other
        defer { actor = before }
        return try body()
    }

    /// Runs the body so that the rank of those whom it concerns is no obstacle.
    func asConsequence<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = isConsequence
        isConsequence = true
        defer { isConsequence = before }
        return try body()
    }

    /// The library's own fields that policies may read.
    package func fieldsOfPolicies() throws -> CustomFields { try shelf.fields ?? settingsSnapshot().customFields }

    /// Has the settings read again when they are asked for next.
    func forgetSettings() { settingsKept = nil }

    /// The library's settings, read once a session and again after each change.
    package func settingsSnapshot() throws -> SettingsSnapshot {
        if let settingsKept { return settingsKept }
        let snapshot = try transaction.settings.snapshot()
        settingsKept = snapshot
        return snapshot
    }

    /// The date at a branch; at none, that of the library.
    func today(at branch: String?) throws -> CivilDate {
        try settingsSnapshot().zone(ofBranch: branch ?? "").date(of: now)
    }
}

// MARK: - Requests and events

extension DeskSession {
    /// Runs a request: what it did is undone if it is refused, and the refusal becomes an event of this transaction.
    package func request<Value>(_ trail: RequestTrail, _ body: () throws -> Value) throws -> Outcome<Value> {
        requestsUnderway.append(trail.name)
        defer { requestsUnderway.removeLast() }
        do {
            try checkRole(for: trail.name)
            return .done(
                try transaction.savepoint {
                    let value = try body()
                    try checkOwner(trail)
                    try checkRank(trail)
                    return value
                })
        } catch let refused as Refused {
            settingsKept = nil
            let worded = try worded(refused, trail)
            try writeDown(worded, trail)
            return .refused(try told(worded.answer, about: trail.patron))
        } catch {
            settingsKept = nil
            throw error
        }
    }

    func request<Value>(_ name: String, _ body: () throws -> Value) throws -> Outcome<Value> {
        try request(RequestTrail(name), body)
    }

    /// The refusal in the words of the policy in force. Requests about policies themselves keep the desk's own, so that
    /// a fault in one is always reported.
    package func worded(_ refused: Refused, _ trail: RequestTrail) throws -> Refused {
        trail.name.hasPrefix("policies.") ? refused : try policies.wordedInForce(refused, trail)
    }

    private func writeDown(_ refused: Refused, _ trail: RequestTrail) throws {
        var bodies = [EventBody(.requestRefused, trail.refused(refused.refusal))]
        if let failed = refused.failed { bodies.append(EventBody(.policyFailed, failed)) }
        let written = WrittenRefusal(bodies: bodies, asked: refused.asked)
        try write(written)
        refusals.append(written)
    }

    /// Writes the events of a refusal, of this transaction or of one that was undone.
    func write(_ refusal: WrittenRefusal) throws {
        for (index, body) in refusal.bodies.enumerated() {
            let sequence = try append(body, at: now)
            if index == 0, let asked = refusal.asked { try log(asked, under: sequence) }
        }
    }

    /// Makes a change and writes it down.
    ///
    /// - Parameter at: when it happened, if not now.
    /// - Returns: what the event says, with the ids of new rows, and its sequence number; nil if nothing changed.
    @discardableResult
    package func record<Content>(
        _ kind: EventKind<Content>, _ content: Content, at: Instant? = nil
    ) throws -> (content: Content, sequence: Int64)? {
        try checkRank(of: EventBody(kind, content))
        if kind.changesSettings { settingsKept = nil }
        guard let applied = try kind.apply(content, transaction) else { return nil }
        return (applied, try append(EventBody(kind, applied), at: at ?? now))
    }

    /// Takes a step whose kind shows from it.
    @discardableResult
    package func record<Content: EventStep>(
        _ content: Content, at: Instant? = nil
    ) throws -> (content: Content, sequence: Int64)? {
        try record(content.kind, content, at: at)
    }

    private func append(_ body: EventBody, at: Instant) throws -> Int64 {
        writer.reset()
        body.write(to: &writer)
        let subjects = body.subjects
        let stored = EventRecord(
            at: at, actor: actor.name, channel: actor.channel, kind: body.kind,
            version: EventBody.version, payload: writer.text, requestID: requestID, ordinal: ordinal,
            patron: subjects.patron, copy: subjects.copy, loan: subjects.loan)
        ordinal += 1
        return try transaction.events.insert(stored)
    }

    /// Keeps a case and its decision under the event that they led to.
    package func log(_ asked: AskedDecision, ordinal: Int64 = 0, under event: Int64) throws {
        writer.reset()
        asked.question.write(to: &writer, withCalendar: false)
        let question = writer.text
        writer.reset()
        asked.decision.write(to: &writer)
        try transaction.decisions.insert(
            DecisionRecord(
                event: event, ordinal: ordinal, point: asked.decision.point.rawValue, policy: asked.policy,
                answer: asked.decision.answer.rawValue, caseJSON: question, decisionJSON: writer.text))
    }
}

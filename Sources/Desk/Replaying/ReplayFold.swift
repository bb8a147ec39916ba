import Circulation
import Storage

/// The store as it was when a request was made: the events applied one after another, by the code that applies them
/// live.
struct ReplayFold {
    let transaction: Transaction
    private let shelf: PolicyShelf
    private let requests = RequestIDs()
    /// Nil where the tables are changed beside the events too.
    let known: FoldedFacts?

    init(_ transaction: Transaction, _ shelf: PolicyShelf, known: FoldedFacts? = nil) {
        self.transaction = transaction
        self.shelf = shelf
        self.known = known
    }

    func loan(_ id: Int64) throws -> Loan? {
        if let known { return try known.loan(id) }
        return try transaction.loans.get(id)
    }

    func copy(_ id: Int64) throws -> Copy? {
        if let known { return try known.copy(id) }
        return try transaction.copies.get(id)
    }

    /// The desk at a moment, with another actor.
    func session(at moment: Instant, as actor: Actor) -> DeskSession {
        DeskSession(
            transaction: transaction, shelf: shelf, now: moment, actor: actor, extensions: [],
            requestID: { [requests] in requests.next() })
    }

    /// The desk at the moment of an event; who stood there is read from the recorded case, if there is one.
    func session(of record: EventRecord, _ recorded: Case?, at moment: Instant? = nil) -> DeskSession {
        let channel = record.channel ?? .desk
        let role = recorded?.actor.role ?? (channel == .job ? .job : channel == .desk ? .staff : .patron)
        return session(
            at: moment ?? record.at,
            as: Actor(
                name: record.actor, role: role, channel: recorded?.actor.channel ?? channel, branch: recorded?.branch,
                isOperator: true))
    }

    /// What does not bear on lending is left out.
    func apply(_ body: EventBody) throws {
        guard body.isOfLending else { return }
        if let known { try known.follow(body) } else { _ = try body.applied(to: transaction) }
    }
}

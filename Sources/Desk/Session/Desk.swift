package import Circulation
package import Storage
import Synchronization

/// The circulation desk: one store, one policy loader, one clock, one actor.
///
/// ```swift
/// let desk = Desk(store: store, policies: loader, clock: clock, actor: .desk, extensions: [])
/// try desk.prepare()
/// let outcome = try desk.write { session in
///     try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .barcode("39041000012")))
/// }
/// ```
/// Any thread may use it; writers follow one another. The body's session must not leave it.
package final class Desk: Sendable {
    let store: any Store
    let clock: any Clock
    let shelf: PolicyShelf
    package let actor: Actor
    let extensions: [any DeskExtension]
    /// What it has beside the store.
    package let outside: ExternalServices
    private let requests: RequestIDs
    private let rankings: RankingCache
    private let sharing: CommitSharing

    /// - Parameters:
    ///   - store: where the library's data lives.
    ///   - policies: makes policies out of the store's bundles.
    ///   - clock: the only source of the present moment.
    ///   - actor: who works at this desk.
    ///   - extensions: what is built on the desk and called by its work; none: a desk that lends and nothing else.
    ///   - trial: a policy that decides in place of the one in force. It is not in the store, so that what it decides
    ///     must not be kept: for reading and rehearsing.
    ///   - outside: whom it asks about books, and what it asks of passwords.
    package convenience init(
        store: any Store, policies: any PolicyLoader, clock: any Clock, actor: Actor,
        extensions: [any DeskExtension], trial: PolicyBundle? = nil, outside: ExternalServices = ExternalServices()
    ) {
        self.init(
            store: store, clock: clock, shelf: PolicyShelf(loader: policies, trial: trial), actor: actor,
            extensions: extensions, outside: outside, requests: RequestIDs(), rankings: RankingCache(), sharing: .alone)
    }

    private init(
        store: any Store, clock: any Clock, shelf: PolicyShelf, actor: Actor, extensions: [any DeskExtension],
        outside: ExternalServices, requests: RequestIDs, rankings: RankingCache, sharing: CommitSharing
    ) {
        self.outside = outside
        self.store = store
        self.clock = clock
        self.shelf = shelf
        self.actor = actor
        self.extensions = extensions
        self.requests = requests
        self.rankings = rankings
        self.sharing = sharing
    }

    /// The same desk for another actor.
    package func acting(as actor: Actor) -> Desk {
        Desk(
            store: store, clock: clock, shelf: shelf, actor: actor, extensions: extensions, outside: outside,
            requests: requests, rankings: rankings, sharing: sharing)
    }

    /// The same desk for many readers: rankings of titles are read again when they are older than this.
    package func keepingRankings(seconds: Int64) -> Desk {
        Desk(
            store: store, clock: clock, shelf: shelf, actor: actor, extensions: extensions, outside: outside,
            requests: requests, rankings: RankingCache(secondsKept: seconds), sharing: sharing)
    }

    /// The same desk for many callers at once: what they write at the same time may be kept by one commit.
    package func sharingCommits() -> Desk {
        Desk(
            store: store, clock: clock, shelf: shelf, actor: actor, extensions: extensions, outside: outside,
            requests: requests, rankings: rankings, sharing: .shared)
    }

    /// Runs the body in one transaction that commits when the body returns and is undone when it throws. Refusals in it
    /// are written down in either case. What was removed for good is taken out of the store's files after the commit.
    ///
    /// - Parameters:
    ///   - request: the caller's own id of this request, which does not begin with `~`; the same id is never carried out
    ///     twice.
    ///   - isRepeatable: whether the body does nothing but what is undone with the transaction. If the database undoes
    ///     it for the sake of another one, it is then run again, up to five times.
    ///   - isLong: whether it may take longer than others should wait, so that it commits alone.
    /// - Throws: ``DeskError/Code/repeatedRequest``; whatever the body throws; ``StoreError``.
    package func write<Result>(
        request: String? = nil, isRepeatable: Bool = false, isLong: Bool = false, _ body: (DeskSession) throws -> Result
    ) throws -> Result {
        var triesLeft = isRepeatable ? 4 : 0
        while true {
            do {
                return try writeOnce(request, isLong ? .alone : sharing, body)
            } catch let error as StoreError where error.isUndoneByAnother && triesLeft > 0 {
                triesLeft -= 1
            }
        }
    }

    private func writeOnce<Result>(
        _ request: String?, _ sharing: CommitSharing, _ body: (DeskSession) throws -> Result
    ) throws -> Result {
        var refusals: [DeskSession.WrittenRefusal] = []
        var hasStoreFailed = false
        var erasesTraces = false
        do {
            let result = try store.write(sharing) { transaction in
                if let request, try !transaction.events.of(request: request).isEmpty {
                    throw DeskError.repeatedRequest(request)
                }
                let session = session(transaction, request)
                defer { erasesTraces = session.erasesTraces }
                do {
                    return try body(session)
                } catch {
                    refusals = session.refusals
                    hasStoreFailed = error is StoreError
                    throw error
                }
            }
            if erasesTraces { try store.eraseTraces() }
            return result
        } catch {
            // Where those who shared the commit lost it, no caller was told of a refusal.
            if hasStoreFailed || !(error is StoreError) { try writeDown(refusals, because: error) }
            throw error
        }
    }

    /// Runs the body on a snapshot of the store; writes in it fail.
    package func read<Result>(_ body: (DeskSession) throws -> Result) throws -> Result {
        try store.read { try body(session($0, nil)) }
    }

    /// Runs the body in a transaction that is always undone, refusals included: for trying out.
    package func rehearse<Result>(_ body: (DeskSession) throws -> Result) throws -> Result {
        var result: Result?
        do {
            try store.write { transaction in
                result = try body(session(transaction, nil))
                throw Undone()
            }
        } catch is Undone {}
        guard let result else { throw DeskError.input(nil, "The rehearsal gave no result.") }
        return result
    }

    private struct Undone: Error {}

    private func session(_ transaction: Transaction, _ request: String?) -> DeskSession {
        DeskSession(
            transaction: transaction, shelf: shelf, rankings: rankings, now: self.clock.now(), actor: actor,
            extensions: extensions, requestID: { [requests] in request ?? requests.next() })
    }

    /// What was refused stays on record even if the body undid the rest. A failed store is another matter: the caller
    /// was not told of the refusals, and gets them again when asking again. A store that cannot be written at all keeps
    /// its first error.
    private func writeDown(_ refusals: [DeskSession.WrittenRefusal], because cause: any Error) throws {
        guard !refusals.isEmpty, (cause as? StoreError)?.code != .unreachable,
            (cause as? StoreError)?.isUndoneByAnother != true
        else { return }
        do {
            try store.write(sharing) { transaction in
                let session = session(transaction, nil)
                for refusal in refusals { try session.write(refusal) }
            }
        } catch is StoreError {
            throw cause
        }
    }
}

/// Makes ids of requests that no other process makes: a random beginning, then a count.
final class RequestIDs: Sendable {
    private let prefix: String
    private let count = Atomic<Int>(0)

    init() {
        prefix = "\(EventRecord.unnamedRequest)" + String(UInt64.random(in: .min ... .max), radix: 36) + "-"
    }

    func next() -> String {
        prefix + String(count.add(1, ordering: .relaxed).newValue, radix: 36)
    }
}

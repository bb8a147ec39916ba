package import Circulation
import Storage

/// A library's past, let happen once more, event after event, in a scratch store with a desk of its own, where more may
/// be done in between. The library itself is only read.
///
/// What is personal stands in no event: usernames, names, addresses, birth dates, `extra` and the texts of messages are
/// those of today.
package final class RepeatedPast {
    /// What happens at the scratch store that did not happen in the past has keys beyond those of the past.
    fileprivate static let lastKey: Int64 = 1 << 40

    /// A desk at the scratch store.
    package let desk: Desk
    /// The clock of that desk: it shows when what happened last did.
    package let clock: ManualClock
    /// How many events there are in all.
    package let total: Int64
    /// Events that were left out as what one actor did.
    package private(set) var leftOut: Int64 = 0
    /// Events that could not happen once more, mostly since what they rest on was left out.
    package private(set) var impossible: Int64 = 0
    private let scratch: SQLiteStore
    private let tables: Transaction
    private let actor: String

    fileprivate init(of desk: Desk, _ tables: Transaction, _ scratch: SQLiteStore, without actor: String) throws {
        self.tables = tables
        self.scratch = scratch
        self.actor = actor
        total = try tables.events.count()
        clock = ManualClock(try tables.events.page(limit: 1).first?.at ?? desk.clock.now())
        self.desk = Desk(
            store: scratch, policies: desk.shelf.loader, clock: clock, actor: .desk, extensions: desk.extensions)
    }

    /// Lets all events of the past happen that came before a moment, in the order of the log.
    ///
    /// - Parameters:
    ///   - before: called with the moment of each event before it happens.
    ///   - body: called with each event as the log has it, and its place in the scratch store's log, after it has
    ///     happened; false ends it. Both may write at the desk.
    package func happen(
        until: Instant?, before: (Instant) throws -> Void, _ body: (_ event: Event, _ place: Int64) throws -> Bool
    ) throws {
        let last = try until.map { try tables.events.lastSequence(before: $0) } ?? .max
        try tables.events.forEach { record in
            guard record.sequence <= last else { return false }
            guard record.actor != actor else {
                leftOut += 1
                return true
            }
            try before(record.at)
            clock.set(record.at)
            guard let place = try scratch.write({ try happen(record, $0) }) else {
                impossible += 1
                return true
            }
            return try body(Event(record), place)
        }
    }

    /// - Returns: its place in the scratch store's log; nil where it cannot happen.
    private func happen(_ record: EventRecord, _ folded: Transaction) throws -> Int64? {
        do {
            let body = try complete(Event(record).body())
            guard try folded.savepoint({ try body.applied(to: folded) }) != nil else { return nil }
        } catch is DeskError {
            return nil
        } catch let error as StoreError where error.code == .constraint {
            return nil
        }
        var copy = record
        copy.sequence = 0
        return try folded.events.insert(copy)
    }

    /// With what the log leaves out, as far as the library has it today.
    private func complete(_ body: EventBody) throws -> EventBody {
        if var activated = body[.policyActivated] {
            activated.bundle = try tables.policies.bundle(activated.activation.policy)
            return EventBody(.policyActivated, activated)
        }
        for kind in [EventKind.patronAdded, .patronUpdated] {
            guard var change = body[kind], let today = try tables.patrons.get(change.patron.id) else { continue }
            change.patron.username = today.username
            (change.patron.name, change.patron.surname) = (today.name, today.surname)
            (change.patron.email, change.patron.phone) = (today.email, today.phone)
            (change.patron.birthDate, change.patron.extra) = (today.birthDate, today.extra)
            return EventBody(kind, change)
        }
        guard var notices = body[.noticeRecorded] else { return body }
        for index in notices.indices {
            guard let today = try tables.notices.get(notices[index].id) else { continue }
            (notices[index].subject, notices[index].body) = (today.subject, today.body)
        }
        return EventBody(.noticeRecorded, notices)
    }
}

extension Desk {
    /// Hands the body this library's past, to let it happen once more in a store that is gone afterwards.
    ///
    /// - Parameter actor: whose doings are left out.
    /// - Throws: ``StoreError``; whatever the body throws.
    package func repeatingPast<Result>(
        without actor: String, _ body: (RepeatedPast) throws -> Result
    ) throws -> Result {
        try store.read { tables in
            let scratch = try SQLiteStore.scratch(keysAfter: RepeatedPast.lastKey)
            defer { try? scratch.close() }
            return try body(RepeatedPast(of: self, tables, scratch, without: actor))
        }
    }
}

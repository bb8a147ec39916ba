package import Circulation
package import Storage

extension Desk {
    /// Whether a store holds nothing but what ``prepare()`` puts into it, so that nothing is lost with it.
    ///
    /// All that changes a library is an event, so that the first events tell most of it; what is not an event (runs of
    /// jobs, ways into the server, what was learned about books) has rows of its own.
    package static func isFresh(_ transaction: Transaction) throws -> Bool {
        let first: [any AnyEventKind] = [
            EventKind.libraryChanged, EventKind.branchAdded, EventKind.itemTypeAdded, EventKind.categoryAdded,
        ]
        let events = try transaction.events.page(limit: Int64(first.count) + 1)
        guard events.isEmpty || events.map(\.kind) == first.map(\.name) else { return false }
        guard try transaction.settings.library() ?? .ofFreshStore == .ofFreshStore else { return false }
        return try transaction.tablesWithRows().isSubset(of: preparedTables)
    }

    /// Prepares for an import of records by the hundred thousand, at the price of memory.
    package func expectBulk() throws { try store.expectBulk() }

    /// The tables into which ``prepare()`` writes.
    private static let preparedTables: Set<String> = ["settings", "branches", "item_types", "categories", "events"]
}

extension LibrarySettings {
    /// What a store says of its library before anything was said of it.
    package static let ofFreshStore = LibrarySettings(name: "Library", zone: .utc, currency: .eur)
}

extension DeskSession {
    /// Whether the store holds nothing but what every store begins with, as this transaction sees it.
    package func isFresh() throws -> Bool { try Desk.isFresh(transaction) }

    /// This transaction at another moment: for a past that is made in one piece with the present.
    package func moved(to moment: Instant) -> DeskSession {
        let moved = RequestIDs()
        return DeskSession(
            transaction: transaction, shelf: shelf, now: moment, actor: actor, extensions: extensions,
            requestID: { moved.next() })
    }
}

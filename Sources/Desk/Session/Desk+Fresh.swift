package import Storage

extension Desk {
    /// Whether a store holds nothing but what ``prepare()`` puts into it, so that nothing is lost with it.
    package static func isFresh(_ transaction: Transaction) throws -> Bool {
        let first: [EventKind] = [.libraryChanged, .branchAdded, .itemTypeAdded, .categoryAdded]
        let events = try transaction.events.page(limit: Int64(first.count) + 1)
        return events.map(\.kind) == first.map(\.rawValue)
    }
}

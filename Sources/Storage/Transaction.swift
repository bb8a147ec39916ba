/// What a caller holds inside ``Store/write(_:)`` and ``Store/read(_:)``.
///
/// It dies with its transaction: every later use, of it or of a repository made from it, throws
/// ``StoreError/Code/closed``. It belongs to the thread of its transaction.
package final class Transaction {
    private var live: (any Connection)?
    private var savepoints = 0
    /// Settings as they stood when the transaction first asked, shared between transactions by the store.
    let settingsCache: SettingsCache
    /// Whether this transaction changed settings, so that what it reads is not to be shared.
    var settingsChanged = false
    /// The last event that it has written and not undone: by this one learns whether a commit without an answer was
    /// kept.
    var lastEvent: EventMark?
    /// The event that the next one is linked to, once it was looked up.
    var chainEnd: EventChain.Link?
    /// What it read of the settings; a transaction sees no changes but its own.
    var settingsSnapshot: SettingsSnapshot?

    package let isWritable: Bool
    /// What is kept beside the records as these are written.
    let derived: DerivedRows

    private let stop: StopRequest?

    init(
        connection: any Connection, isWritable: Bool, settingsCache: SettingsCache, derived: DerivedRows = .all,
        stop: StopRequest? = nil
    ) {
        live = connection
        self.isWritable = isWritable
        self.derived = derived
        self.settingsCache = settingsCache
        self.stop = stop
    }

    /// Called by the driver when the transaction is over, whichever way.
    func end() {
        live = nil
    }

    /// - Throws: ``StoreError/Code/interrupted`` once a stop was requested.
    func checkStop() throws(StoreError) {
        try stop?.check()
    }

    package var isLive: Bool { live != nil }

    func connection() throws(StoreError) -> any Connection {
        guard let live else { throw .transactionEnded }
        try stop?.check()
        return live
    }

    /// Runs `body` so that, if it throws, what it changed is undone and what came before is kept.
    ///
    /// - Throws: what `body` throws; ``StoreError/Code/cannotWrite`` if the database rolled everything back on its
    ///   own, as it does on a full disk: the transaction is dead then.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        let connection = try connection()
        savepoints += 1
        defer { savepoints -= 1 }
        let depth = savepoints
        let (event, end) = (lastEvent, chainEnd)
        try connection.beginSavepoint(depth)
        do {
            let result = try body()
            try stillOpen(connection)
            try connection.releaseSavepoint(depth)
            return result
        } catch {
            // What was undone may have been a change of the settings.
            settingsSnapshot = nil
            lastEvent = event
            chainEnd = end
            try stillOpen(connection)
            try connection.rollBackToSavepoint(depth)
            throw error
        }
    }

    /// A full disk rolls back the transaction whole, under the feet of savepoints.
    private func stillOpen(_ connection: any Connection) throws(StoreError) {
        guard live != nil else { throw .transactionEnded }
        guard connection.isInTransaction else {
            end()
            throw .transactionLost
        }
    }
}

/// What a store works out of its records as they are written. One that is thrown away needs less of it.
enum DerivedRows: Hashable, Sendable {
    case all
    /// The index of the search, of genres and of patrons' words: circulation is not counted.
    case indexes
    case none

    var hasCounters: Bool { self == .all }
    var hasIndexes: Bool { self != .none }
}

/// An event as it can be found again.
struct EventMark: Hashable, Sendable {
    var sequence: Int64
    var requestID: String
}

/// What a caller holds inside ``Store/write(_:)`` and ``Store/read(_:)``.
///
/// It dies with its transaction: every later use, of it or of a repository made from it, throws
/// ``StoreError/Code/closed``. It belongs to the thread of its transaction.
package final class Transaction {
    /// Begins a transaction, and asks questions with the same message to the server.
    typealias Beginning = ([BoundQuery]) throws(StoreError) -> any Connection

    private var live: (any Connection)?
    /// What is done before the connection is first used; nil once it is over.
    private var beginning: Beginning?
    private var savepoints = 0
    /// The event that was the last one when it began.
    private var firstEnd: EventChain.Link?
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
    /// Words of titles that it has learnt and not undone, so that an import need not learn them from each title again.
    var learntWords: Set<SpelledWord> = []

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

    /// One that begins when it is first used, together with the questions that are prefetched then.
    init(
        isWritable: Bool, settingsCache: SettingsCache, stop: StopRequest? = nil, beginning: @escaping Beginning
    ) {
        self.beginning = beginning
        self.isWritable = isWritable
        derived = .all
        self.settingsCache = settingsCache
        self.stop = stop
    }

    /// Called by the driver when the transaction is over, whichever way.
    func end() {
        live = nil
        beginning = nil
    }

    /// - Throws: ``StoreError/Code/interrupted`` once a stop was requested.
    func checkStop() throws(StoreError) {
        try stop?.check()
    }

    package var isLive: Bool { live != nil || beginning != nil }

    func connection() throws(StoreError) -> any Connection {
        guard let live else { return try begin(asking: []) }
        try stop?.check()
        return live
    }

    package var hasBegun: Bool { live != nil }

    /// Waits for its turn, unless it has begun.
    package func begin() throws(StoreError) { _ = try connection() }

    private func begin(asking questions: [BoundQuery]) throws(StoreError) -> any Connection {
        guard let beginning else { throw .transactionEnded }
        try stop?.check()
        let connection = try beginning(questions)
        live = connection
        self.beginning = nil
        for depth in 0..<savepoints { try connection.beginSavepoint(depth + 1) }
        // What a writer asks as soon as it is its turn.
        firstEnd = try events.end()
        return connection
    }

    /// Asks what will be asked for next, together, where that saves time: over PostgreSQL each question by itself is a
    /// way to the server and back. Nothing changes but that.
    package func prefetch(_ questions: () throws(StoreError) -> [BoundQuery]) throws(StoreError) {
        if live == nil {
            _ = try begin(asking: questions())
        } else {
            let connection = try connection()
            if connection.canPrefetch { try connection.prefetch(questions()) }
        }
    }

    /// Runs `body` so that, if it throws, what it changed is undone and what came before is kept.
    ///
    /// - Throws: what `body` throws; ``StoreError/Code/cannotWrite`` if the database rolled everything back on its
    ///   own, as it does on a full disk: the transaction is dead then.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        guard isLive else { throw StoreError.transactionEnded }
        try stop?.check()
        savepoints += 1
        defer { savepoints -= 1 }
        let depth = savepoints
        let (event, end) = (lastEvent, chainEnd)
        try live?.beginSavepoint(depth)
        do {
            let result = try body()
            try stillOpen()?.releaseSavepoint(depth)
            return result
        } catch {
            // What was undone may have been a change of the settings.
            settingsSnapshot = nil
            learntWords = []
            lastEvent = event
            chainEnd = end ?? firstEnd
            try stillOpen()?.rollBackToSavepoint(depth)
            throw error
        }
    }

    /// A full disk rolls back the transaction whole, under the feet of savepoints.
    ///
    /// - Returns: nil for one that has not begun.
    private func stillOpen() throws(StoreError) -> (any Connection)? {
        guard isLive else { throw .transactionEnded }
        guard let live else { return nil }
        guard live.isInTransaction else {
            end()
            throw .transactionLost
        }
        return live
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

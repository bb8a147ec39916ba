/// A library's store: what holds every record, and hands them out in transactions.
///
/// All work is synchronous and runs on the calling thread. Any thread may call; writers follow one another, and
/// readers do not wait for them (except in a memory store, which has a single connection).
package protocol Store: AnyObject, Sendable {
    /// Where the store is.
    var location: StoreLocation { get }

    /// Whether ``write(_:_:)`` is refused.
    var isReadOnly: Bool { get }

    /// What the store did by itself after connections were lost, since it was opened.
    var recoveries: Recoveries { get }

    /// Runs `body` in a transaction that may write, alone among all processes that use the store. It is run once: a
    /// driver never repeats it.
    ///
    /// Of transactions that share a commit each sees what those before it did, and is undone by itself if it fails.
    /// When this returns, everything `body` did is on the disk and will survive a loss of power. If `body` or the
    /// commit throws, nothing of it was kept. A ``StoreError`` of `body` that was not thrown inside a savepoint may end
    /// the transaction, even if `body` catches it.
    ///
    /// - Throws: ``StoreError`` (``StoreError/Code/locked`` if another process keeps the store busy), and what `body`
    ///   throws. A call inside another transaction of the same thread throws ``StoreError/Code/nested``.
    @discardableResult
    func write<T>(_ sharing: CommitSharing, _ body: (Transaction) throws -> T) throws -> T

    /// Runs `body` on a consistent snapshot of the store. The database itself refuses writes through it.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    @discardableResult
    func read<T>(_ body: (Transaction) throws -> T) throws -> T

    /// Answers a statement of a script from the ``ReportView``s, by what is committed: without any way to change
    /// anything, to read anything else or to use up more than its limits.
    ///
    /// - Parameter goesOn: asked now and then, where the database works within this process: false breaks the question
    ///   off.
    /// - Throws: ``SQLRefusal``; ``StoreError`` where the store fails.
    func ask(_ question: SQLQuery, goesOn: @escaping () -> Bool) throws -> SQLResult

    /// Makes sure that what was deleted or overwritten is gone from the store's files as well.
    ///
    /// Called after a person's data was removed. Waits for no one: while another process reads an old snapshot, what
    /// is left goes with the next call or the next check-point.
    func eraseTraces() throws

    /// Prepares for records by the hundred thousand, at the price of memory.
    func expectBulk() throws

    /// Ends the store after the transactions under way; every later use throws ``StoreError/Code/closed``.
    func close() throws
}

extension Store {
    /// Runs `body` in a transaction that commits alone.
    @discardableResult
    package func write<T>(_ body: (Transaction) throws -> T) throws -> T { try write(.alone, body) }

    /// Answers a question that nothing but its limits breaks off.
    package func ask(_ question: SQLQuery) throws -> SQLResult { try ask(question) { true } }

    /// Nothing: a server has its own memory.
    package func expectBulk() throws {}

    /// Nothing: there is no connection to lose.
    package var recoveries: Recoveries { Recoveries() }
}

/// How often a store made connections again and looked for commits that were not answered.
package struct Recoveries: Hashable, Sendable {
    /// Connections that were found to be gone.
    package var reconnected = 0
    /// Commits without an answer of which the store found out what became of them.
    package var resolvedCommits = 0

    package init() {}
}

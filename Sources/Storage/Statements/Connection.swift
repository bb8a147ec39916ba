import Circulation

/// One connection to a database, inside a transaction: what a driver offers to repositories.
protocol Connection: AnyObject, TableMoving {
    var dialect: Dialect { get }

    /// False once the database has rolled back on its own.
    var isInTransaction: Bool { get }

    /// Leases a prepared statement; the caller gives it back by ``PreparedStatement/release()``, on errors as well.
    func statement(_ query: Query) throws(StoreError) -> any PreparedStatement

    /// Runs statements that give no rows, such as a migration's.
    func execute(script: String) throws(StoreError)

    /// Makes the views anew, for those who might read them before.
    func remakeViews(_ fields: CustomFields) throws(StoreError)

    /// Whether it saves time to say beforehand what will be asked: see ``prefetch(_:)``.
    var canPrefetch: Bool { get }

    /// Sends reading statements together. Running one of them afterwards returns its rows, unless something was written
    /// in between.
    func prefetch(_ questions: [BoundQuery]) throws(StoreError)

    /// Runs a statement without waiting for its outcome, at the latest before the next one that is waited for
    /// or with the commit. If it fails, so do they.
    func post(_ query: Query, _ values: [StoredValue]) throws(StoreError)

    /// Inserts rows by a statement that may leave one out, without waiting for each.
    ///
    /// - Returns: for each row its key, or nil if it was left out.
    func insert(_ query: Query, _ rows: [[StoredValue]]) throws(StoreError) -> [Int64?]

    /// The key that the last insertion on this connection was given.
    var insertedID: Int64 { get }

    /// Waits until the event of a sequence, which this transaction has read, would survive a loss of power.
    func settle(event sequence: Int64) throws(StoreError)

    func beginSavepoint(_ depth: Int) throws(StoreError)
    func releaseSavepoint(_ depth: Int) throws(StoreError)
    func rollBackToSavepoint(_ depth: Int) throws(StoreError)

    /// What the database itself finds wrong in its files, in its own words; empty if nothing.
    func structuralFaults() throws(StoreError) -> [String]
    /// Rows whose reference leads nowhere.
    func brokenReferences() throws(StoreError) -> [BrokenReference]
}

extension Connection {
    func remakeViews(_ fields: CustomFields) throws(StoreError) {
        try execute(script: ReportView.droppingScript + "\n" + ReportView.makingScript(fields))
    }

    // Where the database is in the same process there is no way to be saved.
    var canPrefetch: Bool { false }

    func prefetch(_ questions: [BoundQuery]) throws(StoreError) {}

    func post(_ query: Query, _ values: [StoredValue]) throws(StoreError) {
        let statement = try statement(query)
        defer { statement.release() }
        try statement.bind(values)
        while try statement.step() {}
    }

    func insert(_ query: Query, _ rows: [[StoredValue]]) throws(StoreError) -> [Int64?] {
        var ids: [Int64?] = []
        ids.reserveCapacity(rows.count)
        for values in rows {
            let statement = try statement(query)
            defer { statement.release() }
            try statement.bind(values)
            while try statement.step() {}
            ids.append(statement.changes == 0 ? nil : insertedID)
        }
        return ids
    }

    /// Where nothing can be read before it is on the disk there is nothing to wait for.
    func settle(event sequence: Int64) throws(StoreError) {}
}

/// A row whose reference leads nowhere.
struct BrokenReference: Hashable, Sendable {
    var table: String
    var id: Int64?
    var target: String
}

/// A statement that the database has compiled.
protocol PreparedStatement: AnyObject {
    /// Binds all parameters, in order.
    func bind(_ values: [StoredValue]) throws(StoreError)
    /// Goes to the next row.
    ///
    /// - Returns: false when there is none.
    func step() throws(StoreError) -> Bool
    /// How many rows the statement inserted, updated or deleted, once it has run.
    var changes: Int { get }

    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func double(_ column: Int) -> Double
    func text(_ column: Int) -> String

    /// Ends the lease: the statement can be used again and holds no lock.
    func release()
}

import Dispatch

/// One transaction of SQLite and those whose work it holds, each undone by itself if it fails.
///
/// `@unchecked Sendable`: the writer that has the turn touches it, and the others only after they were told.
final class SQLiteBatch: @unchecked Sendable {
    private var begunAt = ContinuousClock.now
    private var count = 0
    private var isOpenToOthers: Bool
    private var isInTransaction = false
    private var members: [DispatchSemaphore] = []
    /// Why nothing of it was kept; nil if its commit is on the disk.
    private(set) var loss: StoreError?

    init(isOpenToOthers: Bool) {
        self.isOpenToOthers = isOpenToOthers
    }

    func takesMore(within bounds: SQLiteWriter.Bounds) -> Bool {
        isOpenToOthers && isInTransaction && loss == nil && count < bounds.count
            && ContinuousClock.now - begunAt < bounds.time
    }

    /// Runs `body` as the next one of the transaction; the first one begins it.
    func add<T>(on connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> SQLiteWriter.Work<T>) throws -> T
    {
        let isFirst = count == 0
        if isFirst {
            try connection.begin(writing: true)
            isInTransaction = true
            begunAt = .now
        } else {
            try connection.beginMember()
        }
        count += 1
        do {
            let work = try body(connection)
            if !isFirst { try connection.releaseMember() }
            if work.isLast { isOpenToOthers = false }
            return work.value
        } catch {
            if isFirst { undoAll(on: connection) } else { undoMember(on: connection, because: error) }
            throw error
        }
    }

    private func undoAll(on connection: SQLiteConnection) {
        connection.rollBack()
        isInTransaction = false
    }

    private func undoMember(on connection: SQLiteConnection, because cause: any Error) {
        guard connection.isInTransaction else {
            // SQLite has undone everybody's work, as it does on a full disk.
            return lose(on: connection, because: cause as? StoreError ?? .transactionLost)
        }
        do throws(StoreError) {
            try connection.rollBackMember()
        } catch {
            lose(on: connection, because: error)
        }
    }

    private func lose(on connection: SQLiteConnection, because cause: StoreError) {
        loss = cause
        undoAll(on: connection)
    }

    /// Commits what it holds, if anything.
    func end(on connection: SQLiteConnection) {
        guard isInTransaction else { return }
        do throws(StoreError) {
            try connection.commit()
            isInTransaction = false
        } catch {
            lose(on: connection, because: error)
        }
    }

    /// Called where nothing could be committed because the connection is gone.
    func lose(because cause: any Error) {
        if isInTransaction { loss = cause as? StoreError ?? .transactionLost }
    }

    /// Those who wait for it learn of the outcome.
    func member() -> DispatchSemaphore {
        let told = DispatchSemaphore(value: 0)
        members.append(told)
        return told
    }

    func tell() {
        for member in members { member.signal() }
    }
}

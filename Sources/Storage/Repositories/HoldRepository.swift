package import Circulation

/// Holds, open and past.
package struct HoldRepository: ImportedRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Hold>()
    private static let waitingFor = Query(
        """
        SELECT \(columns) FROM holds WHERE title = ? AND state = 'waiting'
        ORDER BY priority DESC, queued_at, id
        """)
    private static let openOfTitle = Query(
        """
        SELECT \(columns) FROM holds WHERE title = ? AND closed_at IS NULL
        ORDER BY CASE state WHEN 'shelf' THEN 0 WHEN 'transit' THEN 1 ELSE 2 END, priority DESC, queued_at, id
        """)
    private static let ofPatron = Query(
        "SELECT \(columns) FROM holds WHERE patron = ? AND closed_at IS NULL ORDER BY placed_at, id")
    private static let partOfTitle = Query(openOfTitle.text + " LIMIT ? OFFSET ?")
    private static let partOfPatron = Query(ofPatron.text + " LIMIT ? OFFSET ?")
    private static let notWaiting = Query(
        "SELECT COUNT(*) FROM holds WHERE title = ? AND closed_at IS NULL AND state <> 'waiting'")
    // The state stands in an expression, so that PostgreSQL takes the index of the patron's holds and not that of all
    // shelves.
    private static let readyCounted = Query(
        """
        SELECT COUNT(*) FROM (SELECT 1 FROM holds
            WHERE patron = ? AND closed_at IS NULL AND CASE state WHEN 'shelf' THEN 1 ELSE 0 END = 1 LIMIT ?) AS ready
        """)
    private static let ofCopy = Query(
        "SELECT \(columns) FROM holds WHERE copy = ? AND closed_at IS NULL ORDER BY priority DESC, queued_at, id")
    private static let ofHeldCopy = Query(
        "SELECT \(columns) FROM holds WHERE held_copy = ? AND state IN ('transit', 'shelf')")
    private static let unfetched = Query(
        """
        SELECT \(columns) FROM holds WHERE shelf_until < ? AND state = 'shelf' ORDER BY shelf_until, id LIMIT ?
        """)
    private static let setAside = Query(
        """
        SELECT \(columns) FROM holds WHERE state IN ('transit', 'shelf') AND held_copy > ? ORDER BY held_copy LIMIT ?
        """)
    private static let lapsed = Query(
        "SELECT \(columns) FROM holds WHERE expires_on < ? AND state = 'waiting' ORDER BY expires_on, id LIMIT ?")
    private static let titlesWaitedFor = Query(
        """
        SELECT DISTINCT holds.title FROM holds
        WHERE holds.state = 'waiting' AND holds.title > ? AND EXISTS (
            SELECT 1 FROM copies WHERE copies.title = holds.title AND copies.status = 'available')
        ORDER BY holds.title LIMIT ?
        """)
    /// The same of copies of one branch.
    private static let titlesWaitedForAt = Query(
        """
        SELECT DISTINCT holds.title FROM holds
        WHERE holds.state = 'waiting' AND holds.title > ? AND EXISTS (
            SELECT 1 FROM copies WHERE copies.title = holds.title AND copies.branch = ? AND copies.status = 'available')
        ORDER BY holds.title LIMIT ?
        """)
    private static let placedSince = Query("SELECT COUNT(*) FROM holds WHERE patron = ? AND placed_at >= ?")
    private static let openAtBranch = Query(
        "SELECT COUNT(*) FROM holds WHERE pickup_branch = ? AND closed_at IS NULL")

    private static let locking = Query("SELECT id FROM titles WHERE id = ? {forUpdate}")

    /// Makes other writers of this title's queue wait, where the database locks by rows. After patrons, before copies.
    package func lockQueue(title: Int64) throws(StoreError) {
        _ = try transaction.first(Self.locking, [.integer(title)]) { row in row.integer() }
    }

    /// How many copies lie ready for a patron, counted no further than a number.
    package func readyCount(patron: Int64, upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.readyCounted, [.integer(patron), .integer(most)])
    }

    /// The queue of a title: the holds that wait, suspended ones too, the first in line first.
    package func waiting(title: Int64) throws(StoreError) -> [Hold] { try all(Self.waitingFor, [.integer(title)]) }

    /// A title's open holds: those on the shelf, those on their way, then the queue.
    package func open(title: Int64) throws(StoreError) -> [Hold] { try all(Self.openOfTitle, [.integer(title)]) }

    /// A part of a title's open holds.
    package func open(title: Int64, _ part: ListPart) throws(StoreError) -> [Hold] {
        try all(Self.partOfTitle, [.integer(title)] + part.values)
    }

    /// How many of a title's open holds have a copy already.
    package func setAsideCount(title: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.notWaiting, [.integer(title)])
    }

    /// A part of a patron's open holds, the oldest first.
    package func open(patron: Int64, _ part: ListPart) throws(StoreError) -> [Hold] {
        try all(Self.partOfPatron, [.integer(patron)] + part.values)
    }

    /// A patron's open holds, the oldest first.
    package func open(patron: Int64) throws(StoreError) -> [Hold] { try all(Self.ofPatron, [.integer(patron)]) }

    /// Open holds that this copy alone can fill.
    package func open(copy: Int64) throws(StoreError) -> [Hold] { try all(Self.ofCopy, [.integer(copy)]) }

    /// The hold for which the copy is set aside; there is one at most.
    package func setAside(copy: Int64) throws(StoreError) -> Hold? {
        try first(Self.ofHeldCopy, [.integer(copy)])
    }

    /// Holds whose copy was not fetched from the shelf in time, the longest overdue first.
    package func unfetched(before instant: Instant, limit: Int64) throws(StoreError) -> [Hold] {
        try all(Self.unfetched, [.instant(instant), .integer(limit)])
    }

    /// Holds whose copy is on a shelf or on its way there, by the id of the copy.
    package func setAside(after copy: Int64, limit: Int64) throws(StoreError) -> [Hold] {
        try all(Self.setAside, [.integer(copy), .integer(limit)])
    }

    /// Waiting holds whose last day lies before `date`.
    package func lapsed(before date: CivilDate, limit: Int64) throws(StoreError) -> [Hold] {
        try all(Self.lapsed, [.date(date), .integer(limit)])
    }

    /// The next titles by id that have both holds waiting and copies available.
    ///
    /// - Parameter branch: where at least one of these copies is to stand; nil: anywhere.
    package func titlesToPull(
        after title: Int64, at branch: String? = nil, limit: Int64
    ) throws(StoreError) -> [Int64] {
        if let branch {
            return try transaction.all(
                Self.titlesWaitedForAt, [.integer(title), .text(branch), .integer(limit)]
            ) { row in row.integer() }
        }
        return try transaction.all(Self.titlesWaitedFor, [.integer(title), .integer(limit)]) { row in row.integer() }
    }

    /// How many holds a patron has placed from an instant on, whatever became of them.
    package func placed(by patron: Int64, since: Instant) throws(StoreError) -> Int64 {
        try transaction.number(Self.placedSince, [.integer(patron), .instant(since)])
    }

    /// How many open holds are to be picked up at a branch.
    package func openCount(pickupBranch: String) throws(StoreError) -> Int64 {
        try transaction.number(Self.openAtBranch, [.text(pickupBranch)])
    }
}

package import Circulation

/// Copies of titles. Past loans of a removed one stay, without it.
package struct CopyRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Copy>()
    private static let byBarcode = Query("SELECT \(columns) FROM copies WHERE barcode = ?")
    private static let ofTitle = Query("SELECT \(columns) FROM copies WHERE title = ? ORDER BY barcode")
    private static let partOfTitle = Query(ofTitle.text + " LIMIT ? OFFSET ?")
    private static let counted = Query("SELECT COUNT(*) FROM copies")
    // The first two differ in the branch alone, so that the index gives the first row without a sort.
    private static let availableHere = Query(
        """
        SELECT \(columns) FROM copies
        WHERE title = ? AND status = 'available' AND branch = ? ORDER BY barcode LIMIT 1
        """)
    private static let availableAnywhere = Query(
        "SELECT \(columns) FROM copies WHERE title = ? AND status = 'available' ORDER BY barcode LIMIT 1")
    private static let anyOne = Query(
        """
        SELECT \(columns) FROM copies WHERE title = ?
        ORDER BY CASE WHEN status IN ('withdrawn', 'lost') THEN 1 ELSE 0 END, barcode LIMIT 1
        """)
    private static let statuses = Query("SELECT status, COUNT(*) FROM copies WHERE title = ? GROUP BY status")
    private static let statusesOfTitles = Query(
        "SELECT title, status, COUNT(*) FROM copies WHERE {among title} GROUP BY title, status")

    /// What ``get(_:)`` asks.
    package func getting(_ id: Int64) -> BoundQuery { BoundQuery(Self.table.byKey, [.integer(id)]) }

    package func find(barcode: String) throws(StoreError) -> Copy? { try first(Self.byBarcode, [.text(barcode)]) }

    /// What ``find(barcode:)`` asks.
    package func finding(barcode: String) -> BoundQuery { BoundQuery(Self.byBarcode, [.text(barcode)]) }

    /// All copies of a title by barcode.
    package func of(title: Int64) throws(StoreError) -> [Copy] {
        try all(Self.ofTitle, [.integer(title)])
    }

    /// A part of the copies of a title, by barcode.
    package func of(title: Int64, _ part: ListPart) throws(StoreError) -> [Copy] {
        try all(Self.partOfTitle, [.integer(title)] + part.values)
    }

    /// The copy that a checkout of the title at `branch` would take: an available one of that branch, else an
    /// available one of another, in each case the first by barcode; if none is available, the first copy, one that is
    /// neither lost nor withdrawn if there is one; nil for a title without copies.
    package func candidate(title: Int64, branch: String) throws(StoreError) -> Copy? {
        if let here = try first(Self.availableHere, [.integer(title), .text(branch)]) { return here }
        if let elsewhere = try first(Self.availableAnywhere, [.integer(title)]) { return elsewhere }
        return try first(Self.anyOne, [.integer(title)])
    }

    /// What ``candidate(title:branch:)`` asks first.
    package func asking(title: RowNumber, branch: String) -> BoundQuery {
        BoundQuery(Self.availableHere, title, .text(branch))
    }

    /// What ``counts(title:)`` asks.
    func counting(title: RowNumber) -> BoundQuery { BoundQuery(Self.statuses, title) }

    /// How many copies the title has, counted now.
    package func counts(title: Int64) throws(StoreError) -> CopyCounts {
        var counts = CopyCounts(copies: 0, available: 0, onLoan: 0)
        try transaction.each(Self.statuses, [.integer(title)]) { row throws(StoreError) in
            try counts.add(&row)
            return true
        }
        return counts
    }

    /// How many copies each of these titles has, counted now; nothing of one without copies.
    func counts(titles: [Int64]) throws(StoreError) -> [Int64: CopyCounts] {
        var counts: [Int64: CopyCounts] = [:]
        let question = counting(titles: titles)
        try transaction.each(question.query, question.values) { row throws(StoreError) in
            try counts[row.integer(), default: CopyCounts(copies: 0, available: 0, onLoan: 0)].add(&row)
            return true
        }
        return counts
    }

    /// What ``counts(titles:)`` asks.
    func counting(titles: [Int64]) -> BoundQuery { BoundQuery(Self.statusesOfTitles, [.numbers(titles)]) }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    // Each reads the whole table, for reports that are asked for once.

    /// How many copies there are of each branch.
    package func countsByBranch() throws(StoreError) -> [String: Int64] {
        try transaction.counts(Query(once: "SELECT branch, COUNT(*) FROM copies GROUP BY branch"))
    }

    /// How many copies there are of each item type.
    package func countsByItemType() throws(StoreError) -> [String: Int64] {
        try transaction.counts(Query(once: "SELECT item_type, COUNT(*) FROM copies GROUP BY item_type"))
    }
}

extension CopyRepository {
    private static let statusChange = Query("UPDATE copies SET status = ? WHERE id = ?")

    /// Writes a copy's status; nothing if no copy has that id.
    package func setStatus(_ status: CopyStatus, of id: Int64) throws(StoreError) {
        try transaction.post(Self.statusChange, [.choice(status), .integer(id)])
    }
}

extension CopyCounts {
    /// Adds the number of copies of a status.
    fileprivate mutating func add(_ row: inout RowReader) throws(StoreError) {
        let status: CopyStatus = try row.choice()
        let count = row.integer()
        switch status {
        case .available: available = count
        case .onLoan: onLoan = count
        case .onHoldShelf, .inTransit: break
        case .lost:
            lost = count
            return
        case .withdrawn: return
        }
        copies += count
    }
}

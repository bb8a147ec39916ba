extension Transaction {
    /// Makes the views anew, with columns for the fields that are in force now, and has what they refer to in indexes.
    func remakeViews() throws(StoreError) {
        let fields = try plugins.customFields()
        try connection().remakeViews(fields)
        try customFields.index(fields)
    }

    /// Runs a statement that gives no rows.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func execute(_ query: Query, _ values: [StoredValue] = []) throws(StoreError) -> Int {
        let statement = try connection().statement(query)
        defer { statement.release() }
        try statement.bind(values)
        while try statement.step() {}
        return statement.changes
    }

    /// Runs a statement that gives no rows and that cannot fail but for a fault, without waiting for it.
    func post(_ query: Query, _ values: [StoredValue]) throws(StoreError) {
        try connection().post(query, values)
    }

    /// The first row, read by `read`, or nil if there is none.
    func first<T>(
        _ question: BoundQuery, _ read: (inout RowReader) throws(StoreError) -> T
    ) throws(StoreError) -> T? {
        try first(question.query, question.values, read)
    }

    /// Inserts one row.
    ///
    /// - Returns: its key, or nil if `ON CONFLICT DO NOTHING` left things as they were.
    func insert(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> Int64? {
        let connection = try connection()
        let statement = try connection.statement(query)
        defer { statement.release() }
        try statement.bind(values)
        while try statement.step() {}
        return statement.changes == 0 ? nil : connection.insertedID
    }

    /// Calls `body` for each row until it returns false.
    ///
    /// The statement stays open meanwhile: `body` must not write to the tables that it reads.
    func each(
        _ query: Query, _ values: [StoredValue] = [], _ body: (inout RowReader) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let statement = try connection().statement(query)
        defer { statement.release() }
        try statement.bind(values)
        while try statement.step() {
            try checkStop()
            var row = RowReader(statement)
            guard try body(&row) else { return }
        }
    }

    /// All rows, read by `read`.
    func all<T>(
        _ query: Query, _ values: [StoredValue] = [], _ read: (inout RowReader) throws(StoreError) -> T
    ) throws(StoreError) -> [T] {
        var rows: [T] = []
        let statement = try connection().statement(query)
        defer { statement.release() }
        try statement.bind(values)
        while try statement.step() {
            var row = RowReader(statement)
            rows.append(try read(&row))
        }
        return rows
    }

    /// The first row, read by `read`, or nil if there is none.
    func first<T>(
        _ query: Query, _ values: [StoredValue] = [], _ read: (inout RowReader) throws(StoreError) -> T
    ) throws(StoreError) -> T? {
        let statement = try connection().statement(query)
        defer { statement.release() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        var row = RowReader(statement)
        return try read(&row)
    }

    /// The number in the first column of the first row; 0 if there is no row.
    func number(_ query: Query, _ values: [StoredValue] = []) throws(StoreError) -> Int64 {
        try first(query, values) { row in row.integer() } ?? 0
    }

    /// The numbers that a query gives for each code.
    func counts(_ query: Query) throws(StoreError) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        try each(query, []) { row throws(StoreError) in
            counts[row.text()] = row.integer()
            return true
        }
        return counts
    }

    /// Calls `body` for each record in pages, so that no statement is open while it runs and it may write.
    ///
    /// - Parameters:
    ///   - page: the next records after the last one, nil at the start; an empty page ends it.
    func inPages<Record>(
        _ page: (Record?) throws(StoreError) -> [Record], _ body: (Record) throws -> Bool
    ) throws {
        var last: Record?
        while true {
            let records = try page(last)
            guard let end = records.last else { return }
            for record in records {
                guard try body(record) else { return }
            }
            last = end
        }
    }

    /// How many records a stream reads at a time.
    package static let pageSize: Int64 = 256
}

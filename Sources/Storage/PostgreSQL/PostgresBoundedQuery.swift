/// A question in words that keep its answer within limits: the server counts the bytes, and sends no value that is larger
/// than it may be, and none once the answer is. libpq would take in whatever comes, a value of a gigabyte as well.
struct PostgresBoundedQuery {
    struct Column: Hashable {
        var name: String
        /// The number of its type.
        var type: UInt32
    }

    /// How many bytes one value may have, as over SQLite.
    static let mostBytesOfValue = 1_000_000

    /// The columns of the answer, as the question has them. Two more follow, which ``Verdict`` reads.
    let columns: [Column]
    /// The statement.
    let text: String

    /// - Parameter question: a statement that the server has read and found to be one.
    init(_ question: String, columns: [Column], bytes: Int) {
        self.columns = columns
        let names = columns.indices.map { "c\($0)" }
        let sizes = zip(names, columns).filter { !Self.fixed.contains($1.type) }.map { name, _ in
            "COALESCE(pg_catalog.octet_length(\(name)::text), 0)"
        }
        let largest = sizes.isEmpty ? "0" : "GREATEST(\(sizes.joined(separator: ", ")))"
        let row = (sizes + ["\(16 * names.count)"]).joined(separator: " + ")
        let list = names.joined(separator: ", ")
        let shown = names.map { "CASE WHEN largest <= \(Self.mostBytesOfValue) AND total <= \(bytes) THEN \($0) END" }
        // Behind OFFSET 0 nothing is worked out twice; the line break ends a comment at the question's end.
        text = """
            SELECT \(shown.joined(separator: ", ")), largest > \(Self.mostBytesOfValue), total > \(bytes)
            FROM (SELECT \(list), \(largest) AS largest,
                    SUM((\(row))::bigint) OVER (ROWS UNBOUNDED PRECEDING) AS total
                FROM (SELECT * FROM (\(PostgresParameters.withoutLastSemicolon(question))
                    ) AS question (\(list)) OFFSET 0) AS answer) AS measured
            """
    }

    /// Types whose values are small: whole numbers, other numbers, flags, dates and times, UUIDs.
    private static let fixed: Set<UInt32> = [
        16, 18, 20, 21, 23, 26, 700, 701, 1_082, 1_083, 1_114, 1_184, 1_186, 1_266, 2_950,
    ]

    /// What a row says of itself beside its values.
    ///
    /// - Throws: ``SQLRefusal`` for a row that is too much.
    static func check(_ part: PostgresResult, row: Int, columns: Int, _ limits: SQLLimits) throws(SQLRefusal) {
        if part.text(row, columns) == "t" { throw .tooLargeValue }
        if part.text(row, columns + 1) == "t" { throw .tooManyBytes(limits.bytes) }
    }
}

/// Proves that the floor did the same work: the rows that it wrote are ours.
enum RowComparison {
    /// What a checkout writes. Events carry a request's id, which each run makes anew.
    static let tables = [
        ("loans", "*"), ("copies", "*"), ("decision_log", "*"),
        ("events", "sequence, at, actor, channel, kind, version, payload, ordinal, patron, copy, loan"),
    ]

    /// What a sweep writes.
    static let ofSweep = [
        ("notices", "*"), ("ledger", "*"),
        ("events", "sequence, at, actor, channel, kind, version, payload, ordinal, patron, copy, loan"),
    ]

    static func check(
        _ floor: FloorStore, against path: String, _ tables: [(String, String)] = Self.tables
    ) throws {
        try floor.execute("ATTACH '\(path.replacing("'", with: "''"))' AS ours")
        for (table, columns) in tables {
            let ours = "SELECT \(columns) FROM ours.\(table)"
            let floors = "SELECT \(columns) FROM main.\(table)"
            for (left, right) in [(ours, floors), (floors, ours)] {
                let count = try floor.number("SELECT count(*) FROM (\(left) EXCEPT \(right))")
                guard count == 0 else {
                    throw BenchFailure("the floor wrote other \(table) than we did: \(count) rows")
                }
            }
        }
        try floor.execute("DETACH ours")
    }
}

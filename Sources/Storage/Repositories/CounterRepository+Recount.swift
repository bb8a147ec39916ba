import Circulation

extension CounterRepository {
    private static let isInUse = Query("SELECT COUNT(*) FROM (SELECT 1 FROM circulation_days LIMIT 1) AS first")

    /// Counts all of the past anew, by the days of the library's zone.
    ///
    /// What rises by itself needs this where there is a past already: once as the counters come into a store, and after
    /// the zone was changed.
    package func recount() throws(StoreError) {
        guard transaction.derived.hasCounters else { return }
        try transaction.execute(Query(once: "DELETE FROM circulation_days"))
        try transaction.execute(Query(once: "DELETE FROM title_lendings"))
        for part in try parts() {
            try transaction.execute(Query(once: part.fillingDays))
            try transaction.execute(Query(once: part.fillingTitles))
        }
    }

    /// Counts anew what is counted, if anything is.
    func recountKnown() throws(StoreError) {
        if try transaction.number(Self.isInUse) > 0 { try recount() }
    }

    /// Rows that do not hold what they must, of each table at most `limit`.
    func findings(limit: Int64) throws(StoreError) -> [IntegrityFinding] {
        var findings: [IntegrityFinding] = []
        let parts = try parts()
        for (table, key) in [("circulation_days", Self.dayKey), ("title_lendings", Self.titleKey)] {
            let before = findings.count
            for part in parts where findings.count - before < limit {
                let text = table == "title_lendings" ? part.wrongTitles : part.wrongDays
                findings += try transaction.all(
                    Query(once: text), [.integer(limit - Int64(findings.count - before))]
                ) { row in Self.finding(table, key, &row) }
            }
        }
        return findings
    }

    private func parts() throws(StoreError) -> [CirculationRecount] {
        let zone = try transaction.settings.library()?.zone ?? .utc
        return try CirculationRecount.all(in: transaction, zone: zone)
    }

    private static func finding(_ table: String, _ key: [String], _ row: inout RowReader) -> IntegrityFinding {
        let words = key.map { column -> String in
            switch column {
            case "day":
                let day = row.integer()
                return (try? CivilDate(dayNumber: day))?.description ?? "\(day)"
            case "title", "year": return "\(row.integer())"
            default: return row.text()
            }
        }
        let differences = measures.compactMap { measure -> String? in
            let missing = row.integer()
            guard missing != 0 else { return nil }
            let name = measure.replacing("_", with: " ")
            return "\(missing.magnitude) \(name) too \(missing > 0 ? "few" : "many")"
        }
        return IntegrityFinding(
            invariant: "counters", table: table, id: words.map { $0.isEmpty ? "-" : $0 }.joined(separator: " "),
            message: "counts \(differences.joined(separator: ", "))")
    }
}

package import Circulation

// By the clock and the calendar of a zone: the database counts by the quarter of an hour, of which all zones' offsets are
// multiples, and what these are in the zone is worked out here.
extension StatisticsRepository {
    private static let quarter: Int64 = 900_000_000

    /// Loans that were made here, and the returns of such, by weekday and hour, in the order of the week; hours without
    /// any are left out. Imported history rarely knows the hour.
    package func byHour(
        from: CivilDate?, to: CivilDate?, zone: Zone, branch: String? = nil
    ) throws(StoreError) -> [HourOfWeek] {
        let range = try InstantRange(from: from, to: to, zone: zone)
        var hours: [Int: HourOfWeek] = [:]
        for (column, count) in [("lent_at", \HourOfWeek.loans), ("returned_at", \HourOfWeek.returns)] {
            let text = """
                SELECT loans.\(column) / \(Self.quarter) AS quarter, COUNT(*) FROM loans
                WHERE loans.\(column) >= ? AND loans.\(column) < ? AND loans.import_key IS NULL
                    \(branch == nil ? "" : "AND loans.branch = ?")
                GROUP BY loans.\(column) / \(Self.quarter)
                """
            let values = range.values + (branch.map { [StoredValue.text($0)] } ?? [])
            try transaction.each(Query(once: text, isLong: true), values) { row throws(StoreError) in
                let local = zone.local(of: Instant(microseconds: row.integer() * Self.quarter))
                let (weekday, hour) = (local.date.weekday, Int(local.time.secondsSinceMidnight) / 3_600)
                let place = weekday.rawValue * 24 + hour
                hours[place, default: HourOfWeek(weekday: weekday, hour: hour)][keyPath: count] += row.integer()
                return true
            }
        }
        return hours.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Patrons who joined by month and the category that they have now, in the order of the months and the categories.
    package func newPatrons(from: CivilDate?, to: CivilDate?, zone: Zone) throws(StoreError) -> [MonthOfPatrons] {
        let range = try InstantRange(from: from, to: to, zone: zone)
        let text = """
            SELECT events.at / \(Self.quarter) AS quarter, patrons.category, COUNT(*)
            FROM events LEFT JOIN patrons ON patrons.id = events.patron
            WHERE \(EventRepository.isOfNewPatron) AND events.at >= ? AND events.at < ? AND events.patron IS NOT NULL
            GROUP BY events.at / \(Self.quarter), patrons.category
            """
        var months: [String: [String?: Int64]] = [:]
        try transaction.each(Query(once: text, isLong: true), range.values) { row throws(StoreError) in
            let date = zone.date(of: Instant(microseconds: row.integer() * Self.quarter))
            let month = String(date.description.dropLast(3))
            months[month, default: [:]][row.optionalText(), default: 0] += row.integer()
            return true
        }
        return months.sorted { $0.key < $1.key }.flatMap { month, counts in
            counts.sorted { ($0.key ?? "") < ($1.key ?? "") }.map {
                MonthOfPatrons(month: month, category: $0.key, count: $0.value)
            }
        }
    }
}

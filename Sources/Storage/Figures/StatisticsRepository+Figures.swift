package import Circulation
import TextFormats

extension StatisticsRepository {
    /// Adds up what a report counts by one or two dimensions. Of circulation the counters answer where they know.
    ///
    /// - Parameters:
    ///   - zone: the library's, in whose days to count.
    ///   - now: the moment as which what is counted now is seen.
    /// - Returns: nil for more than ``FigureSums/mostCells``.
    package func figures(_ query: FigureQuery, zone: Zone, now: Instant) throws(StoreError) -> FigureSums? {
        let statement = try FigureStatement(query, zone: zone, now: now)
        var sums = FigureSums()
        var hasRoom = true
        var reader = FigureKeys(zone: zone)
        try transaction.each(Query(once: statement.text, isLong: true), statement.values) { row throws(StoreError) in
            var moment: (date: CivilDate, hour: Int)?
            switch statement.time {
            case .day?: moment = (try row.date(), 0)
            case .quarter?: moment = reader.local(ofQuarter: row.integer())
            case nil: break
            }
            var keys: [[String]] = []
            for dimension in query.dimensions {
                if let moment, dimension.isOfTime {
                    keys.append([FigureKeys.key(of: dimension, moment.date, hour: moment.hour)])
                } else {
                    keys.append(try reader.keys(of: row.optionalText() ?? "", isList: dimension.isSeveral))
                }
            }
            let value = row.integer()
            if value != 0 { hasRoom = sums.add(value, rows: keys[0], columns: keys.count > 1 ? keys[1] : []) }
            return hasRoom
        }
        return hasRoom ? sums : nil
    }
}

/// The keys of rows and columns out of what the database says.
private struct FigureKeys {
    private let zone: Zone
    /// Many titles have the same list: it is read once.
    private var known: [String: [String]] = [:]
    private static let mostKnown = 50_000

    init(zone: Zone) { self.zone = zone }

    func local(ofQuarter quarter: Int64) -> (date: CivilDate, hour: Int) {
        let local = zone.local(of: Instant(microseconds: quarter * FigureStatement.quarter))
        return (local.date, Int(local.time.secondsSinceMidnight) / 3_600)
    }

    /// `2026-12-24`, `2026-W52`, `2026-12`, `2026`, `1` for Monday, `09` for the hour from nine on.
    static func key(of dimension: FigureDimension, _ date: CivilDate, hour: Int) -> String {
        if dimension == .weekday { return String(date.weekday.rawValue) }
        if dimension == .hour { return hour < 10 ? "0\(hour)" : String(hour) }
        return dimension.period.flatMap { StatisticsPeriod.key(of: $0, on: date) } ?? FigureSums.unknown
    }

    mutating func keys(of words: String, isList: Bool) throws(StoreError) -> [String] {
        guard isList else { return [words.isEmpty ? FigureSums.unknown : words] }
        if let known = known[words] { return known }
        // Courses are pairs of a code and a name.
        let list = words.isEmpty ? [] : try RowReader.parsed(words).arrayValue ?? []
        var seen: Set<String> = []
        let keys = list.compactMap { $0.stringValue ?? $0.arrayValue?.first?.stringValue }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
        if known.count >= Self.mostKnown { known.removeAll() }
        known[words] = keys.isEmpty ? [FigureSums.unknown] : keys
        return keys.isEmpty ? [FigureSums.unknown] : keys
    }
}

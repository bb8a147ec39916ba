import Circulation

/// Circulation counted as it happens, so that no report reads the loans of twenty years to learn how many there were:
/// `circulation_days` by civil day of the library's zone, branch, category and item type, `title_lendings` by title, year
/// and branch.
///
/// The repositories that write loans, uses in the house and events of renewals keep them, in the same transaction. At any
/// time they hold what ``CirculationRecount`` gives, which `doctor` checks. Of the row of a title or code that is removed
/// nothing is lost: loans that lose their title count under none.
package struct CounterRepository {
    let transaction: Transaction

    /// The columns that count, in the order of ``Circulation/LoanMeasure``.
    static let measures = LoanMeasure.allCases.map(\.rawValue)
    static let dayKey = ["day", "branch", "category", "item_type"]
    static let titleKey = ["title", "year", "branch"]

    private static let dayRise = Query(
        "\(insertion("circulation_days", dayKey)) VALUES (?, ?, ?, ?, ?, ?, ?, ?) \(adding("circulation_days", dayKey))"
    )
    private static let titleRise = Query(
        "\(insertion("title_lendings", titleKey)) VALUES (?, ?, ?, ?, ?, ?, ?) \(adding("title_lendings", titleKey))")
    private static let untitling = Query(
        """
        \(insertion("title_lendings", titleKey)) SELECT 0, year, branch, \(measures.joined(separator: ", "))
        FROM title_lendings WHERE title = ? \(adding("title_lendings", titleKey))
        """)
    private static let titleRemoval = Query("DELETE FROM title_lendings WHERE title = ?")

    static func insertion(_ table: String, _ key: [String]) -> String {
        "INSERT INTO \(table) (\((key + measures).joined(separator: ", ")))"
    }

    /// What is there already rises by what comes.
    private static func adding(_ table: String, _ key: [String]) -> String {
        let sums = measures.map { "\($0) = \(table).\($0) + excluded.\($0)" }
        return "ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(sums.joined(separator: ", "))"
    }
}

extension CounterRepository {
    /// Counts movements; those that are counted alike are written together.
    func add(_ movements: [Movement]) throws(StoreError) {
        guard transaction.derived.hasCounters, !movements.isEmpty else { return }
        let zone = try transaction.settings.snapshot().library.zone
        var days = Rises()
        var titles = Rises()
        for movement in movements {
            let date = zone.date(of: movement.at)
            let facts = movement.facts
            let branch = StoredValue.text(facts.branch ?? "")
            days.add(
                movement,
                under: [.date(date), branch, .text(facts.category ?? ""), .text(facts.itemType ?? "")])
            titles.add(movement, under: [.integer(facts.title ?? 0), .integer(Int64(date.year)), branch])
        }
        for row in days.rows { try transaction.post(Self.dayRise, row) }
        for row in titles.rows { try transaction.post(Self.titleRise, row) }
    }

    /// Counts the renewal of a loan of which an event tells, which is written already. An imported loan then has one fewer
    /// of which none does.
    func addRenewal(of id: Int64, at moment: Instant) throws(StoreError) {
        guard transaction.derived.hasCounters, let loan = try transaction.loans.get(id) else { return }
        var movements = [loan.renewal(at: moment)]
        if loan.importKey != nil {
            let dated = try transaction.events.renewalCount(of: id)
            movements += loan.undatedRenewals(dated: dated - 1).map(\.reversed)
            movements += loan.undatedRenewals(dated: dated)
        }
        try add(movements)
    }

    /// Loans of a title that was removed are of none from now on.
    func forget(title: Int64) throws(StoreError) {
        guard transaction.derived.hasCounters, title != 0 else { return }
        try transaction.execute(Self.untitling, [.integer(title)])
        try transaction.execute(Self.titleRemoval, [.integer(title)])
    }
}

/// By how much rows rise: a movement changes one, and several often the same.
private struct Rises {
    private var keys: [[StoredValue]] = []
    private var counts: [[Int64]] = []

    mutating func add(_ movement: Movement, under key: [StoredValue]) {
        let place = LoanMeasure.allCases.firstIndex(of: movement.measure) ?? 0
        if let index = keys.firstIndex(of: key) {
            counts[index][place] += movement.times
        } else {
            keys.append(key)
            counts.append(LoanMeasure.allCases.indices.map { $0 == place ? movement.times : 0 })
        }
    }

    /// The values of the rows that change.
    var rows: [[StoredValue]] {
        zip(keys, counts).filter { $1.contains { $0 != 0 } }.map { key, counts in
            key + counts.map { .integer($0) }
        }
    }
}

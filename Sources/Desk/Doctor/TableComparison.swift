import Circulation
import Storage
import TextFormats

/// Compares the tables that the events lead to with those that are there. Rows are compared by what events tell of them.
struct TableComparison {
    let events: Transaction
    let tables: Transaction
    let limit: Int

    func run(into report: inout DoctorReport) throws {
        try compareSettings(&report)
        try compare(\.titles, &report)
        try compare(\.copies, &report)
        try compare(\.patrons, &report)
        try compare(\.blocks, &report)
        try compare(\.loans, &report)
        try compare(\.holds, &report)
        try compare(\.inHouseUses, &report)
        try compare(\.listings, &report)
        try compare(\.orders, &report)
        try compare(\.rentals, &report)
        try compare(\.carts, &report)
        try compare(\.favourites, &report)
        try compare(\.suggestions, &report)
        try compare(\.notices, &report)
        try compare(\.ledger, &report)
        try compare("policy_activations", &report) { transaction, rows in
            for activation in try transaction.policies.history() {
                rows.add(activation.id) { $0.members(of: activation) }
            }
        }
    }

    /// Goes along both tables by id, so that of neither more than a page is in memory.
    private func compare<Rows: RecordRepository>(
        _ rows: KeyPath<Transaction, Rows>, _ report: inout DoctorReport
    ) throws {
        var differences = RowDifferences(table: Rows.Record.declaration.table)
        var expected = RecordCursor(events[keyPath: rows])
        var found = RecordCursor(tables[keyPath: rows])
        var (left, right) = (try expected.next(), try found.next())
        while differences.broken.count < limit, left != nil || right != nil {
            if let record = left, right.map({ record.id < $0.id }) ?? true {
                differences.missing("\(record.id)")
                left = try expected.next()
            } else if let record = right, left.map({ record.id < $0.id }) ?? true {
                differences.untold("\(record.id)")
                right = try found.next()
            } else if let record = left, let other = right {
                differences.compare("\(record.id)", { $0.members(of: record) }, { $0.members(of: other) })
                (left, right) = (try expected.next(), try found.next())
            }
        }
        report.broken += differences.broken
    }

    private func compareSettings(_ report: inout DoctorReport) throws {
        try compare("settings", &report) { transaction, rows in
            guard let library = try transaction.settings.library() else { return }
            rows.add("library") { library.writeMembers(to: &$0) }
        }
        // Their order matters too: the first branch is where requests without one are made.
        try compare(Branch.self, &report)
        try compare(Category.self, &report)
        try compare(ItemType.self, &report)
    }

    private func compare<Entry: StoredCode>(_ type: Entry.Type, _ report: inout DoctorReport) throws {
        try compare(Entry.declaration.table, &report) { transaction, rows in
            for (place, entry) in try transaction.settings.all(type).enumerated() {
                rows.add(entry.code, place) { $0.members(of: entry) }
            }
        }
    }

    private func compare(
        _ table: String, _ report: inout DoctorReport, _ read: (Transaction, TableRows) throws -> Void
    ) throws {
        let (expected, found) = (TableRows(), TableRows())
        try read(events, expected)
        try read(tables, found)
        report.broken += expected.differences(from: found, in: table, limit: limit)
    }
}

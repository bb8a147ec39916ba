import Circulation
import Storage
import TextFormats

/// Compares the tables that the events lead to with those that are there. Rows are compared by what events tell of them.
struct TableComparison {
    private let examination: Examination

    init(_ examination: Examination) { self.examination = examination }

    func run() throws {
        try compareSettings()
        try compare(\.titles)
        try compare(\.copies)
        try compare(\.patrons)
        try compare(\.blocks)
        try compare(\.patronLinks)
        try compare(\.loans)
        try compare(\.holds)
        try compare(\.inHouseUses)
        try compare(\.listings)
        try compare(\.orders)
        try compare(\.rentals)
        try compare(\.carts)
        try compare(\.favourites)
        try compare(\.suggestions)
        try compare(\.ratings)
        try compare(\.ratingTotals)
        try compare(\.titleLists)
        try compare(\.listedTitles)
        try compare(\.conversations)
        try compare(\.messages)
        try compare(\.blockedWriters)
        try compare(\.notices)
        try compare(\.ledger)
        try compare("policy_activations") { transaction, rows in
            for activation in try transaction.policies.history() {
                rows.add(activation.id) { $0.members(of: activation) }
            }
        }
    }

    /// Goes along both tables by id, a page at a time.
    private func compare<Rows: RecordRepository>(_ rows: KeyPath<Transaction, Rows>) throws {
        var differences = RowDifferences(table: Rows.Record.declaration.table)
        var last: Int64? = .min
        while let id = last, differences.broken.count < examination.limit {
            last = try examination.together { tables, events in
                try comparePage(events[keyPath: rows], tables[keyPath: rows], after: id, &differences)
            }
        }
        examination.report.broken += differences.broken.prefix(examination.limit)
    }

    /// - Returns: up to which id both sides were compared; nil if nothing comes behind.
    private func comparePage<Rows: RecordRepository>(
        _ events: Rows, _ tables: Rows, after id: Int64, _ differences: inout RowDifferences
    ) throws -> Int64? {
        let size = Transaction.pageSize
        var expected = try events.page(after: id, limit: size)[...]
        var found = try tables.page(after: id, limit: size)[...]
        // Behind the end of a full page of one side, the other one's next rows may be missing or not.
        let end = [expected, found].filter { $0.count == size }.compactMap(\.last?.id).min()
        while let next = [expected.first?.id, found.first?.id].compactMap({ $0 }).min(), next <= end ?? .max {
            let left = expected.first?.id == next ? expected.popFirst() : nil
            let right = found.first?.id == next ? found.popFirst() : nil
            if let left, let right {
                // Most are the same to the last field. What is personal, and so in no event, may differ.
                guard left != right else { continue }
                differences.compare("\(next)", { $0.members(of: left) }, { $0.members(of: right) })
            } else if left != nil {
                differences.missing("\(next)")
            } else {
                differences.untold("\(next)")
            }
        }
        return end
    }

    private func compareSettings() throws {
        try compare("settings") { transaction, rows in
            guard let library = try transaction.settings.library() else { return }
            rows.add("library") { library.writeMembers(to: &$0) }
        }
        // Their order matters too: the first branch is where requests without one are made.
        for kind in SettingsRepository.kinds { try compare(kind) }
    }

    private func compare<Entry: StoredCode>(_ type: Entry.Type) throws {
        try compare(Entry.declaration.table) { transaction, rows in
            for (place, entry) in try transaction.settings.all(type).enumerated() {
                rows.add(entry.code, place) { $0.members(of: entry) }
            }
        }
    }

    private func compare(_ table: String, _ read: (Transaction, TableRows) throws -> Void) throws {
        let (expected, found) = (TableRows(), TableRows())
        try examination.together { tables, events in
            try read(events, expected)
            try read(tables, found)
        }
        examination.report.broken += expected.differences(from: found, in: table, limit: examination.limit)
    }
}

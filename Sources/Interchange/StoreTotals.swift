package import Circulation
import Desk
import Storage
package import TextFormats

/// How much is in a store, counted in its tables.
package struct StoreTotals: Hashable, Sendable {
    package var titles: Int64 = 0
    package var copies: Int64 = 0
    package var patrons: Int64 = 0
    package var loans: Int64 = 0
    package var openLoans: Int64 = 0
    package var debtors: Int64 = 0
    package var owed: Money
    package var copiesByBranch: [String: Int64] = [:]
    package var copiesByItemType: [String: Int64] = [:]
    package var patronsByCategory: [String: Int64] = [:]

    /// Reads titles, copies and patrons page by page, so that memory does not grow with them.
    init(of session: DeskSession) throws {
        let transaction = session.transaction
        let debts = try session.fees.debtTotal()
        (debtors, owed) = (debts.patrons, debts.owed)
        (loans, openLoans) = (try transaction.loans.count(), try transaction.loans.openCount())
        try Self.each(transaction.titles) { _ in titles += 1 }
        try Self.each(transaction.copies) { copy in
            copies += 1
            copiesByBranch[copy.branch, default: 0] += 1
            copiesByItemType[copy.itemType, default: 0] += 1
        }
        try Self.each(transaction.patrons) { patron in
            patrons += 1
            patronsByCategory[patron.category, default: 0] += 1
        }
    }

    private static func each<Rows: RecordRepository>(_ rows: Rows, _ body: (Rows.Record) -> Void) throws {
        var last: Int64? = .min
        while let id = last {
            let page = try rows.page(after: id, limit: 500)
            for record in page { body(record) }
            last = page.count < 500 ? nil : page.last?.id
        }
    }

    /// The shape that programs read.
    package var json: JSON {
        [
            "titles": .integer(titles), "copies": .integer(copies), "patrons": .integer(patrons),
            "loans": .integer(loans), "open_loans": .integer(openLoans), "debtors": .integer(debtors),
            "owed": .string(owed.description),
        ]
    }
}

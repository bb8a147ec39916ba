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

    init(of session: DeskSession) throws {
        let transaction = session.transaction
        let debts = try session.fees.debtTotal()
        (debtors, owed) = (debts.patrons, debts.owed)
        (loans, openLoans) = (try transaction.loans.count(), try transaction.loans.openCount())
        (titles, copies) = (try transaction.titles.count(), try transaction.copies.count())
        copiesByBranch = try transaction.copies.countsByBranch()
        copiesByItemType = try transaction.copies.countsByItemType()
        patronsByCategory = try transaction.patrons.countsByCategory()
        patrons = patronsByCategory.values.reduce(0, +)
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

package import Circulation
import Storage

/// A patron who owes something.
package struct Debtor: Hashable, Sendable {
    package var patron: Patron
    package var owed: Money
}

/// What all patrons together owe. What the library owes to some is not taken off.
package struct DebtTotal: Hashable, Sendable {
    /// How many owe something.
    package var patrons: Int64
    package var owed: Money
}

extension FeeService {
    /// Patrons who owe something, those who owe most first, then by number.
    ///
    /// - Parameters:
    ///   - least: only those who owe so much.
    ///   - category: only patrons of it.
    /// - Throws: ``DeskError`` if `least` is in another currency than the library's.
    package func debtors(
        least: Money? = nil, category: String? = nil, _ part: ListPart = ListPart(limit: 100)
    ) throws -> [Debtor] {
        let currency = try session.settingsSnapshot().library.currency
        if let least, least.currency != currency {
            throw DeskError.input("least", "The library's currency is \(currency.code).")
        }
        let debts = try session.transaction.ledger.debts(
            least: least?.minorUnits ?? 1, category: category, part)
        return try debts.compactMap { debt in
            try session.transaction.patrons.get(debt.patron).map {
                Debtor(patron: $0, owed: Money(minorUnits: debt.owed, currency: currency))
            }
        }
    }

    /// How many patrons owe something, and what they owe together.
    package func debtTotal(category: String? = nil) throws -> DebtTotal {
        let currency = try session.settingsSnapshot().library.currency
        let total = try session.transaction.ledger.debtTotal(category: category)
        return DebtTotal(patrons: total.patrons, owed: Money(minorUnits: total.owed, currency: currency))
    }
}

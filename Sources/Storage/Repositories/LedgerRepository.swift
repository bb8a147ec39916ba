package import Circulation

/// The patrons' accounts: a ledger, whose sums are the balances. A key is posted once; the caller sees to it that the currency
/// is the library's.
package struct LedgerRepository: OnceRepository {
    package let transaction: Transaction

    package static let table = RecordTable<LedgerEntry>()
    private static let byKey = Query("SELECT \(columns) FROM ledger WHERE entry_key = ?")
    private static let ofPatron = Query("SELECT \(columns) FROM ledger WHERE patron = ? ORDER BY id")
    private static let oldest = Query("SELECT \(columns) FROM ledger WHERE patron = ? ORDER BY id LIMIT ? OFFSET ?")
    private static let latest = Query(
        "SELECT \(columns) FROM ledger WHERE patron = ? ORDER BY id DESC LIMIT ? OFFSET ?")
    private static let ofLoan = Query("SELECT \(columns) FROM ledger WHERE loan = ? ORDER BY id")
    private static let ofLoans = Query("SELECT \(columns) FROM ledger WHERE {among loan} ORDER BY id")
    // PostgreSQL sums 64-bit integers to a decimal.
    private static let balance = Query("SELECT CAST(SUM(amount) AS {integer}) FROM ledger WHERE patron = ?")
    private static let ofLoanAndKind = Query(
        "SELECT CAST(SUM(amount) AS {integer}) FROM ledger WHERE loan = ? AND kind = ?")
    private static let anything = Query("SELECT COUNT(*) FROM (SELECT id FROM ledger LIMIT 1) AS found")

    package func find(key: String) throws(StoreError) -> LedgerEntry? { try first(Self.byKey, .text(key)) }

    /// What the patron owes, in minor units of the library's currency; negative if the library owes.
    ///
    /// - Throws: ``StoreError/Code/fault`` if the sum leaves 64 bits.
    package func balance(patron: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.balance, [.integer(patron)])
    }

    /// The sum of the lines of one kind for a loan, in minor units: what was fined so far.
    package func sum(loan: Int64, kind: LedgerEntry.Kind) throws(StoreError) -> Int64 {
        try transaction.number(Self.ofLoanAndKind, [.integer(loan), .choice(kind)])
    }

    /// Whether nothing was ever posted, so that the currency may still be changed.
    package func isEmpty() throws(StoreError) -> Bool { try transaction.number(Self.anything) == 0 }

    /// The patron's lines, the oldest first.
    package func of(patron: Int64) throws(StoreError) -> [LedgerEntry] { try all(Self.ofPatron, [.integer(patron)]) }

    /// A part of the patron's lines, the oldest first or the latest.
    package func of(patron: Int64, _ part: ListPart, latestFirst: Bool = false) throws(StoreError) -> [LedgerEntry] {
        try all(latestFirst ? Self.latest : Self.oldest, [.integer(patron)] + part.values)
    }

    /// The lines of loans, the oldest first.
    package func of(loans: [Int64]) throws(StoreError) -> [LedgerEntry] { try all(Self.ofLoans, [.numbers(loans)]) }

    /// What ``of(loans:)`` asks.
    func asking(loans: [Int64]) -> BoundQuery { BoundQuery(Self.ofLoans, [.numbers(loans)]) }

    /// The loan's lines, the oldest first.
    package func of(loan: Int64) throws(StoreError) -> [LedgerEntry] { try all(Self.ofLoan, [.integer(loan)]) }

    private func first(_ query: Query, _ value: StoredValue) throws(StoreError) -> LedgerEntry? {
        try first(query, [value])
    }
}

/// One line of a patron's account. A balance is a sum of lines.
package struct LedgerEntry: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case fine, charge, adjustment, payment, waiver, refund
    }

    package var id: Int64
    /// Unique: the same charge is never posted twice.
    package var key: String
    package var patron: Int64
    package var loan: Int64?
    package var kind: Kind
    /// Positive: the patron owes more.
    package var amount: Money
    package var label: String
    package var at: Instant

    package init(
        id: Int64 = 0, key: String, patron: Int64, loan: Int64? = nil, kind: Kind, amount: Money, label: String,
        at: Instant
    ) {
        self.id = id
        self.key = key
        self.patron = patron
        self.loan = loan
        self.kind = kind
        self.amount = amount
        self.label = label
        self.at = at
    }
}

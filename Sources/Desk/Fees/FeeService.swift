package import Circulation
import Storage

/// Patrons' accounts: a ledger, of which a balance is the sum.
package struct FeeService {
    let session: DeskSession

    private var transaction: Transaction { session.transaction }

    /// What a patron owes; negative if the library owes. Nothing for an unknown patron.
    package func owed(by patron: PatronKey) throws -> Money {
        guard let patron = try session.patrons.get(patron) else { return .zero(try currency()) }
        return try balance(of: patron.id)
    }

    /// The lines of an account, the oldest first.
    package func ledger(of patron: PatronKey) throws -> [LedgerEntry] {
        guard let patron = try session.patrons.get(patron) else { return [] }
        return try transaction.ledger.of(patron: patron.id)
    }

    /// Posts a charge. A key makes it unique: repeated with the same amount it gives the line that is there, with another
    /// one it is refused with `exists`.
    package func charge(
        _ patron: PatronKey, amount: Money, label: String, key: String? = nil, loan: Int64? = nil
    ) throws -> Outcome<LedgerEntry> {
        try line(.charge, "fees.charge", patron, amount, label, key, loan)
    }

    /// Takes a payment; refused with `overpaid` beyond what is owed.
    package func pay(
        _ patron: PatronKey, amount: Money, label: String = "Payment", key: String? = nil
    ) throws -> Outcome<LedgerEntry> {
        try line(.payment, "fees.pay", patron, amount, label, key, nil)
    }

    /// Lets a patron off a part of what is owed; refused with `overpaid` beyond that.
    package func waive(
        _ patron: PatronKey, amount: Money, label: String = "Waiver", key: String? = nil
    ) throws -> Outcome<LedgerEntry> {
        try line(.waiver, "fees.waive", patron, amount, label, key, nil)
    }

    /// Pays back what the library owes; refused with `overpaid` beyond that.
    package func refund(
        _ patron: PatronKey, amount: Money, label: String = "Refund", key: String? = nil
    ) throws -> Outcome<LedgerEntry> {
        try line(.refund, "fees.refund", patron, amount, label, key, nil)
    }

    private func line(
        _ kind: LedgerEntry.Kind, _ name: String, _ patron: PatronKey, _ amount: Money, _ label: String,
        _ key: String?, _ loan: Int64?
    ) throws -> Outcome<LedgerEntry> {
        let library = try currency()
        guard amount.currency == library, amount.isPositive else {
            throw DeskError.input("amount", "The amount is in \(library) and more than nothing.")
        }
        let trail = RequestTrail(name, loan: loan)
        return try session.request(trail) {
            let patron = try session.patrons.known(patron, trail)
            if let loan { try check(loan, of: patron.id) }
            let signed = kind == .charge || kind == .refund ? amount : try amount.negated()
            let number = try transaction.ledger.of(patron: patron.id).count
            let entry = LedgerEntry(
                key: key.map { "\(kind.rawValue):\(patron.id):\($0)" } ?? freeKey(kind, patron.id, number),
                patron: patron.id, loan: loan, kind: kind, amount: signed,
                label: label.blackingOut(patron.tellingWords), at: session.now)
            if let existing = try transaction.ledger.find(key: entry.key) {
                guard existing.amount == entry.amount else {
                    throw Refused("exists", "Another line has the key \(key ?? entry.key).")
                }
                return existing
            }
            try checkBalance(kind, amount, patron.id)
            guard let posted = try post([entry]).first else {
                throw DeskError.input("key", "The line was not posted.")
            }
            return posted
        }
    }

    private func check(_ loan: Int64, of patron: Int64) throws {
        guard let found = try transaction.loans.get(loan), found.patron == patron else {
            throw Refused(Refusal.Code.unknownLoan, "The patron has no loan \(loan).")
        }
    }

    private func checkBalance(_ kind: LedgerEntry.Kind, _ amount: Money, _ patron: Int64) throws {
        let balance = try balance(of: patron)
        let most: Int64
        switch kind {
        case .payment, .waiver: most = max(0, balance.minorUnits)
        case .refund: most = balance.minorUnits < 0 ? (balance.minorUnits == .min ? .max : -balance.minorUnits) : 0
        case .fine, .charge, .adjustment:
            // A sum beyond 64 bits must never come about, since no balance could be read any more.
            _ = try balance.adding(amount)
            return
        }
        guard amount.minorUnits <= most else {
            throw Refused(
                "overpaid", "That is more than the \(Money(minorUnits: most, currency: amount.currency)) due.")
        }
    }

    private func freeKey(_ kind: LedgerEntry.Kind, _ patron: Int64, _ number: Int) -> String {
        "\(kind.rawValue):\(patron):at:\(session.now):\(number)"
    }
}

extension FeeService {
    func currency() throws -> Currency {
        try session.settingsSnapshot().library.currency
    }

    func balance(of patron: Int64) throws -> Money {
        Money(minorUnits: try transaction.ledger.balance(patron: patron), currency: try currency())
    }

    /// Posts lines within a request; those whose key was posted before are left out.
    func post(_ entries: [LedgerEntry]) throws -> [LedgerEntry] {
        guard !entries.isEmpty else { return [] }
        guard case .ledgerPosted(let posted)? = try session.record(.ledgerPosted(entries))?.body else { return [] }
        return posted
    }

    /// What was fined for a due time of a loan so far, earlier adjustments taken off.
    func fines(of loan: Loan, dueAt: Instant) throws -> FinesCharged {
        let prefix = FineDifference.prefix(loan.id, dueAt)
        var charged = FinesCharged()
        for entry in try transaction.ledger.of(loan: loan.id) where entry.key.hasPrefix(prefix) {
            let (sum, overflow) = charged.total.addingReportingOverflow(entry.amount.minorUnits)
            guard !overflow else { throw DeskError.input(nil, "The fines of loan \(loan.id) leave 64 bits.") }
            charged.total = sum
            charged.upTo = entry.at
            charged.keys.insert(entry.key)
        }
        return charged
    }
}

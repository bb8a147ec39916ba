package import Circulation
import Storage

/// Patrons' accounts: a ledger, of which a balance is the sum.
///
/// Amounts are given in the library's currency and are more than nothing; anything else is an error, and so is a sum
/// beyond 64 bits. A key makes a line one and the same: repeated with the same amount it changes nothing and gives the
/// line that is there, with another amount it is refused with `exists`.
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

    /// A part of them, the oldest first or the latest.
    package func ledger(
        of patron: PatronKey, _ part: ListPart, latestFirst: Bool = false
    ) throws -> [LedgerEntry] {
        guard let patron = try session.patrons.get(patron) else { return [] }
        return try transaction.ledger.of(patron: patron.id, part, latestFirst: latestFirst)
    }

    /// Posts a charge, about which the patron gets one message. Refused with `unknown_patron`, `unknown_loan` (the
    /// patron has no such loan), `exists`.
    package func charge(
        _ patron: PatronKey, amount: Money, label: String, key: String? = nil, loan: Int64? = nil
    ) throws -> Outcome<LedgerEntry> {
        try check(amount)
        return try request(RequestTrail("fees.charge", loan: loan), patron) { account in
            if let loan { try check(loan, of: account.patron.id) }
            var isNew = false
            let entry = try once(account.key(.charge, key, session.now), amount, key) { line in
                // A sum beyond 64 bits must never come about, since no balance could be read any more.
                _ = try account.balance.adding(amount)
                isNew = true
                return [account.line(.charge, line, amount, label, loan: loan, at: session.now)]
            }
            if isNew { try tell(of: entry, account.patron) }
            return entry
        }
    }

    private func tell(of entry: LedgerEntry, _ patron: Patron) throws {
        let words = SaleWords(title: entry.label, total: entry.amount)
        try session.notices.announce(
            Announcement(
                SaleAnnouncement(event: .fee, subjectKey: "fee:\(entry.id)", words: words), to: patron.id,
                branch: patron.homeBranch))
    }

    /// Takes a payment. Refused with `unknown_patron`, `more_than_owed`, `exists`.
    package func pay(
        _ patron: PatronKey, amount: Money, label: String = "Payment", key: String? = nil
    ) throws -> Outcome<LedgerEntry> {
        try check(amount)
        return try request(RequestTrail("fees.pay"), patron) { account in
            let signed = try amount.negated()
            return try once(account.key(.payment, key, session.now), signed, key) { line in
                try account.checkOwed(amount)
                return [account.line(.payment, line, signed, label, at: session.now)]
            }
        }
    }
}

// MARK: - Requests

extension FeeService {
    func check(_ amount: Money) throws {
        let library = try currency()
        guard amount.currency == library, amount.isPositive else {
            throw DeskError.input("amount", "The amount must be in \(library) and greater than zero.")
        }
    }

    /// Runs a request about a patron's account as it stands.
    func request(
        _ trail: RequestTrail, _ patron: PatronKey, _ body: (FeeAccount) throws -> LedgerEntry
    ) throws -> Outcome<LedgerEntry> {
        try session.request(trail) {
            let patron = try session.patrons.known(patron, trail)
            return try body(
                FeeAccount(
                    patron: patron, balance: try balance(of: patron.id),
                    lines: try transaction.ledger.of(patron: patron.id)))
        }
    }

    /// Gives the line of that key, posting it first if it is not there: the last of the lines that are made.
    func once(
        _ key: String, _ amount: Money, _ given: String?, _ make: (String) throws -> [LedgerEntry]
    ) throws -> LedgerEntry {
        if let existing = try transaction.ledger.find(key: key) {
            guard existing.amount == amount else {
                throw Refused("exists", "Another entry already has the key \(given ?? key).")
            }
            return existing
        }
        guard let posted = try post(try make(key)).last, posted.key == key else {
            throw DeskError.input("key", "The entry could not be posted.")
        }
        return posted
    }

    private func check(_ loan: Int64, of patron: Int64) throws {
        guard let found = try transaction.loans.get(loan), found.patron == patron else {
            throw Refused(Refusal.Code.unknownLoan, "The patron has no loan \(loan).")
        }
    }
}

// MARK: - Lines within other requests

extension FeeService {
    /// The currency in which the library reckons.
    package func currency() throws -> Currency {
        try session.settingsSnapshot().library.currency
    }

    /// What a patron owes; negative if the library owes.
    package func balance(of patron: Int64) throws -> Money {
        Money(minorUnits: try transaction.ledger.balance(patron: patron), currency: try currency())
    }

    /// Posts lines within a request; those whose key was posted before are left out.
    package func post(_ entries: [LedgerEntry]) throws -> [LedgerEntry] {
        guard !entries.isEmpty else { return [] }
        guard let posted = try session.record(.ledgerPosted, entries)?.content else { return [] }
        return posted
    }

    /// What was fined for a due time of a loan so far, earlier adjustments taken off.
    ///
    /// - Parameter known: all that was posted for the loan, if it was read before.
    func fines(of loan: Loan, dueAt: Instant, among known: [LedgerEntry]? = nil) throws -> FinesCharged {
        let prefix = FineDifference.prefix(loan.id, dueAt)
        var charged = FinesCharged()
        for entry in try known ?? transaction.ledger.of(loan: loan.id) where entry.key.hasPrefix(prefix) {
            let (sum, overflow) = charged.total.addingReportingOverflow(entry.amount.minorUnits)
            guard !overflow else { throw DeskError.input(nil, "The fines for loan \(loan.id) exceed 64 bits.") }
            charged.total = sum
            charged.upTo = entry.at
            charged.keys.insert(entry.key)
        }
        return charged
    }
}

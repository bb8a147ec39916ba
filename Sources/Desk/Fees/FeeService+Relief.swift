package import Circulation
import Storage

// Letting off and giving back: what takes a charge away again, in part or as a whole.

extension FeeService {
    /// Lets a patron off a part of what is owed. Refused with `unknown_patron`, `more_than_owed`, `exists`.
    package func waive(
        _ patron: PatronKey, amount: Money, label: String = "Waiver", key: String? = nil
    ) throws -> Outcome<LedgerEntry> {
        try check(amount)
        return try request(RequestTrail("fees.waive"), patron) { account in
            let signed = try amount.negated()
            return try once(account.key(.waiver, key, session.now), signed, key) { line in
                try account.checkOwed(amount)
                return [account.line(.waiver, line, signed, label, at: session.now)]
            }
        }
    }

    /// Lets a patron off a whole charge or fine, once: repeated, it gives the line that is there.
    ///
    /// Refused with `unknown_patron`, `unknown_entry`, `wrong_entry` (no charge), `settled` (it was refunded),
    /// `more_than_owed`.
    package func waive(
        _ patron: PatronKey, entry: Int64, label: String = "Waiver"
    ) throws -> Outcome<LedgerEntry> {
        try request(RequestTrail("fees.waive"), patron) { account in
            let entry = try account.entry(entry)
            guard entry.kind.isCharge else {
                throw Refused(
                    "wrong_entry",
                    "Entry \(entry.id) is a \(entry.kind.rawValue); only charges can be waived.")
            }
            let signed = try entry.amount.negated()
            return try once(account.key(.waiver, settling: entry), signed, nil) { line in
                try account.checkOpen(entry, by: .refund)
                try account.checkOwed(entry.amount)
                return [account.line(.waiver, line, signed, label, loan: entry.loan, at: session.now)]
            }
        }
    }

    /// Gives money back, and never makes the patron owe more by it: what the library owes goes first, and beyond that
    /// as much is taken off the charges by an adjustment. Gives the line of the refund.
    ///
    /// Refused with `unknown_patron`, `more_than_paid` (payments less earlier refunds), `exists`.
    package func refund(
        _ patron: PatronKey, amount: Money, label: String = "Refund", key: String? = nil
    ) throws -> Outcome<LedgerEntry> {
        try check(amount)
        return try request(RequestTrail("fees.refund"), patron) { account in
            try once(account.key(.refund, key, session.now), amount, key) { line in
                try refund(amount, beyondCreditOf: account, line, label)
            }
        }
    }

    /// Gives a whole payment back, or takes a whole charge or fine back and gives back what was paid for it; once:
    /// repeated, it gives the line that is there.
    ///
    /// Refused with `unknown_patron`, `unknown_entry`, `wrong_entry` (neither payment nor charge), `settled` (it was
    /// waived, or less is left of what the loan was charged), `more_than_paid`.
    package func refund(
        _ patron: PatronKey, entry: Int64, label: String = "Refund"
    ) throws -> Outcome<LedgerEntry> {
        try request(RequestTrail("fees.refund"), patron) { account in
            let entry = try account.entry(entry)
            let key = account.key(.refund, settling: entry)
            guard entry.kind.isCharge else {
                guard entry.kind == .payment else {
                    throw Refused(
                        "wrong_entry",
                        "Entry \(entry.id) is of the kind \(entry.kind.rawValue); only payments and charges can be "
                            + "refunded.")
                }
                let amount = try entry.amount.negated()
                return try once(key, amount, nil) { try refund(amount, beyondCreditOf: account, $0, label) }
            }
            return try once(key, entry.amount, nil) { try refund(charge: entry, of: account, $0, label) }
        }
    }

    private func refund(
        _ amount: Money, beyondCreditOf account: FeeAccount, _ key: String, _ label: String
    ) throws -> [LedgerEntry] {
        try account.checkPaid(amount)
        let refund = account.line(.refund, key, amount, label, at: session.now)
        let rest = Int128(amount.minorUnits) - account.credit
        guard rest > 0 else { return [refund] }
        let taken = Money(minorUnits: -Int64(clamping: rest), currency: amount.currency)
        return [account.line(.adjustment, "adjustment:" + key, taken, label, at: session.now), refund]
    }

    private func refund(
        charge: LedgerEntry, of account: FeeAccount, _ key: String, _ label: String
    ) throws -> [LedgerEntry] {
        try account.checkOpen(charge, by: .waiver)
        if let loan = charge.loan, account.charged(for: loan) < Int128(charge.amount.minorUnits) {
            throw Refused("settled", "Less than \(charge.amount) is left of what loan \(loan) was charged.")
        }
        try account.checkPaid(charge.amount)
        let taken = try charge.amount.negated()
        _ = try account.balance.adding(taken)
        return [
            account.line(.adjustment, "adjustment:" + key, taken, label, loan: charge.loan, at: session.now),
            account.line(.refund, key, charge.amount, label, loan: charge.loan, at: session.now),
        ]
    }
}

extension FeeAccount {
    fileprivate func checkOpen(_ entry: LedgerEntry, by kind: LedgerEntry.Kind) throws {
        guard !isSettled(entry, by: kind) else {
            throw Refused("settled", "Entry \(entry.id) has already been settled by a \(kind.rawValue).")
        }
    }
}

extension LedgerEntry.Kind {
    /// Whether such a line makes a patron owe more.
    fileprivate var isCharge: Bool { self == .fine || self == .charge }
}

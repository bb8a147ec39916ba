import Circulation
import TextFormats

/// A patron's account as a request finds it.
struct FeeAccount {
    let patron: Patron
    /// The sum of the lines: positive if the patron owes, negative if the library does.
    let balance: Money
    /// All lines, the oldest first.
    let lines: [LedgerEntry]

    /// What the library owes the patron, in minor units.
    var credit: Int128 { max(0, -Int128(balance.minorUnits)) }

    /// What was paid and not given back since, in minor units. Wider than an amount: many payments may go beyond one.
    var paid: Int128 {
        -lines.filter { $0.kind == .payment || $0.kind == .refund }.reduce(0) { $0 + Int128($1.amount.minorUnits) }
    }

    /// What is left of the charges for a loan, in minor units.
    func charged(for loan: Int64) -> Int128 {
        lines.filter { $0.loan == loan && $0.kind != .payment && $0.kind != .refund }
            .reduce(0) { $0 + Int128($1.amount.minorUnits) }
    }

    /// - Throws: ``Refused`` with `unknown_entry` if the account has no such line.
    func entry(_ id: Int64) throws -> LedgerEntry {
        guard let entry = lines.first(where: { $0.id == id }) else {
            throw Refused("unknown_entry", "There is no entry \(id) in the patron's account.")
        }
        return entry
    }

    /// - Throws: ``Refused`` with `more_than_owed`.
    func checkOwed(_ amount: Money) throws {
        guard amount.minorUnits <= balance.minorUnits else {
            let owed = balance.isPositive ? balance : .zero(balance.currency)
            throw Refused(
                Refusal(
                    code: "more_than_owed", message: "\(amount) is more than the \(owed) that the patron owes.",
                    figures: ["owed": .string(owed.description)]))
        }
    }

    /// - Throws: ``Refused`` with `more_than_paid`.
    func checkPaid(_ amount: Money) throws {
        guard Int128(amount.minorUnits) <= paid else {
            // Less than the amount, so it fits.
            let paid = Money(minorUnits: Int64(clamping: paid), currency: amount.currency)
            throw Refused(
                Refusal(
                    code: "more_than_paid",
                    message: "\(amount) is more than the \(paid) that the patron has paid and not had refunded.",
                    figures: ["paid": .string(paid.description)]))
        }
    }
}

// MARK: - New lines

extension FeeAccount {
    // The character after the patron distinguishes the three kinds of keys: `:`, `@` and `#`.

    /// The key that a caller gave, or one that no other line has.
    func key(_ kind: LedgerEntry.Kind, _ given: String?, _ now: Instant) -> String {
        if let given { return "\(kind.rawValue):\(patron.id):\(given)" }
        return "\(kind.rawValue):\(patron.id)@\(now):\(lines.count)"
    }

    /// The key of what settles a whole line: there is one of each kind.
    func key(_ kind: LedgerEntry.Kind, settling entry: LedgerEntry) -> String {
        "\(kind.rawValue):\(patron.id)#\(entry.id)"
    }

    /// Whether a whole line was settled in that way.
    func isSettled(_ entry: LedgerEntry, by kind: LedgerEntry.Kind) -> Bool {
        let key = key(kind, settling: entry)
        return lines.contains { $0.key == key }
    }

    /// A line whose label does not name the patron, since it outlives the patron's removal.
    func line(
        _ kind: LedgerEntry.Kind, _ key: String, _ amount: Money, _ label: String, loan: Int64? = nil, at: Instant
    ) -> LedgerEntry {
        LedgerEntry(
            key: key, patron: patron.id, loan: loan, kind: kind, amount: amount,
            label: label.blackingOut(patron.tellingWords), at: at)
    }
}

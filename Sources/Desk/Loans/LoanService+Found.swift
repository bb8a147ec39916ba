package import Circulation
import Storage

extension LoanService {
    /// A lost copy was found: its loan ends as by a check-in, and the copy is available, or set aside for who waits for
    /// it. The fee for the loss is taken back if the rule of the loan says so: see ``checkin(_:at:)``.
    ///
    /// A copy that is not lost any more stays what it is, so that a second time changes nothing. Refused with
    /// `unknown_loan`, `unknown_copy`, `not_lost` (it is on loan, or was withdrawn), `future`, `before_lent`.
    package func markFound(_ key: LoanKey, at: Instant? = nil) throws -> Outcome<Checkin> {
        let trail = RequestTrail("mark_found")
        return try session.request(trail) {
            if case .id = key, let found = try foundBefore(known(key, trail)) { return found }
            if case .barcode(let barcode) = key {
                let copy = try session.catalogue.known(barcode: barcode)
                trail.copy = copy.id
                guard try transaction.loans.open(copy: copy.id) != nil else { return try found(copy) }
            }
            let loan = try knownOpen(key, trail)
            guard loan.lostAt != nil else {
                throw Refused(Refusal.Code.notLost, "The copy of loan \(loan.id) is not lost; check it in.")
            }
            return try takeBack(loan, at: at)
        }
    }

    /// A lost loan that has ended already.
    private func foundBefore(_ loan: Loan) throws -> Checkin? {
        guard loan.lostAt != nil, loan.returnedAt != nil else { return nil }
        let copy = try loan.copy.flatMap { try transaction.copies.get($0) }
        let hold = try copy.flatMap { try transaction.holds.setAside(copy: $0.id) }
        return Checkin(loan: loan, copy: copy, hold: hold)
    }

    /// A copy without a loan.
    private func found(_ copy: Copy) throws -> Checkin {
        switch copy.status {
        case .lost: return try found(lost: copy)
        case .available, .onHoldShelf, .inTransit:
            return Checkin(loan: nil, copy: copy, hold: try transaction.holds.setAside(copy: copy.id))
        case .onLoan, .withdrawn:
            throw Refused(Refusal.Code.notLost, "The copy \(copy.barcode) is \(copy.status.rawValue), not lost.")
        }
    }

    /// A lost copy without a loan is at hand again.
    func found(lost copy: Copy) throws -> Checkin {
        var found = copy
        found.status = .available
        try session.record(.copyUpdated, found)
        let hold = try session.holds.setAside(found, at: try here(found))
        return Checkin(loan: nil, copy: try transaction.copies.get(copy.id) ?? found, hold: hold)
    }

    /// Takes the fee for a loss back, if the copy came back in time for that, or had come back before it was declared
    /// lost. Nothing is taken back where the policy gave no answer.
    func reverseLoss(of loan: Loan, at moment: Instant, isDue: Bool) throws -> [LedgerEntry] {
        guard let lostAt = loan.lostAt, isDue || moment < lostAt, let id = loan.patron,
            let patron = try transaction.patrons.get(id)
        else { return [] }
        let account = FeeAccount(
            patron: patron, balance: try session.fees.balance(of: id), lines: try transaction.ledger.of(patron: id))
        guard let fee = LostFee(of: loan.id, in: account) else { return [] }
        return try session.fees.post(fee.reversal(at: session.now))
    }
}

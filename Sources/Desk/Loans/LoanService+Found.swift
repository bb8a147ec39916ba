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
                throw Refused(
                    Refusal.Code.notLost,
                    "The copy of loan \(loan.id) is not recorded as lost. Check it in instead.")
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
    /// lost; and with it brings the fine to what the rule says. Nothing is taken back where the policy gave no answer.
    ///
    /// - Parameter terms: those of the loan's rule, if they take the fee back.
    func reverseLoss(of loan: Loan, at moment: Instant, _ terms: LostTerms?) throws -> CheckinPostings {
        guard let lostAt = loan.lostAt, terms != nil || moment < lostAt,
            let account = try session.fees.account(of: loan)
        else { return CheckinPostings() }
        let isNeverLost = moment < lostAt
        var entries: [LedgerEntry] = []
        if let fee = LostFee(of: loan.id, in: account) {
            entries += fee.reversal(of: isNeverLost ? .all : terms?.refunded ?? .all, at: session.now)
        }
        if isNeverLost || terms?.fineOfFound != .keep {
            entries += [ForgivenFine(loan: loan, account: account).restoring(at: session.now)].compactMap { $0 }
        }
        var result = CheckinPostings(posted: try session.fees.post(entries))
        guard !isNeverLost, terms?.fineOfFound == .charge else { return result }
        var found = loan
        found.lostAt = nil
        let settled = try settleFine(of: found, at: loan.endOfFine(foundAt: moment))
        result.posted += settled.posted
        result.failures += settled.failures
        return result
    }
}

/// Lines of an account that a return led to, and failures of the policy.
struct CheckinPostings {
    var posted: [LedgerEntry] = []
    var failures: [PolicyFailure] = []
}

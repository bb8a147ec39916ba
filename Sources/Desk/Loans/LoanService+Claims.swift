package import Circulation
import Storage

extension LoanService {
    /// Notes that the patron says to have returned the copy, now or at a moment of the past. From that moment on nothing
    /// is fined and no notice is sent; what was charged for the time after it is taken off. The loan stays open until the
    /// copy is seen (a check-in, at the claimed moment where staff say so) or declared lost.
    ///
    /// Repeated, it changes nothing unless it names another moment. Refused with `unknown_loan`, `unknown_copy`,
    /// `not_on_loan`, `returned`, `history_only`, `lost`, `future`, `before_lent`.
    package func claimReturned(
        _ key: LoanKey, at: Instant? = nil, reason: String? = nil
    ) throws -> Outcome<StoppedLoan> {
        let trail = RequestTrail("claim_returned")
        return try session.request(trail) {
            let loan = try knownOpen(key, trail)
            let copy = try copy(of: loan)
            guard loan.lostAt == nil else {
                throw Refused(
                    Refusal.Code.lost,
                    "The copy is recorded as lost. If it turns up, mark it as found to end the loan.")
            }
            let moment = try moment(at ?? loan.claimedAt, of: loan)
            if loan.claimedAt == moment { return StoppedLoan(loan: loan, copy: copy) }
            let words = try reason.map { try session.patrons.impersonal($0, about: loan.patron) }
            return try claim(loan, copy, at: moment, reason: words)
        }
    }

    private func claim(_ loan: Loan, _ copy: Copy, at moment: Instant, reason: String?) throws -> StoppedLoan {
        let settled = try settleFine(of: loan, at: moment)
        let taken = try session.fees.takeOff(chargesOf: loan, after: moment)
        var claimed = loan
        claimed.claimedAt = moment
        let words = reason.flatMap { $0.isEmpty ? nil : $0 }
        try session.record(.loanClaimed, LoanChange(loan: claimed, previousDueAt: nil, reason: words))
        try session.notices.supersede(about: loan)
        return StoppedLoan(loan: claimed, copy: copy, posted: settled.posted + taken, failures: settled.failures)
    }

    /// Time does not go on for a loan that is lost or claimed to be returned: its due time stays what it is.
    ///
    /// - Throws: ``Refused`` with `lost` or `claimed`.
    func checkRunning(_ loan: Loan) throws {
        if loan.lostAt != nil { throw Refused(Refusal.Code.lost, "The copy of this loan has been declared lost.") }
        if loan.claimedAt != nil {
            throw Refused(
                Refusal.Code.claimed, "The patron claims to have returned this copy. If it is here, check it in.")
        }
    }
}

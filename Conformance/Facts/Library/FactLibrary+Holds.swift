import Circulation
import Desk

extension FactLibrary {
    func lose(_ loan: Loan) throws {
        let outcome = try desk.write { try $0.loans.markLost(.id(loan.id)) }
        let stopped = try noted("the copy of loan \(loan.id) is declared lost", outcome).done("the loss")
        if let failure = stopped.failures.first { throw NotExpressed("the policy failed: \(failure.message)") }
    }

    /// Brings about a status of a copy that is lent.
    func bring(_ loan: Loan, to status: String) throws {
        switch status {
        case "claimed returned":
            let outcome = try desk.write { try $0.loans.claimReturned(.id(loan.id)) }
            _ = try noted("the reader claims to have returned it", outcome).done("the claim")
        case "declared lost", "aged to lost", "lost", "lost and paid": try lose(loan)
        case "checked out": break
        default: throw NotExpressed("a copy that is lent cannot be \(status)")
        }
    }

    func placeHold(
        _ wanted: HoldRequest.Wanted, by patron: String = FactLibrary.reader, pickup: String? = nil,
        expires: CivilDate? = nil
    ) throws -> Outcome<QueuedHold> {
        let outcome = try desk.write { session in
            try session.holds.place(
                HoldRequest(patron: .username(patron), wanted: wanted, pickupBranch: pickup, expiresOn: expires))
        }
        return try noted("\(patron) places a hold\(pickup.map { " for pickup at \($0)" } ?? "")", outcome) {
            "place \($0.position ?? 0)"
        }
    }
}

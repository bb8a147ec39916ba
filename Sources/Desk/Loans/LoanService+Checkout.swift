package import Circulation
import Storage

extension LoanService {
    /// Lends all that is asked for, or nothing: one loan for each title, in the order asked. Scanning a copy that the
    /// patron has already renews its loan.
    ///
    /// Checks, in this order: the input; the patron is known; the policy's `request`; then for each title whether it is
    /// known and the policy's `checkout`; at last, for all titles, whether a copy is available. A refusal is an event.
    /// A request for no titles makes no loans, unless the policy's `request` refuses it.
    ///
    /// - Throws: ``DeskError`` for a request that makes no sense.
    package func checkout(_ request: CheckoutRequest) throws -> Outcome<[Loan]> {
        try check(request)
        let trail = RequestTrail("checkout")
        return try session.request(trail) {
            switch try Checkout(request, trail, session).decided() {
            case .renewal(let loan):
                return [try renew(loan, override: request.override, reason: request.reason, trail)]
            case .loans(let planned):
                return try planned.map(lend)
            }
        }
    }

    /// Lends titles within another request.
    ///
    /// - Throws: ``Refused``.
    package func lend(_ request: CheckoutRequest, _ trail: RequestTrail) throws -> [Loan] {
        guard case .loans(let planned) = try Checkout(request, trail, session).decided() else { return [] }
        return try planned.map(lend)
    }

    /// Decides like `checkout` and writes nothing: no loan, no event. The decisions are those of the titles, in the order
    /// asked.
    package func mayCheckout(_ request: CheckoutRequest) throws -> Outcome<[AskedDecision]> {
        try mayCheckout(request, RequestTrail("checkout"))
    }

    func mayCheckout(_ request: CheckoutRequest, _ trail: RequestTrail) throws -> Outcome<[AskedDecision]> {
        try check(request)
        do {
            switch try Checkout(request, trail, session).decided() {
            case .renewal(let loan):
                return .done([try decideRenewal(loan, request.override, request.reason).asked])
            case .loans(let planned):
                return .done(planned.map(\.asked))
            }
        } catch let refused as Refused {
            // A renewal that was refused.
            if let asked = refused.asked, trail.asked.isEmpty { trail.asked = [asked] }
            return .refused(try session.told(session.worded(refused, trail).answer, about: trail.patron))
        }
    }

    private static let mostTitles = 1_000

    private func check(_ request: CheckoutRequest) throws {
        if case .titles(let titles) = request.wanted, titles.count > Self.mostTitles {
            throw DeskError.input("titles", "A checkout can be for at most \(Self.mostTitles) titles.")
        }
        if let wantedUntil = request.wantedUntil {
            let today = try session.today(at: session.actor.branch)
            if wantedUntil < today {
                throw DeskError.input("wanted_until", "'wanted_until' is before today, \(today).")
            }
        }
        if request.override, request.reason?.contains(where: { !$0.isWhitespace }) != true {
            throw DeskError.input("reason", "An override needs a reason.")
        }
    }

    func lend(_ planned: PlannedLoan) throws -> Loan {
        guard let (loan, sequence) = try session.record(.loanMade, planned.loan) else {
            throw DeskError.input(nil, "The loan could not be recorded.")
        }
        try session.log(planned.asked, under: sequence)
        if let override = planned.override {
            try recordOverride(override, of: loan)
        }
        try session.fees.postRental(of: loan, planned.asked)
        // Most checkouts concern no hold at all, which the case knows.
        let isSetAside = planned.asked.copy.map(\.status.isSetAside) ?? false
        if isSetAside || planned.asked.question.patron.holds > 0 { try session.holds.settle(after: loan) }
        return loan
    }

    /// Writes down that staff went on in spite of the policy.
    func recordOverride(_ override: PolicyOverride, of loan: Loan) throws {
        var override = override
        override.loan = loan.id
        override.reason = try session.patrons.impersonal(override.reason, about: override.patron)
        try session.record(.policyOverridden, override)
    }
}

extension CheckoutRequest {
    /// - Throws: ``DeskError`` where what turns out to be a renewal asks for a last day.
    func checkRenewal() throws {
        guard wantedUntil != nil else { return }
        throw DeskError.input(
            "wanted_until", "'wanted_until' is only for new loans, and the patron already has this copy.")
    }
}

/// A loan that was granted and is still to be written.
struct PlannedLoan {
    var loan: Loan
    var asked: AskedDecision
    var override: PolicyOverride?
}

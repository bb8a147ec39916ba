package import Circulation
import Storage

/// What it would change if a policy decided about loans that were made before it.
package struct RetroactiveEffect: Hashable, Sendable {
    /// Open loans that another version decides now.
    package var loans: Int64 = 0
    /// Those of them whose fine so far would be another.
    package var fined: Int64 = 0
    /// The fines of open loans so far, in minor units: as they are decided now, and as they would be.
    package var before: Int64 = 0
    package var after: Int64 = 0
    /// Loans about which one of the versions fails.
    package var failed: Int64 = 0

    package init() {}
}

extension PolicyService {
    /// What a policy would change if it came into force now and decided about open loans as well. Writes nothing.
    ///
    /// - Throws: ``PolicyFailure`` if the bundle is not a policy.
    package func retroactiveEffect(of bundle: PolicyBundle) throws -> RetroactiveEffect {
        var effect = RetroactiveEffect()
        let versions = try VersionsOfLoans(session)
        try transaction.loans.forEach(LoanQuery(state: .open)) { loan in
            if let version = versions.version(of: loan), version != bundle.sha256 { effect.loans += 1 }
            return true
        }
        try session.shelf.loader.withPolicy(bundle, session.fieldsOfPolicies()) { policy in
            var position: DuePosition?
            while true {
                let page = try transaction.loans.due(before: session.now, after: position, limit: LoanService.pageSize)
                for loan in page { try compare(loan, versions, policy, &effect) }
                guard let last = page.last, let due = last.due else { return }
                position = DuePosition(dueAt: due.instant, loan: last.id)
            }
        }
        return effect
    }

    private func compare(
        _ loan: Loan, _ versions: VersionsOfLoans, _ policy: any LendingPolicy, _ effect: inout RetroactiveEffect
    ) throws {
        guard let version = versions.version(of: loan), version != policy.version else { return }
        let desk = try CaseBuilder(session: session)
        guard let about = try desk.question(.fine, about: loan) else { return }
        let present = try withPolicy(version) { try accrued(desk.ask($0, about.question, copy: about.copy)) } ?? nil
        guard let before = present, let after = try accrued(desk.ask(policy, about.question, copy: about.copy)) else {
            effect.failed += 1
            return
        }
        if before != after { effect.fined += 1 }
        effect.before = try sum(effect.before, before)
        effect.after = try sum(effect.after, after)
    }

    /// In minor units; nil where the policy failed.
    private func accrued(_ asked: AskedDecision) -> Int64? {
        guard asked.decision.answer != .failed else { return nil }
        var accrued: Int64 = 0
        for case .fine(let money, _) in asked.decision.effects { accrued = money.minorUnits }
        return accrued
    }

    private func sum(_ one: Int64, _ other: Int64) throws -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        guard !overflow else { throw DeskError.input(nil, "The fines for all open loans exceed 64 bits.") }
        return sum
    }
}

/// Which version decides about the fine, the loss and the return of a loan: the one that decided the loan or its last
/// renewal, or one that came into force since then and reaches back.
struct VersionsOfLoans {
    private let begun: [PolicyActivation]
    /// The last that reaches back, and its place.
    private let reachingBack: (place: Int, activation: PolicyActivation)?

    /// - Parameter moment: for what happened to a loan then, such as its return; what came into force later decides
    ///   nothing about it.
    init(_ session: DeskSession, at moment: Instant? = nil) throws {
        begun = try session.transaction.policies.begun(by: moment ?? session.now)
        reachingBack = begun.lastIndex(where: \.isRetroactive).map { [begun] in ($0, begun[$0]) }
    }

    /// nil for a loan that no policy decided.
    func version(of loan: Loan) -> String? {
        guard let own = loan.policy else { return nil }
        return reachesBack(to: loan, own: own) ?? own
    }

    /// From when on another version than the one that decided it decides about a loan.
    func changed(for loan: Loan) -> Instant? {
        guard let own = loan.policy, let later = reachesBack(to: loan, own: own), later != own else { return nil }
        return reachingBack?.activation.effectiveFrom
    }

    private func reachesBack(to loan: Loan, own: String) -> String? {
        guard let (place, activation) = reachingBack else { return nil }
        let decided = loan.renewedAt ?? loan.lentAt
        let itsOwn = begun.lastIndex { $0.effectiveFrom <= decided && $0.policy == own }
        guard activation.effectiveFrom >= decided, itsOwn.map({ $0 < place }) ?? true else { return nil }
        return activation.policy
    }
}

extension PolicyService {
    /// The version that decides about the fine, the loss and the return of a loan; nil where no policy decided it.
    func version(deciding loan: Loan, at moment: Instant? = nil) throws -> String? {
        loan.policy == nil ? nil : try VersionsOfLoans(session, at: moment).version(of: loan)
    }

    /// The version, if it was in force at some moment from one instant through another (nil: at that instant);
    /// otherwise nil, since it cannot have decided anything then. Where one followed another at the same moment, both
    /// were.
    package func wasInForce(_ version: String?, from start: Instant, through end: Instant? = nil) throws -> String? {
        guard let version else { return nil }
        let begun = try transaction.policies.begun(by: max(start, end ?? start))
        let wasInForce = begun.indices.contains { place in
            begun[place].policy == version
                && (place + 1 == begun.count || begun[place + 1].effectiveFrom >= start)
        }
        return wasInForce ? version : nil
    }
}

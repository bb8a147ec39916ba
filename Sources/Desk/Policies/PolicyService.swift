package import Circulation
import Storage

/// The policies of the library: which one is in force when.
package struct PolicyService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    /// Puts a policy into force, at once or from an instant of the future on. Bundle, SHA-256, who, when and why go
    /// into the store with it. If the bundle is not a policy it is refused with `policy_failed`, and nothing changes.
    ///
    /// - Parameter retroactive: from then on it also decides about the fines, the loss and the return of loans that
    ///   were made before. No due time moves.
    package func activate(
        _ bundle: PolicyBundle, from: Instant? = nil, note: String = "", retroactive: Bool = false
    ) throws -> Outcome<PolicyActivation> {
        try session.request("policies.activate") {
            guard session.shelf.loader.digest(of: bundle.files) == bundle.sha256 else {
                throw DeskError.input("sha256", "The bundle's SHA-256 is not that of its files.")
            }
            let start = from ?? session.now
            guard start >= session.now else {
                throw Refused("past", "A policy can come into force now or later, not at \(start).")
            }
            let name = try loading(bundle)
            return try activate(bundle, name: name, from: start, note: note, retroactive: retroactive)
        }
    }

    /// What is in force at an instant (nil: now), or the policy on trial; nil where no policy was activated by then.
    package func inForce(at: Instant? = nil) throws -> PolicyActivation? {
        if let trial = session.shelf.trial {
            return PolicyActivation(
                policy: trial.sha256, name: trial.files.first?.name ?? "", effectiveFrom: session.now,
                activatedAt: session.now, actor: session.actor.name, note: "on trial")
        }
        return try transaction.policies.inForce(at: at ?? session.now)
    }

    /// All activations, the latest decision first.
    package func history() throws -> [PolicyActivation] {
        try transaction.policies.history().reversed()
    }

    /// The files of a version, nil if the store never had it.
    package func bundle(_ sha256: String) throws -> PolicyBundle? {
        try session.shelf.bundle(sha256, in: transaction)
    }

    /// Puts the version into force that was so before the present one. Refused with `no_policy` if there is none.
    ///
    /// - Parameter retroactive: as for ``activate(_:from:note:retroactive:)``.
    package func rollback(note: String = "", retroactive: Bool = false) throws -> Outcome<PolicyActivation> {
        try session.request("policies.rollback") {
            guard let current = try inForce() else { throw Refused("no_policy", "No policy is in force.") }
            let past = try transaction.policies.begun(by: session.now).last { $0.policy != current.policy }
            guard let past, let bundle = try bundle(past.policy) else {
                throw Refused("no_policy", "No other policy was in force before this one.")
            }
            let name = try loading(bundle)
            return try activate(bundle, name: name, from: session.now, note: note, retroactive: retroactive)
        }
    }

    /// What is to come into force later, the next one first.
    package func upcoming() throws -> [PolicyActivation] {
        try transaction.policies.upcoming(after: session.now)
    }

    /// Takes back an activation that has not begun. Refused with `not_scheduled` if there is none of that id.
    package func withdraw(_ id: Int64) throws -> Outcome<PolicyActivation> {
        try session.request("policies.withdraw") {
            guard var activation = try upcoming().first(where: { $0.id == id }) else {
                throw Refused("not_scheduled", "No policy is scheduled under that number.")
            }
            activation.withdrawnAt = session.now
            try session.record(.policyWithdrawn, activation)
            return activation
        }
    }

    /// Runs the body with a version of the store.
    ///
    /// - Returns: nil if the store has no such version.
    /// - Throws: ``PolicyFailure`` if it cannot be loaded; whatever the body throws.
    package func withPolicy<Result>(
        _ sha256: String, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result? {
        guard let bundle = try bundle(sha256) else { return nil }
        let fields = try session.fieldsOfPolicies()
        if session.shelf.trial?.sha256 == sha256 { return try session.shelf.loader.withNewPolicy(bundle, fields, body) }
        return try session.shelf.loader.withPolicy(bundle, fields, body)
    }

    /// What a policy calls itself, whether it is in the store or not.
    ///
    /// - Throws: ``PolicyFailure`` if the bundle is not a policy.
    package func name(of bundle: PolicyBundle) throws -> String {
        let fields = try session.fieldsOfPolicies()
        if try self.bundle(bundle.sha256) != nil, session.shelf.trial?.sha256 != bundle.sha256 {
            return try session.shelf.loader.withPolicy(bundle, fields) { $0.name }
        }
        return try session.shelf.loader.withNewPolicy(bundle, fields) { $0.name }
    }

    private func activate(
        _ bundle: PolicyBundle, name: String, from: Instant, note: String, retroactive: Bool
    ) throws -> PolicyActivation {
        let activation = PolicyActivation(
            policy: bundle.sha256, name: name, effectiveFrom: from, activatedAt: session.now,
            actor: session.actor.name, note: note, isRetroactive: retroactive)
        let activated = ActivatedPolicy(activation, bundle: bundle)
        guard let recorded = try session.record(.policyActivated, activated)?.content else {
            throw DeskError.input(nil, "The policy could not be put into force.")
        }
        return recorded.activation
    }

    /// The policy's name, if the bundle is one.
    func loading(_ bundle: PolicyBundle) throws -> String {
        do {
            return try name(of: bundle)
        } catch let failure as PolicyFailure {
            throw Refused(loading: bundle.sha256, failure, point: .checkout)
        }
    }
}

extension PolicyService {
    /// Runs the body with a version that is to answer at a point.
    ///
    /// - Throws: ``Refused`` with `policy_failed` if the version is missing or cannot be loaded; whatever the body
    ///   throws.
    func asking<Result>(
        _ version: String, at point: DecisionPoint, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        do {
            if let result = try withPolicy(version, body) { return result }
            throw PolicyFailure(code: "missing", message: "The version \(version) is not in the store.")
        } catch let failure as PolicyFailure {
            throw Refused(loading: version, failure, point: point)
        }
    }

    /// Words a refusal as the `messages` of the policy in force say, if there is one, it can be loaded, and it was not
    /// worded already.
    func wordedInForce(_ refused: Refused, _ trail: RequestTrail) throws -> Refused {
        guard refused.filled == nil, let activation = try inForce() else { return refused }
        do {
            return try asking(activation.policy, at: .request) { policy in
                // Most refusals have no words of the library's own: then nothing needs to be read.
                guard refused.refusal.reasons.contains(where: { policy.message(for: $0.code, language: nil) != nil })
                else { return refused }
                let language = try trail.patron.flatMap { try transaction.patrons.get($0)?.language }
                return try refused.worded(by: policy, language: language) { try context($0, trail) }
            }
        } catch is Refused {
            return refused
        }
    }

    private func context(_ title: Int64?, _ trail: RequestTrail) throws -> TemplateContext {
        let copy = try trail.copy.flatMap { try transaction.copies.get($0) }
        let loan = try trail.loan.flatMap { try transaction.loans.get($0) }
        return try session.loans.context(
            patron: trail.patron, title: title ?? trail.titles.first { $0 != 0 }, copy: copy, loan: loan,
            branch: session.actor.branch ?? loan?.branch ?? session.settings.branches().first?.code)
    }
}

package import Circulation
import Storage

extension PolicyService {
    /// Takes a version into the library's history without putting it into force, for loans that were made under it
    /// elsewhere: it is taken back in the moment in which it is named. A version that is in the history stays as it is
    /// there. If the bundle is not a policy it is refused with `policy_failed`, and nothing changes.
    ///
    /// - Returns: its latest activation.
    package func keep(_ bundle: PolicyBundle, note: String = "") throws -> Outcome<PolicyActivation> {
        try session.request("policies.activate") {
            guard session.shelf.loader.digest(of: bundle.files) == bundle.sha256 else {
                throw DeskError.input("sha256", "The bundle's SHA-256 is not that of its files.")
            }
            if let known = try history().first(where: { $0.policy == bundle.sha256 }) { return known }
            var activation = PolicyActivation(
                policy: bundle.sha256, name: try loading(bundle),
                effectiveFrom: try session.now.adding(microseconds: 1_000_000), activatedAt: session.now,
                actor: session.actor.name, note: note, isRetroactive: false)
            let kept = ActivatedPolicy(activation, bundle: bundle)
            guard let recorded = try session.record(.policyActivated, kept)?.content else {
                throw DeskError.input(nil, "The policy could not be stored.")
            }
            activation = recorded.activation
            activation.withdrawnAt = session.now
            try session.record(.policyWithdrawn, activation)
            return activation
        }
    }
}

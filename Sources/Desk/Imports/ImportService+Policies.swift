package import Circulation
import Storage

extension ImportService {
    /// Takes in an activation with the files of its version: who put which policy into force, when and why.
    ///
    /// - Parameters:
    ///   - files: nil if the store has the version already.
    ///   - known: the activations that came from the same file before: a history is taken over whole, or not at all
    ///     where the library has one of its own.
    package func activation(
        _ activation: PolicyActivation, files: [PolicyBundle.File]?, known: Set<Int64>
    ) throws -> Imported<PolicyActivation> {
        try rejecting {
            let policies = session.transaction.policies
            let history = try policies.history()
            var wanted = activation
            if let before = history.first(where: { present in
                wanted.id = present.id
                return present == wanted
            }) {
                return .unchanged(before)
            }
            guard history.allSatisfy({ known.contains($0.id) }) else {
                throw Refused("policy_kept", "The store has a policy of its own, which stays in force.")
            }
            let bundle = files.map { PolicyBundle(sha256: activation.policy, files: $0) }
            if let bundle {
                guard session.shelf.loader.digest(of: bundle.files) == bundle.sha256 else {
                    throw Refused("policy_digest", "The files are not those of the version that the record names.")
                }
            } else if try policies.bundle(activation.policy) == nil {
                throw Refused("policy_missing", "The files of this version are not here.")
            }
            wanted.id = try policies.activation(activation.id) == nil ? activation.id : 0
            let taken = ActivatedPolicy(wanted, bundle: try bundle ?? policies.bundle(activation.policy))
            guard let added = try session.record(.policyActivated, taken, at: activation.activatedAt)?.content else {
                throw DeskError.input(nil, "The policy could not be stored.")
            }
            return .added(added.activation)
        }
    }

    /// Makes room for the settings of a whole library in a store that holds only those that every store begins with:
    /// its branches, categories and item types are to be the library's own, in its own order.
    ///
    /// - Returns: false if the store holds a library already, to which nothing was done.
    package func makeRoomForLibrary() throws -> Bool {
        guard try session.isFresh() else { return false }
        for branch in try session.settings.branches() { try session.record(.branchRemoved, RemovedCode(branch.code)) }
        for category in try session.settings.categories() {
            try session.record(.categoryRemoved, RemovedCode(category.code))
        }
        for type in try session.settings.itemTypes() { try session.record(.itemTypeRemoved, RemovedCode(type.code)) }
        return true
    }
}

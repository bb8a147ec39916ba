import Circulation
import Storage
import Synchronization

/// The policies of one desk: how bundles become policies, and the bundles that were read already.
final class PolicyShelf: Sendable {
    /// How many bundles are kept; a bundle never changes under its name.
    private static let capacity = 32

    let loader: any PolicyLoader
    /// Decides in place of whatever is in force: a policy on trial.
    let trial: PolicyBundle?
    /// The library's own fields that policies may read, where the store at hand is not the library's; nil: those in force.
    let fields: CustomFields?
    private let bundles = Mutex<[String: PolicyBundle]>([:])

    init(loader: any PolicyLoader, trial: PolicyBundle?, fields: CustomFields? = nil) {
        self.loader = loader
        self.trial = trial
        self.fields = fields
    }

    /// The bundle of a version, read from the store once.
    func bundle(_ sha256: String, in transaction: Transaction) throws -> PolicyBundle? {
        if let trial, trial.sha256 == sha256 { return trial }
        if let kept = bundles.withLock({ $0[sha256] }) { return kept }
        guard let bundle = try transaction.policies.bundle(sha256) else { return nil }
        bundles.withLock { bundles in
            if bundles.count >= Self.capacity { bundles.removeAll(keepingCapacity: true) }
            bundles[sha256] = bundle
        }
        return bundle
    }
}

package import Circulation
package import Desk
package import LuaRuntime
import Synchronization

/// Makes policies of bundles and keeps those that are idle, by version.
///
/// Each policy is used by one caller at a time; a second caller of the same version, or a nested one, gets another.
package final class LuaPolicyLoader: PolicyLoader {
    /// How many idle policies of one version are kept, and of how many versions.
    private static let idlePerVersion = 8
    private static let idleVersions = 64

    private let currency: Currency
    private let limits: LuaLimits
    private let idle = Mutex<[String: [Parked]]>([:])

    /// - Parameters:
    ///   - currency: the library's, so that policies need not be loaded a second time for it.
    ///   - limits: what one decision may use up.
    package init(currency: Currency = .eur, limits: LuaLimits = .policy) {
        self.currency = currency
        self.limits = limits
    }

    package func withPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        let policy = try takeIdle(bundle.sha256, fields) ?? load(bundle, fields, isStored: true)
        defer { park(policy) }
        return try body(policy)
    }

    package func withNewPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        let policy =
            try takeIdle(bundle.sha256, fields) { !$0.isStored } ?? load(bundle, fields, isStored: false)
        defer { park(policy) }
        return try body(policy)
    }

    package func digest(of files: [PolicyBundle.File]) -> String { PolicyBundle.digest(of: files) }

    private func load(_ bundle: PolicyBundle, _ fields: CustomFields, isStored: Bool) throws -> LuaPolicy {
        guard bundle.sha256 == PolicyBundle.digest(of: bundle.files) else {
            throw PolicyFailure(
                code: "damaged", message: "the policy's files do not match its version \(bundle.sha256.prefix(12))",
                file: bundle.files.first?.name)
        }
        do {
            return try LuaPolicy(
                bundle, fields: fields, currency: currency, limits: limits, isStored: isStored)
        } catch {
            throw error.failure
        }
    }

    private func takeIdle(
        _ version: String, _ fields: CustomFields, where isWanted: (LuaPolicy) -> Bool = { _ in true }
    ) -> LuaPolicy? {
        idle.withLock { idle -> Parked? in
            let place = idle[version]?.lastIndex { $0.policy.fields == fields && isWanted($0.policy) }
            guard let place else {
                // Those that know other fields are not asked any more.
                idle[version]?.removeAll { $0.policy.fields != fields }
                return nil
            }
            return idle[version]?.remove(at: place)
        }?.policy
    }

    private func park(_ policy: LuaPolicy) {
        let parked = Parked(policy: policy)
        idle.withLock { idle in
            if idle[policy.version] == nil && idle.count >= Self.idleVersions { idle.removeAll() }
            if idle[policy.version, default: []].count < Self.idlePerVersion {
                idle[policy.version, default: []].append(parked)
            }
        }
    }

    /// An idle policy. It has no owner, so it may pass from one thread to another.
    private struct Parked: @unchecked Sendable {
        let policy: LuaPolicy
    }
}

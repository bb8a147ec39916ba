import Circulation
import Desk
import LuaRuntime
import Scripting

/// Gives the desk of a test the policy under test, and takes note of the rows that decide.
///
/// It belongs to one test worker and is used by its thread alone, as the desk is.
final class WatchedPolicies: PolicyLoader, @unchecked Sendable {
    private let limits: LuaLimits
    private let probes: PolicyProbes
    private let rows: RowRecord
    private let watched: ParsedPolicy
    private var idle: [String: [WatchedPolicy]] = [:]

    /// - Parameter watched: the policy under test; others just decide.
    init(limits: LuaLimits, probes: PolicyProbes, rows: RowRecord, watched: ParsedPolicy) {
        self.limits = limits
        self.probes = probes
        self.rows = rows
        self.watched = watched
    }

    func withPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        let policy = try idle[bundle.sha256]?.popLast() ?? load(bundle)
        defer { idle[bundle.sha256, default: []].append(policy) }
        return try body(policy)
    }

    func digest(of files: [PolicyBundle.File]) -> String { PolicyBundle.digest(of: files) }

    private func load(_ bundle: PolicyBundle) throws -> WatchedPolicy {
        let isWatched = bundle.sha256 == watched.bundle.sha256
        do {
            let policy = try LuaPolicy(
                isWatched ? watched : ParsedPolicy(bundle), limits: limits, probes: isWatched ? probes : nil)
            return WatchedPolicy(policy, rows: isWatched ? rows : nil)
        } catch {
            throw error.failure
        }
    }
}

/// A policy whose decisions are noted.
private final class WatchedPolicy: LendingPolicy {
    private let policy: LuaPolicy
    private let rows: RowRecord?

    init(_ policy: LuaPolicy, rows: RowRecord?) {
        self.policy = policy
        self.rows = rows
    }

    var version: String { policy.version }
    var name: String { policy.name }
    var noticesFrom: Period { policy.noticesFrom }
    var automaticRenewalLead: Period? { policy.automaticRenewalLead }
    var losesLoans: Bool { policy.losesLoans }
    var stages: [String] { policy.stages }
    func names(_ event: NotifyEvent) -> Bool { policy.names(event) }

    func decide(_ question: Case) -> Decision {
        let decision = policy.decide(question)
        rows?.note(decision, of: question, by: policy)
        return decision
    }

    func message(for code: String, language: String?) -> String? { policy.message(for: code, language: language) }

    func notice(ofStage stage: String, for question: Case) throws -> PlannedNotice? {
        try policy.notice(ofStage: stage, for: question)
    }
}

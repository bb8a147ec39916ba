package import Circulation
package import LuaRuntime
package import LuaSyntax

extension PolicyRecords {
    /// What `rule` has: the built-in fields and the library's own.
    package static func ruleFields(free: some Sequence<String>) -> FieldTree {
        FieldTree(paths: RuleField.all.map(\.name) + free)
    }
}

extension LuaPolicy {
    /// What loading a policy may use where it is only looked at; reproducible on any machine.
    package static let limitsForChecking = LuaLimits(memory: LuaLimits.policy.memory, instructions: 50_000_000)

    /// A policy that is only looked at: a table of thousands of rows takes more to load than any decision may take.
    ///
    /// - Parameter limits: what one decision may use up.
    /// - Throws: ``PolicyProblems`` with all that is wrong.
    package convenience init(
        examining policy: ParsedPolicy, currency: Currency = .eur, limits: LuaLimits, probes: PolicyProbes? = nil
    ) throws(PolicyProblems) {
        try self.init(policy, currency: currency, limits: Self.limitsForChecking, probes: probes)
        self.limits = limits
    }

    /// The decision points at which the policy has a function, in their order.
    package var points: [DecisionPoint] {
        DecisionPoint.allCases.filter { loaded.lua?[$0] != nil }
    }
}

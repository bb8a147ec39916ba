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

    /// The decision points at which the policy has a function, in their order.
    package var points: [DecisionPoint] {
        DecisionPoint.allCases.filter { loaded.lua?[$0] != nil }
    }
}

/// A piece of a policy, a case, and what comes out; a test runs each.
package struct PolicyExample: Sendable {
    /// Keys of a policy, without the `policy { }` around them.
    package let keys: String
    /// The case, as the word `given` of tests takes it.
    package let question: String
    /// The part of the decision that is of interest, as the word `expect` of tests takes it.
    package let decision: String

    package init(_ keys: String, given question: String, _ decision: String) {
        self.keys = keys
        self.question = question
        self.decision = decision
    }

    /// The whole policy; a piece without rules stands beside some that lend everything.
    package var source: String {
        "return policy { \(keys)\(keys.contains("rules =") ? "" : ", rules = { { loan = days(14) } }") }"
    }

    /// The example as a reader finds it.
    package var lines: [String] { ["policy { \(keys) }", "given \(question)  --> \(decision)"] }
}

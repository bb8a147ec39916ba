package import Circulation
package import TextFormats

/// What a policy promises of all cases at a point.
package struct Property: Hashable, Sendable {
    /// What breaks it: which answer of the function, or another decision.
    package enum Kind: String, Sendable {
        /// What the function describes never happens.
        case never
        /// What the function says is always so.
        case always
        /// What is decided as another policy does.
        case same
    }

    package let kind: Kind
    package let name: String
    package let point: DecisionPoint
    package let file: String
    package let line: Int
    /// Its place among those of its file, from 0.
    package let index: Int
}

/// What is found out about a property.
package enum ProofOutcome: Sendable {
    /// It holds for every case that there can be.
    case proved
    /// A case breaks it, as the desk itself decides; beside another one, if it is about two.
    case refuted(JSONObject, beside: JSONObject?)
    /// Neither is known, and why.
    case unknown(Unsettled)
}

/// A property with what was found out.
package struct Proof: Sendable {
    package let outcome: ProofOutcome
    /// How many ways through the question there are, as far as they were gone.
    package let paths: Int
    /// Cases in which the promise itself may raise an error, where that is why nothing is known.
    package var raising: [JSONObject] = []

    package init(outcome: ProofOutcome, paths: Int) { (self.outcome, self.paths) = (outcome, paths) }
}

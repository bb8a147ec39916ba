package import Circulation
package import TextFormats

/// What every policy promises without saying so.
package enum BuiltInProperty: String, CaseIterable, Sendable {
    case raisesNothing = "no function raises an error"
    case answers = "every answer is one that the desk takes"
    case lendsByRule = "nothing is lent without a rule"
    case speaks = "no refusal is without words"

    package var points: [DecisionPoint] {
        switch self {
        case .raisesNothing, .answers: DecisionPoint.allCases
        case .lendsByRule: [.checkout]
        case .speaks: [.request, .checkout, .renew, .hold, .publish]
        }
    }

    /// Whether it speaks of the policy's functions alone.
    package var isOfFunctions: Bool { self != .lendsByRule }

    /// Whether a failure is one of what a function answered, and not of what the tables say.
    private static func isOfAnswer(_ code: String, _ message: String, _ point: DecisionPoint) -> Bool {
        code == "bad_answer" && (message.hasPrefix("\(point.rawValue) ") || message.hasPrefix("The due date "))
    }

    /// Whether a decision of the desk breaks it.
    package func isBroken(by decision: Decision) -> Bool {
        switch self {
        case .raisesNothing: decision.failure?.code == "lua_error"
        case .answers:
            decision.failure.map { Self.isOfAnswer($0.code, $0.message, decision.point) } ?? false
        case .lendsByRule:
            decision.answer == .allow && decision.rule.map { $0["loan"] == nil && $0["due_at"] == nil } ?? false
        case .speaks: decision.refusal?.reasons.contains { $0.message.isEmpty } ?? false
        }
    }

    /// The same of what a proof follows.
    func isBroken(by decision: DecisionModel, _ desk: DeskModel) throws -> Bool {
        switch self {
        // What fails with the due time is found where that is reckoned.
        case .raisesNothing: decision.pending != nil && decision.failure != nil || decision.failure?.code == "lua_error"
        case .answers:
            decision.pending != nil && decision.failure != nil
                || decision.failure.map { Self.isOfAnswer($0.code, $0.message, desk.model.point) } ?? false
        case .lendsByRule:
            try decision.answer == "allow" && desk.hasNoPeriod && desk.path.holds(decision.verdict.isAllowed)
        case .speaks:
            try decision.verdict.reasons.contains { reason in
                guard case .text(.known("")) = reason.message else { return false }
                return try desk.path.holds(reason.condition)
            }
        }
    }
}

extension PolicyProver {
    /// Proves or refutes what every policy promises at a point.
    package func prove(
        _ property: BuiltInProperty, at point: DecisionPoint, until deadline: ContinuousClock.Instant,
        confirm: @escaping (JSONObject) -> Bool
    ) throws(ProofError) -> Proof {
        try prove(at: point, until: deadline, confirm: confirm) { desk, decision in
            try property.isBroken(by: decision, desk)
        }
    }
}

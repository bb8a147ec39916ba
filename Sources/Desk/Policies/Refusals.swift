import Circulation
import Storage

extension Refused {
    /// The refusal that follows from a policy's answer.
    init(_ asked: AskedDecision, title: Int64? = nil, loan: Int64? = nil) {
        let decision = asked.decision
        var refusal =
            decision.refusal ?? Refusal(code: Refusal.Code.policyFailed, message: "The policy gave no answer.")
        refusal.policy = asked.policy
        if decision.answer == .confirm { refusal.mayBeOverridden = true }
        if let title {
            for index in refusal.reasons.indices where refusal.reasons[index].title == nil {
                refusal.reasons[index].title = title
            }
        }
        self.init(refusal)
        self.asked = asked
        if decision.answer == .failed {
            failed = FailedDecision(
                point: decision.point, policy: asked.policy, failure: asked.failure,
                patron: asked.question.patron.id, title: title, copy: asked.copy?.id, loan: loan)
        }
    }

    /// The refusal where a version cannot be loaded at all.
    init(loading policy: String, _ failure: PolicyFailure, point: DecisionPoint) {
        self.init(Refusal(code: Refusal.Code.policyFailed, message: "The policy failed: \(failure.message)"))
        refusal.policy = policy
        failed = FailedDecision(point: point, policy: policy, failure: failure)
    }

    /// Where no policy was ever activated, nothing is lent: there is no rule.
    static let noPolicy = Refused(
        Refusal.Code.noRule, "No lending policy is in force. `moonshelf policy use FILE` puts one into force.")

    /// Words the refusal as the policy's `messages` say, filled for the person who reads it.
    func worded(by policy: any LendingPolicy, language: String?, _ context: () throws -> TemplateContext) rethrows
        -> Refused
    {
        guard filled == nil else { return self }
        var worded = self
        if !refusal.isTemplate, let message = policy.message(for: refusal.code, language: language) {
            worded.refusal.message = message
            worded.refusal.isTemplate = true
            if worded.refusal.reasons.first?.code == refusal.code { worded.refusal.reasons[0].message = message }
        }
        guard worded.refusal.isTemplate else { return worded }
        let context = try context()
        var filled = worded.refusal
        filled.message = TextTemplate(filled.message).filled(with: context)
        filled.isTemplate = false
        for index in filled.reasons.indices {
            filled.reasons[index].message = TextTemplate(filled.reasons[index].message).filled(with: context)
        }
        worded.filled = filled
        return worded
    }
}

extension AskedDecision {
    /// Why the policy failed, also where it does not say.
    var failure: PolicyFailure {
        decision.failure
            ?? PolicyFailure(code: "bad_answer", message: decision.refusal?.message ?? "The policy gave no answer.")
    }

    /// What an override goes on in spite of.
    var codes: [String] {
        let codes = decision.refusal?.reasons.map(\.code) ?? []
        return codes.isEmpty ? [decision.refusal?.code ?? decision.answer.rawValue] : codes
    }
}

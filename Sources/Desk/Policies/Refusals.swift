package import Circulation
import Storage

extension Refused {
    /// The refusal that follows from a policy's answer.
    init(_ asked: AskedDecision, title: Int64? = nil, loan: Int64? = nil) {
        let decision = asked.decision
        var refusal =
            decision.refusal ?? Refusal(code: Refusal.Code.policyFailed, message: "The policy gave no answer.")
        refusal.policy = asked.policy
        if decision.answer == .confirm {
            refusal.mayBeOverridden = true
            refusal.isQuestion = true
        }
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
        Refusal.Code.noRule,
        "No lending policy is in force yet, so nothing can be lent. On the page “Policy”, or with `moonshelf policy "
            + "use FILE`, an administrator can put one into force."
    )

    /// Words every reason as the policy's `messages` say, each filled about its own title for the person who reads it.
    /// What is written down keeps the templates, so that no name gets into the log; texts that are no templates, such
    /// as those of a function, are never expanded.
    ///
    /// - Parameter context: what a reason about a title (nil: about none of several) can name.
    func worded(
        by policy: any LendingPolicy, language: String?, _ context: (Int64?) throws -> TemplateContext
    ) rethrows -> Refused {
        guard filled == nil else { return self }
        var worded = self
        for (index, reason) in refusal.reasons.enumerated() {
            guard let message = policy.message(for: reason.code, language: language) else { continue }
            worded.refusal.reasons[index].message = message
            worded.refusal.reasons[index].isTemplate = true
        }
        guard worded.refusal.reasons.contains(where: \.isTemplate) else { return self }
        worded.refusal.takeMessageOfFirstReason()
        var filled = worded.refusal
        for (index, reason) in filled.reasons.enumerated() where reason.isTemplate {
            var context = try context(reason.title)
            context.reason = refusal.reasons[index]
            filled.reasons[index].message = TextTemplate(reason.message).filled(with: context)
            filled.reasons[index].isTemplate = false
        }
        filled.takeMessageOfFirstReason()
        worded.filled = filled
        return worded
    }

    /// The refusal in the caller's language.
    package var answer: Refusal { filled ?? refusal }
}

extension Refusal {
    fileprivate mutating func takeMessageOfFirstReason() {
        guard let first = reasons.first, first.code == code else { return }
        message = first.message
        isTemplate = first.isTemplate
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

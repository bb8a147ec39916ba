package import Circulation

extension DeskSession {
    /// Puts a case that is not about a loan to the policy in force, or to the caller's own rule where there is none.
    ///
    /// - Throws: ``Refused`` where it denies or fails.
    package func asked(_ question: Case, standard: (Case) throws -> Decision) throws -> AskedDecision {
        guard let activation = try policies.inForce() else {
            return AskedDecision(question: question, decision: try standard(question), policy: "", copy: nil)
        }
        return try policies.asking(activation.policy, at: question.point) { policy in
            let asked = try CaseBuilder(session: self).ask(policy, question)
            switch asked.decision.answer {
            case .allow, .review: return asked
            case .confirm, .deny, .failed:
                throw try Refused(asked, title: question.title?.id)
                    .worded(by: policy, language: question.patron.language) { _ in
                        try loans.context(
                            patron: question.patron.id, title: question.title?.id, branch: question.branch)
                    }
            }
        }
    }
}

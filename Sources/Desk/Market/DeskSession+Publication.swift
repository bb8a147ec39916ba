import Circulation
import Storage

extension DeskSession {
    /// What the policy in force says to a listing or a suggestion; without a policy the desk's own answer, whose version
    /// is empty.
    ///
    /// - Throws: ``Refused`` where it denies or fails.
    func publication(
        of patron: Patron, title: Int64?, listing: ListingFacts?, suggestion: SuggestionFacts?
    ) throws -> AskedDecision {
        let desk = try CaseBuilder(session: self)
        let branch = try desk.branch(copy: nil, home: patron.homeBranch)
        guard let facts = try desk.patron(patron.id, at: branch) else {
            throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
        }
        var question = desk.question(
            .publish, at: branch, patron: facts, title: try title.flatMap { try desk.title($0, for: patron.id) })
        question.listing = listing
        question.suggestion = suggestion
        return try asked(question) { Decision.standardPublication(of: $0) }
    }

    /// Puts a case of the market to the policy in force, or to the desk's own rule where there is none.
    ///
    /// - Throws: ``Refused`` where it denies or fails.
    func asked(_ question: Case, standard: (Case) throws -> Decision) throws -> AskedDecision {
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

import Circulation
import TextFormats

extension LuaPolicy {
    /// Adds what the loan costs to a decision that has a due time, where the rule makes it a rental: as the policy's
    /// `price` has it. Where staff may override a refusal, its first reason tells them what the loan would cost.
    ///
    /// It is the last thing asked about a case.
    func addRental(to decision: inout Decision, _ question: Case, _ rule: MatchedRule) throws {
        guard let due = decision.due, let priced = rule.rentalQuestion(of: question, until: due) else { return }
        endQuestion()
        decision.effects += Decision.rental(try price(priced).lines ?? [])
        if let rental = decision.rental, decision.refusal?.reasons.isEmpty == false {
            decision.refusal?.reasons[0].figures["rental"] = .string(rental.description)
        }
    }
}

import Circulation
import Storage
import TextFormats

extension LoanService {
    /// The limits of the policy in force that a patron's open loans and holds go beyond, each once. Without a policy, or
    /// where it fails, there are none.
    func limitsExceeded(by patron: Int64) throws -> [Refusal.Reason] {
        guard let activation = try session.policies.inForce() else { return [] }
        let desk = try CaseBuilder(session: session)
        do {
            return try session.policies.asking(activation.policy, at: .checkout) { policy in
                var exceeded: [Refusal.Reason] = []
                for question in try questions(about: patron, desk) {
                    let decision = try desk.ask(policy, question).decision
                    for reason in decision.refusal?.reasons ?? [] where reason.isBeyondLimit {
                        if !exceeded.contains(where: { $0.origin == reason.origin }) { exceeded.append(reason) }
                    }
                }
                return exceeded
            }
        } catch is Refused {
            return []
        }
    }

    /// What was lent to a patron, asked for once more, and what they wait for: each kind of copy once.
    private func questions(about patron: Int64, _ desk: CaseBuilder) throws -> [Case] {
        var questions: [Case] = []
        var seen: Set<[String?]> = []
        for loan in try transaction.loans.open(patron: patron) {
            guard let copy = try loan.copy.flatMap({ try transaction.copies.get($0) }) else { continue }
            let branch = loan.branch ?? copy.branch
            guard seen.insert([copy.itemType, copy.branch, copy.location ?? "", branch]).inserted,
                let facts = try desk.patron(patron, at: branch), let title = try desk.title(copy.title, for: patron)
            else { continue }
            questions.append(
                desk.question(
                    .checkout, at: branch, patron: facts, title: title, copy: desk.facts(of: copy),
                    request: RequestFacts(size: 1, titles: [copy.title], index: 1)))
        }
        for hold in try transaction.holds.open(patron: patron) {
            guard let title = hold.title, let copy = try transaction.copies.of(title: title).first,
                seen.insert(["hold", copy.itemType, hold.pickupBranch]).inserted,
                let patron = try desk.patron(patron, at: hold.pickupBranch),
                let facts = try desk.title(title, for: patron.id)
            else { continue }
            var question = desk.question(
                .hold, at: hold.pickupBranch, patron: patron, title: facts, copy: desk.facts(of: copy))
            question.hold = HoldService.facts(of: hold, category: patron.category)
            questions.append(question)
        }
        return questions
    }
}

extension Refusal.Reason {
    /// Whether there is more than a limit allows, and not just as much.
    fileprivate var isBeyondLimit: Bool {
        guard code == Refusal.Code.limit, let limit = figures["limit"]?.integerValue,
            let count = figures["count"]?.integerValue
        else { return false }
        return count > limit
    }
}

import Circulation
import Storage

// Titles asked for, lent and refused.
extension RecordedReplay {
    /// All titles of a request are decided before the first is lent, so all their cases are made when the first is read.
    func askCheckouts(_ item: ReplayStream.Item, _ loan: Loan) throws {
        guard asked.remove(item.record.sequence) == nil else { return }
        guard let first = try recordedCase(item, isExpected: true) else {
            _ = takes(loan.id)
            return
        }
        let group = try group(item, loan, size: Int(clamping: first.content.request?.size ?? 1))
        var granted: [OpenLoanFacts] = []
        let whole = WholeAnswer()
        for (place, member) in group.loans.enumerated() {
            if place > 0 { asked.insert(member.item.record.sequence) }
            let isTaken = takes(member.loan.id)
            let known = place == 0 ? first : try recordedCase(member.item, isExpected: true)
            guard let recorded = known else { continue }
            let session = fold.session(of: member.item.record, recorded.content)
            let maker = try ReplayCaseBuilder(fold, session)
            let copy = try member.loan.copy.flatMap { try fold.copy($0) }
            guard let question = try maker.checkout(recorded.content, copy: copy, granted: granted) else {
                try report(member.item.record.sequence, "The events know no such patron or title at that time.")
                continue
            }
            if place + 1 < group.loans.count, let due = member.loan.due, let title = member.loan.title {
                granted.append(
                    maker.desk.granted(title, copy, at: recorded.content.branch, onSite: member.loan.onSite, due: due))
            }
            guard isTaken else { continue }
            let put = try asking(question)
            try inTurn { [self, overridden = group.overridden] in
                guard try check(recorded, question),
                    let before = try before(recorded.record, member.loan, overridden)
                else { return }
                try decideCheckout(member, recorded.record, put, before, whole, overridden)
            }
        }
    }

    /// The answer to a request as a whole, once it was asked for.
    private final class WholeAnswer {
        /// Of its first title.
        var question: Case?
        var answer: ReplayedAnswer?
    }

    private func decideCheckout(
        _ member: (item: ReplayStream.Item, loan: Loan), _ record: DecisionRecord, _ question: Case,
        _ before: ReplayedAnswer, _ whole: WholeAnswer, _ overridden: Set<String>
    ) throws {
        let first = whole.question ?? question
        whole.question = first
        let after = try answered(record, question, before) {
            let answered = whole.answer ?? wholeAnswer(ReplayCaseBuilder.request(before: first), overridden)
            whole.answer = answered
            return answered.isGranted ? answer(question, overriding: before) : answered
        }
        accounts.post(.rental, after.isGranted ? after.cost : 0, key: "rental:0", member.loan, at: question.now)
        try tell(member.item, question, loan: member.loan.id, before, after)
    }

    /// What the policy says to the request before any title is looked at.
    private func wholeAnswer(_ question: Case, _ overridden: Set<String>) -> ReplayedAnswer {
        let decision = candidate.decide(question)
        var answer = ReplayedAnswer(decision)
        let codes = Set(decision.refusal?.reasons.map(\.code) ?? [])
        answer.isOverridden = decision.answer != .allow && !codes.isEmpty && codes.isSubset(of: overridden)
        return answer
    }

    func askRefused(_ item: ReplayStream.Item, _ refused: RefusedRequest) throws {
        guard takes(refused), let known = try recordedCase(item, isExpected: refused.isDecided) else { return }
        let recorded = known.content
        let maker = try ReplayCaseBuilder(fold, fold.session(of: item.record, recorded))
        let copy = try refused.copy.flatMap { try fold.copy($0) }
        let question: Case? =
            switch recorded.loan == nil && recorded.point == .due ? .checkout : recorded.point {
            case .request, .checkout: try maker.checkout(recorded, copy: copy)
            case .renew, .due:
                try (recorded.loan?.id).flatMap { try fold.loan($0) }
                    .flatMap { try maker.about($0, .renew, recorded, nil)?.question }
            case .hold: try maker.hold(recorded, copy: copy)
            default: nil
            }
        guard let question else {
            return try report(item.record.sequence, "The events know nothing of what was asked for.")
        }
        let put = try asking(question)
        try inTurn { [self] in
            guard try check(known, question), let before = try before(known.record, refused) else { return }
            let after = try answered(known.record, put, before) { [self] in self.after(put, before, refused) }
            try tell(item, question, loan: refused.loan, before, after)
        }
    }

    private func after(_ question: Case, _ before: ReplayedAnswer, _ refused: RefusedRequest) -> ReplayedAnswer {
        let after: ReplayedAnswer
        switch question.point {
        case .request, .hold: after = ReplayedAnswer(candidate.decide(question))
        case .checkout:
            let whole = wholeAnswer(ReplayCaseBuilder.request(before: question), [])
            after = whole.isGranted ? answer(question) : whole
        default: after = answer(question)
        }
        // What the policy would lend is still not on the shelf.
        return after.isGranted && refused.isByStock ? refused.answer : after
    }
}

extension RefusedRequest {
    var isByStock: Bool { refusal.code == Refusal.Code.noCopies }

    var answer: ReplayedAnswer {
        ReplayedAnswer(answer: Decision.Answer.deny.rawValue, code: refusal.code, message: refusal.message)
    }
}

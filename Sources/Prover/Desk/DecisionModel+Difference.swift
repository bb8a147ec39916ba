import Circulation

extension DecisionModel {
    /// Whether another decision of the same case says anything else, on the way at hand: the answer, its reasons, due times,
    /// amounts, and what is told. A due time that was left open is looked at where it is asked for by itself.
    func differs(from other: DecisionModel, on path: Path, _ texts: Texts) throws -> Bool {
        if (failure == nil) != (other.failure == nil) { return true }
        if failure != nil { return false }
        if answer != other.answer || isLost != other.isLost { return true }
        if try reasonsDiffer(other, path, texts) { return true }
        func differ(_ one: Number?, _ another: Number?) throws -> Bool {
            guard let one, let another else { return (one == nil) != (another == nil) }
            return try path.holds(one.equals(another).negated)
        }
        let numbers: [(Number?, Number?)] = [
            (due?.instant, other.due?.instant), (fine ?? .constant(0), other.fine ?? .constant(0)),
            (lostFee, other.lostFee), (suspendedUntil, other.suspendedUntil), (rental.total, other.rental.total),
            (lines?.total, other.lines?.total), (membershipDay, other.membershipDay),
            (charges.map(\.amount).reduce(.constant(0), +), other.charges.map(\.amount).reduce(.constant(0), +)),
        ]
        for (one, another) in numbers where try differ(one, another) { return true }
        if let unsettled = unsettledNotices ?? other.unsettledNotices { throw unsettled }
        return notices.count != other.notices.count || charges.count != other.charges.count
    }

    /// The last day of a membership, a day beyond all others where it has no end; nil: nothing is said.
    var membershipDay: Number? {
        switch membership {
        case .date(let day)?: day
        case .unlimited?: .constant(ProofDomain.reckonedDays.upperBound + 1)
        default: nil
        }
    }

    /// Whether it depends on variables of such names; what is told is taken to do so.
    func isAbout(_ name: (String) -> Bool) -> Bool {
        if !notices.isEmpty || !charges.isEmpty || message != nil || priority != nil { return true }
        var variables: Set<String> = []
        let amounts = [due?.instant, fine, lostFee, suspendedUntil, rental.total, lines?.total, membershipDay]
            .compactMap { $0 }
        for number in amounts { number.collect(into: &variables) }
        for reason in verdict.reasons {
            reason.condition.collect(into: &variables)
            if case .symbol(let number) = reason.code { number.collect(into: &variables) }
        }
        return variables.contains(where: name)
    }

    private func reasonsDiffer(_ other: DecisionModel, _ path: Path, _ texts: Texts) throws -> Bool {
        let codes = (verdict.reasons + other.verdict.reasons).map { texts.number(of: $0.code) }
        for code in Set(codes).sorted(by: { $0.smt < $1.smt }) {
            func speaks(_ decision: DecisionModel) -> Condition {
                .some(decision.verdict.reasons.filter { texts.number(of: $0.code) == code }.map(\.condition))
            }
            let (one, another) = (speaks(self), speaks(other))
            if one != another, try path.holds(one.equals(another).negated) { return true }
        }
        let weights = (verdict.isQuestion, other.verdict.isQuestion)
        return try weights.0 != weights.1 && path.holds(weights.0.equals(weights.1).negated)
    }
}

extension Decision {
    /// Whether another decision says anything else: the answer, its reasons, due times, amounts, and what is told.
    func differs(from other: Decision) -> Bool {
        func codes(_ decision: Decision) -> Set<String> { Set((decision.refusal?.reasons ?? []).map(\.code)) }
        return answer != other.answer || codes(self) != codes(other) || due != other.due || amounts != other.amounts
            || membership?.date != other.membership?.date || (membership == nil) != (other.membership == nil)
            || kinds != other.kinds
    }

    /// What it does beside its answer, without where that is written.
    private var kinds: [String] {
        effects.map { effect in
            switch effect {
            case .notice(let notice): "notice \(notice.stage)"
            case .charge(let charge): "charge \(charge.key)"
            case .suspend(let end, _): "suspend \(end)"
            case .fine, .rental: ""
            case .lose: "lose"
            }
        }
    }
}

import Circulation

/// Two decisions of one case, on one way through the question: what of them differs.
struct DecisionPair {
    let one: DecisionModel
    let other: DecisionModel
    let oneDesk: DeskModel
    let otherDesk: DeskModel
    let judgement: PolicyJudgement
    /// Whether the words of refusals and reviews are looked at.
    var comparesWords = true

    private var path: Path { oneDesk.path }
    private var texts: Texts { oneDesk.model.texts }

    /// The weightiest aspect in which they differ on this way, or in which the other is looser; nil: none.
    func difference() throws -> DecisionAspect? {
        if one.failure?.code != other.failure?.code { return try answers() ? .answer : nil }
        if one.failure != nil { return nil }
        if try reasonsDiffer(), try answers() { return .answer }
        if one.answer != other.answer, try answers() { return .answer }
        if try due() { return .due }
        if try amounts(one.fine, other.fine) { return .fine }
        if try loss() { return .lost }
        if try amounts(one.lostFee, other.lostFee) { return .lostFee }
        if try membership() { return .expiresOn }
        if try suspension() { return .suspendedUntil }
        if try amounts(sum(one.rental.map(\.amount)), sum(other.rental.map(\.amount))) { return .rental }
        if try amounts(sum(one.lines?.map(\.amount)), sum(other.lines?.map(\.amount))) { return .total }
        if try charges() { return .charges }
        return judgement == .differs ? try details() : nil
    }

    // MARK: - Answers

    /// Whether the answers as a whole differ, or the other goes further.
    private func answers() throws -> Bool {
        if judgement == .differs { return true }
        return try settles(latitude(one, oneDesk) < latitude(other, otherDesk))
    }

    private func latitude(_ decision: DecisionModel, _ desk: DeskModel) -> Number {
        if decision.answer == "failed" {
            return .constant(desk.model.point.failureMode == .refuse ? 0 : 3)
        }
        let verdict = decision.verdict
        let against = Number.either(
            verdict.isQuestion, .constant(2), .either(verdict.mayBeOverridden, .constant(1), .constant(0)))
        return .either(verdict.isAllowed, .constant(decision.answer == "review" ? 2 : 3), against)
    }

    private struct Key: Hashable {
        let code: Text
        let weight: DecisionModel.Reason.Weight
    }

    /// Whether a reason speaks in one of them alone. What both have in common is told apart first.
    private func reasonsDiffer() throws -> Bool {
        let ones = Dictionary(grouping: one.verdict.reasons) { Key(code: $0.code, weight: $0.weight) }
        let others = Dictionary(grouping: other.verdict.reasons) { Key(code: $0.code, weight: $0.weight) }
        for key in keys {
            let (left, right) = ((ones[key] ?? []).map(\.condition), (others[key] ?? []).map(\.condition))
            let common = left.filter(right.contains)
            let (rest, otherRest) = (left.filter { !common.contains($0) }, right.filter { !common.contains($0) })
            if rest.isEmpty && otherRest.isEmpty { continue }
            if !common.isEmpty {
                let isSo = Condition.some(common)
                if case .known(let code) = key.code, common.count > 1 {
                    path.say(isSo, "another `\(code)` as well", "no other `\(code)`")
                }
                if try path.holds(isSo) { continue }
            }
            if try isAny(rest) != isAny(otherRest) { return true }
        }
        return false
    }

    private var keys: [Key] {
        var seen: Set<Key> = []
        return (one.verdict.reasons + other.verdict.reasons).map { Key(code: $0.code, weight: $0.weight) }
            .filter { seen.insert($0).inserted }
    }

    private func isAny(_ conditions: [Condition]) throws -> Bool {
        for condition in conditions where try path.holds(condition) { return true }
        return false
    }

    // MARK: - Amounts and moments

    /// Whether a condition holds that nothing but the difference itself depends on.
    private func settles(_ condition: Condition) throws -> Bool {
        try path.reckoning { try path.holds(condition) }
    }

    /// Whether amounts differ, or the other is the smaller one; nil is nothing.
    private func amounts(_ left: Number?, _ right: Number?) throws -> Bool {
        let (left, right) = (left ?? .constant(0), right ?? .constant(0))
        return try settles(judgement == .differs ? left.equals(right).negated : right < left)
    }

    private func sum(_ amounts: [Number]?) -> Number? { amounts?.reduce(.constant(0), +) }

    private func due() throws -> Bool {
        switch (one.due, other.due) {
        case (let left?, let right?):
            if judgement == .loosens { return try settles(left.instant < right.instant) }
            return try left.isExact != right.isExact || settles(left.instant.equals(right.instant).negated)
        case (nil, nil): return false
        case (_?, nil): return judgement == .differs || oneDesk.model.point == .recall
        case (nil, _?): return judgement == .differs
        }
    }

    private func loss() throws -> Bool {
        judgement == .differs ? one.isLost != other.isLost : one.isLost && !other.isLost
    }

    private func suspension() throws -> Bool {
        let never = Number.constant(ProofDomain.reckonedDays.lowerBound)
        let (left, right) = (one.suspendedUntil ?? never, other.suspendedUntil ?? never)
        return try settles(judgement == .differs ? left.equals(right).negated : right < left)
    }

    private func membership() throws -> Bool {
        guard let left = one.membershipDay, let right = other.membershipDay else {
            return judgement == .differs && (one.membershipDay == nil) != (other.membershipDay == nil)
        }
        return try settles(judgement == .differs ? left.equals(right).negated : left < right)
    }

    private func charges() throws -> Bool {
        if judgement == .loosens {
            return try amounts(sum(charges(of: one)), sum(charges(of: other)))
        }
        guard one.charges.count == other.charges.count else { return true }
        for (left, right) in zip(one.charges, other.charges) {
            if try !same(left.key, right.key) || !same(left.label, right.label) || amounts(left.amount, right.amount) {
                return true
            }
        }
        return false
    }

    private func charges(of decision: DecisionModel) -> [Number] {
        decision.charges.map(\.amount)
            + decision.notices.compactMap { if case .money(let amount) = $0.charge { amount } else { nil } }
    }

    // MARK: - What is said

    private func details() throws -> DecisionAspect? {
        if let unsettled = one.unsettledNotices ?? other.unsettledNotices { throw unsettled }
        if try !same(one.priority ?? .null, other.priority ?? .null) { return .priority }
        if try linesDiffer() { return .lines }
        if try noticesDiffer() { return .notices }
        if oneDesk.model.point == .hold,
            try oneDesk.rule.terms(.hold).hold.shelf != otherDesk.rule.terms(.hold).hold.shelf
        {
            return .holdShelf
        }
        return try comparesWords && wordsDiffer() ? .message : nil
    }

    private func linesDiffer() throws -> Bool {
        guard let left = one.lines, let right = other.lines else { return one.lines != nil || other.lines != nil }
        guard left.count == right.count else { return true }
        for (line, other) in zip(left, right)
        where try !same(line.label, other.label) || amounts(line.amount, other.amount) {
            return true
        }
        return false
    }

    private func noticesDiffer() throws -> Bool {
        guard one.notices.count == other.notices.count else { return true }
        for (left, right) in zip(one.notices, other.notices) {
            let pairs = [
                (left.stage, right.stage), (left.repetition, right.repetition), (left.channel, right.channel),
                (left.subject, right.subject), (left.body, right.body), (left.charge, right.charge),
                (left.isSuperseded, right.isSuperseded),
            ]
            for (value, otherValue) in pairs where try !same(value, otherValue) { return true }
        }
        return false
    }

    /// The words of a reason that both have, or of a review.
    private func wordsDiffer() throws -> Bool {
        if try !same(one.message ?? .null, other.message ?? .null) { return true }
        for reason in one.verdict.reasons {
            guard let twin = other.verdict.reasons.first(where: { $0.code == reason.code }) else { continue }
            if said(of: reason, oneDesk) == said(of: twin, otherDesk) { continue }
            // The words that are shown are those of the first reason.
            if try path.holds(reason.condition) { return true }
        }
        return false
    }

    private func said(of reason: DecisionModel.Reason, _ desk: DeskModel) -> String {
        guard case .known(let code) = reason.code else { return desk.interpreter.name(of: reason.message) }
        if let words = desk.policy.tables.source.messages[code] { return "\(words)" }
        return desk.interpreter.name(of: reason.message)
    }

    private func same(_ left: Value, _ right: Value) throws -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.text(let left), .text(let right)):
            return try !settles(texts.number(of: left).equals(texts.number(of: right)).negated)
        case (.money(let left), .money(let right)), (.integer(let left), .integer(let right)):
            return try !settles(left.equals(right).negated)
        case (.flag(let left), .flag(let right)): return try !settles(left.equals(right).negated)
        default: return false
        }
    }
}

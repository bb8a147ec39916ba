extension CompiledTables {
    /// The standard checks of a checkout, all reasons against it in the order of the checks: `not_lent`, `no_rule`,
    /// `held_for_other`, `limit` (each row that is full), `same_title`. Empty: nothing speaks against it.
    ///
    /// Whether the reasons refuse or only ask is ``standardAnswer(to:rule:)``.
    /// - Throws: what `when` throws.
    package func standardCheckout(
        for question: Case, rule: MatchedRule, when: WhenCondition
    ) throws -> [Refusal.Reason] {
        var reasons: [Refusal.Reason] = []
        let lending = rule.lending
        if !lending.lends { reasons.append(.notLent(lending.reason, origin: rule.origin(of: "lend"))) }
        let period = rule.period
        if period.loan == nil && period.dueAt == nil {
            reasons.append(.noRule(question, origin: rule.origin(of: "loan")))
        }
        if let copy = question.copy, copy.heldForOther { reasons.append(.heldForOther(copy.status)) }
        for exceeded in try limitsExceeded(for: question, when: when) {
            reasons.append(
                .limit(
                    exceeded, row: source.limits[exceeded.row], for: question,
                    origin: origin(ofLimit: exceeded.row)))
        }
        if rule.sameTitle != .allow && question.hasSameTitle {
            reasons.append(.sameTitle(confirm: rule.sameTitle == .confirm, origin: rule.origin(of: "same_title")))
        }
        if let title = question.title?.id {
            for index in reasons.indices { reasons[index].title = title }
        }
        return reasons
    }

    /// What the reasons of ``standardCheckout(for:rule:when:)`` come to: `allow` without any, `confirm` if all there is
    /// is another copy of the title and the rule says `same_title = "confirm"`, else `deny`.
    package func standardAnswer(to reasons: [Refusal.Reason], rule: MatchedRule) -> Decision.Answer {
        if reasons.isEmpty { return .allow }
        let isQuestion = rule.sameTitle == .confirm && reasons.allSatisfy { $0.code == Refusal.Code.sameTitle }
        return isQuestion ? .confirm : .deny
    }

    /// What speaks against the patron, whatever is asked for: membership ended, blocks of the action that the point is
    /// about, suspension. A block's, a suspension's and the membership's last day count as inside.
    package func patronChecks(for question: Case) -> [Refusal.Reason] {
        guard let action = question.point.blockableAction else { return [] }
        return question.patron.standing(for: action, askedBy: question.actor, on: question.today)
    }
}

extension Case {
    /// Whether the patron has another copy of the title, or was granted one in this request.
    package var hasSameTitle: Bool {
        guard let title else { return false }
        return patron.loans.contains { $0.title == title.id }
            || request?.granted.contains { $0.title == title.id } ?? false
    }
}

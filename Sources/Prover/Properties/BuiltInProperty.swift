package import Circulation

/// What every policy promises without saying so.
package enum BuiltInProperty: String, CaseIterable, Sendable {
    case raisesNothing = "no function raises an error"
    case answers = "every answer is one that the desk takes"
    case amounts = "no fine, fee or price is below nothing"
    case dueLater = "no loan is due before it begins"
    case finesGrow = "no fine falls while lateness grows"
    case inherits = "what holds for a category holds for those below it"
    case lendsByRule = "nothing is lent without a rule"
    case speaks = "no refusal is without words"

    /// The points at which it says anything of a policy.
    ///
    /// - Parameter functions: those for which the policy has a function.
    package func points(_ functions: Set<DecisionPoint>) -> [DecisionPoint] {
        switch self {
        case .raisesNothing, .answers: DecisionPoint.allCases.filter(functions.contains)
        case .amounts:
            [.fine, .lost, .price]
                + [.checkout, .due, .renew, .overdue, .checkin, .notify].filter(functions.contains)
        case .dueLater: [.due, .renew] + [.recall].filter(functions.contains)
        case .finesGrow: [.fine]
        case .inherits: DecisionPoint.allCases.filter(functions.contains)
        case .lendsByRule: [.checkout]
        case .speaks: [.request, .checkout, .renew, .hold, .publish].filter(functions.contains)
        }
    }

    // MARK: - Of the desk

    /// Whether a decision of the desk breaks it.
    ///
    /// - Parameter beside: that of the case beside it, for what is said of two.
    package func isBroken(by decision: Decision, of question: Case, beside: (Decision, Case)? = nil) -> Bool {
        switch self {
        case .finesGrow:
            guard let (other, late) = beside, decision.failure == nil, other.failure == nil,
                let due = question.loan?.dueAt, let earlier = late.loan?.dueAt, earlier <= due
            else { return false }
            return other.fine.minorUnits < decision.fine.minorUnits
        case .inherits:
            guard let (other, lower) = beside,
                lower.patron.categories.dropFirst().contains(question.patron.category)
            else { return false }
            return decision.differs(from: other)
        case .raisesNothing: return decision.failure?.code == "lua_error"
        case .answers:
            return decision.failure.map { Self.isOfAnswer($0.code, $0.message, decision.point) } ?? false
        case .amounts:
            return decision.amounts.contains(where: \.isNegative)
                || decision.failure.map { Self.isOfAmount($0.code, $0.message) } ?? false
        case .dueLater:
            let begin = (question.point == .recall ? question.loan?.lentAt : nil) ?? question.now
            return decision.due.map { $0.instant <= begin }
                ?? decision.failure.map { Self.isOfDueTime($0.code, $0.message) } ?? false
        case .lendsByRule:
            return decision.answer == .allow && decision.rule.map { $0["loan"] == nil && $0["due_at"] == nil } ?? false
        case .speaks: return decision.refusal?.reasons.contains { $0.message.isEmpty } ?? false
        }
    }

    /// Whether a failure is one of what a function answered, and not of what the tables say.
    private static func isOfAnswer(_ code: String, _ message: String, _ point: DecisionPoint) -> Bool {
        code == "bad_answer" && (message.hasPrefix("\(point.rawValue) ") || message.hasPrefix("The due date "))
    }

    /// Whether a failure is an amount below nothing.
    private static func isOfAmount(_ code: String, _ message: String) -> Bool {
        code == "bad_answer"
            && ["not negative", "less than nothing", "whose amount is -"].contains(where: message.contains)
    }

    /// Whether a failure is a due time before now. One that is now the tables give too, where a membership ends.
    private static func isOfDueTime(_ code: String, _ message: String) -> Bool {
        code == "bad_answer" && (message.hasPrefix("The due date ") || message.contains("lies before now"))
    }

    // MARK: - Of what a proof follows

    /// Whether a decision breaks it.
    func isBroken(by decision: DecisionModel, _ desk: DeskModel) throws -> Bool {
        let (failure, path) = (decision.failure, desk.path)
        // What fails with the due time is found where that is reckoned.
        let mayFail = decision.pending != nil && failure != nil
        switch self {
        case .raisesNothing: return mayFail || failure?.code == "lua_error"
        case .answers:
            return mayFail || failure.map { Self.isOfAnswer($0.code, $0.message, desk.model.point) } ?? false
        case .amounts:
            if mayFail || failure.map({ Self.isOfAmount($0.code, $0.message) }) ?? false { return true }
            if decision.pending != nil {
                return desk.policy.tables.source.rules.contains { $0.fields["rental"] != nil }
            }
            return try path.holds(.some(decision.amounts.map { $0 < .constant(0) }))
        case .dueLater:
            if mayFail || failure.map({ Self.isOfDueTime($0.code, $0.message) }) ?? false { return true }
            guard let due = decision.due else { return false }
            let begin = try desk.model.point == .recall ? desk.model.number("loan", "lent_at") : desk.model.now()
            return try path.holds(due.instant <= begin ?? .constant(0))
        case .finesGrow:
            let other = try DeskModel(desk.policy, CaseModel(laterThan: desk.model), desk.interpreter).decide()
            guard failure == nil, other.failure == nil else { return false }
            return try path.holds(other.fine ?? .constant(0) < decision.fine ?? .constant(0))
        case .inherits: return try isInherited(decision, desk)
        case .lendsByRule:
            return try decision.answer == "allow" && desk.hasNoPeriod && path.holds(decision.verdict.isAllowed)
        case .speaks:
            return try decision.verdict.reasons.contains { reason in
                guard case .text(let text) = reason.message, !reason.hasOwnWords else { return false }
                let texts = desk.model.texts
                let isEmpty = texts.number(of: text).equals(.constant(texts.number(of: "")))
                return try path.holds(reason.condition && isEmpty)
            }
        }
    }
}

extension BuiltInProperty {
    /// Whether a patron of a category that nothing names, below one that rows name, is answered otherwise.
    private func isInherited(_ decision: DecisionModel, _ desk: DeskModel) throws -> Bool {
        let (model, path) = (desk.model, desk.path)
        // Where the code itself decided nothing, one below it goes the same way.
        guard path.isAbout(Chain.isOfCode("patron.category")) || decision.isAbout(Chain.isOfCode("patron.category"))
        else {
            return false
        }
        guard case .text(.symbol(let code)) = try model.value("patron", "category") else { return false }
        for named in desk.policy.tables.source.categories {
            guard try path.holds(code.equals(.constant(model.texts.number(of: named)))) else { continue }
            guard let lower = try CaseModel(below: named, of: model) else { return false }
            let other = try DeskModel(desk.policy, lower, desk.interpreter).decide()
            return try decision.differs(from: other, on: path, model.texts)
        }
        return false
    }
}

extension PolicyTables {
    /// The categories that rows name.
    fileprivate var categories: [String] {
        let conditions =
            limits.map(\.conditions) + rules.map(\.conditions) + notices.map(\.conditions)
            + membership.map(\.conditions)
        return Set(conditions.flatMap { $0.categories ?? [] }).sorted()
    }
}

extension Decision {
    /// The fine, nothing where there is none.
    fileprivate var fine: Money {
        for case .fine(let amount, _) in effects { return amount }
        return .zero(.eur)
    }

    /// All amounts of it; of lines to be paid what they come to.
    var amounts: [Money] {
        let ofEffects = effects.compactMap { effect -> Money? in
            switch effect {
            case .notice(let notice): notice.charge
            case .charge(let charge): charge.amount
            case .fine(let amount, _): amount
            case .lose(let fee, _): fee
            case .suspend, .rental: nil
            }
        }
        let total = lines.flatMap { lines in
            lines.first.flatMap { try? PriceLine.total(of: lines, in: $0.amount.currency) }
        }
        return ofEffects + [rental, total].compactMap { $0 }
    }
}

extension DecisionModel {
    /// All amounts of it; of lines to be paid what they come to.
    fileprivate var amounts: [Number] {
        let ofNotices = notices.compactMap { if case .money(let amount) = $0.charge { amount } else { nil } }
        let totals = [rental.total, lines?.total].compactMap { $0 }
        return [fine, lostFee].compactMap { $0 } + charges.map(\.amount) + ofNotices + totals
    }
}

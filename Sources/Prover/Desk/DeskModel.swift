import Circulation

/// The desk on one way through a question: what it checks and reckons itself, and what the policy's functions say to it.
///
/// It mirrors what ``CompiledTables`` and the policies of Lua decide; the tests hold the two together.
final class DeskModel {
    let policy: PolicyModel
    let model: CaseModel
    let interpreter: Interpreter
    let rule: RuleModel
    let calendar: Calendar
    /// When the due time of a loan is reckoned: where it is asked for, or not at all.
    var reckonsLoans = true
    /// Whether the function of the due time is handed what the desk would reckon; otherwise it is any such time.
    var reckonsStandard = true
    /// The rows of `limits` of all policies that are asked, and where those of this one begin.
    var allLimits: (rows: [LimitRow], first: Int)?
    /// Is handed what a function of the policy answers.
    var answers: ((DecisionPoint, [Value]) throws -> Void)?

    init(_ policy: PolicyModel, _ model: CaseModel, _ interpreter: Interpreter) {
        (self.policy, self.model, self.interpreter) = (policy, model, interpreter)
        rule = RuleModel(policy, model, interpreter)
        calendar = Calendar(path: model.path)
        model.library = interpreter.library
    }

    var path: Path { model.path }

    /// The decision; one that failed where the policy has a fault.
    ///
    /// - Throws: ``Unsettled`` for what a proof cannot follow.
    func decide() throws -> DecisionModel { try failing { try answer() } }

    /// The due time and the price of a loan, as if nothing spoke against it.
    func decideLoan() throws -> DecisionModel {
        try failing {
            var decision = DecisionModel()
            decision.due = try dueTime()
            decision.rental = try rental(until: decision.due)
            return decision
        }
    }

    /// The decision with its due time, where that was left open; nil where no case goes this way.
    func settled(_ decision: DecisionModel) throws -> DecisionModel {
        guard let pending = decision.pending else { return decision }
        return try failing {
            let (due, rental) = try pending.value(path)
            var settled = decision
            (settled.pending, settled.due, settled.rental) = (nil, due, rental)
            return settled
        }
    }

    private func failing(_ body: () throws -> DecisionModel) throws -> DecisionModel {
        do {
            return try body()
        } catch let failure as Failure {
            return failed(failure)
        } catch let raised as Raised {
            let message = if case .text(.known(let text)) = raised.value { text } else { "an error" }
            return failed(Failure(code: "lua_error", message: message, site: raised.site))
        }
    }

    func failed(_ failure: Failure) -> DecisionModel {
        var decision = DecisionModel()
        decision.answer = "failed"
        decision.verdict = VerdictModel([.init("policy_failed", when: .constant(true))])
        decision.failure = failure
        return decision
    }

    private func answer() throws -> DecisionModel {
        try rule.askConditions()
        return switch model.point {
        case .request: try request()
        case .checkout: try checkout()
        case .due: try dueDecision()
        case .renew: try renew()
        case .hold: try hold()
        case .recall: try recall()
        case .overdue: try overdue()
        case .fine: try fine()
        case .checkin: try checkin()
        case .lost: try lost()
        case .price: try price()
        case .publish: try publish()
        case .expiry: try expiry()
        case .notify: try notify()
        }
    }

    // MARK: - Asking functions

    /// Calls the function of a point; nil if the policy has none.
    func ask(
        _ point: DecisionPoint, isRuled: Bool = true, standard: @escaping () throws -> Value
    ) throws -> [Value]? {
        guard let closure = policy.functions[point] else { return nil }
        let around = interpreter.words["standard"]
        interpreter.words["standard"] = .word(
            Word(name: "standard") { [path] _, _, _ in
                // It depends on what was found out of this way.
                path.journal.useAll()
                return [try standard()]
            })
        defer { interpreter.words["standard"] = around }
        var arguments: [Value] = [.record(model.root)]
        if isRuled { arguments.append(.record(rule.record)) }
        let answer = try path.asking { try interpreter.call(.function(closure), arguments, at: site(of: point)) }
        for case .record in answer.prefix(1) { throw site(of: point).unsettled("a part of the case as an answer") }
        for case .list in answer.prefix(1) { throw site(of: point).unsettled("a part of the case as an answer") }
        try answers?(point, answer)
        return answer
    }

    func site(of point: DecisionPoint) -> Site {
        policy.functions[point]?.site ?? Site(file: policy.file, line: 1)
    }

    func bad(_ point: DecisionPoint, _ message: String) -> Failure {
        Failure(code: "bad_answer", message: "\(point.rawValue) \(message)", site: site(of: point))
    }

    // MARK: - Permissions

    /// What a function answered to a request, a checkout, a renewal or a hold.
    enum Permission {
        case standard
        case allow(despite: [String], due: Value?, priority: Value?)
        case reason(DecisionModel.Reason)
    }

    func permission(_ answer: [Value], at point: DecisionPoint) throws -> Permission {
        switch answer.first ?? .null {
        case .null: return .standard
        case .table(let table):
            guard case .text(.known(let word)) = table["answer"] else {
                throw bad(point, "must answer nothing or a refusal, not a table of its own")
            }
            switch word {
            case "allow" where point != .request || !table["despite"].isNull: return try allowance(table, point)
            case "confirm": return .reason(try reason(table, point, .asks))
            case "deny":
                let isOpen: Bool
                if case .flag(let condition) = table["override"] {
                    isOpen = try path.holds(condition)
                } else {
                    isOpen = false
                }
                return .reason(try reason(table, point, isOpen ? .overridable : .refuses))
            default: throw bad(point, "must answer nothing or a refusal, not a table of its own")
            }
        default: throw bad(point, "must answer nothing or a refusal")
        }
    }

    /// The reason that a function gives with its refusal.
    func reason(
        _ table: Table, _ point: DecisionPoint, _ weight: DecisionModel.Reason.Weight
    ) throws -> DecisionModel.Reason {
        guard case .text(let code) = table["code"], case .text = table["message"] else {
            throw bad(point, "must give a code and a message with its refusal")
        }
        let isNone: Bool
        switch code {
        case .known(let word): isNone = word.isEmpty || word.utf8.count > 64
        // Texts of a case are taken to be as short.
        case .symbol(let number): isNone = try path.holds(number.equals(.constant(model.texts.number(of: ""))))
        }
        if isNone { throw bad(point, "must give a code and a message with its refusal") }
        return .init(code, table["message"], weight)
    }

    private func allowance(_ table: Table, _ point: DecisionPoint) throws -> Permission {
        let (due, priority) = (table["due"], table["priority"])
        var despite: [String] = []
        switch table["despite"] {
        case .null: break
        case .table(let codes):
            _ = try interpreter.length(of: codes, site(of: point))
            for code in codes.elements {
                if case .text(.symbol) = code {
                    throw site(of: point).unsettled("what is allowed despite is not known")
                }
                guard case .text(.known(let word)) = code else { throw bad(point, "can allow despite codes alone") }
                despite.append(word)
            }
        case .text(.known(let word)): despite = [word]
        default: throw site(of: point).unsettled("what is allowed despite is not known")
        }
        if let wrong = despite.first(where: { !Self.codes(at: point).contains($0) }) {
            throw bad(point, "cannot allow despite \(wrong)")
        }
        if !due.isNull, point != .renew { throw bad(point, "cannot set the due time; that is for the function due") }
        if !priority.isNull { try check(priority, point) }
        return .allow(despite: despite, due: due.isNull ? nil : due, priority: priority.isNull ? nil : priority)
    }

    private func check(_ priority: Value, _ point: DecisionPoint) throws {
        guard point == .hold else { throw bad(point, "cannot set a priority; that is for the function hold") }
        if case .opaque = priority { throw site(of: point).unsettled("a priority with a fraction") }
        if case .float(let number) = priority, let whole = Int64(exactly: number) {
            return try check(.integer(whole), point)
        }
        guard case .integer(let number) = priority,
            try path.holds(.constant(-1_000_000) <= number && number <= .constant(1_000_000))
        else { throw bad(point, "must give a priority from -1000000 to 1000000") }
    }

    /// The standard checks that a function of a point may set aside.
    private static func codes(at point: DecisionPoint) -> [String] {
        switch point {
        case .request: ["expired", "blocked", "suspended"]
        case .checkout: ["not_lent", "no_rule", "held_for_other", "limit", "same_title"]
        case .hold: ["expired", "blocked", "suspended", "not_lent", "no_rule", "limit", "same_title"]
        case .renew: ["expired", "blocked", "suspended", "renewals", "holds_waiting", "too_soon"]
        default: []
        }
    }

    func decision(_ verdict: VerdictModel) -> DecisionModel {
        var decision = DecisionModel()
        decision.verdict = verdict
        return decision
    }
}

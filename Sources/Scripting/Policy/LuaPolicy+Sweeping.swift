import Circulation
import LuaRuntime

extension LuaPolicy {
    func overdue(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = { try self.tables.noticesDue(for: question) { try self.condition($0, question) } }
        let answered = try answer(overdue: question, rule, standard: standard)
        var effects = try answered ?? standard().map { .notice($0) }
        var recorded = question.loan?.notices ?? []
        if answered != nil, effects.contains(where: \.isNotice) { recorded += try said(before: question, rule) }
        effects.removeAll { effect in
            guard case .notice(let order) = effect else { return false }
            return recorded.contains { $0.stage == order.stage && $0.repetition == order.repetition }
        }
        return Decision(point: .overdue, answer: .allow, rule: rule, effects: effects)
    }

    /// What the policy's function has to say; nil where it has none, or leaves it to the tables.
    private func answer(
        overdue question: Case, _ rule: MatchedRule, standard: @escaping () throws -> [PlannedNotice]
    ) throws -> [Decision.Effect]? {
        let answered = try ask(
            .overdue, question, rule, standard: { [.table(LuaTable(array: try standard().map(LuaPolicy.luaNotice)))] }
        ) { answer, reader in
            try reader.effects(answer)?.map { table in
                table["effect"].stringValue == "notice"
                    ? Decision.Effect.notice(try reader.notice(table, currency: question.currency))
                    : .charge(try reader.charge(table, currency: question.currency))
            }
        }
        return answered.flatMap { $0 }
    }

    /// What the policy's function would have had said just before the moment up to which another system has said all: with
    /// moments of its own, only the function itself can tell.
    private func said(before question: Case, _ rule: MatchedRule) throws -> [NoticeFacts] {
        guard let until = question.loan?.noticesSentUntil else { return [] }
        var earlier = question
        earlier.now = min(question.now, try until.adding(microseconds: -1))
        earlier.loan?.noticesSentUntil = nil
        let asked = earlier
        let standard = { try self.tables.noticesDue(for: asked) { try self.condition($0, asked) } }
        return try (answer(overdue: asked, rule, standard: standard) ?? []).compactMap { effect in
            guard case .notice(let order) = effect else { return nil }
            return NoticeFacts(stage: order.stage, repetition: order.repetition, at: asked.now)
        }
    }

    func fine(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = try tables.fine(for: question, rule: rule)
        let answered = try ask(
            .fine, question, rule, standard: { [standard.map { LuaValue($0) } ?? .nil] }
        ) { answer, reader in
            try reader.money(answer, currency: question.currency).map { ($0, reader.origin) }
        }
        var decision = Decision(point: .fine, answer: .allow, rule: rule)
        if let (money, origin) = answered ?? nil {
            decision.effects = [.fine(money, origin: origin)]
        } else if let standard, !standard.isZero {
            decision.effects = [.fine(standard, origin: rule.origin(of: "fine"))]
        }
        return decision
    }

    func checkin(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = try tables.suspensionEnd(for: question, rule: rule)
        let answered = try ask(
            .checkin, question, rule, standard: { [LuaPolicy.luaSuspension(until: standard, on: question.today)] }
        ) { answer, reader in
            try reader.effects(answer)?.compactMap { table in
                if table["effect"].stringValue == "charge" {
                    return Decision.Effect.charge(try reader.charge(table, currency: question.currency))
                }
                return try self.suspension(reader.suspension(table), question, reader)
            }
        }
        let rules = standard.map { Decision.Effect.suspend(until: $0, origin: rule.origin(of: "suspension")) }
        let effects = answered.flatMap { $0 } ?? [rules].compactMap { $0 }
        return Decision(point: .checkin, answer: .allow, rule: rule, effects: effects)
    }

    /// A suspension from today on; nil for one of no length.
    private func suspension(_ period: Period, _ question: Case, _ reader: AnswerReader) throws -> Decision.Effect? {
        guard period.count > 0 else { return nil }
        do {
            let end = try period.added(to: question.today, calendar: question.calendar)
            return .suspend(until: end, origin: reader.origin)
        } catch {
            throw reader.failure("cannot suspend: \(error.message)")
        }
    }

    static func luaNotice(_ order: PlannedNotice) -> LuaValue {
        var table = LuaTable(fields: [
            "effect": "notice", "stage": .string(order.stage), "channel": .string(order.channel),
            "subject": .string(order.subject), "body": .string(order.body),
        ])
        if let charge = order.charge { table["charge"] = LuaValue(charge) }
        if order.repetition != 0 { table["repetition"] = .integer(order.repetition) }
        if order.isSuperseded { table["superseded"] = true }
        guard let digest = order.digest else { return .table(table) }
        table["digest"] = "patron"
        table["many"] =
            digest.many.map { texts in
                .table(
                    LuaTable(fields: [
                        "subject": .string(texts.subject), "body": .string(texts.body), "line": .string(texts.line),
                    ]))
            } ?? .nil
        return .table(table)
    }

    private static func luaSuspension(until end: CivilDate?, on today: CivilDate) -> LuaValue {
        guard let end else { return .nil }
        let period = Period.days(Int64(end.days(since: today)))
        return .table(LuaTable(fields: ["effect": "suspend", "period": LuaValue(period)]))
    }
}

extension Decision.Effect {
    fileprivate var isNotice: Bool { if case .notice = self { true } else { false } }
}

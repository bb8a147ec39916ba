import Circulation
import LuaRuntime

extension LuaPolicy {
    func price(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = { try self.tables.standardPrice(for: question, rule: rule) }
        let answered = try ask(
            .price, question, rule, standard: { [LuaPolicy.luaLines(try standard())] }
        ) { answer, reader in
            try reader.priceLines(answer, for: question)
        }
        var decision = Decision(point: .price, answer: .allow, rule: rule)
        decision.lines = try answered.flatMap { $0 } ?? standard()
        return decision
    }

    func publish(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = Decision.standardPublication(of: question)
        let answered = try ask(.publish, question, rule, standard: { [LuaPolicy.luaPublication(standard)] }) {
            (try $1.publication($0), $1.origin)
        }
        guard let (answer, origin) = answered else {
            var decision = standard
            decision.rule = rule
            return decision
        }
        var decision = Decision(point: .publish, answer: .allow, rule: rule)
        switch answer {
        case .allow: break
        case .review(let message):
            decision.answer = .review
            decision.message = message
        case .deny(let code, let message):
            decision.answer = .deny
            let reason = Refusal.Reason(code: code, message: message, title: question.title?.id, origin: origin)
            decision.refusal = Refusal(reasons: [reason], policy: version)
        }
        return decision
    }

    private static func luaLines(_ lines: [PriceLine]) -> LuaValue {
        .table(LuaTable(array: lines.map { ["label": .string($0.label), "amount": LuaValue($0.amount)] }))
    }

    private static func luaPublication(_ decision: Decision) -> LuaValue {
        var table = LuaTable(fields: ["answer": .string(decision.answer.rawValue)])
        if let message = decision.message { table["message"] = .string(message) }
        return .table(table)
    }
}

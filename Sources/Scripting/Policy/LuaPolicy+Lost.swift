import Circulation
import LuaRuntime

extension LuaPolicy {
    /// Asked about a loan that is late by `lost_after`, or that staff have just declared lost; of any other it is not
    /// lost, and no function is asked.
    func lost(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        var decision = Decision(point: .lost, answer: .allow, rule: rule)
        guard try question.loan?.lostAt != nil || rule.countsAsLost(question) else { return decision }
        let fee = try rule.lostFee(for: question)
        let answered = try ask(.lost, question, rule, standard: { [LuaPolicy.luaLoss(fee)] }) { answer, reader in
            try reader.effects(answer)?.map { table in
                guard table["effect"].stringValue == "declare_lost" else {
                    return Decision.Effect.charge(try reader.charge(table, currency: question.currency))
                }
                return .lose(
                    fee: try reader.lossFee(table, currency: question.currency, rule: fee), origin: reader.origin)
            }
        }
        decision.effects = answered.flatMap { $0 } ?? [.lose(fee: fee, origin: rule.lossOrigin)]
        return decision
    }

    private static func luaLoss(_ fee: Money?) -> LuaValue {
        var table = LuaTable(fields: ["effect": "declare_lost"])
        table["fee"] = fee.map { LuaValue($0) } ?? .value(.none)
        return .table(table)
    }
}

extension MatchedRule {
    /// Where the rule says that the copy is lost, or what that costs.
    fileprivate var lossOrigin: RuleOrigin? { origin(of: "lost_after") }
}

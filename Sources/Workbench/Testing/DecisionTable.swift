import Circulation
import LuaRuntime
import Scripting
import TextFormats

/// A decision as the tests of a policy see it: a plain table.
///
/// `point answer code message reasons override due due_at priority lines total fields where notices charges fine
/// suspended_until lost lost_fee rental expires_on failure`.
enum DecisionTable {
    static func table(of decision: Decision, refusalMessage: String?) -> LuaValue {
        var table = LuaTable(fields: [
            "point": .string(decision.point.rawValue), "answer": .string(decision.answer.rawValue),
        ])
        if let refusal = decision.refusal {
            table["code"] = .string(refusal.code)
            table["message"] = .string(refusalMessage ?? refusal.message)
            table["reasons"] = .table(LuaTable(array: refusal.reasons.map { .string($0.code) }))
            table["override"] = .boolean(refusal.mayBeOverridden)
            if let origin = refusal.origin { table["where"] = place(origin) }
        }
        if let due = decision.due {
            table["due"] = due.isExact ? LuaValue(due.instant, .exact) : LuaValue(due.date)
            table["due_at"] = LuaValue(due.instant)
        }
        if let priority = decision.priority { table["priority"] = .integer(priority) }
        if let message = decision.message { table["message"] = .string(message) }
        if let end = decision.membership {
            table["expires_on"] = end.date.map { LuaValue($0) } ?? .value(.unlimited)
            if let origin = end.origin { table["where"] = place(origin) }
        }
        addPrice(of: decision, to: &table)
        if let rule = decision.rule { table["fields"] = fields(of: rule) }
        addEffects(of: decision, to: &table)
        if let failure = decision.failure {
            table["failure"] = .table(
                LuaTable(fields: ["code": .string(failure.code), "message": .string(failure.message)]))
        }
        return .table(table)
    }

    private static func addPrice(of decision: Decision, to table: inout LuaTable) {
        guard let lines = decision.lines else { return }
        table["lines"] = .table(
            LuaTable(
                array: lines.map { line in
                    var table = LuaTable(fields: ["label": .string(line.label), "amount": LuaValue(line.amount)])
                    if line.isForLibrary { table["to"] = .string(PriceLine.toLibrary) }
                    return .table(table)
                }))
        guard let currency = lines.first?.amount.currency, let total = try? PriceLine.total(of: lines, in: currency)
        else { return }
        table["total"] = LuaValue(total)
    }

    private static func addEffects(of decision: Decision, to table: inout LuaTable) {
        var notices: [LuaValue] = []
        var charges: [LuaValue] = []
        if decision.point == .lost { table["lost"] = .boolean(false) }
        for effect in decision.effects {
            switch effect {
            case .notice(let order): notices.append(notice(order))
            case .charge(let order):
                charges.append([
                    "key": .string(order.key), "amount": LuaValue(order.amount), "label": .string(order.label),
                ])
            case .fine(let money, _): table["fine"] = LuaValue(money)
            case .suspend(let end, _): table["suspended_until"] = LuaValue(end)
            case .rental: break
            case .lose(let fee, _):
                table["lost"] = .boolean(true)
                if let fee { table["lost_fee"] = LuaValue(fee) }
            }
        }
        if let rental = decision.rental { table["rental"] = LuaValue(rental) }
        if decision.point == .overdue || decision.point == .notify {
            table["notices"] = .table(LuaTable(array: notices))
        }
        if !charges.isEmpty { table["charges"] = .table(LuaTable(array: charges)) }
    }

    private static func notice(_ order: PlannedNotice) -> LuaValue {
        var table = LuaTable(fields: [
            "stage": .string(order.stage), "repetition": .integer(order.repetition), "channel": .string(order.channel),
            "subject": .string(order.subject), "body": .string(order.body), "superseded": .boolean(order.isSuperseded),
        ])
        if let charge = order.charge { table["charge"] = LuaValue(charge) }
        return .table(table)
    }

    private static func place(_ origin: RuleOrigin) -> LuaValue {
        var table = LuaTable(fields: ["file": .string(origin.file), "line": .integer(Int64(origin.line))])
        if let rows = origin.table { table["table"] = .string(rows.rawValue) }
        if let row = origin.row { table["row"] = .integer(Int64(row)) }
        if let field = origin.field { table["field"] = .string(field) }
        return .table(table)
    }

    private static func fields(of rule: MatchedRule) -> LuaValue {
        .table(LuaTable(fields: rule.values.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) }))
    }

    private static func value(_ value: RuleValue) -> LuaValue {
        switch value {
        case .none: .value(.none)
        case .unlimited: .value(.unlimited)
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .text(let value): .string(value)
        case .period(let value): LuaValue(value)
        case .money(let value): LuaValue(value)
        case .date(let value): LuaValue(value)
        case .fineSteps(let steps):
            .table(
                LuaTable(
                    array: steps.map { step in
                        [
                            "from": LuaValue(step.from), "to": step.to.map { LuaValue($0) } ?? .nil,
                            "fine": LuaValue(step.fine),
                        ]
                    }))
        case .free(let json): .string(json.text())
        }
    }
}

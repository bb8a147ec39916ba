import Circulation
import LuaRuntime

extension AnswerReader {
    /// The effects that a function answered, one or several, or a list of them; nil for no answer.
    func effects(_ answer: borrowing LuaResults) throws -> [LuaTable]? {
        var found: [LuaTable] = []
        var isAnswered = false
        for index in 0..<answer.count {
            let value = try answer.toValue(index)
            if value.isNil { continue }
            isAnswered = true
            guard let table = value.tableValue else { throw wrongEffect(value) }
            let list = table["effect"].isNil ? table.array.map { $0 } : [value]
            if table["effect"].isNil && list.count != table.entries.count { throw wrongEffect(value) }
            for element in list {
                guard let effect = element.tableValue, let kind = effect["effect"].stringValue,
                    point.effects.contains(kind)
                else { throw wrongEffect(element) }
                found.append(effect)
            }
        }
        return isAnswered ? found : nil
    }

    private func wrongEffect(_ value: LuaValue) -> PolicyFailure {
        let kinds = point.effects.sorted().joined(separator: " or ")
        let came = value.tableValue?["effect"].stringValue ?? words(value)
        return failure("must answer nothing or \(kinds), not \(came)")
    }

    /// - Parameter stage: stands where the notice names none.
    func notice(_ table: LuaTable, currency: Currency, stage: String? = nil) throws -> PlannedNotice {
        func text(_ field: String) throws -> String {
            guard let text = table[field].stringValue else {
                throw failure("answered a notice whose \(field) is \(words(table[field])), not a text")
            }
            return text
        }
        let amount = table["charge"].isNil ? nil : try money(table["charge"], of: "notice", currency)
        // What `standard` gave stays a repetition, or passed over, when it is handed on.
        return PlannedNotice(
            stage: table["stage"].isNil ? try stage ?? text("stage") : try text("stage"),
            repetition: table["repetition"].integerValue ?? 0, channel: try text("channel"),
            subject: try text("subject"), body: try text("body"), digest: try digest(table), charge: amount,
            isSuperseded: table["superseded"].booleanValue ?? false, origin: origin)
    }

    private func digest(_ table: LuaTable) throws -> DigestTemplates? {
        let many = table["many"]
        if table["digest"].isNil {
            guard many.isNil else { throw failure("answered a notice that has many without digest = \"patron\"") }
            return nil
        }
        guard table["digest"].stringValue == "patron" else {
            throw failure("answered a notice whose digest is \(words(table["digest"])), not \"patron\"")
        }
        if many.isNil { return DigestTemplates() }
        guard let texts = NoticeDigest.Texts(many) else {
            throw failure("answered a notice whose many is not a table of subject, body and line")
        }
        return NoticeDigest(many: texts).order(in: nil)
    }

    func charge(_ table: LuaTable, currency: Currency) throws -> PlannedCharge {
        guard let key = table["key"].stringValue, !key.isEmpty, let label = table["label"].stringValue else {
            throw failure("answered a charge without a key or a label")
        }
        return PlannedCharge(
            key: key, amount: try money(table["amount"], of: "charge", currency), label: label, origin: origin)
    }

    func suspension(_ table: LuaTable) throws -> Period {
        guard let period = table["period"].periodValue, period.count >= 0, !period.isElapsed else {
            throw failure("must suspend for days, weeks, months or open days, not \(words(table["period"]))")
        }
        return period
    }

    /// What a loss costs: what the answer says, `none` included, or what the rule says.
    func lossFee(_ table: LuaTable, currency: Currency, rule: Money?) throws -> Money? {
        if table["fee"].isNil { return rule }
        if table["fee"].smallValue?.isNone == true { return nil }
        let fee = try money(table["fee"], of: "loss", currency)
        return fee.isZero ? nil : fee
    }

    private func money(_ value: LuaValue, of effect: String, _ currency: Currency) throws -> Money {
        guard let money = value.moneyValue, money.currency == currency, !money.isNegative else {
            throw failure("answered a \(effect) whose amount is \(words(value)), not money in \(currency.code)")
        }
        return money
    }
}

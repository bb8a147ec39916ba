import Circulation
import TextFormats

/// The policy that the terms of a neutral fact come to.
struct FactPolicy {
    let given: SchemaValues
    var text = PolicyText(name: "fact")
    /// Names in conditions, which must be among the library's settings.
    private(set) var named: [(condition: String, value: String)] = []

    init(_ given: SchemaValues) {
        self.given = given
        text.description = "What a fact is given."
        let rule = given.record("rule") ?? SchemaValues()
        text.everything = terms(rule)
        if text.everything["loan"] == nil, text.everything["due_at"] == nil { text.everything["loan"] = "days(14)" }
        if text.everything["renewals"] == nil { text.everything["renewals"] = "unlimited" }
        if text.everything["due_time"] == nil { text.everything["due_time"] = "\"end_of_day\"" }
        if let discount = given.count("rental_discount"), let rental = text.everything["rental"] {
            text.everything["rental"] = "\(rental) * percent \"\(100 - discount)\""
        }
        for (name, lua) in given.map("written") { text.everything[name] = lua.stringValue }
        for row in given.records("rules") { text.rules.append(self.row(row)) }
        if let fee = given.money("hold_fee") { text.rules.insert(shelfFee(fee), at: 0) }
        if given.has("match") { text.match = LuaText.list(given.texts("match"), always: true) }
        for limit in given.records("limits") {
            var row = conditions(limit)
            row["max"] = LuaText.maximum(limit.number("max"))
            text.limits.append(row)
        }
        for notice in given.records("notices") { text.notices.append(self.notice(notice)) }
        addFunctions()
    }

    // MARK: Rows

    private func terms(_ values: SchemaValues) -> PolicyText.Row {
        var row = PolicyText.Row()
        for field in RuleField.all {
            guard let value = values.object[field.name], let lua = TermText.lua(value, of: field) else { continue }
            row[field.name] = lua
        }
        if let value = values.object["value"] { row["value"] = Self.plain(value) }
        return row
    }

    /// A row takes over what it does not say itself of the terms that hold for all, as far as the two go together.
    private mutating func row(_ values: SchemaValues) -> PolicyText.Row {
        var row = conditions(values)
        let own = terms(values)
        for field in own.fields { row[field.name] = field.value }
        let groups = Set(own.fields.compactMap { RuleField.named[$0.name]?.group })
        let excluded = ["loan": "due_at", "due_at": "loan", "fine": "fine_steps", "fine_steps": "fine"]
        for field in RuleField.all where groups.contains(field.group) && own[field.name] == nil {
            if let other = excluded[field.name], own[other] != nil { continue }
            row[field.name] = text.everything[field.name]
        }
        return row
    }

    private mutating func conditions(_ values: SchemaValues) -> PolicyText.Row {
        var row = PolicyText.Row()
        for condition in ["category", "item_type", "branch", "copy_branch", "home_branch"] where values.has(condition) {
            let names = values.texts(condition)
            row[condition] = LuaText.list(names)
            named += names.map { (condition, $0) }
        }
        if let onSite = values.flag("on_site") { row["on_site"] = "\(onSite)" }
        var asked: [String] = []
        if let isRecalled = values.flag("recalled") {
            asked.append("\(isRecalled ? "" : "not ")(case.loan ~= nil and case.loan.recalled_at ~= nil)")
        }
        if let from = values.date("lent_from") { asked.append("date(case.now) >= \(LuaText.date(from))") }
        if let until = values.date("lent_until") { asked.append("date(case.now) <= \(LuaText.date(until))") }
        if !asked.isEmpty { row["when"] = "function(case) return \(asked.joined(separator: " and ")) end" }
        return row
    }

    private func shelfFee(_ fee: Money) -> PolicyText.Row {
        let condition = "case.copy ~= nil and case.copy.status == \"on_hold_shelf\""
        return PolicyText.Row(["when": "function(case) return \(condition) end", "rental": LuaText.money(fee)])
    }

    private mutating func notice(_ values: SchemaValues) -> PolicyText.Row {
        let stage = values.text("stage") ?? "notice"
        var row = PolicyText.Row(["stage": LuaText.quoted(stage)])
        for side in ["before", "after", "every"] {
            if let period = values.period(side) { row[side] = LuaText.period(period) }
        }
        if let charge = values.money("charge"), charge.isPositive { row["charge"] = LuaText.money(charge) }
        if values.flag("digest") == true { row["digest"] = "\"patron\"" }
        if let branch = values.text("branch") {
            row["branch"] = LuaText.quoted(branch)
            named.append(("branch", branch))
        }
        row["channel"] = "\"email\""
        row["subject"] = LuaText.quoted("\(stage): {{title.title}}")
        row["body"] = LuaText.quoted("{{title.title}} is due on {{loan.due}}.")
        return row
    }

    static func plain(_ value: JSON) -> String {
        switch value {
        case .string(let text): LuaText.quoted(text)
        case .null: "none"
        default: value.text()
        }
    }

    /// The same without all that could refuse what happened before.
    var lenient: PolicyText {
        var before = text
        before.name = "before"
        before.description = "The same terms, but nothing is refused, so that what is given can be brought about."
        before.limits = []
        for (name, _) in given.map("written") { before.everything[name] = nil }
        for name in Self.refusing { before.everything[name] = nil }
        before.everything["renewals"] = "unlimited"
        before.everything["renewal_period"] = text.everything["renewal_period"]
        before.everything["renew_from"] = "\"due\""
        before.everything["due_expiry"] = "false"
        for index in before.rules.indices {
            let hasRenewals = Self.renewing.contains { before.rules[index][$0] != nil }
            for name in Self.refusing { before.rules[index][name] = nil }
            guard hasRenewals else { continue }
            before.rules[index]["renewals"] = "unlimited"
            before.rules[index]["renew_from"] = "\"due\""
        }
        for point in ["checkout", "hold", "renew"] { before.remove(point) }
        return before
    }

    private static let renewing = ["renewals", "renewal_period", "renew_from", "renew_not_before"]

    private static let refusing = [
        "lend", "reason", "renewals", "renew_not_before", "unseen_renewals", "auto_renew", "auto_renew_until", "holds",
        "holds_of_item_type", "holds_per_day", "same_title",
    ]
}

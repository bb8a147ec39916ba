import Circulation
import Desk
import TextFormats

// Which rows hold.
extension StepOutcome {
    func askRules() throws {
        guard operation == "ask_rule" else {
            return try acceptRules()
        }
        guard let (value, row) = try winner() else { return }
        answers["value"] = value
        if let row, row < scenario.policy.text.rules.count { answers["row"] = .integer(Int64(row + 1)) }
    }

    private func acceptRules() throws {
        var problem: String?
        do {
            try library.activate(scenario.policy.text)
        } catch let refused as NotExpressed {
            problem = refused.reason
        } catch let failure as PolicyFailure {
            problem = failure.message
        }
        answers["accepted"] = .bool(problem == nil)
        answers["fault"] = problem.map { $0.contains("amount") ? "amount" : "other" } ?? .null
    }

    /// What the row in force sets the field to, and which row that is, counted from 0.
    private func winner() throws -> (value: JSON, row: Int?)? {
        let request = try request()
        let asked = try desk(values).rehearse { try $0.loans.mayCheckout(request) }.done("the question").first
        let field = values.text("field") ?? "value"
        guard let rule = asked?.decision.rule, let value = rule[field] else { return nil }
        return (value.json, rule.row(setting: RuleField.named[field]?.group ?? .free(field)))
    }

    /// All rows that fit, the best first: the winner is taken away and asked again.
    func ofRules(_ name: String) throws -> JSON {
        guard operation == "ask_rule", ["values", "rows"].contains(name) else { return .null }
        var policy = scenario.policy.text
        var numbers = Array(policy.rules.indices)
        var (found, rows): ([JSON], [JSON]) = ([], [])
        while let (value, row) = try winner() {
            found.append(value)
            guard let row, numbers.indices.contains(row) else { break }
            rows.append(.integer(Int64(numbers.remove(at: row) + 1)))
            policy.rules.remove(at: row)
            try library.activate(policy)
        }
        try library.activate(scenario.policy.text)
        return .array(name == "values" ? found : rows)
    }
}

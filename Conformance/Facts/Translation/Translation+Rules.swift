import Circulation
import TextFormats

// Rows of rules, with conditions in the words of several systems.
extension Translation {
    /// What rules ask for in other systems, and the conditions of rows that can stand for it. Those that are used
    /// together must be different ones.
    private static let criteria: [(names: [String], conditions: [String])] = [
        (["patron group", "group", "category", "patron type", "profile"], ["category"]),
        (["material type", "material", "item type", "circ modifier", "item"], ["item_type"]),
        (["loan type"], ["home_branch", "copy_branch", "branch"]),
        (["branch", "checkout branch", "org unit"], ["branch", "copy_branch", "home_branch"]),
        (["location"], ["branch", "copy_branch", "home_branch"]),
        (["library"], ["copy_branch", "branch", "home_branch"]),
        (["campus"], ["copy_branch", "home_branch", "branch"]),
        (["institution"], ["branch", "copy_branch", "home_branch"]),
        (["home branch", "patron branch"], ["home_branch"]),
        (["item home branch", "owning library"], ["copy_branch"]),
    ]

    private static let inOrder = ["branch", "copy_branch", "home_branch", "category", "item_type"]
    private static let everything = [
        "*", "*/*/*", "default", "everywhere", "everything", "any", "all", "all libraries", "all branches", "",
    ]
    /// The values of who and what is asked about, where a rule only says that it is for them.
    private static let own = [
        "branch": "b1", "copy_branch": "b2", "home_branch": "b3", "category": "c1", "item_type": "t1",
    ]

    private static func index(of name: String) -> Int? {
        criteria.firstIndex { $0.names.contains(name) }
            ?? criteria.firstIndex { $0.names.contains { FieldName.key($0) == FieldName.key(name) } }
    }

    mutating func readRules() throws {
        // A rule that staff write, which need not be right.
        if code == "accept_rules", let kind = taken("rule", "rule_kind", as: \.stringValue), let value = taken("value")
        {
            guard kind.contains("monetary") || kind.contains("money") else {
                throw NotExpressed("what given.rule means by \(kind) is not in the table")
            }
            set("written", ["fine": .string("money \(LuaText.quoted(value.stringValue ?? value.text()))")])
            if let reason = taken("reason", from: \.expect) {
                guard reason == "not a decimal" else { throw NotExpressed("\(reason.text()) is not in the table") }
                expect["fault"] = "amount"
            }
        }
        if let value = taken("rule_value") { set("rules", .array([["value": value]])) }
        if let value = taken("preference", "site_preference", "default_value") { set("rule.value", value) }
        guard let list = taken("rules", "circulation_rules", "policies", "matrix", as: \.arrayValue) else { return }
        let rules = list.compactMap(\.objectValue)
        guard rules.count == list.count else { throw NotExpressed("a rule is an object") }
        let order = taken("priority", "specificity_order", "precedence", "match", as: \.stringValue)
        let decides = taken("branch_that_decides", "circ_control", "CircControl", as: \.stringValue)
        let conditions = try assigned(rules, decides)
        var asked: [String: String] = [:]
        var rows: [JSON] = []
        var limits: [JSON] = []
        for rule in rules {
            var row = try row(rule, conditions, &asked)
            if let most = row["max"] {
                row["max"] = Optional<JSON>.none
                var limit: JSONObject = ["max": most]
                for condition in Self.inOrder { limit[condition] = row[condition] }
                limits.append(.object(limit))
            }
            if row.keys.contains(where: { !Self.inOrder.contains($0) }) { rows.append(.object(row)) }
        }
        if !rows.isEmpty { set("rules", .array(rows)) }
        if !limits.isEmpty { set("limits", .array(limits)) }
        let used = Set(rows.flatMap { $0.objectValue?.keys ?? [] }).intersection(Self.inOrder)
        let named = (order.map { Self.ordered($0, conditions) } ?? []).filter { used.contains($0) }
        let match = named + Self.inOrder.filter { used.contains($0) && !named.contains($0) }
        if !match.isEmpty { set("match", .array(match.map { .string($0) })) }
        try readAsked(conditions, asked)
        try readMatches(rules)
    }

    /// Conditions by importance, from words such as `branch most significant, then category`.
    private static func ordered(_ text: String, _ conditions: [Int: String]) -> [String] {
        (text.split(separator: "(").first ?? "").replacing(" then ", with: " ").split(separator: ",").compactMap {
            part in
            let name = part.replacing("most significant", with: "").split(separator: " ").joined(separator: " ")
            return index(of: name).flatMap { conditions.isEmpty ? criteria[$0].conditions.first : conditions[$0] }
        }
    }

    /// The condition of rows that stands for each criterion that is used.
    private func assigned(_ rules: [JSONObject], _ decides: String?) throws -> [Int: String] {
        let names = rules.flatMap { rule in
            rule.keys + (rule["when"]?.objectValue?.keys ?? []) + (rule["conditions"]?.objectValue?.keys ?? [])
        }
        let asked = left.when.keys + left.given.keys
        var conditions: [Int: String] = [:]
        for index in Set(names.compactMap { Self.index(of: $0) }).sorted() {
            let wanted =
                decides == nil || !Self.criteria[index].names.contains("branch")
                ? Self.criteria[index].conditions : [decides?.contains("home") == true ? "copy_branch" : "branch"]
            guard let free = wanted.first(where: { !conditions.values.contains($0) }) else {
                throw NotExpressed("there are more criteria than conditions of rows, or \(asked) ask for none")
            }
            conditions[index] = free
        }
        return conditions
    }

    private func row(
        _ rule: JSONObject, _ conditions: [Int: String], _ asked: inout [String: String]
    ) throws -> JSONObject {
        var row: JSONObject = [:]
        for entry in rule.entries where !["line", "id", "name", "number", "note"].contains(entry.key) {
            if let parts = entry.value.objectValue, ["when", "conditions", "criteria", "if"].contains(entry.key) {
                for part in parts.entries {
                    guard let index = Self.index(of: part.key), let condition = conditions[index] else {
                        throw NotExpressed("no condition of rows stands for the criterion \(part.key)")
                    }
                    row[condition] = try Self.value(part.value, condition, &asked)
                }
            } else if entry.key == "scope" {
                for part in try scope(entry.value.stringValue ?? "", &asked).entries { row[part.key] = part.value }
            } else if ["value", "policy", "loan_policy", "result"].contains(entry.key) {
                row["value"] = entry.value
            } else if let index = Self.index(of: entry.key), let condition = conditions[index] {
                row[condition] = try Self.value(entry.value, condition, &asked)
            } else {
                for (name, value) in try term(entry) { row[name] = value }
            }
        }
        for condition in Self.inOrder where row[condition]?.isNull == true { row[condition] = Optional<JSON>.none }
        return row
    }

    /// What a condition asks for; null for everything.
    private static func value(_ value: JSON, _ condition: String, _ asked: inout [String: String]) throws -> JSON {
        guard let text = value.stringValue else { return value }
        if everything.contains(text.lowercased()) { return .null }
        let plain = text.lowercased().replacing("item ", with: "")
        guard plain == "home branch" || plain == "holding branch" else { return value }
        let name = plain == "home branch" ? "home" : "holding"
        asked["copy_branch"] = "home"
        asked["branch"] = "holding"
        return .string(name)
    }

    /// `everywhere`, `group of libraries {BR2}`, `library BR1`, `branch+item type`.
    private func scope(_ text: String, _ asked: inout [String: String]) throws -> JSONObject {
        let plain = text.lowercased()
        if Self.everything.contains(plain) { return [:] }
        if let open = text.firstIndex(of: "{"), let close = text.lastIndex(of: "}"), open < close {
            let names = text[text.index(after: open)..<close].split { ", ".contains($0) }
            return ["branch": .array(names.map { .string(String($0)) })]
        }
        for word in ["library ", "branch "] where plain.hasPrefix(word) && !plain.contains("+") {
            return ["branch": .string(String(text.dropFirst(word.count)))]
        }
        var row: JSONObject = [:]
        for part in text.split(separator: "+") {
            let name = part.split(separator: " ").joined(separator: " ")
            guard let condition = Self.index(of: name).flatMap({ Self.criteria[$0].conditions.first }),
                let value = Self.own[condition]
            else { throw NotExpressed("the scope \"\(text)\" is not in the table") }
            asked[condition] = value
            row[condition] = .string(value)
        }
        return row
    }

    /// A term of a row, by the names that terms have.
    private func term(_ entry: JSONObject.Entry) throws -> [(String, JSON)] {
        let all = TranslationTable.entries(entry.key, TranslationTable.given, code)
        if let (limit, _) = all.first(where: { $0.entry.path == "limits" }),
            let most = try limit.reading.value(entry.value)?.arrayValue?.first?["max"]
        {
            return [("max", most)]
        }
        guard let (found, unit) = all.first(where: { $0.entry.path.hasPrefix("rule.") }),
            found.path.hasPrefix("rule."),
            let value = entry.value.isNull ? .null : try found.reading.value(entry.value, unit)
        else { throw NotExpressed("given.rules.\(entry.key) is not in the table") }
        let others = found.beside.filter { $0.path.hasPrefix("rule.") }.map { (String($0.path.dropFirst(5)), $0.value) }
        let own = String(found.path.dropFirst(5))
        return [(own, value)] + others + (own == "fine" && others.isEmpty ? [("per", "1 day")] : [])
    }

    // MARK: What is asked

    private mutating func readAsked(_ conditions: [Int: String], _ standing: [String: String]) throws {
        var asked = standing
        let tree = taken("location_tree", as: \.objectValue)
        for (index, condition) in conditions {
            for name in Self.criteria[index].names {
                guard let value = taken(name, as: \.stringValue, from: \.when) else { continue }
                asked[condition] = value
            }
        }
        if let branch = taken("at_branch", "branch", as: \.stringValue, from: \.when) { asked["branch"] = branch }
        if let branch = taken("branch", as: \.stringValue)?.split(separator: " ").first {
            asked["branch"] = String(branch)
        }
        if let tree {
            let location = fact.when["location"]?.stringValue ?? ""
            for part in (tree[location]?.stringValue ?? "").split(separator: ",") {
                let words = part.split(separator: " ").map(String.init)
                guard words.count == 2, let index = Self.index(of: words[0]), let condition = conditions[index] else {
                    continue
                }
                asked[condition] = words[0] == "another" ? "another" : words[1]
            }
        }
        // What rules do not ask for need not be known.
        for criterion in Self.criteria { for name in criterion.names { _ = taken(name, from: \.when) } }
        for (condition, value) in asked {
            switch condition {
            case "category": set("patrons[].category", .string(value))
            case "item_type": set("copies[].item_type", .string(value))
            case "copy_branch": set("copies[].branch", .string(value))
            case "home_branch": set("patrons[].branch", .string(value))
            default:
                if code == "ask_rule" || code == "checkout" { steps[steps.count - 1]["branch"] = .string(value) }
                if value == "holding" { set("loans[].branch", .string(value)) }
            }
        }
    }

    /// All rules that fit, with their lines: `matches: [{loan_policy, line}]`.
    private mutating func readMatches(_ rules: [JSONObject]) throws {
        if let line = taken("line", from: \.expect) { expect["row"] = try Self.row(at: line, rules) }
        guard let matches = taken("matches", "all_matches", as: \.arrayValue, from: \.expect) else { return }
        var (values, rows): ([JSON], [JSON]) = ([], [])
        for match in matches {
            values.append(match["loan_policy"] ?? match["policy"] ?? match["value"] ?? match)
            if let line = match["line"] { rows.append(try Self.row(at: line, rules)) }
        }
        expect["values"] = .array(values)
        if !rows.isEmpty { expect["rows"] = .array(rows) }
    }

    private static func row(at line: JSON, _ rules: [JSONObject]) throws -> JSON {
        guard let index = rules.firstIndex(where: { $0["line"] == line }) else {
            throw NotExpressed("no rule stands in line \(line.text())")
        }
        return .integer(Int64(index + 1))
    }
}

import Circulation
import Desk
import TextFormats

/// Facts about which of several rules holds.
enum MatchingFacts {
    private static let operations = ["match", "all_matches", "effective_rule", "effective_value", "save_rule"]

    static let knows: @Sendable (Operation) -> Bool = { operation in
        operations.contains { operation.begins($0) }
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        switch reading.operation.text {
        case "save_rule": try save(reading, plan)
        case "match", "all_matches": try criteria(reading, plan)
        default:
            if reading.given.has("rule_value") { return try value(reading, plan) }
            try scopes(reading, plan)
        }
    }

    // MARK: Criteria of FOLIO's rules

    /// Which condition stands for a criterion of the other system. Those that are used must be different ones.
    private static let stand: [(criterion: String, key: String, conditions: [String])] = [
        ("patron group", "group", ["category"]), ("material type", "material", ["item_type"]),
        ("loan type", "loan_type", ["home_branch", "copy_branch", "branch"]),
        ("location", "location", ["branch", "copy_branch", "home_branch"]),
        ("library", "library", ["copy_branch", "branch", "home_branch"]),
        ("campus", "campus", ["copy_branch", "home_branch", "branch"]),
        ("institution", "institution", ["branch", "copy_branch", "home_branch"]),
    ]

    private static func criteria(_ reading: FactReading, _ plan: FactPlan) throws {
        let rules = try reading.given.parts("rules") ?? []
        let used = Set(try rules.flatMap { try $0.part("when")?.object.keys ?? [] })
        let conditions = try assigned(used)
        let tree = try reading.given.part("location_tree")
        guard let priority = try reading.given.text("priority")?.split(separator: "(").first?.split(separator: ",")
        else {
            throw NotExpressed("the fact does not say which criterion is the most important")
        }
        let order = priority.map { $0.split(separator: " ").joined(separator: " ") }
            .compactMap { name in stand.first { $0.criterion == name }.flatMap { conditions[$0.key] } }
        plan.policy.match = LuaText.list(order, always: true)
        plan.policy.everything["loan"] = "days(14)"
        var lines: [(policy: String, line: JSON)] = []
        for rule in rules {
            guard let name = try rule.text("policy") else { throw reading.given.unreadable("rules") }
            var row = PolicyText.Row()
            let when = try rule.part("when")
            for key in when?.object.keys ?? [] {
                guard let condition = conditions[key], let value = try when?.text(key) else { continue }
                row[condition] = LuaText.quoted(value)
                plan.declare(value, for: condition)
            }
            row["loan_policy"] = LuaText.quoted(name)
            plan.policy.rules.append(row)
            lines.append((name, rule["line"] ?? .null))
        }
        for (key, condition) in conditions {
            if let value = try reading.when.text(key) ?? place(key, reading, tree) { plan.ask(value, for: condition) }
        }
        for entry in stand where reading.when.has(entry.key) && conditions[entry.key] == nil {
            reading.when.ignore(entry.key)
        }
        try matches(reading, plan, lines)
    }

    private static func assigned(_ used: Set<String>) throws -> [String: String] {
        var conditions: [String: String] = [:]
        for entry in stand where used.contains(entry.key) {
            guard let free = entry.conditions.first(where: { !conditions.values.contains($0) }) else {
                throw NotExpressed("there are more criteria than conditions of rows")
            }
            conditions[entry.key] = free
        }
        if let unknown = used.first(where: { conditions[$0] == nil }) {
            throw NotExpressed("no condition of rows stands for the criterion \(unknown)")
        }
        return conditions
    }

    /// The institution, campus or library to which a location belongs: `institution i1`, `another institution`.
    private static func place(_ key: String, _ reading: FactReading, _ tree: FieldReading?) throws -> String? {
        guard let location = try reading.when.text("location"), let tree, let words = try tree.text(location) else {
            return nil
        }
        tree.object.keys.forEach { tree.ignore($0) }
        for part in words.split(separator: ",") {
            let names = part.split(separator: " ").map(String.init)
            if names.count == 2, names[0] == key { return names[1] }
        }
        return "another"
    }

    /// All rules that fit, the best first: the winner is taken away and asked again.
    private static func matches(
        _ reading: FactReading, _ plan: FactPlan, _ lines: [(policy: String, line: JSON)]
    ) throws {
        var found: [JSON] = []
        var rows = plan.policy.rules
        while !rows.isEmpty, found.count < lines.count {
            plan.policy.rules = rows
            guard let (value, row) = try plan.winner("loan_policy"), case .string(let name) = value else { break }
            let line = lines.first { $0.policy == name }?.line ?? .null
            found.append(.object(["loan_policy": .string(name), "line": line]))
            rows.remove(at: row)
            if reading.operation.text == "match" { break }
        }
        for key in ["loan_policy", "policy"] { reading.answer(key, found: found.first?["loan_policy"] ?? .null) }
        reading.answer("line", found: found.first?["line"] ?? .null)
        reading.answer("matches", found: .array(found))
    }

    // MARK: Scopes of Koha's rules

    private static func scopes(_ reading: FactReading, _ plan: FactPlan) throws {
        let order = try reading.given.text("specificity_order") ?? "branch, category, item type"
        let names = [("branch", "branch"), ("category", "category"), ("item type", "item_type")]
        let dimensions = names.compactMap { word, condition in
            order.firstRange(of: word).map { (place: $0.lowerBound, condition: condition) }
        }
        plan.policy.match = LuaText.list(dimensions.sorted { $0.place < $1.place }.map(\.condition), always: true)
        plan.policy.everything["loan"] = "days(14)"
        if let branch = try reading.given.text("branch")?.split(separator: " ").first {
            plan.ask(String(branch), for: "branch")
        } else {
            plan.ask("b1", for: "branch")
        }
        plan.ask("c1", for: "category")
        plan.ask("t1", for: "item_type")
        for rule in try reading.given.parts("rules") ?? [] {
            var row = PolicyText.Row()
            for part in (try rule.text("scope") ?? "").split(separator: "+") {
                switch part.split(separator: " ").joined(separator: " ") {
                case "branch": row["branch"] = LuaText.quoted(plan.branch ?? "b1")
                case "category", "patron category": row["category"] = "\"c1\""
                case "item type", "itemtype": row["item_type"] = "\"t1\""
                case "*/*/*", "default", "*", "everything": break
                default: throw rule.unreadable("scope")
                }
            }
            guard let value = rule["value"] else { throw rule.unreadable("value") }
            row["setting"] = try lua(value)
            plan.policy.rules.append(row)
        }
        reading.answer("value", found: try plan.winner("setting")?.value ?? .null)
    }

    private static func lua(_ value: JSON) throws -> String {
        switch value {
        case .string(let text): return LuaText.quoted(text)
        case .integer(let number): return "\(number)"
        case .bool(let flag): return "\(flag)"
        default: throw NotExpressed("a rule cannot set \(value.text())")
        }
    }

    /// A value in a rule, and the one that the library prefers where no rule sets one.
    private static func value(_ reading: FactReading, _ plan: FactPlan) throws {
        plan.policy.everything["loan"] = "days(14)"
        if let value = reading.given["rule_value"] { plan.policy.rules.append(["setting": try lua(value)]) }
        if let value = reading.given["preference"] { plan.policy.rules.append(["setting": try lua(value)]) }
        reading.answer("value", found: try plan.winner("setting")?.value ?? .null)
    }

    /// A rule that is put into force, or refused as it is read.
    private static func save(_ reading: FactReading, _ plan: FactPlan) throws {
        let kind = try reading.given.text("rule") ?? "a rule"
        guard let value = try reading.given.text("value") else { throw reading.given.unreadable("value") }
        plan.policy.everything["loan"] = "days(14)"
        guard kind.contains("monetary") || kind.contains("money") else { throw reading.given.unreadable("rule") }
        plan.policy.everything["fine"] = "money \(LuaText.quoted(value))"
        let problem = try plan.problemOfLoading()
        reading.answer("saved", flag: problem == nil)
        let isAmount = problem?.contains("amount") ?? false
        reading.answer("reason", word: isAmount ? ["not a decimal"] : [], own: problem ?? "saved")
    }
}

extension PolicyText.Row: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension FactPlan {
    /// A value that a row names must be one of the library's.
    func declare(_ value: String, for condition: String) {
        switch condition {
        case "category": categories.append(value)
        case "item_type": itemTypes.append((value, nil))
        default: branches.append(value)
        }
    }

    /// The patron or the copy asked for has this value.
    func ask(_ value: String, for condition: String) {
        declare(value, for: condition)
        switch condition {
        case "category": category = value
        case "item_type": itemType = value
        case "copy_branch": copyBranch = value
        case "home_branch": before.append { library, _ in try library.change { $0.homeBranch = value } }
        default: branch = value
        }
    }

    /// What the rules set a field of the library's own to for the loan asked for, and the row that did.
    func winner(_ field: String) throws -> (value: JSON, row: Int)? {
        let (library, title) = try openLibrary()
        try beginOperation(library, title)
        let outcome = try library.desk(branch: branch).rehearse { session in
            try session.loans.mayCheckout(
                CheckoutRequest(patron: .username(FactLibrary.reader), wanted: .barcode(title.barcodes.first ?? "")))
        }
        guard let rule = try outcome.done("the question").first?.decision.rule else { return nil }
        guard let value = rule[field].flatMap(Self.plain), let row = rule.row(setting: .free(field)) else { return nil }
        library.note("row \(row + 1) sets \(field) to \(value.text())")
        return (value, row)
    }

    private static func plain(_ value: RuleValue) -> JSON? {
        switch value {
        case .free(let json): json
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let flag): .bool(flag)
        default: nil
        }
    }

    /// Why the policy cannot come into force; nil if it can.
    func problemOfLoading() throws -> String? {
        let (library, _) = try openLibrary()
        do {
            try library.activate(policy)
            return nil
        } catch let problem as NotExpressed {
            return problem.reason
        } catch let failure as PolicyFailure {
            return failure.message
        }
    }
}

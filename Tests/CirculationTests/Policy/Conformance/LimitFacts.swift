import Circulation
import TextFormats

/// Facts about limits, and about which of several rules holds.
enum LimitFacts {
    static let outside: [(key: String, reason: String)] = [
        ("overdue_policy", "the number of overdue loans is for a checkout function, no table asks for it"),
        ("max_overdue", "the number of overdue loans is for a checkout function, no table asks for it"),
        ("max_overdue_items", "the number of overdue loans is for a checkout function, no table asks for it"),
        ("max_lost_items", "the number of lost copies is for a checkout function, no table asks for it"),
        ("group_overdue_count", "families of patrons are not part of a case"),
        ("check_out_lock", "two checkouts at once are a matter of transactions"),
        ("current_requests_at_library", "limits of holds are checked where holds are placed"),
    ]

    static func answer(_ fact: Fact) throws -> FactAnswer {
        if let reason = fact.outside(outside) { return .outside(reason) }
        switch fact.operation {
        case "effective_rule for a patron and item that match all scopes", "effective_rule":
            return try effectiveRule(fact)
        case "effective_value": return try effectiveValue(fact)
        case "save_rule":
            let amount = try? Money(parsing: fact.text("value"), currency: .eur)
            return fact.compared([("saved", .bool(amount != nil))])
        case "checkout twice": return try twice(fact)
        default: return try checkout(fact)
        }
    }

    // MARK: Which rule holds

    /// Every rule added replaces the answer so far.
    private static func effectiveRule(_ fact: Fact) throws -> FactAnswer {
        let rules = try (fact.given["rules"]?.arrayValue ?? []).map { rule in
            let scope = rule["scope"]?.stringValue ?? ""
            return (try conditions(scope), rule["value"] ?? .null)
        }
        let match = MatchOrder(dimensions: dimensions(fact.given["specificity_order"]?.stringValue ?? ""))
        var found: JSON = .null
        for count in 1...rules.count {
            let rows = rules.prefix(count).map { Sample.row(["value": .free($0.1)], where: $0.0) }
            let value = try Sample.tables(rows, match: match).rule(for: Sample.checkout())["value"]
            if case .free(let value) = value { found = value }
            if found != rules[count - 1].1 { break }
        }
        return fact.compared([("value", found)])
    }

    /// `branch most significant, then category, then item type`
    private static func dimensions(_ words: String) -> [String] {
        words.replacing("most significant", with: "").split(separator: ",").map { part in
            let name = part.replacing("then", with: "").split(separator: " ").joined(separator: "_")
            return name
        }
    }

    private static func conditions(_ scope: String) throws -> RowConditions {
        var conditions = RowConditions()
        for part in scope.split(separator: "+") where scope != "*/*/*" && scope != "default" {
            switch part {
            case "branch": conditions.branches = ["main"]
            case "category": conditions.categories = ["undergraduate"]
            case "item type": conditions.itemTypes = ["book"]
            default: throw UnreadableFact(description: scope)
            }
        }
        return conditions
    }

    /// A library-wide preference is the last row.
    private static func effectiveValue(_ fact: Fact) throws -> FactAnswer {
        let rows = ["rule_value", "preference"].compactMap(fact.number).map {
            Sample.row(["holds": .integer($0)])
        }
        let value = try Sample.tables(rows).rule(for: Sample.checkout())["holds"]
        return fact.compared([("value", value?.json ?? .null)])
    }

    // MARK: Checkouts

    private static func twice(_ fact: Fact) throws -> FactAnswer {
        let results = try (0..<2).map { count -> JSON in
            let loans = Array(repeating: Sample.loan("book"), count: count)
            let tables = try Sample.limits([(RowConditions(), fact.number("max_loans"))])
            let exceeded = try tables.limitExceeded(for: Sample.checkout(loans: loans), when: Sample.noCondition)
            return exceeded == nil ? "SUCCESS" : "PATRON_EXCEEDS_CHECKOUT_COUNT"
        }
        return fact.compared([("results", .array(results))])
    }

    private static func checkout(_ fact: Fact) throws -> FactAnswer {
        let setting = try LimitSetting(fact)
        var question = setting.question
        if let until = fact.given["restriction_until"]?.stringValue {
            question.patron.blocks = [BlockFacts(kind: "manual", ends: try CivilDate(parsing: until))]
        }
        if fact.given["patron_has"] != nil, let title = question.title?.id {
            question.patron.loans.append(Sample.loan("book", title: title))
        }
        let refusesCopies = fact.given["allow_multiple_copies"] == false
        let rule = try MatchedRule(fields: [
            "loan": .period(.days(14)), "same_title": .text(refusesCopies ? "confirm" : "allow"),
        ])
        let blocks = setting.tables.patronChecks(for: question)
        let checks = try setting.tables.standardCheckout(for: question, rule: rule, when: Sample.noCondition)
        let reasons = blocks + checks
        let answer = blocks.isEmpty ? setting.tables.standardAnswer(to: checks, rule: rule) : .deny
        let first = reasons.first
        return fact.compared([
            ("allowed", answer == .confirm ? "with confirmation" : .bool(answer == .allow)),
            ("reason", setting.foreignReason(first, expected: fact.expect["reason"]?.stringValue)),
            ("count", first?.figures["count"] ?? .null), ("max_allowed", first?.figures["limit"] ?? .null),
            ("until", first?.figures["until"] ?? .null),
            ("blocked", first == nil ? [] : ["borrowing"]),
        ])
    }
}

/// The limits that a fact gives, and the checkout it asks for.
private struct LimitSetting {
    var rows: [(RowConditions, Int64?)] = []
    var question: Case
    let tables: CompiledTables

    init(_ fact: Fact) throws {
        var question = try Sample.checkout()
        var rows: [(RowConditions, Int64?)] = []
        LimitSetting.addOnSiteLimits(fact, &rows, &question)
        LimitSetting.addTypeLimits(fact, &rows, &question)
        LimitSetting.addCriteriaLimits(fact, &rows, &question)
        LimitSetting.addBranchLimits(fact, &rows, &question)
        for (limit, loans) in [("max_items_out", "items_out"), ("limit_set", "current")] {
            guard let maximum = fact.number(limit) ?? fact.given[limit]?["max"]?.integerValue else { continue }
            rows.append((RowConditions(), maximum))
            question.patron.loans += Array(repeating: Sample.loan("book"), count: Int(fact.number(loans) ?? 0))
        }
        self.rows = rows
        self.question = question
        tables = try Sample.limits(rows)
    }

    /// An empty limit is no row.
    private static func addOnSiteLimits(
        _ fact: Fact, _ rows: inout [(RowConditions, Int64?)], _ question: inout Case
    ) {
        guard fact.given["max_onsite"] != nil else { return }
        if let maximum = fact.number("max_onsite") { rows.append((RowConditions(onSite: true), maximum)) }
        if let maximum = fact.number("max_loans") {
            let countsAll = fact.given["onsite_counts_as_normal"]?.boolValue ?? true
            rows.append((RowConditions(onSite: countsAll ? nil : false), maximum))
        }
        question.request = RequestFacts(size: 1, titles: [10], onSite: fact.flag("onsite"))
        for (kind, isOnSite) in [("normal", false), ("onsite", true)] {
            let count = fact.given["current"]?[kind]?.integerValue ?? 0
            question.patron.loans += Array(repeating: Sample.loan("book", onSite: isOnSite), count: Int(count))
        }
    }

    /// The limit `*` is for types without one of their own: those read no further.
    private static func addTypeLimits(
        _ fact: Fact, _ rows: inout [(RowConditions, Int64?)], _ question: inout Case
    ) {
        guard let limits = fact.given["limits"]?.objectValue else { return }
        let families = fact.given["item_types"]?.objectValue ?? [:]
        func lineage(_ type: String) -> [String] {
            let parents = families.filter { $0.value.arrayValue?.contains(.string(type)) ?? false }
            return [type] + parents.map(\.key)
        }
        let named = limits.filter { $0.key != "*" }
        for limit in named { rows.append((RowConditions(itemTypes: [limit.key]), limit.value.integerValue)) }
        rows.append((RowConditions(itemTypes: named.map(\.key)), nil))
        rows.append((RowConditions(), limits["*"]?.integerValue))
        for entry in fact.given["current"]?.objectValue ?? [:] {
            for _ in 0..<(entry.value.integerValue ?? 0) {
                question.patron.loans.append(
                    OpenLoanFacts(title: 99, itemTypes: lineage(entry.key), branch: "main"))
            }
        }
        question.copy?.itemTypes = lineage(fact.when["item_type"]?.stringValue ?? "")
    }

    /// Limits of rules that name what they are about.
    private static func addCriteriaLimits(
        _ fact: Fact, _ rows: inout [(RowConditions, Int64?)], _ question: inout Case
    ) {
        guard let criteria = fact.given["rule_criteria"]?.arrayValue else { return }
        var conditions = RowConditions()
        if criteria.contains("material type") || criteria.contains("loan type") { conditions.itemTypes = ["book"] }
        if criteria.contains("patron group") { conditions.categories = ["undergraduate"] }
        rows.append((conditions, fact.number("item_limit")))
        let count = fact.number("current") ?? fact.given["current"]?["book"]?.integerValue ?? 0
        question.patron.loans += Array(repeating: Sample.loan("book"), count: Int(count))
    }

    /// A branch's own limit replaces the one for all branches.
    private static func addBranchLimits(
        _ fact: Fact, _ rows: inout [(RowConditions, Int64?)], _ question: inout Case
    ) {
        guard let global = fact.number("global") else { return }
        let branch = String(fact.operation.split(separator: " ").last ?? "")
        let own = fact.given["library_exceptions"]?[branch]?.integerValue
        if let limit = own ?? fact.number("per_library") { rows.append((RowConditions(branches: [branch]), limit)) }
        rows.append((RowConditions(), global))
        question.branch = branch
        for (key, place) in [("current_at_library", branch), ("current_total", "elsewhere")] {
            for _ in 0..<(fact.number(key) ?? 0) {
                question.patron.loans.append(OpenLoanFacts(title: 99, itemTypes: ["book"], branch: place))
            }
        }
    }

    /// The other system's word for our first reason, if ours is the one it means.
    func foreignReason(_ reason: Refusal.Reason?, expected: String?) -> JSON {
        guard let reason, let expected else { return .null }
        let limit = reason.code == "limit" ? reason.origin?.row : nil
        let isOnSite = limit.map { rows[$0 - 1].0.onSite == true } ?? false
        let words: [String: [String]] = [
            "blocked": ["USERBLOCKEDWITHENDDATE", "USERBLOCKEDNOENDDATE"], "same_title": ["BIBLIO_ALREADY_ISSUED"],
            "limit": isOnSite
                ? ["TOO_MANY_ONSITE_CHECKOUTS"]
                : ["TOO_MANY_CHECKOUTS", "Checkout denied", LimitSetting.words(expected)],
        ]
        return words[reason.code]?.contains(expected) ?? false ? .string(expected) : .string(reason.code)
    }

    /// A sentence about a maximum is one about a limit, however it goes on.
    private static func words(_ expected: String) -> String {
        expected.hasPrefix("Patron has reached maximum limit") ? expected : ""
    }
}

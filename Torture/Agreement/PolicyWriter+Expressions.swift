import Circulation

extension PolicyWriter {
    mutating func expression(_ kind: Kind, _ depth: Int) -> String {
        if chance(0.02) { return expression(pick(Kind.allCases), 0) }
        if let known = variables[kind], !known.isEmpty, chance(0.3) { return pick(known) }
        if depth > 0, let known = functions[kind], !known.isEmpty, chance(0.2) {
            return "\(pick(known))(case, \(whole()))"
        }
        return switch kind {
        case .whole: number(depth)
        case .truth: truth(depth)
        case .money: amount(depth)
        case .text: text(depth)
        case .date: date(depth)
        case .instant: instant(depth)
        case .period: period(depth)
        case .any: any(depth)
        }
    }

    mutating func list(_ kind: Kind) -> String {
        (0..<whole(1...3)).map { _ in expression(kind, 1) }.joined(separator: ", ")
    }

    // MARK: - What cases have

    private var hasLoan: Bool { point.isAboutLoan }
    private var hasTitle: Bool { hasLoan || [.checkout, .due, .hold].contains(point) }

    private mutating func readNumber() -> String {
        var fields = [
            "case.patron.holds", "case.patron.holds", "case.patron.overdue", "case.patron.lost", "case.patron.claims",
            "(case.patron.age or \(whole()))", "#case.patron.loans", "case.patron.id",
        ]
        if hasTitle {
            fields += ["case.title.copies", "case.title.available", "case.title.holds_waiting", "#case.title.genres"]
        }
        if hasLoan { fields += ["case.loan.renewals", "case.loan.days_overdue", "case.loan.hours_overdue"] }
        if point == .checkout || point == .request { fields += ["case.request.size", "#case.request.granted"] }
        if point == .hold { fields += ["case.hold.position", "case.hold.placed_today"] }
        return pick(fields)
    }

    private mutating func readText() -> String {
        var fields = [
            "case.patron.category", "case.patron.category", "case.patron.home_branch", "case.branch",
            "case.actor.channel", "case.actor.role", "(case.patron.language or \"a\")", "case.point",
        ]
        if hasLoan { fields += ["case.copy.item_type", "case.copy.item_type", "case.copy.branch", "case.copy.status"] }
        if point == .checkout { fields.append("(case.copy and case.copy.item_type or \"b\")") }
        if point == .notify { fields.append("case.event") }
        return pick(fields)
    }

    private mutating func extra() -> String {
        let name = pick(["x", "y"])
        return hasTitle && chance(0.4) ? "case.title.extra.\(name)" : "case.patron.extra.\(name)"
    }

    private mutating func readList() -> String {
        var lists = ["case.patron.categories", "case.patron.categories", "case.branches", "case.patron.home_branches"]
        if hasLoan { lists += ["case.copy.item_types", "case.copy.item_types"] }
        if hasTitle { lists += ["case.title.genres", "case.title.courses"] }
        return pick(lists)
    }

    mutating func word() -> String {
        pick([
            "\"a\"", "\"b\"", "\"child\"", "\"adult\"", "\"dvd\"", "\"book\"", "\"north\"", "\"\"", "\"1\"", "\"2.5\"",
            "\"A b\"",
        ])
    }

    // MARK: - Kinds

    private mutating func number(_ depth: Int) -> String {
        if depth == 0 || chance(0.3) { return chance(0.4) ? "\(whole(-1...5))" : readNumber() }
        func one() -> String { expression(.whole, depth - 1) }
        switch whole(0...19) {
        case 0...3: return "(\(one()) \(pick(["+", "-"])) \(one()))"
        case 4: return "(\(one()) * \(whole(-2...3)))"
        case 5: return "(\(one()) // \(pick(["2", "3", "7", "-2", "1"])))"
        case 6: return "(\(one()) % \(pick(["2", "3", "5", "-3"])))"
        case 7: return "(- \(one()))"
        case 8: return "math.\(pick(["max", "min"]))(\(one()), \(one()))"
        case 9: return "math.\(pick(["abs", "floor", "ceil"]))(\(one()))"
        case 10: return "#(\(expression(.text, depth - 1)))"
        case 11: return "(STEPS[\(expression(pick([.text, .text, .whole, .any]), depth - 1))] or \(whole()))"
        case 12: return "select(\"#\", \(list(.any)))"
        case 13: return "(tonumber(\(expression(.text, depth - 1))) or \(one()))"
        case 14:
            let part = pick(["weekday", "month", "day", "year", "yearday"])
            return "(\(expression(chance(0.3) ? .instant : .date, depth - 1))).\(part)"
        case 15: return "(\(truth(depth - 1)) and \(one()) or \(one()))"
        case 16: return "(\(expression(.money, depth - 1))).minor_units"
        case 17: return "(\(expression(.date, depth - 1)) - \(expression(.date, depth - 1))).count"
        case 18: return "(function(...) local a, b = ... return b or a end)(\(list(.whole)))"
        default:
            return pick([
                "case.now.hour", "(\(one()) + \(pick(["1.0", "0.5"])))", "math.floor(\(one()) / 2)", "(\(one()) * 1.5)",
            ])
        }
    }

    mutating func truth(_ depth: Int) -> String {
        if let known = variables[.truth], !known.isEmpty, chance(0.15) { return pick(known) }
        if depth > 0, let known = functions[.truth], !known.isEmpty, chance(0.2) {
            return "\(pick(known))(case, \(chance(0.3) ? expression(.whole, 0) : "\(whole())"))"
        }
        let comparison = pick(["==", "~=", "<", "<=", ">", ">="])
        let equality = pick(["==", "~="])
        func pair(_ kind: Kind) -> (String, String) { (expression(kind, max(0, depth - 1)), expression(kind, 0)) }
        switch whole(0...(depth > 0 ? 23 : 15)) {
        case 0...3:
            let (one, other) = pair(.whole)
            return "\(one) \(comparison) \(other)"
        case 4...5:
            let (one, other) = pair(.text)
            return chance(0.1) ? "\(one) \(comparison) \(other)" : "\(one) \(equality) \(other)"
        case 6...7: return "has(\(readList()), \(chance(0.2) ? "{ \(word()), \(word()) }" : word()))"
        case 8: return "\(extra()) \(equality) \(pick(["1", "18", "\"a\"", "true", "false", "nil", "\"1\"", "2.5"]))"
        case 9: return "case.patron.age \(equality) nil"
        case 10:
            let (one, other) = pair(.money)
            return "\(one) \(comparison) \(other)"
        case 11:
            let (one, other) = pair(pick([.date, .instant]))
            return "\(one) \(comparison) \(chance(0.15) ? expression(.date, 0) : other)"
        case 12:
            let (one, other) = pair(.any)
            return "\(one) \(equality) \(other)"
        case 13:
            return chance(0.5)
                ? "\(extra()) ~= nil" : "type(\(extra())) == \"\(pick(["string", "number", "boolean", "nil"]))\""
        case 14: return "tostring(\(extra())) == \(word())"
        case 15: return pick(["true", "false", "case.patron.suspended_until ~= nil", "case.patron.expires_on == nil"])
        case 16...18: return "(\(truth(depth - 1)) \(pick(["and", "or"])) \(truth(depth - 1)))"
        case 19...20: return "not (\(truth(depth - 1)))"
        case 21:
            let (one, other) = pair(.period)
            return "\(one) \(equality) \(other)"
        case 22: return "string.find(\(expression(.text, depth - 1)), \(word()), 1, true) ~= nil"
        default:
            return
                "string.match(\(expression(.text, depth - 1)), \"\(pick(["^a", "^%d+$", "b", "^child$", "(%a)(%d)"]))\") ~= nil"
        }
    }

    private mutating func amount(_ depth: Int) -> String {
        if depth == 0 || chance(0.4) {
            if hasLoan, chance(0.3) { return "(case.copy.replacement_price or money \"1.00\")" }
            return chance(0.5)
                ? "case.patron.fees_owed" : "money \"\(pick(["0.00", "0.01", "1.00", "2.50", "10.00", "-1.00"]))\""
        }
        func one() -> String { expression(.money, depth - 1) }
        switch whole(0...6) {
        case 0...1: return "(\(one()) \(pick(["+", "-"])) \(one()))"
        case 2: return "(\(one()) * \(expression(.whole, 0)))"
        case 3: return "(\(one()) / \(pick(["2", "3", "-2"])))"
        case 4: return "(\(one()) * percent \"\(pick(["50", "6.62", "33.333"]))\")"
        case 5: return "(\(whole()) * \(one()))"
        default: return chance(0.8) ? "(- \(one()))" : "(\(one()) * 0.5)"
        }
    }

    private mutating func text(_ depth: Int) -> String {
        if depth == 0 || chance(0.45) { return chance(0.4) ? word() : readText() }
        func one() -> String { expression(.text, depth - 1) }
        switch whole(0...9) {
        case 0: return "string.lower(\(one()))"
        case 1: return "(\(one()) .. \(one()))"
        case 2: return "tostring(\(expression(.any, depth - 1)))"
        case 3: return "string.sub(\(one()), \(whole(1...2)), \(whole(-1...3)))"
        case 4: return "type(\(expression(.any, depth - 1)))"
        case 5: return "(\(one()) .. \(expression(.whole, depth - 1)))"
        case 6: return "(string.match(\(one()), \"\(pick(["%a+", "^(%a)", "%d+"]))\") or \(word()))"
        case 7: return "(string.gsub(\(one()), \"a\", \"b\"))"
        case 8: return "string.format(\"%s-%d\", \(one()), \(expression(.whole, depth - 1)))"
        default: return "tostring(\(extra()))"
        }
    }

    private mutating func date(_ depth: Int) -> String {
        if depth == 0 || chance(0.5) {
            let dates = [
                "date(case.now)", "case.now.date", "date \"2026-01-15\"",
                "(case.patron.expires_on or date \"2026-01-20\")",
            ]
            return hasLoan && chance(0.3) ? "date(case.loan.due_at)" : pick(dates)
        }
        let moved = expression(.date, depth - 1)
        return "(\(moved) \(pick(["+", "-"])) \(expression(.period, depth - 1)))"
    }

    private mutating func instant(_ depth: Int) -> String {
        if depth == 0 || chance(0.5) {
            return hasLoan && chance(0.6) ? pick(["case.loan.due_at", "case.loan.lent_at"]) : "case.now"
        }
        return
            "(\(expression(.instant, depth - 1)) \(pick(["+", "-"])) \(pick(["days(1)", "hours(12)", "weeks(2)", "minutes(30)"])))"
    }

    private mutating func period(_ depth: Int) -> String {
        if depth > 0, chance(0.3) {
            return chance(0.5)
                ? "(\(expression(.period, depth - 1)) * \(whole(0...3)))"
                : "(\(expression(.date, 0)) - \(expression(.date, 0)))"
        }
        if depth > 0, chance(0.2) { return "days(\(expression(.whole, depth - 1)))" }
        return pick(["days(\(whole()))", "weeks(\(whole(0...2)))", "days(7)", "months(\(whole(0...2)))"])
    }

    private mutating func any(_ depth: Int) -> String {
        switch whole(0...12) {
        case 0: return "nil"
        case 1...3: return extra()
        case 4: return pick(["true", "false"])
        case 5: return pick(["1.5", "2.0", "0/0", "1e15"])
        case 6:
            return pick(["case.patron", "unlimited", "none", "{}", "case.patron.loans", "case", "case.patron.loans[1]"])
        case 7: return "case.patron.age"
        default:
            let kind = pick([Kind.whole, .text, .money, .truth, .date, .period, .instant])
            return depth > 0 ? expression(kind, depth - 1) : expression(kind, 0)
        }
    }
}

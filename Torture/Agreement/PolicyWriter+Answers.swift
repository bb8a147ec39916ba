import Circulation

extension PolicyWriter {
    // MARK: - Functions of points

    mutating func body(of asked: DecisionPoint) -> String {
        inside { writer in
            writer.block(3, indent: "        ") { writer in
                if writer.chance(0.05) { return "return \(writer.expression(.any, 1))" }
                return writer.chance(0.15) ? "return" : "return \(writer.answer(asked))"
            }
        }
    }

    private mutating func answer(_ asked: DecisionPoint) -> String {
        switch asked {
        case .request, .checkout, .renew, .hold: permission(asked)
        case .due:
            pick([expression(.date, 1), expression(.instant, 1), "standard()", "date(case.now) + days(\(whole()))"])
        case .recall:
            pick(["case.now + days(\(whole()))", "case.loan.due_at - days(\(whole()))", expression(.date, 1)])
        case .fine:
            pick([
                expression(.money, 2), expression(.money, 1), "standard()", "money \"0.50\" * case.loan.days_overdue",
            ])
        case .overdue: pick([notice(), charge(), "{ \(notice()), \(charge()) }"])
        case .checkin:
            pick([
                charge(), "suspend(\(expression(.period, 1)))", "{ \(charge()), suspend(days(\(whole()))) }",
                "standard()",
            ])
        case .lost: pick(["declare_lost { fee = \(expression(.money, 1)) }", "declare_lost()", charge(), "standard()"])
        case .price:
            pick([
                expression(.money, 1), "standard()",
                "{ { label = \"a\", amount = \(expression(.money, 1)) }, { label = \"b\", amount = \(expression(.money, 1)) } }",
            ])
        case .publish: pick(["allow()", "review(\"Wait.\")", "deny(\(word()), \"No.\")", "standard()"])
        case .notify: notice()
        case .expiry:
            pick([
                expression(.date, 1), "unlimited", "standard()", "date(case.now) + days(\(whole()))",
                "case.now + months(\(whole()))",
            ])
        }
    }

    private mutating func permission(_ asked: DecisionPoint) -> String {
        switch whole(0...9) {
        case 0...2: return "deny(\(pick(["\"one\"", "\"two\"", "case.patron.category"])), \"No.\")"
        case 3: return "deny(\"three\", \"No.\", { override = \(truth(1)) })"
        case 4...5: return "confirm(\"ask\", \(pick(["\"Sure?\"", "\"\"", expression(.text, 1)])))"
        case 6: return "standard()"
        case 7: return asked == .request ? "allow { despite = { \"expired\" } }" : "allow { despite = { \"limit\" } }"
        case 8:
            switch asked {
            case .renew: return "allow { due = \(expression(pick([.date, .instant]), 1)) }"
            case .hold: return "allow { priority = \(expression(.whole, 1)) }"
            default: return "nil"
            }
        default: return "nil"
        }
    }

    private mutating func charge() -> String {
        "charge { key = \(word()), amount = \(expression(.money, 1)), label = \(expression(.text, 0)) }"
    }

    private mutating func notice() -> String {
        "notice { stage = \(word()), channel = \"email\", subject = \(expression(.text, 0)), body = \"B\" }"
    }

    // MARK: - Tables

    mutating func tables() -> String {
        var rules = (0..<whole(0...2)).map { _ in row() }
        if chance(0.9) { rules.append("{ loan = days(\(whole(1...14))) }") }
        var text = "rules = { \(rules.joined(separator: ", ")) }"
        if chance(0.35) {
            let rows = (0..<whole(1...3)).map { _ in
                let claimed = Double.random(in: 0..<1, using: &later) < 0.2 ? "claimed = \"not counted\", " : ""
                let most = chance(0.15) ? "max = unlimited" : "\(lookingBack()) max = \(whole(0...4))"
                return "{ \(conditions()) \(claimed)\(most) }"
            }
            text += ",\n    limits = { \((rows + groupRows()).joined(separator: ", ")) }"
        }
        if point == .expiry {
            let rows = (0..<whole(0...3)).map { _ in membership() }
            text += ",\n    membership = { \(rows.joined(separator: ", ")) }"
        }
        return text
    }

    private mutating func membership() -> String {
        var parts: [String] = []
        if chance(0.4) { parts.append("category = \(pick(["\"child\"", "{ \"a\", \"child\" }"]))") }
        if chance(0.2) { parts.append("home_branch = \"north\"") }
        if chance(0.2) { parts.append("under_age = \(whole(1...6))") }
        if chance(0.1) { parts.append("from_age = \(whole())") }
        if chance(0.1) { parts.append("renew_from = \"now\"") }
        parts.append(
            pick([
                "lasts = days(\(whole(1...40)))", "lasts = weeks(\(whole(1...5)))", "lasts = unlimited",
                "lasts = months(\(whole(1...12)))", "until_date = date \"2026-02-0\(whole(1...9))\"",
                "until_day = \"09-30\"", "until_age = \(whole(1...6))",
                "lasts = days(\(whole(1...40))), until_date = date \"2026-02-0\(whole(1...9))\"",
            ]))
        return "{ \(parts.joined(separator: ", ")) }"
    }

    /// Rows about those to whom the patron is linked, and about amounts that are owed.
    private mutating func groupRows() -> [String] {
        guard Double.random(in: 0..<1, using: &later) < 0.3 else { return [] }
        let group = ["household", "guardians", "dependents", "family"].randomElement(using: &later) ?? "family"
        let owed = "owed = money \"\(["0.01", "1.00", "2.50"].randomElement(using: &later) ?? "1.00")\""
        let most = Int.random(in: 0...4, using: &later)
        return switch Int.random(in: 0...4, using: &later) {
        case 0: ["{ of = \"\(group)\", max = \(most) }"]
        case 3: ["{ of = \"\(group)\", claimed = \"not counted\", max = \(most) }"]
        case 4: ["{ of = \"\(group)\", per = \"title\", max = \(most) }"]
        case 1: ["{ of = \"\(group)\", \(owed), category = \"child\", max = 0 }"]
        default: ["{ \(owed), max = \(most) }"]
        }
    }

    /// What a row of `limits` counts beside open loans, and of whom.
    private mutating func lookingBack() -> String {
        var parts: [String] = []
        if chance(0.15) { parts.append("within = days(\(whole(1...30)))") }
        if chance(0.1) { parts.append("per = \"title\"") }
        if chance(0.1) { parts.append("owed_for = days(\(whole(0...60)))") }
        return parts.map { $0 + "," }.joined(separator: " ")
    }

    private mutating func conditions() -> String {
        var parts: [String] = []
        if chance(0.4) { parts.append("category = \(pick(["\"child\"", "\"adult\"", "{ \"a\", \"child\" }"]))") }
        if chance(0.4) { parts.append("item_type = \(pick(["\"dvd\"", "\"book\"", "{ \"dvd\", \"b\" }"]))") }
        if chance(0.12) { parts.append("branch = \"north\"") }
        if chance(0.08) { parts.append("home_branch = \"north\"") }
        if Double.random(in: 0..<1, using: &later) < 0.08 { parts.append("location = { \"a\", \"b\" }") }
        if chance(0.08) { parts.append("channel = \"web\"") }
        if chance(0.06) { parts.append("on_site = \(pick(["true", "false"]))") }
        if chance(0.12) {
            let test = inside {
                $0.variables = [:]; return $0.truth(1)
            }
            parts.append("when = function(case) return \(test) end")
        }
        return parts.map { $0 + ", " }.joined()
    }

    private mutating func row() -> String {
        let groups = [
            "loan = days(\(whole(1...20)))", "loan = hours(\(whole(1...6)))", "loan = weeks(2), closed = \"keep\"",
            "loan = days(3), due_time = \"18:00\"", "lend = false", "lend = false, reason = \"\"", "fine = none",
            "loan = none",
            "fine = money \"0.20\", per = days(\(whole(1...2))), grace = days(\(whole(0...3)))",
            "fine = money \"0.50\", fine_cap = money \"2.00\", grace = days(2), grace_mode = \"deduct\"",
            "fine = money \"1.00\", fine_cap = \"replacement_price\", rounding = \"complete\"",
            "renewals = \(whole(0...3))", "renewals = 2, renew_from = \"due\"",
            "renewals = 5, renew_not_before = days(2)",
            "holds = \(whole(0...3))", "holds_per_day = 1", "same_title = \"refuse\"", "same_title = \"confirm\"",
            "lost_after = days(\(whole(0...5))), lost_fee = money \"5.00\"",
            "lost_after = days(1), lost_fee = \"replacement_price\"",
            "suspension = days(2), suspension_per = days(\(whole(1...2)))",
            "suspension = days(1), suspension_mode = \"add\"",
            "rental = money \"1.50\", rental_per = days(7)", "auto_renew = true, renewals = 1",
            "due_limit = date \"2026-03-01\"",
        ]
        let chosen = (0..<whole(1...2)).map { _ in pick(groups) }
        return "{ \(conditions())\(Set(chosen).sorted().joined(separator: ", ")) }"
    }

    // MARK: - Properties

    mutating func properties() -> String {
        (0..<3).map { index in
            let test = inside { writer in
                writer.variables = [:]
                writer.functions = [:]
                return writer.promise()
            }
            let kind = pick(["never", "always"])
            return "\(kind)(\"p\(index)\", \"\(point.rawValue)\", function(case, decision)\n\(test)\nend)"
        }.joined(separator: "\n") + "\n"
    }

    private mutating func promise() -> String {
        if point == .price, Double.random(in: 0..<1, using: &later) < 0.5 {
            return "    local sum = money \"0.00\"\n"
                + "    for _, line in ipairs(case.lines or {}) do sum = sum + line.amount end\n    return \(testOfLines())"
        }
        let helper = chance(0.3) ? "within(case.patron.category, \(word()))" : truth(1)
        if chance(0.3) {
            return "    local function told(n) return \(helper) end\n"
                + "    if told(\(whole())) then return \(ofDecision()) end\n    return \(pick(["true", "false", truth(1)]))"
        }
        return "    return \(ofDecision()) \(pick(["and", "or"])) \(pick(["", "not "]))(\(truth(2)))"
    }

    private mutating func ofDecision() -> String {
        let code = pick(["one", "two", "three", "ask", "limit", "not_lent", "no_rule", "renewals", "too_soon"])
        var tests = [
            "decision.answer == \"\(pick(["allow", "deny", "confirm", "failed"]))\"", "decision.code == \"\(code)\"",
            "(decision.reasons ~= nil and has(decision.reasons, \"\(code)\"))", "decision.override == true",
            "decision.failure ~= nil", "(decision.failure and decision.failure.code == \"lua_error\")",
            "decision.code ~= nil", "decision.answer ~= \"failed\"",
        ]
        switch point {
        case .fine: tests += ["decision.fine \(pick(["<=", ">", "=="])) money \"\(pick(["0.00", "1.00", "2.50"]))\""]
        case .checkout, .due, .renew, .recall:
            tests += [
                "(decision.due_at ~= nil and decision.due_at \(pick(["<", ">="])) case.now + days(\(whole())))",
                "decision.due == nil", "(decision.due_at and decision.due_at.hour < 20)", "decision.rental ~= nil",
            ]
        case .expiry:
            tests += [
                "decision.expires_on == nil", "decision.expires_on == unlimited",
                "(decision.expires_on ~= nil and decision.expires_on ~= unlimited"
                    + " and decision.expires_on >= date(case.now) + days(\(whole())))",
            ]
        case .hold: tests += ["(decision.priority or 0) \(pick(["<", ">="])) \(whole())"]
        case .checkin: tests += ["decision.suspended_until ~= nil", "decision.charges == nil"]
        case .lost: tests += ["decision.lost", "(decision.lost_fee or money \"0.00\") > money \"1.00\""]
        case .price: tests += ["(decision.total or money \"0.00\") >= money \"1.00\"", "decision.lines == nil"]
        default: break
        }
        return pick(tests)
    }
}

import Testing

/// Mistakes that an author might have made in ``PlantedFaultTests/sound``.
enum PlantedFaults {
    struct Fault: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        var code: String

        init(_ code: String, _ old: String, _ new: String) {
            self.code = code
            self.old = old
            self.new = new
        }

        var testDescription: String { "\(code): \(new)" }
    }

    static let all: [Fault] = [
        Fault("unknown_global", "hours(3)", "hour(3)"),
        Fault("unknown_global", "return suspend(days(3))", "return suspended(days(3))"),
        Fault("unknown_field", "patron.overdue > 5", "patron.overdew > 5"),
        Fault("unknown_field", "case.listing.others", "case.listing.other"),
        Fault("unknown_field", "stage = \"last\"", "stge = \"last\""),
        Fault("unknown_field", "case.title.holds_waiting > 0", "case.loan.renewals > 0"),
        Fault("unknown_rule_field", "reason =", "reasn ="),
        Fault("unknown_rule_field", "item_type = \"film\", max", "itemtype = \"film\", max"),
        Fault("unknown_rule_field", "every = days(7)", "evry = days(7)"),
        Fault("unknown_value", "case.actor.channel == \"web\"", "case.actor.channel == \"wbe\""),
        Fault("unknown_value", "case.patron.category == \"student\"", "case.patron.category == \"studnet\""),
        Fault(
            "unknown_value", "category = \"student\", item_type = \"book\", loan",
            "category = \"studnet\", item_type = \"book\", loan"),
        Fault("wrong_type", "loan = weeks(8)", "loan = 56"),
        Fault("wrong_type", "fine = money \"0.20\"", "fine = 0.20"),
        Fault("wrong_type", "closed = \"next_open\"", "closed = \"next\""),
        Fault("wrong_type", "suspension = days(1)", "suspension = hours(1)"),
        Fault("wrong_type", "before = days(2)", "before = 2"),
        Fault("wrong_type", "charge = money \"2.15\"", "charge = 2.15"),
        Fault("wrong_type", "max = 5", "max = \"5\""),
        Fault("wrong_type", "renewals = 2", "renewals = -2"),
        Fault("wrong_type", "case.now + days(7)", "case.now + 7"),
        Fault("wrong_type", "#case.patron.loans > 3", "#case.patron.holds > 3"),
        Fault("wrong_type", "#case.patron.loans > 3", "case.patron.loans + 1 > 3"),
        Fault("wrong_type", "fine_cap = money \"30.00\"", "fine_cap = money \"0.50\""),
        Fault("unreachable_row", "stage = \"first\", after = days(1)", "stage = \"first\", after = days(12)"),
        Fault("wrong_type", "return case.now + days(7)", "return days(7)"),
        Fault("wrong_type", "return money \"0.00\"", "return 0"),
        Fault("wrong_type", "return suspend(days(3))", "return suspend(3)"),
        Fault("wrong_type", "return deny(\"busy\", \"Others wait.\")", "return false"),
        Fault("wrong_type", "return deny(\"busy\", \"Others wait.\")", "return deny(\"busy\")"),
        Fault("wrong_type", "return confirm(\"web\", \"Lend over the web?\")", "return review(\"Web?\")"),
        Fault("unknown_point", "checkin = function", "chekin = function"),
        Fault("unknown_point", "notices = {", "notces = {"),
        Fault("missing_answer", "return review(\"Staff look at it.\")", "return nil"),
        Fault("missing_answer", "return review(\"Staff look at it.\")", "return case.title and allow()"),
        Fault(
            "unreachable_row", "{ item_type = \"reference\", lend = false,",
            "{ lend = true }, { item_type = \"reference\", lend = false,"),
        Fault(
            "unreachable_row", "{ category = \"student\", item_type = \"book\", max = 5 }",
            "{ category = \"student\", item_type = \"book\", max = 50 }"),
        Fault("unreachable_row", "stage = \"second\"", "stage = \"first\""),
        Fault("unreachable_field", "fine = money \"1.00\", per", "per"),
        Fault("unreachable_field", "every = days(7), times", "times"),
        Fault("refused_identifier", "return patron.overdue > 5", "return os.time() > 5"),
        Fault("stateful", "return case.now + days(7)", "dear = money \"1.00\" return case.now + days(7)"),
        Fault("writes_case", "return case.now + days(7)", "case.patron.overdue = 0 return case.now + days(7)"),
        Fault("unlike_comparison", "patron.fees_owed >= dear", "patron.fees_owed >= 25"),
        Fault("unlike_comparison", "local dear = money \"25.00\"", "local dear = 25"),
        Fault("unlike_comparison", "case.loan.days_overdue > 10", "case.loan.days_overdue > days(10)"),
        Fault("unlike_comparison", "#case.patron.loans > 3", "case.patron.loans > 3"),
        Fault("unlike_comparison", "#case.patron.loans > 3", "case.patron.loans"),
        Fault("unlike_comparison", "#case.patron.loans > 3", "case.patron.loans > case.patron.extra.most"),
        Fault("unlike_comparison", "#case.patron.loans > 3", "case.patron.extra.most <= case.patron.loans"),
        Fault("wrong_type", "return suspend(days(3))", "return suspend"),
        Fault("template_field", "\"Others wait.\"", "\"{{title.title}} is waited for.\""),
        Fault("template_field", "\"Staff look at it.\"", "\"Staff look at {{title.title}}.\""),
        Fault("unlike_comparison", "#case.loan.notices < 4", "case.loan.renewals"),
        Fault("unlike_comparison", "case.title.holds_waiting > 3", "rule.fine == none"),
        Fault("unlike_comparison", "case.patron.category == \"teacher\"", "case.patron.category == 5"),
        Fault("missed_day", "case.loan.days_overdue >= 30", "case.loan.days_overdue == 30"),
        Fault("missed_day", "case.loan.days_overdue >= 30", "30 == case.loan.days_overdue"),
        Fault("missed_day", "case.loan.days_overdue >= 30", "case.loan.days_overdue % 7 == 0"),
        Fault(
            "template_field", "Dear {{patron.name}}, {{title.title}} is due",
            "Dear {{patron.nmae}}, {{title.title}} is due"),
        Fault("template_field", "\"{{title.title}} was due", "\"{{title.titel}} was due"),
        Fault("template_field", "body = \"At once.\"", "body = \"{{loan.duedate}}\""),
        Fault("syntax", "return patron.overdue > 5 or", "return patron.overdue > 5 ||"),
        Fault("unused_answer", "return deny(\"busy\", \"Others wait.\")", "deny(\"busy\", \"Others wait.\")"),
        Fault("unused_answer", "return suspend(days(3))", "suspend(days(3))"),
        Fault("unused_answer", "if heavy(case.patron) then", "heavy(case.patron) if case.patron.lost > 0 then"),
        Fault("unused_local", "return case.now + days(7)", "local day = case.now + days(7) return nil"),
        Fault("shadowed_local", "return case.now + days(7)", "local dear = case.now + days(7) return dear"),
        Fault("constant_condition", "patron.overdue > 5 or", "patron.overdue > patron.overdue or"),
        Fault(
            "constant_condition", "patron.fees_owed >= dear",
            "patron.fees_owed >= dear and patron.fees_owed < money \"10.00\""),
        Fault("constant_condition", "channel == \"web\"", "channel == \"web\" or \"self\""),
        Fault("constant_condition", "if heavy(case.patron) then", "if heavy then"),
        Fault(
            "constant_condition", "case.patron.category == \"student\" and",
            "case.patron.category == \"student\" and case.patron.category == \"teacher\" and"),
        Fault(
            "constant_condition", "if case.patron.category == \"teacher\" then",
            "if case.patron.category ~= \"teacher\" or case.patron.category ~= \"student\" then"),
        Fault(
            "constant_condition", "case.title.holds_waiting > 3 then",
            "case.title.holds_waiting > 3 and case.title.holds_waiting < 3 then"),
        Fault(
            "missing_answer", "due = function(case, rule)", "recall = function() end, due = function(case, rule)"),
        // Keys that nothing declares.
        Fault("unknown_rule_field", "{ item_type = \"reference\", lend", "{ age = 12, lend"),
        Fault("unknown_rule_field", "{ item_type = \"reference\", lend", "{ shelf = \"reference\", lend"),
        Fault("unknown_rule_field", "{ item_type = \"reference\", lend", "{ item = { \"reference\" }, lend"),
        Fault("unknown_rule_field", "loan = weeks(8)", "loan_period = weeks(8)"),
        Fault("unknown_rule_field", "renewals = 6", "max_renewals = 6"),
        Fault("unknown_rule_field", "fine_cap = money", "max_fine = money"),
        Fault("unknown_rule_field", "closed = \"next_open\"", "closed_day = \"next_open\""),
        Fault("unknown_rule_field", "{ item_type = \"film\", max = 2 }", "{ genre = \"film\", max = 2 }"),
        Fault(
            "unknown_rule_field", "{ item_type = \"film\", max = 2 }", "{ item_type = \"film\", limit = 2, max = 2 }"),
        Fault("unknown_rule_field", "{ item_type = \"film\", max = 2 }", "{ item_type = \"film\", loan = 2, max = 2 }"),
        Fault("unknown_rule_field", "stage = \"soon\", before", "stage = \"soon\", age = 12, before"),
        Fault("unknown_rule_field", "stage = \"soon\", before", "stage = \"soon\", repeat_every = days(3), before"),
        // Constants that reach a comparison by other ways.
        Fault(
            "unknown_value", "if heavy(case.patron) then",
            "local function of(c) return c == \"techer\" end if of(case.patron.category) then"),
        Fault(
            "unknown_value", "if heavy(case.patron) then",
            "local function of(k, c) return k.patron.category == c end if of(case, \"techer\") then"),
        Fault(
            "unknown_value", "if heavy(case.patron) then",
            "local function of(k, c) return k.patron.category == c end "
                + "local function is(k, c) return of(k, c) end if is(case, \"techer\") then"),
        Fault("unknown_value", "if heavy(case.patron) then", "if has(case.patron.categories, \"techer\") then"),
        Fault(
            "unknown_value", "if heavy(case.patron) then",
            "if has(case.patron.categories, { \"student\", \"techer\" }) then"),
        Fault(
            "unknown_value", "if heavy(case.patron) then",
            "local known = { techer = true, student = true } if known[case.patron.category] then"),
        Fault(
            "unknown_value", "#case.loan.notices < 4",
            "case.patron.category == (case.loan.on_site and \"techer\" or \"student\")"),
        Fault("wrong_type", "if heavy(case.patron) then", "if has(case.patron.category, \"teacher\") then"),
        Fault(
            "unlike_comparison", "if heavy(case.patron) then",
            "local function owes(k, most) return k.patron.fees_owed > most end if owes(case, 25) then"),
        Fault(
            "unlike_comparison", "case.title.holds_waiting > 3",
            "(function() local function over(n, most) return n > most end "
                + "return over(case.title.holds_waiting, days(3)) end)()"),
        Fault(
            "missed_day", "if case.loan.days_overdue >= 30",
            "local function late(k, n) return k.loan.days_overdue == n end if late(case, 30)"),
        // What is never asked, and what cannot be set aside.
        Fault(
            "never_asked", "publish = function",
            "price = function(case) return case.loan and money \"1.00\" or nil end, publish = function"),
        Fault(
            "never_asked", "publish = function",
            "price = function(case) return money \"1.00\" end, publish = function"),
        Fault(
            "unknown_value", "return confirm(\"web\", \"Lend over the web?\")",
            "return allow { despite = { \"limits\" } }"),
        Fault(
            "unknown_value", "return confirm(\"web\", \"Lend over the web?\")",
            "return allow { despite = { \"limit\", \"renewals\" } }"),
    ]
}

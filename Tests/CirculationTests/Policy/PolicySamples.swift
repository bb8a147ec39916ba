import Circulation
import TextFormats

/// Values of tests, short to write.
enum Sample {
    static let eur = Currency.eur

    static func money(_ text: String) throws -> Money { try Money(parsing: text, currency: eur) }

    static func date(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }

    static func instant(_ text: String, in zone: String = "Europe/Berlin") throws -> Instant {
        try Instant(parsing: text, in: Zone(named: zone))
    }

    /// Open from Monday to Friday, 09:00 to 17:00, unless told otherwise.
    static func calendar(
        _ weekly: String = #"{"mon":H,"tue":H,"wed":H,"thu":H,"fri":H}"#, hours: String = #"[["09:00","17:00"]]"#,
        closed: [String] = [], open: [String] = []
    ) throws -> OpeningCalendar {
        var json = try JSONParser.parse(#"{"weekly":\#(weekly.replacing("H", with: hours))}"#)
        if case .object(var object) = json {
            object["closed"] = .array(closed.map { .string($0) })
            object["open"] = .array(open.map { .string($0) })
            json = .object(object)
        }
        return try OpeningCalendar(json: json)
    }

    /// A checkout of a book by an undergraduate on Wednesday, 2026-05-20, at 12:00 in Berlin.
    static func checkout(
        now: String = "2026-05-20T12:00", zone: String = "Europe/Berlin", calendar: OpeningCalendar? = nil,
        category: String = "undergraduate", itemTypes: [String] = ["book"], branch: String = "main",
        loans: [OpenLoanFacts] = []
    ) throws -> Case {
        Case(
            point: .checkout, now: try instant(now, in: zone), zone: try Zone(named: zone),
            calendar: try calendar ?? self.calendar(), branch: branch, currency: eur, actor: .deskStaff,
            patron: PatronFacts(
                id: 1, category: category, homeBranch: "main", feesOwed: .zero(eur), loans: loans),
            title: TitleFacts(id: 10, copies: 1, available: 1),
            copy: CopyFacts(branch: branch, itemTypes: itemTypes, status: .available))
    }

    /// A question about a loan of that case.
    static func overdue(
        due: String, now: String, lent: String = "2026-04-01T12:00", point: DecisionPoint = .overdue,
        zone: String = "Europe/Berlin", calendar: OpeningCalendar? = nil
    ) throws -> Case {
        var question = try checkout(now: now, zone: zone, calendar: calendar)
        let due = try instant(due, in: zone)
        question.point = point
        question.loan = LoanFacts(id: 7, lentAt: try instant(lent, in: zone), dueAt: due, originalDueAt: due)
        return question
    }

    static func loan(_ itemTypes: String..., title: Int64 = 99, onSite: Bool = false) -> OpenLoanFacts {
        OpenLoanFacts(title: title, itemTypes: itemTypes, branch: "main", copyBranch: "main", onSite: onSite)
    }

    static func place(_ line: Int) -> SourcePlace { SourcePlace(file: "policy.lua", line: line) }

    static func row(_ fields: [String: RuleValue], where conditions: RowConditions = RowConditions()) -> RuleRow {
        RuleRow(conditions: conditions, fields: fields, place: place(1))
    }

    static func tables(_ rules: [RuleRow], match: MatchPrecedence? = nil) throws -> CompiledTables {
        let placed = rules.enumerated().map { index, row in
            var row = row
            row.place = place(index + 10)
            return row
        }
        return try PolicyTables(rules: placed, match: match).compiled()
    }

    static func limits(_ rows: [(RowConditions, Int64?)]) throws -> CompiledTables {
        let limits = rows.enumerated().map { index, row in
            LimitRow(conditions: row.0, maximum: row.1, place: place(index + 10))
        }
        return try PolicyTables(limits: limits).compiled()
    }

    /// No row of the test has a `when` function.
    static func noCondition(_ index: Int) throws -> Bool {
        throw PolicyFailure(code: "lua_error", message: "no function \(index)")
    }
}

extension CompiledTables {
    func rule(for question: Case) throws -> MatchedRule {
        try matchedRule(for: question, when: Sample.noCondition)
    }

    /// The due time in local words: `2026-06-03 17:00`, with `exactly` after it for exact times.
    func dueWords(for question: Case) throws -> String? {
        try dueTime(for: question, rule: rule(for: question)).map { $0.words(in: question.zone) }
    }
}

extension DueTime {
    func words(in zone: Zone) -> String {
        let local = zone.local(of: instant)
        let day = local.date == date ? "\(date)" : "\(date)/\(local.date)"
        return "\(day) \(local.time)\(isExact ? " exactly" : "")"
    }
}

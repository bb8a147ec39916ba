import Circulation
import Scripting
import Testing
import TextFormats

@testable import Prover
@testable import Workbench

/// Proofs about tables that codes of the case are looked up in, numbers that need not be whole, and open days.
@Suite("Proofs about tables, fractions and open days")
struct LookUpProofTests {
    private static func report(_ condition: String, _ functions: String, _ properties: [String]) throws -> ProofReport {
        try ListProofTests.report(
            ListProofTests.lending(where: condition, functions), properties.joined(separator: "\n"))
    }

    private static func never(_ name: String, where condition: String) -> String {
        """
        never("\(name)", "checkout", function(case, decision)
            return \(condition) and decision.answer == "allow"
        end)
        """
    }

    // MARK: - Tables

    /// Twelve forms of a school, each with so many loans.
    private static let quotas = """
        local forms, quotas = {}, { 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6 }
        for form = 1, 12 do forms["form" .. form] = form end
        local function form(patron)
            for _, code in ipairs(patron.categories) do
                if forms[code] then return forms[code] end
            end
        end
        local function mayHave(patron)
            local form = form(patron)
            if form == nil then return 10 end
            return math.min(quotas[form] + (patron.extra.prize == true and 1 or 0), 6)
        end
        """

    @Test("What a code is looked up for does not fork the way, and goes together with what a code lies below")
    func tables() throws {
        let report = try Self.report(
            "#case.patron.loans < mayHave(case.patron)", Self.quotas,
            [
                Self.never("more than six", where: "case.patron.category == \"form11\" and #case.patron.loans >= 6"),
                Self.never(
                    "of those below", where: "case.patron.categories[3] == \"form1\" and #case.patron.loans >= 10"),
                Self.never("any eleventh", where: "#case.patron.loans >= 10"),
                Self.never("a fourth", where: "case.patron.category == \"form6\" and #case.patron.loans >= 3"),
                Self.never(
                    "of any below", where: "has(case.patron.categories, \"form2\") and #case.patron.loans >= 2"),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .proved, .refuted, .refuted])
        #expect(report.results.allSatisfy { $0.paths < 300 }, "\(report.results.map(\.paths))")
        #expect(report.results[3].question?["patron"]?["extra"]?["prize"] == true)
        // Another form stands below it, whose number counts.
        let chain = report.results[4].question?["patron"]?["category"]?.arrayValue
        #expect(chain?.contains("form2") == true)
    }

    @Test("A loop over codes finds those that has() knows, and no others")
    func codes() throws {
        let functions = """
            local ranks = { staff = 3, guest = 1, member = 2, friend = 2 }
            local function rank(case)
                local most = 0
                for _, code in ipairs(case.patron.categories) do most = math.max(most, ranks[code] or 0) end
                return most
            end
            """
        let report = try Self.report(
            "rank(case) >= 2", functions,
            [
                Self.never("staff stay out", where: "has(case.patron.categories, \"staff\") and false"),
                Self.never(
                    "strangers", where: "case.patron.category == \"guest\" and #case.patron.categories == 1"),
                Self.never(
                    "nobody above",
                    where: "not has(case.patron.categories, { \"staff\", \"member\", \"friend\" })"
                        + " and #case.patron.categories <= 4"),
                Self.never("guests", where: "case.patron.category == \"guest\""),
                Self.never(
                    "one code alone",
                    where: "#case.patron.categories == 1 and case.patron.category == \"guest\""
                        + " and has(case.patron.categories, \"staff\")"),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .proved, .refuted, .proved])
        let open = try Self.report(
            "rank(case) < 3", functions,
            [Self.never("staff", where: "has(case.patron.categories, \"staff\")")])
        #expect(open.results.map(\.status) == [.proved])
    }

    @Test("A category has as many codes above it as it is known to lie below, where nothing looks at them one by one")
    func depth() throws {
        let report = try Self.report(
            "has(case.patron.categories, \"staff\") and has(case.patron.categories, \"library\")", "",
            [
                Self.never(
                    "one alone", where: "case.patron.category == \"guest\" and #case.patron.categories == 1"),
                Self.never("two", where: "case.patron.category == \"guest\" and #case.patron.categories <= 2"),
                Self.never("three", where: "case.patron.category == \"guest\" and #case.patron.categories <= 3"),
                Self.never("staff itself", where: "#case.patron.categories == 2"),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .refuted, .refuted])
    }

    @Test("Over a library's own categories the codes above are the library's")
    func ownCodes() throws {
        let policy = ListProofTests.lending(where: "#case.patron.loans < mayHave(case.patron)", Self.quotas)
        var proof = PolicyProof(
            try ParsedPolicy(name: "policy.lua", source: policy),
            tests: (
                Self.never("a second", where: "case.patron.category == \"class1a\" and #case.patron.loans >= 2")
                    + "\n" + Self.never("a first", where: "case.patron.category == \"class1a\""), "policy_test.lua"
            ), codes: .init(categories: ["form1": [], "class1a": ["form1"], "other": []]))
        proof.withBuiltIn = false
        let report = try proof.report()
        #expect(report.results.map(\.status) == [.proved, .refuted])
    }

    // MARK: - Functions that answer one of several values

    @Test("What a function answers does not fork the way, whatever it is made of")
    func answered() throws {
        let functions = """
            local function share(case)
                local age = case.patron.age
                if age == nil then return nil end
                if age < 14 then return 2 elseif age < 18 then return 5 end
                return 9
            end
            local function season(day)
                if day.month >= 10 or day.month <= 2 then return "winter" end
                if day.month >= 6 then return "summer" end
                return "none"
            end
            local function most(case)
                local share = share(case)
                if not share then return 1 end
                local times = season(case.now.date) == "summer" and 2 or 1
                return share * times + 3 % (share - 1)
            end
            local function kind(case)
                local year, month = string.match(case.title.extra.from or "", "^(%d%d%d%d)-(%d%d)$")
                if year == "1999" and month == "12" then return "old" end
                return season(case.now.date)
            end
            """
        let report = try Self.report(
            "#case.patron.loans < most(case) and string.upper(kind(case)) ~= \"OLD\"", functions,
            [
                Self.never("more than ever", where: "#case.patron.loans >= 18 + 3"),
                Self.never(
                    "children in winter",
                    where: "case.patron.age == 12 and case.now.month == 1"
                        + " and #case.patron.loans >= 2"),
                Self.never("children in summer", where: "case.patron.age == 12 and #case.patron.loans >= 3"),
                Self.never("without an age", where: "case.patron.age == nil and #case.patron.loans >= 1"),
                Self.never("of the last century", where: "case.title.extra.from == \"1999-12\""),
                Self.never("of this one", where: "case.title.extra.from == \"2001-12\""),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .refuted, .proved, .proved, .refuted])
        #expect(report.results.allSatisfy { $0.paths < 100 }, "\(report.results.map(\.paths))")
    }

    @Test("What a function hears of a category goes together with what is asked of it elsewhere")
    func askedInside() throws {
        let functions = """
            local function group(case)
                for _, name in ipairs { "student", "staff", "guest" } do
                    if has(case.patron.categories, name) then return name end
                end
                return "nobody"
            end
            local function genre(case)
                if has(case.title.genres, "map") then return 1 end
                return 2
            end
            local function first(case)
                if case.patron.category == "guest" then return 5 end
                return 7
            end
            """
        let report = try Self.report(
            "group(case) ~= \"student\" and genre(case) == 2 and (group(case) ~= \"guest\" or first(case) == 5)",
            functions,
            [
                Self.never("students", where: "case.patron.category == \"student\""),
                Self.never("maps", where: "case.title.genres[2] == \"map\""),
                Self.never(
                    "guests above",
                    where: "case.patron.categories[2] == \"guest\" and case.patron.category ~= \"guest\""
                        + " and not has(case.patron.categories, \"staff\")"),
                Self.never("guests", where: "case.patron.category == \"guest\""),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .proved, .refuted])
    }

    @Test("A function that changes what it is given, or answers tables, is followed as before")
    func changing() throws {
        let functions = """
            local function add(list, case)
                if #case.patron.loans > 2 then list[#list + 1] = "many" return 1 end
                return 0
            end
            local function both(case)
                if case.patron.overdue > 0 then return { late = true } end
                return { late = false }
            end
            local function verdict(case)
                local list = {}
                local count = add(list, case)
                if both(case).late then count = count + 1 end
                return #list == 0 and count == 0
            end
            """
        let report = try Self.report(
            "verdict(case)", functions,
            [
                Self.never("many", where: "#case.patron.loans > 2"),
                Self.never("late", where: "case.patron.overdue > 0"),
                Self.never("few", where: "#case.patron.loans == 2"),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .refuted])
    }

    // MARK: - Fractions

    @Test("Numbers of the library's own that need not be whole are compared as they lie")
    func fractions() throws {
        let functions = """
            local function isOld(case)
                local least = tonumber(case.title.extra.from)
                if least == nil then return true end
                return case.patron.age ~= nil and case.patron.age >= least
            end
            """
        let report = try Self.report(
            "isOld(case)", functions,
            [
                Self.never(
                    "a year too young",
                    where: "type(case.title.extra.from) == \"number\" and case.patron.age ~= nil"
                        + " and case.title.extra.from >= case.patron.age + 1"),
                Self.never("of six", where: "case.patron.age == 5 and case.title.extra.from == 5.5"),
                Self.never("as a text", where: "case.patron.age == 5 and case.title.extra.from == \"5.5\""),
                Self.never(
                    "rounded",
                    where: "type(case.title.extra.from) == \"number\" and case.patron.age == 5"
                        + " and math.ceil(case.title.extra.from) > 5 and math.floor(case.title.extra.from) == 5"),
                Self.never(
                    "written",
                    where: "case.patron.age == 5 and type(case.title.extra.from) == \"number\""
                        + " and tostring(case.title.extra.from) == \"6.5\""),
                Self.never(
                    "half-year",
                    where: "case.patron.age == 6 and type(case.title.extra.from) == \"number\""
                        + " and case.title.extra.from > 5.5 and case.title.extra.from < 5.75"),
            ])
        #expect(report.results.map(\.status) == [.proved, .proved, .proved, .proved, .proved, .refuted])
        let shown = report.results[5].question?["title"]?["extra"]?["from"]
        guard case .number(let number)? = shown else {
            Issue.record("no number: \(String(describing: shown))")
            return
        }
        #expect(number > 5.5 && number < 5.75)
    }

    @Test(
        "A number lies at its place, what lies between two places at an odd one",
        arguments: [
            (2.5, 5_000), (0, 0), (-0.25, -500), (18, 36_000), (2.50001, 5_001), (2.49999, 4_999), (-2.50001, -5_001),
            (0.1 + 0.2, 601), (0.3, 600), (1e300, nil), (-.infinity, nil),
        ] as [(Double, Int64?)])
    func places(_ number: Double, _ place: Int64?) {
        #expect(Fraction.place(of: number) == place)
    }

    // MARK: - Open days

    @Test("What a function hears of open days goes together with what the desk reckons")
    func openDays() throws {
        let policy = """
            return policy {
                api = 1,
                rules = {
                    { item_type = "laptop", loan = hours(18), closed_hours = "next_open", due_expiry = false },
                    { loan = weeks(2), due_expiry = false },
                },
            }
            """
        func always(_ name: String, _ condition: String) -> String {
            """
            always("\(name)", "due", function(case, decision)
                local day, calendar = date(case.now), case.calendar
                return case.request ~= nil or \(condition)
            end)
            """
        }
        let report = try ListProofTests.report(
            policy,
            [
                always("an open day", "calendar.next_open(decision.due) == decision.due"),
                always("the first open day", "decision.due <= calendar.next_open(day + days(14))"),
                always(
                    "not before",
                    "decision.due <= day + days(2) or decision.due >= day + days(14)"
                        + " or not calendar.is_open(day + days(2))"),
                always(
                    "the day before is closed",
                    "has(case.copy and case.copy.item_types, \"laptop\")"
                        + " or decision.due == day + days(14) or not calendar.is_open(day + days(14))"),
                always("two weeks", "decision.due <= day + days(14)"),
            ].joined(separator: "\n"))
        #expect(
            report.results.map(\.status) == [.proved, .proved, .proved, .proved, .refuted],
            "\(report.results.compactMap(\.because))")
        #expect(report.results[4].question?["calendar"] != nil)
    }

    // MARK: - What people see

    @Test("A promise that raises an error comes with a case in which it does")
    func raising() throws {
        let report = try ListProofTests.report(
            ListProofTests.lending(where: "true", ""),
            """
            never("a typing error", "checkout", function(case, decision)
                return case.patron.fees_owed > money "5.00" and decision.due.hour.part > 3
            end)
            """)
        let result = try #require(report.results.first)
        #expect(result.status == .unknown)
        #expect(result.because?.line == 2)
        #expect(result.question?["patron"]?["fees_owed"]?.stringValue == "5.01 EUR")
        #expect(report.text.contains("the case: {\"point\":\"checkout\",\"patron\":{\"fees_owed\":\"5.01 EUR\"}}"))
    }

    @Test("Moments of a case are moved to where a case without any lies, and made plain")
    func plainTimes() throws {
        let object: JSONObject = [
            "point": "renew", "now": "2149-12-19T23:59:59.999999Z",
            "loan": ["due_at": "2149-12-05T17:59:59.999998Z"],
            "calendar": ["closed": [["2149-12-20", "2149-12-21"]]], "title": ["extra": ["isbn": "2149"]],
        ]
        let small = CaseShrinker.shrunk(object) { candidate in
            guard let question = try? Case(json: .object(candidate)), let loan = question.loan else { return false }
            return question.now.microseconds - loan.dueAt.microseconds > 10 * 86_400_000_000
                && candidate["calendar"] != nil && candidate["title"] != nil
        }
        #expect(small["now"] == nil)
        let due = try #require(small["loan"]?["due_at"]?.stringValue)
        #expect(due.hasSuffix("T12:00:00Z") || due.hasSuffix("T00:00:00Z"), "\(due)")
        #expect(due.hasPrefix("202"))
    }
}

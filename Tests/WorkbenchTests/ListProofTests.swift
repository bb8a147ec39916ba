import Circulation
import Scripting
import Testing
import TextFormats

@testable import Prover
@testable import Workbench

/// Proofs about policies that go through lists, look things up and reckon with dates.
@Suite("Proofs about lists, tables and dates")
struct ListProofTests {
    /// What proofs say of the properties of a policy.
    static func report(_ policy: String, _ properties: String) throws -> ProofReport {
        var proof = PolicyProof(
            try ParsedPolicy(name: "policy.lua", source: policy), tests: (properties, "policy_test.lua"))
        proof.withBuiltIn = false
        return try proof.report()
    }

    /// A policy that lends where what a function says of the case is so.
    static func lending(where condition: String, _ functions: String) -> String {
        """
        \(functions)
        return policy {
            api = 1,
            rules = { { loan = weeks(3) } },
            checkout = function(case)
                if \(condition) then return nil end
                return deny("no", "No.")
            end,
        }
        """
    }

    private static let isLent = """
        never("it", "checkout", function(case, decision) return decision.answer == "allow" end)
        """

    /// What only long lists meet, of which one element stands for those behind the first: each can be so.
    static let possible = [
        "if i == 7 then n = n + 1 end /n == 1 and #case.patron.loans >= 9",
        "if i > 5 and i < 8 then n = n + 1 end /n == 2",
        "if i % 2 == 0 then n = n + 1 end /n == 4",
        "if i == 6 or loan.item_type == \"dvd\" then n = n + 1 end /n == 1 and #case.patron.loans == 8",
        "if #(loan.location or \"\") == 3 then n = n + 1 end /n == 6",
        "if loan.item_type == \"dvd\" then n = n + 1 end /n == 6",
        "n = n + (loan.due_at and loan.due_at < case.now and 1 or 0) /n == 7",
    ]

    @Test("what long lists meet is not proved to be impossible", arguments: possible)
    func long(_ text: String) throws {
        let parts = text.split(separator: "/").map(String.init)
        for head in [
            "for i, loan in ipairs(case.patron.loans) do",
            "for i = 1, #case.patron.loans do local loan = case.patron.loans[i]",
        ] {
            let function = """
                local function meets(case)
                    local n = 0
                    \(head) \(parts[0]) end
                    return \(parts[1])
                end
                """
            let report = try Self.report(Self.lending(where: "meets(case)", function), Self.isLent)
            #expect(report.results[0].status != .proved, "\(report.text)")
        }
    }

    /// How a policy finds a film behind the first four loans, and what it says then.
    static let findings = [
        "local function find(case) for _, loan in ipairs(case.patron.loans) do if loan.item_type == \"dvd\" then return loan end end "
            + "end/find(case) ~= nil and find(case).item_type == \"dvd\"",
        "local function find(case) for i, loan in ipairs(case.patron.loans) do if loan.item_type == \"dvd\" then return i end end "
            + "end/find(case) ~= nil",
        "local function find(case) local found = nil for _, loan in ipairs(case.patron.loans) do "
            + "if loan.item_type == \"dvd\" then found = loan.title break end end return found end/find(case) ~= nil",
        "local function find(case) local found = false for _, loan in ipairs(case.patron.loans) do "
            + "if loan.item_type == \"dvd\" then found = true break end end return found end/find(case)",
    ]

    @Test("what is known of the element that was found is not so of the others", arguments: findings)
    func found(_ text: String) throws {
        let parts = text.split(separator: "/").map(String.init)
        let functions = """
            \(parts[0])
            local function allowed(case)
                local loans = case.patron.loans
                if #loans < 9 then return false end
                for i = 1, 4 do
                    if loans[i].item_type == "dvd" then return false end
                end
                if not (\(parts[1])) then return false end
                local n = 0
                for _, loan in ipairs(loans) do
                    if loan.item_type == "book" then n = n + 1 end
                end
                return n >= 6
            end
            """
        let report = try Self.report(Self.lending(where: "allowed(case)", functions), Self.isLent)
        #expect(report.results[0].status != .proved, "\(report.text)")
    }

    @Test("what is said of the first block that stops a patron holds wherever it stands")
    func first() throws {
        let functions = """
            local function stop(case)
                for _, block in ipairs(case.patron.blocks) do
                    if block.kind == "unpaid" and has(block.actions, "borrow") then return block end
                end
                return nil
            end
            """
        let properties = """
            never("a patron who has not paid borrows", "checkout", function(case, decision)
                for _, block in ipairs(case.patron.blocks) do
                    if block.kind == "unpaid" and has(block.actions, "borrow") then return decision.answer == "allow" end
                end
                return false
            end)
            never("a patron with such a block borrows", "checkout", function(case, decision)
                for _, block in ipairs(case.patron.blocks) do
                    if block.kind == "unpaid" then return decision.answer == "allow" end
                end
                return false
            end)
            """
        for condition in ["stop(case) == nil", "not (stop(case) and stop(case).kind == \"unpaid\")"] {
            let report = try Self.report(Self.lending(where: condition, functions), properties)
            #expect(report.results.map(\.status) == [.proved, .refuted], "\(condition): \(report.text)")
        }
    }

    @Test("the desk gives a reason for each block, so that there are any number of reasons")
    func reasons() throws {
        let properties = """
            never("three reasons", "renew", function(case, decision)
                return decision.reasons ~= nil and #decision.reasons >= 3
            end)
            always("blocked is one of them", "renew", function(case, decision)
                return decision.code ~= "blocked" or has(decision.reasons, "blocked") and decision.reasons[1] == "blocked"
            end)
            """
        let report = try Self.report("return policy { api = 1, rules = { { loan = weeks(3) } } }", properties)
        #expect(report.results[0].status != .proved && report.results[1].status == .proved, "\(report.text)")
    }

    @Test("what is answered of the first element that meets something meets it wherever the element stands")
    func answered() throws {
        let functions = """
            local function kind(case)
                for _, loan in ipairs(case.patron.loans) do
                    if loan.item_type == "dvd" or loan.item_type == "map" then return loan.item_type end
                end
            end
            local function odd(case)
                local kind = kind(case)
                return kind ~= nil and kind ~= "dvd" and kind ~= "map"
            end
            """
        let properties = """
            never("another kind", "checkout", function(case, decision) return decision.answer == "allow" end)
            """
        let report = try Self.report(Self.lending(where: "odd(case)", functions), properties)
        #expect(report.results.map(\.status) == [.proved], "\(report.text)")
    }

    @Test("whether two entries that were found are one is not known")
    func same() throws {
        let functions = """
            local function film(case)
                for _, loan in ipairs(case.patron.loans) do if loan.item_type == "dvd" then return loan end end
            end
            """
        let policy = Self.lending(where: "#case.patron.loans > 5 and film(case) == case.patron.loans[1]", functions)
        #expect(try Self.report(policy, Self.isLent).results[0].status != .proved)
    }

    /// A loop as it is written, and how it comes out that a patron with three films gets none.
    static let loops = [
        "for _, loan in ipairs(case.patron.loans) do if loan.item_type == \"dvd\" then n = n + 1 end end",
        "for i = 1, #case.patron.loans do if case.patron.loans[i].item_type == \"dvd\" then n = n + 1 end end",
        "local all = case.patron.loans for i = 1, #all, 1 do local one = all[i] if one.item_type == \"dvd\" then n = n + 1 end end",
        "local last = #case.patron.loans for i = 1, last do local one = case.patron.loans[i] if one.item_type == \"dvd\" "
            + "then n = n + 1 end end",
    ]

    @Test("a loop over places goes through the list", arguments: loops)
    func places(_ loop: String) throws {
        let films = "local function films(case) local n = 0 \(loop) return n end"
        let properties = """
            local function films(case)
                local n = 0
                for _, loan in ipairs(case.patron.loans) do
                    if loan.item_type == "dvd" then n = n + 1 end
                end
                return n
            end
            never("a fourth film", "checkout", function(case, decision)
                return decision.answer == "allow" and films(case) >= 3
            end)
            never("a third film", "checkout", function(case, decision)
                return decision.answer == "allow" and films(case) >= 2
            end)
            """
        let report = try Self.report(Self.lending(where: "films(case) < 3", films), properties)
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    /// How a policy finds out that a block stops a patron.
    static let searches = [
        "for _, action in ipairs(block.actions) do if action == wanted then return true end end",
        "for _, action in ipairs(block.actions) do if (\"borrow\" == action) or action == wanted then return true end end",
        "local found = false for _, action in ipairs(block.actions) do if action == wanted then found = true end end "
            + "if found then return true end",
        "local found = false for _, action in ipairs(block.actions) do if action == wanted then found = true break end end "
            + "if found then return true end",
        "if has(block.actions, wanted) then return true end",
    ]

    @Test("what is looked for in lists within lists is found wherever it stands", arguments: searches)
    func nested(_ search: String) throws {
        let functions = """
            local function is_stopped(case, wanted)
                for _, block in ipairs(case.patron.blocks) do \(search) end
                return false
            end
            """
        let properties = """
            never("a stopped patron borrows", "checkout", function(case, decision)
                for _, block in ipairs(case.patron.blocks) do
                    if has(block.actions, "borrow") and decision.answer == "allow" then return true end
                end
                return false
            end)
            never("one who may not renew borrows", "checkout", function(case, decision)
                if decision.answer ~= "allow" then return false end
                for _, block in ipairs(case.patron.blocks) do
                    for _, action in ipairs(block.actions) do
                        if action == "renew" then return true end
                    end
                end
                return false
            end)
            """
        let report = try Self.report(
            Self.lending(where: "not is_stopped(case, \"borrow\")", functions), properties)
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    @Test("a search that changes what it looks for is gone through step by step")
    func changing() throws {
        let functions = """
            local function odd(case)
                local wanted = "crime"
                for _, genre in ipairs(case.title.genres) do
                    if genre == wanted then wanted = "horror" end
                end
                return wanted == "horror"
            end
            """
        let properties = """
            never("it", "checkout", function(case, decision)
                return decision.answer == "allow" and not has(case.title.genres, "crime")
            end)
            never("that", "checkout", function(case, decision) return decision.answer == "allow" end)
            """
        let report = try Self.report(Self.lending(where: "odd(case)", functions), properties)
        #expect(report.results[0].status != .refuted && report.results[1].status == .refuted, "\(report.text)")
    }

    @Test("a table is looked up by whatever a field of the library's own has", arguments: ["rating", "copies"])
    func lookups(_ field: String) throws {
        let functions = """
            local least = { R = 17, M = 15, [18] = 18, [2.0] = 12 }
            local function allowed(case)
                local age = least[case.title.extra.\(field)]
                return age == nil or (case.patron.age or 0) >= age
            end
            """
        let properties = """
            never("a child sees R", "checkout", function(case, decision)
                return case.title.extra.\(field) == "R" and (case.patron.age or 0) < 17 and decision.answer == "allow"
            end)
            never("a child sees 18", "checkout", function(case, decision)
                return case.title.extra.\(field) == 18 and (case.patron.age or 0) < 18 and decision.answer == "allow"
            end)
            never("a child sees PG", "checkout", function(case, decision)
                return case.title.extra.\(field) == "PG" and (case.patron.age or 0) < 17 and decision.answer == "allow"
            end)
            """
        let report = try Self.report(Self.lending(where: "allowed(case)", functions), properties)
        #expect(report.results.map(\.status) == [.proved, .proved, .refuted], "\(report.text)")
    }

    @Test("the parts of a date are those of the calendar")
    func parts() throws {
        let first = Int64(CivilDate.earliest.dayNumber)
        let last = Int64(CivilDate.latest.dayNumber)
        let near = Int64(try CivilDate(year: 1896, month: 1, day: 1).dayNumber)
        let days = Array(near..<near + 366 * 210) + Array(stride(from: first, through: last, by: 997)) + [last]
        for day in days {
            let date = try CivilDate(dayNumber: day)
            let number = Number.constant(day)
            let year = Number.constant(Int64(date.year))
            #expect(number.part("year", in: year)?.constant == Int64(date.year), "\(date)")
            #expect(number.part("month", in: year)?.constant == Int64(date.month), "\(date)")
            #expect(number.part("day", in: year)?.constant == Int64(date.day), "\(date)")
            #expect(number.part("yearday", in: year)?.constant == Int64(date.dayOfYear), "\(date)")
            #expect(number.weekday.constant == Int64(date.weekday.rawValue), "\(date)")
        }
        #expect(Number.constant(0).part("hour", in: .constant(1970)) == nil)
    }

    @Test("what is said of months is proved")
    func months() throws {
        let policy = """
            return policy {
                api = 1,
                rules = { { loan = weeks(2) } },
                due = function(case)
                    local month = case.now.month
                    if month == 6 or month == 7 then return date(tostring(case.now.year) .. "-09-15") end
                    if month >= 11 then return case.now.date + days(60) end
                end,
                checkout = function(case)
                    if case.now.month == 8 and case.now.day < 15 then return deny("closed", "Closed in August.") end
                end,
            }
            """
        let properties = """
            never("a loan on 3 August", "checkout", function(case, decision)
                return case.now.month == 8 and case.now.day == 3 and decision.answer == "allow"
            end)
            never("a loan on 16 August", "checkout", function(case, decision)
                return case.now.month == 8 and case.now.day == 16 and decision.answer == "allow"
            end)
            never("a day that there is not", "checkout", function(case, decision)
                return case.now.month == 2 and case.now.day > 29 or case.now.yearday > 366
            end)
            always("Christmas is over", "due", function(case, decision)
                if case.now.month ~= 12 then return true end
                return decision.due.year > case.now.year or decision.failure ~= nil
            end)
            """
        let report = try Self.report(policy, properties)
        #expect(report.results.prefix(3).map(\.status) == [.proved, .refuted, .proved], "\(report.text)")
    }

    @Test("a part that dates have not is an error, as it is for the desk")
    func unknownPart() throws {
        let policy = Self.lending(where: "case.now.date.date == nil", "")
        let report = try Self.report(
            policy, "never(\"it\", \"checkout\", function(case, decision) return decision.answer ~= \"failed\" end)")
        #expect(report.results.map(\.status) == [.proved], "\(report.text)")
    }

    @Test("a loan that may be asked to be shorter has few ways to its due time, the shorter one among them")
    func shorter() throws {
        let properties = """
            always("it lies ahead", "due", function(case, decision)
                return decision.due_at == nil or decision.due_at > case.now
            end)
            never("it is short", "due", function(case, decision)
                return case.patron.expires_on == nil and decision.due ~= nil and decision.due < case.now.date + days(10)
            end)
            """
        let report = try Self.report("return policy { api = 1, rules = { { loan = weeks(3) } } }", properties)
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
        #expect(report.results[0].paths <= 20)
        #expect(report.results[1].question?["request"]?["wanted_until"]?.stringValue != nil, "\(report.text)")
    }
}

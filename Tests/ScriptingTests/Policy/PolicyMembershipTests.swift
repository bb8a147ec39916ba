import Circulation
import Scripting
import Testing
import TextFormats

@Suite("The end of a membership as a policy writes it")
struct PolicyMembershipTests {
    private func end(_ body: String, _ patron: JSON = [:], now: String = "2026-11-27") throws -> String? {
        let policy = try PolicySupport.policy(body: body)
        #expect(policy.endsMemberships)
        let decision = policy.decide(try Case(json: ["point": "expiry", "now": .string(now), "patron": patron]))
        if let failure = decision.failure { return failure.message }
        return decision.membership.map { $0.date?.description ?? "unlimited" }
    }

    private static let rows = """
        membership = {
            { category = "student", until_day = "09-30", at_least = days(60) },
            { category = "child", lasts = years(1), until_age = 16 },
            { category = "staff", lasts = unlimited },
            { category = "guest", until_date = date "2026-12-31" },
            { when = function(case) return case.patron.extra.friend end, lasts = years(3), renew_from = "now" },
            { from_age = 65, lasts = years(5) }, { lasts = years(1) },
        }
        """

    @Test("rows say it by category, age and functions")
    func rows() throws {
        func end(_ patron: JSON, now: String = "2026-11-27") throws -> String? {
            try self.end(Self.rows, patron, now: now)
        }
        #expect(try end([:]) == "2027-11-27")
        #expect(try end(["category": "student"]) == "2027-09-30")
        #expect(try end(["category": "student"], now: "2026-08-15") == "2027-09-30")
        #expect(try end(["category": "child", "birth_date": "2015-05-20"]) == "2027-11-27")
        #expect(try end(["category": "child", "birth_date": "2011-02-03"]) == "2027-02-02")
        #expect(try end(["category": "child"]) == "2027-11-27")
        #expect(try end(["category": "staff"]) == "unlimited")
        #expect(try end(["category": "guest"]) == "2026-12-31")
        #expect(try end(["category": "guest"], now: "2027-01-01") == "2028-01-01")
        #expect(try end(["extra": ["friend": true], "expires_on": "2027-06-01"]) == "2029-11-27")
        #expect(try end(["birth_date": "1950-01-01", "expires_on": "2027-06-01"]) == "2032-06-01")
    }

    @Test("a function goes before the rows, and may hand on what they say or say nothing")
    func function() throws {
        let body = """
            membership = { { lasts = years(1) } },
            expiry = function(case, rule)
                assert(rule == nil and case.copy == nil and case.title == nil)
                if case.patron.category == "staff" then return unlimited end
                if case.patron.category == "guest" then return case.now + days(3) end
                if case.patron.category == "student" then return standard(case, rule) + days(1) end
                if case.patron.category == "late" then return date "2026-11-26" end
                if case.patron.category == "odd" then return days(3) end
                if case.patron.birth_date then return case.patron.birth_date + years(100) end
            end
            """
        func end(_ category: String) throws -> String? { try self.end(body, ["category": .string(category)]) }
        #expect(try end("staff") == "unlimited")
        #expect(try end("guest") == "2026-11-30")
        #expect(try end("student") == "2027-11-28")
        #expect(try end("other") == "2027-11-27")
        #expect(try end("late") == "expiry must not end a membership on 2026-11-26, before today, 2026-11-27")
        #expect(try end("odd") == "expiry must answer a date or unlimited, not days(3)")
        #expect(try self.end(body, ["birth_date": "1990-01-02"]) == "2090-01-02")
    }

    @Test("where no row holds nothing is said, and a policy without rows and function is not asked")
    func nothing() throws {
        #expect(try end("membership = { { category = \"staff\", lasts = years(1) } }") == nil)
        #expect(try end("expiry = function() end") == nil)
        #expect(try !PolicySupport.policy(body: "rules = { { loan = days(14) } }").endsMemberships)
        let decision = try PolicySupport.policy(body: Self.rows).decide(Case(json: ["point": "expiry"]))
        #expect(decision.membership?.origin?.row == 7 && decision.membership?.origin?.table == .membership)
        #expect(decision.json()["expires_on"] == "2027-01-15" && decision.json()["where"]?["row"]?["row"] == 7)
    }

    @Test(
        "what a row cannot say is said where it stands",
        arguments: [
            (
                "category = 'child'",
                "membership row 1 must say lasts, until_day, until_date, until_age, or lasts = unlimited"
            ),
            (
                "lasts = 12",
                "membership row 1: lasts must be a period such as months(12), of days or longer, or unlimited"
            ),
            ("lasts = hours(3)", "lasts must be a period such as months(12)"),
            ("lasts = days(0)", "lasts must be a period such as months(12)"),
            ("lasts = open_days(3)", "lasts must be a period such as months(12)"),
            ("until_day = '30.09.'", "until_day must be a day of the year, month first, such as \"09-30\", not"),
            ("until_day = '13-01'", "until_day must be a day of the year"),
            ("until_day = '02-30'", "until_day must be a day of the year"),
            ("lasts = days(1), at_least = days(3)", "at_least says how far until_day must be away, and there is none"),
            ("until_day = '09-30', at_least = 3", "at_least must be a period such as days(60)"),
            ("until_date = '2027-09-30'", "until_date must be a date such as date \"2027-09-30\""),
            ("until_age = '16'", "until_age must be an age in whole years"),
            ("lasts = days(1), from_age = -1", "from_age must be an age in whole years"),
            ("lasts = days(1), renew_from = 'today'", "renew_from must be \"end\" or \"now\""),
            ("lasts = days(1), item_type = 'book'", "rows of 'membership' have no field 'item_type'"),
            ("length = days(1), lasts = days(1)", "rows of 'membership' have no field 'length'"),
            ("lasts = days(1), max = 3", "rows of 'membership' have no field 'max': it belongs to rows of 'limits'"),
        ])
    func wrong(row: String, complaint: String) throws {
        let source = "return policy { membership = { { \(row) } } }"
        let said = try PolicySupport.complaint(source)
        #expect(said?.contains(complaint) == true, "\(said ?? "nothing")")
    }

    @Test("years are twelve months each, in any number")
    func years() throws {
        #expect(try end("expiry = function(case) return date \"2028-02-29\" + years(1) end") == "2029-02-28")
        let odd = try #require(try end("expiry = function(case) return case.now + years(1 << 62) end"))
        #expect(!odd.contains("bad") && !odd.hasPrefix("2"), "\(odd)")
    }
}

import Circulation
import Testing
import TextFormats

@Suite("Rows of membership")
struct MembershipRowTests {
    private static let place = SourcePlace(file: "policy.lua", line: 2)

    private func question(_ today: String, born: String? = nil, until: String? = nil) throws -> Case {
        var patron: JSONObject = [:]
        patron["birth_date"] = born.map { .string($0) }
        patron["expires_on"] = until.map { .string($0) }
        return try Case(json: ["point": "expiry", "now": .string(today), "patron": .object(patron)])
    }

    private func end(_ rows: [MembershipRow], _ question: Case) throws -> String? {
        let tables = try PolicyTables(membership: rows).compiled()
        let end = try tables.membershipEnd(for: question) { _ in true }
        return end.map { $0.date?.description ?? "unlimited" }
    }

    private func row(_ change: (inout MembershipRow) throws -> Void) rethrows -> MembershipRow {
        var row = MembershipRow(place: Self.place)
        try change(&row)
        return row
    }

    @Test(
        "a length counts from today, or from the end of a membership that goes on",
        arguments: [
            (Period.months(12), "2026-11-27", nil, "2027-11-27"), (.days(90), "2026-11-27", nil, "2027-02-25"),
            (.months(12), "2024-02-29", nil, "2025-02-28"), (.weeks(2), "2026-12-24", "2026-12-31", "2027-01-14"),
            (.months(12), "2026-11-27", "2027-03-01", "2028-03-01"),
            (.months(12), "2026-11-27", "2026-11-27", "2027-11-27"),
            (.months(12), "2026-11-27", "2026-11-26", "2027-11-27"), (.months(12), "9999-06-01", nil, "9999-12-31"),
        ])
    func lengths(lasts: Period, today: String, until: String?, expected: String) throws {
        #expect(try end([row { $0.lasts = lasts }], question(today, until: until)) == expected)
        let now = row { ($0.lasts, $0.renewsFromNow) = (lasts, true) }
        #expect(try end([now], question(today, until: until)) == end([now], question(today)))
    }

    @Test(
        "a day of the year is the next one, and one that is too near that of the year after",
        arguments: [
            ("09-30", Int64?.none, "2026-09-29", nil, "2026-09-30"), ("09-30", nil, "2026-09-30", nil, "2027-09-30"),
            ("09-30", 60, "2026-08-01", nil, "2026-09-30"), ("09-30", 60, "2026-08-02", nil, "2027-09-30"),
            ("02-29", nil, "2026-03-01", nil, "2027-02-28"), ("02-29", nil, "2027-03-01", nil, "2028-02-29"),
            ("09-30", nil, "2026-08-01", "2026-09-30", "2027-09-30"), ("12-31", 1, "9999-12-31", nil, "9999-12-31"),
        ])
    func days(day: String, least: Int64?, today: String, until: String?, expected: String) throws {
        let row = try row {
            $0.untilDay = try MonthDay(parsing: day)
            $0.atLeast = least.map { .days($0) }
        }
        #expect(try end([row], question(today, until: until)) == expected)
    }

    @Test(
        "an age ends it the day before the birthday, and the row does not hold from then on, nor without a birth date",
        arguments: [
            ("2015-05-20", "2026-11-27", "2031-05-19"), ("2010-11-28", "2026-11-27", "2026-11-27"),
            ("2010-11-27", "2026-11-27", nil), ("2010-01-01", "2026-11-27", nil),
            ("2012-02-29", "2026-11-27", "2028-02-28"), ("2011-02-28", "2026-11-27", "2027-02-27"),
            (nil, "2026-11-27", nil),
        ])
    func ages(born: String?, today: String, expected: String?) throws {
        let row = row { $0.untilAge = 16 }
        #expect(try end([row], question(today, born: born)) == expected)
        let other = self.row { $0.isUnlimited = true }
        #expect(try end([row, other], question(today, born: born)) == expected ?? "unlimited")
    }

    @Test("who was born on 29 February comes of age on 1 March in common years")
    func leapDay() throws {
        let row = row { $0.untilAge = 15 }
        #expect(try end([row], question("2026-11-27", born: "2012-02-29")) == "2027-02-28")
    }

    @Test("of several ends the earliest counts, and a date that has passed is none")
    func several() throws {
        let row = try row {
            $0.lasts = .months(12)
            $0.untilAge = 16
            $0.untilDate = try CivilDate(parsing: "2027-06-30")
        }
        #expect(try end([row], question("2026-05-01", born: "2015-05-20")) == "2027-05-01")
        #expect(try end([row], question("2026-11-27", born: "2015-05-20")) == "2027-06-30")
        #expect(try end([row], question("2026-11-27", born: "2011-02-03")) == "2027-02-02")
        #expect(try end([row], question("2027-06-30", born: "2015-05-20")) == "2027-06-30")
        #expect(try end([row], question("2027-07-01", born: "2015-05-20")) == nil)
    }

    @Test("the first row that holds counts: by category, branch and age")
    func first() throws {
        let rows = [
            row { ($0.conditions.categories, $0.underAge, $0.lasts) = (["child"], 12, .days(10)) },
            row { ($0.conditions.categories, $0.fromAge, $0.lasts) = (["child"], 12, .days(20)) },
            row { ($0.conditions.homeBranches, $0.lasts) = (["north"], .days(30)) },
            row { $0.lasts = .days(40) },
        ]
        func days(_ category: JSON, _ branch: JSON, _ born: JSON) throws -> String? {
            try end(
                rows,
                Case(json: [
                    "point": "expiry", "now": "2026-11-01",
                    "patron": ["category": category, "home_branch": branch, "birth_date": born],
                ]))
        }
        #expect(try days("child", "main", "2015-11-02") == "2026-11-11")
        #expect(try days("child", "main", "2014-11-01") == "2026-11-21")
        #expect(try days(["infant", "child"], "main", "2020-01-01") == "2026-11-11")
        #expect(try days("child", "north", .null) == "2026-12-01")
        #expect(try days("adult", "main", "2015-01-01") == "2026-12-11")
    }

    @Test("each row says why it is passed over")
    func explanations() throws {
        let rows = try [
            row { ($0.conditions.categories, $0.lasts) = (["student"], .days(1)) },
            row { ($0.untilDate) = try CivilDate(parsing: "2026-01-01") },
            row { ($0.fromAge, $0.lasts) = (18, .days(1)) }, row { ($0.underAge, $0.lasts) = (10, .days(1)) },
            row { $0.untilAge = 11 }, row { ($0.untilAge, $0.lasts) = (16, .months(12)) }, row { $0.lasts = .days(9) },
        ]
        let tables = try PolicyTables(membership: rows).compiled()
        let said = try tables.membershipExplanations(for: question("2026-11-27", born: "2015-05-20")) { _ in true }
        #expect(
            said.map(\.because) == [
                "category is patron, the row wants student", "2026-01-01 has passed",
                "the age is 11, the row wants 18 or more", "the age is 11, the row wants less than 10",
                "the age of 11 is reached", nil, "row 6 goes before it",
            ])
        #expect(said[5].date?.description == "2027-11-27" && said[5].words == "12 months, at most until the age of 16")
        let unknown = try tables.membershipExplanations(for: question("2026-11-27")) { _ in true }
        #expect(unknown[2].because == "the birth date is unknown" && unknown[5].because == "the birth date is unknown")
        #expect(unknown[6].because == nil)
    }

    @Test("a function of a row is asked only where the row would hold, and once")
    func conditions() throws {
        let rows = [
            row { ($0.conditions.when, $0.fromAge, $0.lasts) = (0, 18, .days(1)) },
            row { ($0.conditions.when, $0.lasts) = (1, .days(2)) }, row { $0.lasts = .days(3) },
        ]
        let tables = try PolicyTables(membership: rows).compiled()
        var asked: [Int] = []
        let end = try tables.membershipEnd(for: question("2026-11-01")) {
            asked.append($0)
            return false
        }
        #expect(asked == [1] && end?.date?.description == "2026-11-04" && end?.origin?.row == 3)
    }

    @Test("a case has a birth date only with the age that follows of it")
    func caseOfAge() throws {
        #expect(try question("2026-11-27", born: "2010-11-28").patron.age == 15)
        let error = #expect(throws: CaseError.self) {
            try Case(json: ["now": "2026-11-27", "patron": ["birth_date": "2010-11-28", "age": 16]])
        }
        #expect(error?.field == "patron.age")
    }

    @Test("a row behind one that holds for all of its patrons can never win")
    func hidden() throws {
        func hidden(_ rows: [MembershipRow]) throws -> [Int] {
            try PolicyTables(membership: rows).compiled().hiddenRows().map(\.row)
        }
        let plain = row { $0.lasts = .days(1) }
        let adults = row { ($0.fromAge, $0.lasts) = (18, .days(1)) }
        let seniors = row { ($0.fromAge, $0.lasts) = (65, .days(1)) }
        let children = row { $0.untilAge = 16 }
        let young = row { ($0.untilAge, $0.lasts) = (12, .days(1)) }
        #expect(try hidden([plain, adults]) == [1])
        #expect(try hidden([adults, plain]).isEmpty)
        #expect(try hidden([adults, seniors]) == [1])
        #expect(try hidden([seniors, adults]).isEmpty)
        #expect(try hidden([children, young]) == [1])
        #expect(try hidden([young, children]).isEmpty)
        #expect(try hidden([children, adults, seniors]) == [2])
        let students = row { ($0.conditions.categories, $0.lasts) = (["student"], .days(1)) }
        #expect(try hidden([students, plain, students]) == [2])
        let asked = row { ($0.conditions.when, $0.lasts) = (0, .days(1)) }
        #expect(try hidden([asked, plain]).isEmpty)
    }
}

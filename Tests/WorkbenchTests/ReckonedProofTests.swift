import Testing
import TextFormats

@testable import Prover
@testable import Workbench

/// Proofs about quotients of numbers of the case, dates that are written with them, how texts begin, and loops that do several
/// things.
@Suite("Proofs about quotients, written dates and beginnings")
struct ReckonedProofTests {
    private static func report(_ condition: String, _ functions: String, _ promises: [(String, String)]) throws
        -> ProofReport
    {
        let properties = promises.map { name, condition in
            """
            never("\(name)", "checkout", function(case, decision)
                local today = date(case.now)
                return \(condition) and decision.answer == "allow"
            end)
            """
        }
        return try ListProofTests.report(
            ListProofTests.lending(where: condition, functions), properties.joined(separator: "\n"))
    }

    private static func check(
        _ condition: String, _ functions: String = "", proved: [String] = [], refuted: [String] = [],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let report = try report(
            condition, functions,
            proved.map { ("proved", $0) } + refuted.map { ("refuted", $0) })
        let expected: [ProofReport.Status] = proved.map { _ in .proved } + refuted.map { _ in .refuted }
        #expect(report.results.map(\.status) == expected, "\(report.text)", sourceLocation: location)
    }

    @Test("how many wait for each copy", arguments: ["//", "/"])
    func ratios(_ division: String) throws {
        try Self.check(
            "case.title.copies > 0 and case.title.holds_waiting \(division) case.title.copies < 3",
            proved: [
                "case.title.copies == 4 and case.title.holds_waiting == 12",
                "case.title.copies > 0 and case.title.holds_waiting >= 3 * case.title.copies", "case.title.copies == 0",
            ],
            refuted: [
                "case.title.copies == 4 and case.title.holds_waiting == 11",
                "case.title.copies > 1 and case.title.holds_waiting > 2 * case.title.copies",
            ])
    }

    @Test("a quotient with a fraction compares with numbers that have one, and is rounded")
    func fractions() throws {
        try Self.check(
            "case.title.copies > 0 and case.title.holds_waiting / case.title.copies <= 2.5",
            proved: ["case.title.copies == 2 and case.title.holds_waiting == 6"],
            refuted: ["case.title.copies == 2 and case.title.holds_waiting == 5"])
        try Self.check(
            "case.title.copies > 0 and math.ceil(case.title.holds_waiting / case.title.copies) < 3",
            proved: ["case.title.copies == 5 and case.title.holds_waiting == 11"],
            refuted: ["case.title.copies == 5 and case.title.holds_waiting == 10"])
        try Self.check(
            "case.title.copies > 0 and case.title.holds_waiting % case.title.copies < 2",
            proved: ["case.title.copies == 5 and case.title.holds_waiting == 8", "case.title.copies == 0"],
            refuted: ["case.title.copies == 5 and case.title.holds_waiting == 6"])
    }

    /// That a function raises an error.
    private static let fails = """
        never("it fails", "checkout", function(case, decision) return decision.answer == "failed" end)
        """

    @Test("a division by nothing is an error of the policy")
    func nothing() throws {
        let report = try ListProofTests.report(
            ListProofTests.lending(where: "case.title.holds_waiting // case.title.copies < 3", ""), Self.fails)
        #expect(report.results.map(\.status) == [.refuted], "\(report.text)")
        #expect(report.results[0].question?["title"]?["copies"] ?? 0 == 0)
    }

    private static let term = """
        local function last(today)
            local year = today.year
            if today.month >= 7 then year = year + 1 end
            return date(("%04d-06-10"):format(year))
        end
        """

    @Test("dates are written with years of the case")
    func writtenDates() throws {
        try Self.check(
            "last(date(case.now)) - date(case.now) >= days(30)", Self.term,
            proved: [
                "today.month == 6 and today.day <= 10", "today > date(today.year .. \"-05-20\") and today.month < 7",
                "last(today) < today + weeks(4)",
            ].map { $0.replacing("last(today)", with: "date(today.year .. \"-06-10\")") + " and today.month < 7" },
            refuted: [
                "today.month == 5 and today.day == 11", "today.month == 2 and today.day == 29", "today.month == 12",
            ])
    }

    /// Texts that are no dates in some case.
    static let noDates = [
        "(\"%04d-01-01\"):format(math.min(case.patron.holds, 9999))", "case.now.year .. \"-+1-05\"",
        "case.now.year .. \"-02-29\"", "(\"%d-%02d-01\"):format(case.now.year, math.min(case.patron.holds, 12))",
        "(\"%d-%d-01\"):format(case.now.year, case.now.month)", "case.now.year .. \"-1-01\"",
    ]

    @Test("a text that is no date is an error of the policy", arguments: noDates)
    func noDate(_ text: String) throws {
        let report = try ListProofTests.report(
            ListProofTests.lending(where: "date(\(text)) ~= nil", ""), Self.fails)
        #expect(report.results.map(\.status) == [.refuted], "\(report.text)")
    }

    @Test("years have their leap days", arguments: [1999, 2000, 2028, 2100, 2103])
    func leapYears(_ year: Int) throws {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        let promise = "today.year == \(year) and today.yearday == 366"
        let last =
            "today.year == \(year) and today.month == 12 and today.day == 31 and today.yearday ~= \(isLeap ? 366 : 365)"
        let day = "today.year == \(year) and today.month == 2 and today.day == 29"
        try Self.check("true", proved: [last] + (isLeap ? [] : [promise, day]), refuted: isLeap ? [promise, day] : [])
    }

    @Test("however functions ask how a text begins, they mean the same")
    func beginnings() throws {
        try Self.check(
            "not (case.copy and (case.copy.location or \"\"):match(\"^REF\"))",
            proved: [
                "case.copy and (case.copy.location or \"\"):match(\"^REF%-%d+$\")",
                "case.copy and (case.copy.location or \"\"):sub(1, 3) == \"REF\"",
                "case.copy and (case.copy.location or \"\"):find(\"^REFERENCE\") == 1",
            ],
            refuted: [
                "case.copy and (case.copy.location or \"\"):match(\"^RE\")",
                "case.copy and (case.copy.location or \"\"):sub(1, 3) == \"REG\"",
                "case.copy and (case.copy.location or \"\"):match(\"^REF?%-\")",
            ])
        try Self.check(
            "case.copy and (case.copy.location or \"\"):sub(1, 2) == \"QA\"",
            proved: ["case.copy and (case.copy.location or \"\"):match(\"^QB\")"],
            refuted: ["case.copy and (case.copy.location or \"\"):match(\"^Q\")"])
    }

    @Test("a loop that counts and keeps something is known for both")
    func several() throws {
        let function = """
            local function late(case)
                local n, oldest = 0, nil
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now then
                        n = n + 1
                        if not oldest or loan.due_at < oldest then oldest = loan.due_at end
                    end
                end
                return n < 3 and (oldest == nil or date(case.now) - date(oldest) <= days(30))
            end
            local function counted(case)
                local n = 0
                for _, loan in ipairs(case.patron.loans) do if loan.due_at and loan.due_at < case.now then n = n + 1 end end
                return n
            end
            """
        let counted = """
            (function()
                local n = 0
                for _, loan in ipairs(case.patron.loans) do if loan.due_at and loan.due_at < case.now then n = n + 1 end end
                return n
            end)()
            """
        let old = """
            (function()
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and today - date(loan.due_at) > days(31) then return true end
                end
                return false
            end)()
            """
        try Self.check("late(case)", function, proved: ["\(counted) >= 3", old], refuted: ["\(counted) == 2"])
    }

    /// How one variable depends on another.
    static let dependencies = [
        "n = n + 1 if n > 2 then flips = flips + 1 end",
        "n = n + 1 local isLater = false if n > 2 then isLater = true end if isLater then flips = flips + 1 end",
        "n = n + 1 local more = n // 3 flips = math.max(flips, more)", "n, flips = n + 1, n // 2",
        "n = n + 1 do local k = 0 do k = n end if k >= 3 then flips = 1 end end",
    ]

    @Test("variables that depend on each other are not taken apart", arguments: dependencies)
    func dependent(_ body: String) throws {
        let function = """
            local function odd(case)
                local n, flips = 0, 0
                for _, loan in ipairs(case.patron.loans) do \(body) end
                return flips
            end
            """
        try Self.check(
            "odd(case) ~= 1", function, proved: ["#case.patron.loans == 3"], refuted: ["#case.patron.loans == 2"])
    }

    @Test("what a pattern says of the beginning of a text")
    func patterns() {
        func beginning(_ pattern: String) -> String? {
            Beginning(pattern: pattern, condition: .constant(true)).map { "\($0.letters)\($0.isExact ? "" : "…")" }
        }
        let known = [
            ("^REF", "REF"), ("^REF%-%d", "REF-…"), ("^RE+F", "RE…"), ("^RE?F", "R…"), ("^RE-F", "R…"), ("^R.F", "R…"),
            ("^%a", "…"), ("^", ""), ("^RE$", "RE…"), ("^%.%.a", "..a"), ("^é*", "…"), ("^.\u{301}", "…"),
            ("^(R)", "…"),
        ]
        for (pattern, letters) in known { #expect(beginning(pattern) == letters, "\(pattern)") }
        #expect(beginning("REF") == nil)
    }
}

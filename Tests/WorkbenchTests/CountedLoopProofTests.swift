import Testing

@testable import Prover
@testable import Workbench

/// Proofs about loops that count places themselves, and about what functions hand out.
@Suite("Proofs about loops that count places themselves")
struct CountedLoopProofTests {
    static func report(
        _ loop: String, _ properties: [String], _ answer: String = "n"
    ) throws -> ProofReport {
        let function = """
            local function counted(case)
                local loans, kept, n = case.patron.loans, {}, 0
                \(loop)
                return \(answer)
            end
            """
        return try ListProofTests.report(
            ListProofTests.lending(where: "counted(case) < 2", function), properties.joined(separator: "\n"))
    }

    static func never(_ name: String, _ condition: String) -> String {
        """
        never("\(name)", "checkout", function(case, decision)
            local n = 0
            for _, loan in ipairs(case.patron.loans) do if loan.on_site then n = n + 1 end end
            return \(condition) and decision.answer == "allow"
        end)
        """
    }

    static let loops = [
        "local i = 1 while i <= #loans do local e = loans[i] if e.on_site then n = n + 1 end i = i + 1 end",
        "local i = 1 while #case.patron.loans >= i do if loans[i].on_site then n = n + 1 end i = 1 + i end",
        "local i, last = 1, #loans while i <= last do if loans[i].on_site then n = n + 1 end i = i + 1 end",
        "local i = 1 while loans[i] do local e = loans[i] i = i + 1 if e.on_site then n = n + 1 end end",
        "local i = 1 while loans[i] ~= nil do if loans[i].on_site then n = n + 1 end i = i + 1 end",
        "local i = 1 repeat if loans[i] and loans[i].on_site then n = n + 1 end i = i + 1 until i > #loans",
        "local i = 1 repeat local e = loans[i] if e and e.on_site then n = n + 1 end i = i + 1 until not loans[i]",
    ]

    @Test("such a loop is followed as one over the list", arguments: loops)
    func followed(_ loop: String) throws {
        let report = try Self.report(
            loop,
            [
                Self.never("two", "n >= 2"), Self.never("one", "n == 1"),
                Self.never("five others", "n == 0 and #case.patron.loans == 5"),
            ])
        #expect(report.results.map(\.status) == [.proved, .refuted, .refuted], "\(report.text)")
    }

    /// Loops that do something else, with what they come to for a patron with five loans on site.
    static let others = [
        ("local i = 1 while i <= #loans do if loans[i].on_site then n = n + 1 end i = i + 2 end", "n", 3),
        ("local i = 2 while i <= #loans do if loans[i].on_site then n = n + 1 end i = i + 1 end", "n", 4),
        ("local i = 1 while i <= #loans do if loans[i].on_site then i = i + 1 end n = n + 1 i = i + 1 end", "n", 3),
        ("local i = 1 while i < #loans do if loans[i].on_site then n = n + 1 end i = i + 1 end", "n", 4),
        ("local i = 1 while i <= #loans do i = i + 1 end", "i - 4", 2),
        ("local i = 1 while i <= #loans do n = n + 1 if n == 3 then loans = {} end i = i + 1 end", "n", 3),
        ("local i = 1 while i <= #loans do i = i + 1 if loans[i] then n = n + 1 end end", "n", 4),
        ("local i = 1 repeat n = n + 1 i = i + 1 until i > #loans", "n", 5),
    ]

    @Test("one that does something else is not taken for it", arguments: others)
    func other(_ loop: String, _ answer: String, _ result: Int) throws {
        try Self.holdAgainstLua(loop, answer, result)
    }

    /// Has a loop over loans on site, all there are, proved: that it never comes to what Lua makes of it, and that it never comes to
    /// anything else. A proof may say unknown, never the reverse.
    @discardableResult
    static func holdAgainstLua(
        _ loop: String, _ answer: String, _ result: Int, loans: Int = 5
    ) throws -> [ProofReport.Status] {
        let promise = """
            never("that many", "checkout", function(case, decision)
                if #case.patron.loans ~= \(loans) then return false end
                for _, loan in ipairs(case.patron.loans) do if not loan.on_site then return false end end
                return decision.answer == "allow"
            end)
            """
        return try [true, false].map { isMet in
            let report = try Self.report(
                loop, [promise], "(\(answer)) \(isMet ? "==" : "~=") \(result) and 0 or 9")
            #expect(report.results[0].status != (isMet ? .proved : .refuted), "\(report.text)")
            return report.results[0].status
        }
    }

    @Test("what a function of the policy's own hands out is followed as far as it is known")
    func handedOut() throws {
        let policy = """
            local function step(list, place)
                if list[place + 1] then return place + 1, list[place + 1] end
            end
            local closed = { "gold", "silver", "bronze" }
            return policy { api = 1, rules = { { loan = weeks(3) } },
                checkout = function(case)
                    for _, word in step, closed, 0 do
                        if case.patron.category == word then return deny("closed", "Closed.") end
                    end
                end }
            """
        let properties = ["silver", "iron"].map {
            "never(\"\($0)\", \"checkout\", function(case, decision) "
                + "return case.patron.category == \"\($0)\" and decision.answer == \"allow\" end)"
        }
        let report = try ListProofTests.report(policy, properties.joined(separator: "\n"))
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    /// How a policy finds the tier that a number of loans falls into.
    static let tiers = [
        "local i = 1 while i <= #steps and n >= steps[i] do i = i + 1 end return i",
        "local i = 0 repeat i = i + 1 until i > #steps or n < steps[i] return i",
        "local i = 1 while true do if i > #steps or n < steps[i] then break end i = i + 1 end return i",
        "local i = 1 while true do local s = steps[i] if not s then return i end if n < s then return i end i = i + 1 end",
    ]

    @Test("a table is gone through until the case says", arguments: tiers)
    func tier(_ loop: String) throws {
        let function = """
            local steps = { 1, 2, 3, 5, 8, 13, 21 }
            local function tier(n) \(loop) end
            """
        let properties = [("at most", 13), ("more", 12)].map { name, loans in
            """
            never("\(name)", "checkout", function(case, decision)
                return #case.patron.loans >= \(loans) and decision.answer == "allow"
            end)
            """
        }
        let report = try ListProofTests.report(
            ListProofTests.lending(where: "tier(#case.patron.loans) < 7", function), properties.joined(separator: "\n"))
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    @Test("a loop that the case ends is given up, and said where")
    func endless() throws {
        let report = try Self.report(
            "local left = case.patron.holds while left > 7 do left = left - 7 n = n + 1 end",
            [Self.never("two", "n == 2")])
        let result = try #require(report.results.first)
        guard result.status == .unknown else { return #expect(result.status == .refuted) }
        #expect(result.because?.message == "a loop that goes round as often as the case says")
    }
}

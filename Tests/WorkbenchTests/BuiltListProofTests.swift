import Testing

@testable import Prover
@testable import Workbench

/// Proofs about lists that policies put together of lists of the case.
@Suite("Proofs about lists that are put together")
struct BuiltListProofTests {
    /// Loops that keep the loans on site.
    static let kept = [
        "for _, e in ipairs(loans) do if e.on_site then kept[#kept + 1] = e end end",
        "for _, e in ipairs(loans) do if e.on_site then table.insert(kept, e.title) end end",
        "for i = 1, #loans do local e = loans[i] if e.on_site then kept[1 + #kept] = { i = i, of = e } end end",
        "for _, e in ipairs(loans) do if not e.on_site then n = n + 1 else kept[#kept + 1] = n > 2 and 1 or 2 end end",
        "local i = 1 while loans[i] do local e = loans[i] if e.on_site then kept[#kept + 1] = true end i = i + 1 end",
    ]

    @Test("a list has as many elements as are kept", arguments: kept)
    func followed(_ loop: String) throws {
        let report = try CountedLoopProofTests.report(
            loop,
            [
                CountedLoopProofTests.never("two", "n >= 2"), CountedLoopProofTests.never("one", "n == 1"),
                CountedLoopProofTests.never("five others", "n == 0 and #case.patron.loans == 5"),
            ], "#kept")
        let isSplit = loop.contains("n > 2")
        let statuses = report.results.map(\.status)
        #expect(
            isSplit ? !statuses[1...].contains(.proved) : statuses == [.proved, .refuted, .refuted], "\(report.text)")
    }

    /// What is followed to its end, and what it comes to for five loans on site.
    static let loops = [
        ("for i, e in ipairs(loans) do kept[i] = e end", "#kept", 5),
        ("for i, e in ipairs(loans) do kept[#kept + 1] = 2 end for _, o in ipairs(kept) do n = n + o end", "n", 10),
        (
            "for i, e in ipairs(loans) do kept[#kept + 1] = 2 end local more = {} "
                + "for i, o in ipairs(kept) do more[i] = o + 1 end for _, o in ipairs(more) do n = n + o end", "n", 15
        ),
        ("kept = { 7 } for i, e in ipairs(loans) do kept[#kept + 1] = 2 end", "#kept + kept[1]", 13),
        ("for i, e in ipairs(loans) do kept[#kept + 1] = i if #kept == 3 then break end end", "#kept", 3),
    ]

    @Test("what comes of a list is known", arguments: loops)
    func known(_ loop: String, _ answer: String, _ result: Int) throws {
        #expect(try CountedLoopProofTests.holdAgainstLua(loop, answer, result) == [.refuted, .proved])
    }

    /// The same of what is not followed, so that it may be unknown what is always so.
    static let others = [
        ("for i, e in ipairs(loans) do kept[#kept + 1] = #kept end", "kept[5]", 4),
        ("local same = kept for i, e in ipairs(loans) do kept[#kept + 1] = #same end", "kept[5]", 4),
        ("local box = { of = kept } for i, e in ipairs(loans) do kept[#kept + 1] = #box.of end", "kept[5]", 4),
        (
            "local function size() return #kept end for i, e in ipairs(loans) do kept[#kept + 1] = size() end",
            "kept[5]", 4
        ),
        ("for i, e in ipairs(loans) do kept[#kept + 1] = e kept[#kept + 1] = i end", "#kept", 10),
        ("for i, e in ipairs(loans) do kept[i] = i > 1 and e or nil end", "kept[1] and 1 or 0", 0),
        ("for i, e in ipairs(loans) do kept[#kept + 1] = i end for _, o in ipairs(kept) do n = n + o end", "n", 15),
        ("kept = { 7 } for i, e in ipairs(loans) do kept[i] = 2 end", "#kept + kept[1]", 7),
        ("for i, e in ipairs(loans) do if e.on_site then kept[#kept + 1] = e end end kept[#kept + 1] = 1", "#kept", 6),
        ("for i, e in ipairs(loans) do n = n + 1 kept[#kept + 1] = n end", "kept[5]", 5),
        (
            "local f = 1 for i, e in ipairs(loans) do kept[#kept + 1] = 2 * f end f = 5 "
                + "for _, o in ipairs(kept) do n = n + o end", "n", 10
        ),
        (
            "local t = { f = 1 } for i, e in ipairs(loans) do kept[#kept + 1] = 2 * t.f end t.f = 5 "
                + "for _, o in ipairs(kept) do n = n + o end", "n", 10
        ),
        (
            "local f = 1 local function g(x) return x * f end for i, e in ipairs(loans) do kept[#kept + 1] = g(2) end f = 5 "
                + "for _, o in ipairs(kept) do n = n + o end", "n", 10
        ),
        ("local same = kept for i, e in ipairs(loans) do kept[#kept + 1] = e n = #same end", "n", 5),
        ("local same = kept for i, e in ipairs(loans) do kept[#kept + 1] = e same[#same + 1] = i end", "#kept", 10),
        (
            "local all = {} for i, e in ipairs(loans) do all[#all + 1] = e end kept = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } "
                + "for i, o in ipairs(all) do kept[i] = o end", "#kept", 9
        ),
        ("for i, e in ipairs(loans) do kept[#kept + 1] = \"a\" end", "#table.concat(kept, \"-\")", 9),
        ("local t = \"\" for i, e in ipairs(loans) do t = t .. \"ab\" end", "#t", 10),
    ]

    @Test("nothing but what Lua makes of a list is said of it", arguments: others)
    func other(_ loop: String, _ answer: String, _ result: Int) throws {
        #expect(try CountedLoopProofTests.holdAgainstLua(loop, answer, result)[0] == .refuted)
    }

    /// Loops that look by another name at what they add to, with what comes of seven loans: of the last ones something else than of the
    /// fifth.
    static let lookingOn = [
        ("local same = kept for i, e in ipairs(loans) do if #same ~= 5 then kept[#kept + 1] = e end end", "#kept", 5),
        (
            "local same, full = kept, false for i, e in ipairs(loans) do kept[#kept + 1] = e full = #same > 4 end",
            "full and 1 or 0", 1
        ),
    ]

    @Test("a list that is looked at while it grows is given up", arguments: lookingOn)
    func growing(_ loop: String, _ answer: String, _ result: Int) throws {
        _ = try CountedLoopProofTests.holdAgainstLua(loop, answer, result, loans: 7)
    }

    struct Price: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var amount = "line.amount"
        var add = "lines[i] = { label = line.label, amount = a }"
        var end = ""
        let promise: String
        var status = ProofReport.Status.proved
    }

    static let prices = [
        Price(testDescription: "the same as the lines", promise: "total == sum"),
        Price(testDescription: "as many lines", promise: "#decision.lines == #case.lines"),
        Price(
            testDescription: "a discount for many",
            end: "if #lines >= 10 then lines[#lines + 1] = { label = \"-\", amount = -(sum * percent \"10\") } end",
            promise: "total <= sum and total >= money \"0.00\""),
        Price(
            testDescription: "and not for few",
            end: "if #lines >= 10 then lines[#lines + 1] = { label = \"-\", amount = -(sum * percent \"10\") } end",
            promise: "total == sum", status: .refuted),
        Price(
            testDescription: "free loans",
            add: "if line.kind ~= \"loan\" then table.insert(lines, { label = \"a\", amount = a }) end",
            promise: "total >= money \"0.00\""),
        Price(
            testDescription: "are not as many",
            add: "if line.kind ~= \"loan\" then table.insert(lines, { label = \"a\", amount = a }) end",
            promise: "#decision.lines == #case.lines", status: .refuted),
        Price(
            testDescription: "capped each", amount: "line.amount > money \"5.00\" and money \"5.00\" or line.amount",
            promise: "total >= money \"0.00\" and #decision.lines == #case.lines"),
        Price(
            testDescription: "less a fee of each", amount: "line.amount - money \"1.00\"",
            promise: "decision.answer ~= \"failed\"", status: .refuted),
        Price(
            testDescription: "no line at all", add: "if a > money \"99999.99\" then lines[#lines + 1] = 1 end",
            promise: "decision.answer ~= \"failed\"", status: .refuted),
    ]

    @Test("what is to be paid may be said line by line", arguments: prices)
    func price(_ price: Price) throws {
        let policy = """
            return policy { api = 1, rules = { { loan = days(14) } },
                price = function(case)
                    if not case.lines then return nil end
                    local lines, sum = {}, money "0.00"
                    for i, line in ipairs(case.lines) do
                        local a = \(price.amount)
                        \(price.add)
                        sum = sum + line.amount
                    end
                    \(price.end)
                    return lines
                end }
            """
        let property = """
            always("it", "price", function(case, decision)
                if case.lines == nil then return true end
                local sum = money "0.00"
                for _, line in ipairs(case.lines) do sum = sum + line.amount end
                local total = decision.total or money "0.00"
                return \(price.promise)
            end)
            """
        let report = try ListProofTests.report(policy, property)
        #expect(report.results.map(\.status) == [price.status], "\(report.text)")
    }
}

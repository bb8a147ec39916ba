import Circulation
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// What proofs find, held against what the desk decides.
@Suite("Proofs of policies")
struct ProofTests {
    private static func report(
        _ policy: String, _ properties: String = "", codes: ProofDomain.Codes = .init(), withBuiltIn: Bool = false
    ) throws -> ProofReport {
        let parsed = try ParsedPolicy(name: "policy.lua", source: policy)
        var proof = PolicyProof(parsed, tests: (properties, "policy_test.lua"), codes: codes)
        proof.withBuiltIn = withBuiltIn
        return try proof.report()
    }

    private static func statuses(
        _ policy: String, _ properties: String, codes: ProofDomain.Codes = .init()
    ) throws -> [ProofReport.Status] {
        try report(policy, properties, codes: codes).results.filter { $0.kind != "built in" }.map(\.status)
    }

    private static func lending(_ rows: String, _ more: String = "") -> String {
        "return policy { api = 1, rules = { \(rows) }, \(more) }"
    }

    /// A policy, a property and whether it holds.
    struct Promise: Sendable, CustomTestStringConvertible {
        let policy: String
        let property: String
        let status: ProofReport.Status
        var testDescription: String { property }

        init(_ policy: String, _ property: String, _ status: ProofReport.Status) {
            (self.policy, self.property, self.status) = (policy, property, status)
        }
    }

    private static let adults = lending(
        "{ loan = days(14) }",
        """
        checkout = function(case)
            if case.patron.category == "child" and case.title.extra.audience == "18" then
                return deny("adults_only", "This title is for adults.")
            end
        end
        """)
    private static let mended = lending(
        "{ loan = days(14) }",
        """
        checkout = function(case)
            if has(case.patron.categories, "child") and tostring(case.title.extra.audience) == "18" then
                return deny("adults_only", "This title is for adults.")
            end
        end
        """)
    private static let fines = lending(
        """
        { category = "child", fine = none },
        { item_type = "dvd", fine = money "1.00", fine_cap = "replacement_price" },
        { loan = days(14), fine = money "0.20", per = days(1), grace = days(3), fine_cap = money "10.00" }
        """)
    private static let limits = lending(
        "{ loan = days(14) }",
        "limits = { { category = \"staff\", max = unlimited }, { item_type = { \"dvd\", \"bluray\" }, max = 2 }, { max = 5 } }"
    )

    private static let isChildWithAdults = """
        within(case.patron.category, "child") and tostring(case.title.extra.audience) == "18" and decision.answer == "allow"
        """

    static let promises: [Promise] = [
        Promise(adults, never("checkout", isChildWithAdults), .refuted),
        Promise(mended, never("checkout", isChildWithAdults), .proved),
        Promise(fines, always("fine", "decision.fine <= money \"10.00\""), .refuted),
        Promise(
            fines,
            always("fine", "decision.fine <= money \"10.00\" or within(case.copy.item_type, \"dvd\")"), .proved),
        Promise(fines, always("fine", "decision.fine >= money \"0.00\""), .proved),
        Promise(
            fines, never("fine", "has(case.patron.categories, \"child\") and decision.fine > money \"0.00\""), .proved),
        Promise(
            fines, never("fine", "case.loan.days_overdue <= 2 and decision.fine > money \"0.00\""), .refuted),
        Promise(
            limits,
            never(
                "checkout",
                "#case.patron.loans >= 5 and case.patron.category ~= \"staff\" and decision.answer == \"allow\""),
            .refuted),
        Promise(
            limits,
            never(
                "checkout",
                "#case.patron.loans >= 5 and not has(case.patron.categories, \"staff\") and decision.answer == \"allow\""
            ),
            .proved),
        Promise(limits, never("checkout", "#case.patron.loans >= 4 and decision.code == \"limit\""), .refuted),
        Promise(
            limits,
            never("checkout", "#case.patron.loans == 0 and #case.request.granted == 0 and decision.code == \"limit\""),
            .proved),
        Promise(limits, always("checkout", "decision.due_at == nil or decision.due_at > case.now"), .proved),
        Promise(
            limits, always("checkout", "decision.due == nil or date(decision.due_at) <= date(case.now) + days(14)"),
            // The branch may be closed then, and so it is due later.
            .refuted),
    ]

    /// Functions whose ways are put together, and what they must not be taken for.
    static let predicates: [Promise] = [
        // Two functions of one text, with other amounts around them.
        Promise(
            """
            local function owes(least) return function(patron) return patron.fees_owed >= least end end
            local some, much = owes(money "5.00"), owes(money "50.00")
            """
                + lending(
                    "{ loan = days(14) }",
                    """
                    checkout = function(case)
                        if some(case.patron) then return confirm("some", "Some.") end
                        if much(case.patron) then return deny("much", "Much.") end
                    end
                    """),
            never("checkout", "case.patron.fees_owed >= money \"50.00\" and decision.answer == \"confirm\""), .refuted),
        // One function of two loans.
        Promise(
            "local function here(loan) return loan.on_site == true end\n"
                + lending(
                    "{ loan = days(14) }",
                    """
                    checkout = function(case)
                        local one, two = case.patron.loans[1], case.patron.loans[2]
                        if one and two and here(one) and not here(two) then return deny("mixed", "Mixed.") end
                    end
                    """), never("checkout", "decision.code == \"mixed\""), .refuted),
        // What a function answers where something was found out before is not what it answers elsewhere.
        Promise(
            "local function is_ageless(patron) if patron.age ~= nil then return false end return patron.holds > 7 end\n"
                + lending(
                    """
                    { category = "guest", when = function(case)
                        if case.patron.age ~= nil then return is_ageless(case.patron) end
                    end, lend = false },
                    { loan = days(14) }
                    """,
                    """
                    checkout = function(case)
                        if is_ageless(case.patron) then return deny("ageless", "Ageless.") end
                    end
                    """), never("checkout", "decision.code == \"ageless\""), .refuted),
        Promise(
            "local function many(patron) if patron.holds > 5 then return true else return false end end\n"
                + lending(
                    "{ loan = days(14) }",
                    """
                    checkout = function(case)
                        if case.patron.holds <= 3 then
                            if many(case.patron) then return deny("never", "Never.") end
                        elseif many(case.patron) then
                            return deny("many", "Many.")
                        end
                    end
                    """), never("checkout", "decision.code == \"many\""), .refuted),
        // What a function changes on one way is as before on the next.
        Promise(
            lending(
                "{ loan = days(14) }",
                """
                checkout = function(case)
                    local seen = { count = 0 }
                    local function counted(patron)
                        seen.count = seen.count + 1
                        return patron.holds > 2 or patron.lost > 2
                    end
                    if counted(case.patron) and seen.count > 1 then return deny("twice", "Twice.") end
                end
                """), never("checkout", "decision.code == \"twice\""), .proved),
    ]

    /// What goes beyond single values: carts and lists of any length, prices of rentals, the nearest item type, months.
    static let reckonings: [Promise] = [
        Promise(
            lending(
                "{ loan = days(14) }",
                """
                price = function(case, rule)
                    local lines, sum = standard(case, rule), money "0.00"
                    for _, line in ipairs(lines) do sum = sum + line.amount end
                    lines[#lines + 1] = { label = "Less", amount = -(sum * percent "10") }
                    return lines
                end
                """), always("price", "decision.total == nil or decision.total >= money \"0.00\""), .proved),
        Promise(
            lending(
                "{ loan = days(14) }",
                """
                price = function(case, rule)
                    local lines = standard(case, rule)
                    lines[#lines + 1] = { label = "Less", amount = money "-1.00" }
                    return lines
                end
                """), never("price", "decision.answer == \"failed\""), .refuted),
        Promise(
            lending(
                "{ loan = days(14) }",
                """
                checkout = function(case)
                    local most = 0
                    for _, loan in ipairs(case.patron.loans) do most = most + 1 end
                    if most ~= #case.patron.loans then return deny("most", "Too many.") end
                end
                """), never("checkout", "decision.code == \"most\""), .proved),
        Promise(
            lending(
                "{ loan = days(14), rental = money \"1.00\", rental_per = days(14), closed = \"keep\", due_expiry = false }",
                "price = function(case, rule) return standard(case, rule)[1].amount * 2 end"),
            always("checkout", "decision.rental == nil or decision.rental == money \"2.00\""), .proved),
        Promise(
            lending(
                "{ loan = days(14), rental = money \"1.00\", closed = \"keep\", due_expiry = false }",
                "price = function(case, rule) if case.loan then return money \"2.00\" end end"),
            always("checkout", "decision.rental == nil or decision.rental == money \"2.00\""), .proved),
        Promise(nearest, never("fine", "case.copy.item_type == \"novel\" and decision.fine > money \"1.00\""), .proved),
        Promise(
            nearest, never("fine", "within(case.copy.item_type, \"novel\") and decision.fine > money \"1.00\""),
            .refuted),
        Promise(
            lending("{ loan = days(14), fine = money \"1.00\", per = months(1) }"),
            never("fine", "case.loan.days_overdue == 0 and decision.fine > money \"0.00\""), .proved),
        Promise(
            lending("{ loan = days(14) }", "notify = function(case) if case.event == \"fee\" then return {} end end"),
            always("notify", "case.event == \"fee\" or decision.notices[1].stage == case.event"), .proved),
    ]

    private static let nearest = """
        return policy { api = 1, match = { "item_type" }, rules = {
            { item_type = "book", fine = money "2.00", fine_cap = money "2.00" },
            { item_type = "novel", fine = money "1.00", fine_cap = money "1.00" }, { loan = days(14) },
        } }
        """

    /// A policy, what every policy promises, and whether this one keeps it.
    static let builtIn: [(policy: String, promise: BuiltInProperty, status: ProofReport.Status)] = [
        (fines, .amounts, .proved),
        (
            lending("{ loan = days(14) }", "fine = function(case) return money \"1.00\" - money \"2.00\" end"),
            .amounts, .refuted
        ),
        (limits, .dueLater, .proved),
        (
            lending("{ loan = days(14) }", "due = function(case) return date(case.now) - days(1) end"), .dueLater,
            .refuted
        ),
        (fines, .finesGrow, .proved),
        (
            lending("{ loan = days(1), fine = money \"1.00\", fine_closed_days = false, grace = days(2) }"), .finesGrow,
            .proved
        ),
        (
            lending(
                "{ loan = days(14), fine = money \"0.20\" }",
                "fine = function(case) if case.loan.days_overdue > 30 then return money \"0.00\" end end"), .finesGrow,
            .refuted
        ),
        (mendedByRow, .inherits, .proved),
        (adultsByRow, .inherits, .refuted),
    ]

    private static let childrensRow = "{ category = \"child\", loan = days(7) }, { loan = days(14) }"
    private static let mendedByRow = lending(
        childrensRow,
        "checkout = function(case) if has(case.patron.categories, \"child\") then return confirm(\"c\", \"C.\") end end"
    )
    private static let adultsByRow = lending(
        childrensRow,
        "checkout = function(case) if case.patron.category == \"child\" then return confirm(\"c\", \"C.\") end end")

    private static func never(_ point: String, _ condition: String) -> String {
        "never(\"it\", \"\(point)\", function(case, decision) return \(condition) end)"
    }

    private static func always(_ point: String, _ condition: String) -> String {
        "always(\"it\", \"\(point)\", function(case, decision) return \(condition) end)"
    }

    @Test("a promise is proved where it holds and refuted where it does not", arguments: promises)
    func promise(_ promise: Promise) throws {
        #expect(try Self.statuses(promise.policy, promise.property) == [promise.status])
    }

    @Test("lists of any length, prices of rentals, nearest types and months are reckoned with", arguments: reckonings)
    func reckoning(_ promise: Promise) throws {
        #expect(try Self.statuses(promise.policy, promise.property) == [promise.status])
    }

    @Test("what every policy promises is proved where it is kept, and refuted by a case, or by two", arguments: builtIn)
    func everyPolicy(_ kept: (policy: String, promise: BuiltInProperty, status: ProofReport.Status)) throws {
        let (policy, promise, status) = kept
        let results = try Self.report(policy, withBuiltIn: true).results.filter { $0.name == promise.rawValue }
        #expect(
            results.contains { $0.status == status } && results.allSatisfy { [.proved, status].contains($0.status) })
        let isOfTwo = promise == .finesGrow || promise == .inherits
        #expect(results.allSatisfy { $0.status != .refuted || ($0.beside != nil) == isOfTwo })
    }

    @Test("conditions of several ways are those of the function and of what it is handed", arguments: predicates)
    func predicate(_ promise: Promise) throws {
        #expect(try Self.statuses(promise.policy, promise.property) == [promise.status])
    }

    @Test("a refutation is a case that the desk decides so, with a test that holds it", arguments: promises)
    func confirmation(_ promise: Promise) throws {
        guard promise.status == .refuted else { return }
        let result = try #require(try Self.report(promise.policy, promise.property).results.first)
        let question = try #require(result.question)
        let policy = try LuaPolicy(try ParsedPolicy(name: "policy.lua", source: promise.policy))
        let decision = policy.decide(try Case(json: .object(question)))
        #expect(decision.json()["answer"] == result.decision?["answer"])
        let test = try #require(result.test)
        let run = try PolicyTestRun.run(
            try ParsedPolicy(name: "policy.lua", source: promise.policy), tests: test, file: "policy_test.lua")
        #expect(run.isOK)
    }

    @Test("what is proved no random case refutes", arguments: promises)
    func random(_ promise: Promise) throws {
        guard promise.status == .proved else { return }
        let parsed = try ParsedPolicy(name: "policy.lua", source: promise.policy)
        let session = try ProofSession(PolicyProof(parsed, tests: (promise.property, "policy_test.lua")))
        let policy = try LuaPolicy(parsed)
        var maker = CaseMaker(CaseVocabulary(parsed, tables: policy.tables), seed: 7)
        let property = try #require(session.prover.properties.first)
        for _ in 0..<300 {
            var object = maker.make()
            object["point"] = .string(property.point.rawValue)
            #expect(!session.breaks(property, object), "\(JSON.object(object).text())")
        }
    }

    @Test("with a store's own codes only what they allow can refute")
    func codes() throws {
        let policy = Self.lending("{ category = \"child\", loan = days(7) }, { loan = days(14) }")
        let property = Self.never(
            "checkout", "within(case.patron.category, \"child\") and case.patron.category ~= \"child\"")
        #expect(try Self.statuses(policy, property) == [.refuted])
        let flat = ProofDomain.Codes(categories: ["child": [], "adult": []])
        #expect(try Self.statuses(policy, property, codes: flat) == [.proved])
        let deep = ProofDomain.Codes(categories: ["child": [], "infant": ["child"]])
        #expect(try Self.statuses(policy, property, codes: deep) == [.refuted])
    }

    @Test("a function that raises for some case is found, with the case")
    func raising() throws {
        let policy = Self.lending(
            "{ loan = days(14) }",
            "checkout = function(case) if case.copy.item_type == \"dvd\" then return deny(\"no\", \"No.\") end end")
        let result = try #require(
            try Self.report(policy, withBuiltIn: true).results.first {
                $0.name == BuiltInProperty.raisesNothing.rawValue
            })
        // A title without copies has none to look at.
        #expect(result.status == .refuted && result.question?["copy"]?.isNull == true)
    }

    @Test("what cannot be followed is unknown, with its line")
    func unknown() throws {
        let policy = Self.lending(
            "{ loan = days(14) }",
            """
            checkout = function(case)
                local here = 1
                for _, loan in ipairs(case.patron.loans) do
                    if loan.on_site then here = here * 2 end
                end
                if here > 100 then return deny("here", "Seven are enough.") end
            end
            """)
        let result = try #require(
            try Self.report(policy, Self.never("checkout", "decision.code == \"here\"")).results.first)
        #expect(result.status == .unknown && result.because?.line == 3)
    }

    @Test("tests pass properties over")
    func tests() throws {
        let source = Self.never("checkout", "true") + "\ntest(\"t\", function() end)"
        let parsed = try ParsedPolicy(name: "policy.lua", source: Self.limits)
        let report = try PolicyTestRun.run(parsed, tests: source, file: "policy_test.lua")
        #expect(report.isOK && report.tests.count == 1)
    }
}

import Circulation
import LuaRuntime
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// What differs between two policies, held against what the desk decides by either.
@Suite("Comparison of policies")
struct ComparisonTests {
    private static func parsed(_ source: String) throws -> ParsedPolicy {
        try ParsedPolicy(name: "policy.lua", source: source)
    }

    private static func report(
        _ one: String, _ other: String, by judgement: PolicyJudgement = .differs, codes: ProofDomain.Codes = .init(),
        points: Set<DecisionPoint> = []
    ) throws -> ComparisonReport {
        var compared = ComparedPolicies(try parsed(one), try parsed(other))
        (compared.judgement, compared.codes, compared.points) = (judgement, codes, points)
        let report = try compared.report()
        try check(report, one, other)
        return report
    }

    /// Each case that is shown is decided as it says, by either policy.
    private static func check(_ report: ComparisonReport, _ one: String, _ other: String) throws {
        let (before, after) = (try LuaPolicy(parsed(one)), try LuaPolicy(parsed(other)))
        for point in report.points {
            for region in point.regions {
                let question = try Case(json: .object(region.question))
                #expect(question.point == point.point)
                let (first, second) = (before.decide(question), after.decide(question))
                let change = report.judgement.change(of: region.change.aspect, from: first, to: second)
                #expect(change == region.change)
            }
        }
    }

    private static func rules(_ rows: String, _ more: String = "") -> String {
        "return policy { api = 1, rules = { \(rows) }, \(more) }"
    }

    private static let owing = """
        checkout = function(case)
            if case.patron.fees_owed >= money "AMOUNT" and not has(case.patron.categories, "child") then
                return deny("fees_owed", "Please pay first.")
            end
        end
        """

    @Test("The region of a changed amount is the amounts between")
    func amounts() throws {
        let (ten, twelve) = (
            Self.owing.replacing("AMOUNT", with: "10.00"), Self.owing.replacing("AMOUNT", with: "12.00")
        )
        let report = try Self.report(Self.rules("{ loan = days(14) }", ten), Self.rules("{ loan = days(14) }", twelve))
        #expect(report.unknown == 0)
        let regions = report.points.flatMap(\.regions)
        try #require(regions.count == 1)
        #expect(
            regions[0].conditions == [
                "`patron.fees_owed` >= 10.00 EUR", "category not child", "`patron.fees_owed` < 12.00 EUR",
            ])
        #expect(regions[0].change.words == "answer: refused (fees_owed) -> allowed")
    }

    @Test("A function that is written otherwise and answers alike makes no difference")
    func sameAnswers() throws {
        let other = """
            checkout = function(case)
                local is_child = has(case.patron.categories, "child")
                if is_child then return nil end
                if not (case.patron.fees_owed < money "10.00") then
                    return deny("fees_owed", "Please pay first.")
                end
            end
            """
        let report = try Self.report(
            Self.rules("{ loan = days(14) }", Self.owing.replacing("AMOUNT", with: "10.00")),
            Self.rules("{ category = \"ghost\", loan = days(14) }, { loan = weeks(2) }", other))
        #expect(report.isEqual)
        #expect(report.summary == "equal for every case")
    }

    @Test("Limits differ where the loans lie between")
    func limits() throws {
        func policy(_ most: Int) -> String {
            Self.rules("{ loan = days(14) }", "limits = { { item_type = \"dvd\", max = \(most) }, { max = 9 } }")
        }
        let report = try Self.report(policy(2), policy(3), points: [.checkout])
        let regions = report.points.flatMap(\.regions)
        try #require(regions.count == 1)
        #expect(regions[0].conditions.contains("item type dvd"))
        #expect(regions[0].conditions.contains("2 loans of dvd or more"))
        #expect(regions[0].conditions.contains("fewer than 3 loans of dvd"))
        #expect(report.unknown == 0)
    }

    @Test("A region of rows names the rows' conditions and not what the desk reckons of moments")
    func fines() throws {
        func policy(_ fine: String) -> String {
            Self.rules(
                "{ category = \"child\", fine = none }, { loan = days(14), fine = money \"\(fine)\", per = days(1) }")
        }
        let report = try Self.report(policy("0.20"), policy("0.30"))
        let regions = report.points.flatMap(\.regions)
        #expect(regions.map(\.conditions) == [["category not child"]])
        #expect(report.points.first { !$0.regions.isEmpty }?.point == .fine)
    }

    @Test(
        "What a policy loosens is found, and what it tightens is let pass",
        arguments: [
            ("loan = days(21)", true), ("loan = days(7)", false),
            ("loan = days(14), fine = money \"0.50\", per = days(1)", false),
            ("loan = days(14), renewals = 3", true), ("loan = days(14), renewals = 0", false),
        ])
    func refining(_ change: (fields: String, loosens: Bool)) throws {
        let base = Self.rules("{ loan = days(14), fine = money \"0.20\", per = days(1), renewals = 1 }")
        let fine = change.fields.contains("fine") ? "" : ", fine = money \"0.20\", per = days(1)"
        let renewals = change.fields.contains("renewals") ? "" : ", renewals = 1"
        let branch = Self.rules("{ \(change.fields)\(fine)\(renewals) }")
        let report = try Self.report(base, branch, by: .loosens)
        #expect((report.regions > 0) == change.loosens)
        // Of opening days it is not known that a later date is open later.
        #expect(change.loosens || report.unknown == 0 || change.fields == "loan = days(7)")
    }

    @Test("What cannot be followed is said, with its line")
    func unknown() throws {
        let counting = """
            checkout = function(case)
                local sum = 0
                for _, loan in ipairs(case.patron.loans) do sum = sum * 2 + loan.title end
                if sum > LIMIT then return deny("sum", "Too much.") end
            end
            """
        let report = try Self.report(
            Self.rules("{ loan = days(14) }", counting.replacing("LIMIT", with: "10")),
            Self.rules("{ loan = days(14) }", counting.replacing("LIMIT", with: "11")), points: [.checkout])
        #expect(!report.isEqual)
        #expect(report.points.contains { $0.unknown.contains { $0.line == 3 } })
    }

    // MARK: - Tables of many rows

    private static func table(_ order: [Int], _ change: [Int: Int] = [:]) -> String {
        let rows = order.map { index in
            "{ category = \"c\(index / 10)\", item_type = \"t\(index % 10)\", loan = days(\(change[index] ?? 7 + index % 3)) }"
        }
        return rules((rows + ["{ loan = days(30) }"]).joined(separator: ", "))
    }

    private static let tree = ProofDomain.Codes(
        categories: Dictionary(uniqueKeysWithValues: (0..<10).map { ("c\($0)", []) }),
        itemTypes: Dictionary(uniqueKeysWithValues: (0..<10).map { ("t\($0)", []) }), branches: ["main": []])

    @Test("Of two large tables it is found which rows differ")
    func tables() throws {
        let all = Array(0..<100)
        #expect(try Self.report(Self.table(all), Self.table(all)).isEqual)
        let changed = try Self.report(Self.table(all), Self.table(all, [17: 50, 42: 60]), codes: Self.tree)
        #expect(changed.unknown == 0)
        let due = changed.points.first { $0.point == .due }
        #expect(
            due?.regions.map { $0.conditions[0] } == ["category c1 and item type t7", "category c4 and item type t2"])
        #expect(changed.points.filter { !$0.regions.isEmpty }.map(\.point) == [.checkout, .due, .renew])
    }

    @Test("Rows that no case meets both may change places")
    func movedRows() throws {
        let all = Array(0..<100)
        let moved = [99] + Array(0..<99)
        #expect(try Self.report(Self.table(all), Self.table(moved), codes: Self.tree).isEqual)
        var random = SeededGenerator(seed: 3)
        #expect(try Self.report(Self.table(all), Self.table(all.shuffled(using: &random)), codes: Self.tree).isEqual)
        // Where any code may lie below any other a case may meet both.
        #expect(try !Self.report(Self.table(all), Self.table(moved), points: [.due]).isEqual)
    }

    @Test("What values without effect say makes no difference")
    func valuesWithoutEffect() throws {
        let all = Array(0..<100)
        let table = Self.table(all)
        let other = table.replacing("loan = days(30) }", with: "loan = days(30), per = days(2) }")
        #expect(try Self.report(table, other).isEqual)
    }

    /// All cases of a small library, by either policy.
    @Test("Found is what going through all cases finds")
    func enumeration() throws {
        var random = SeededGenerator(seed: 7)
        let codes = ProofDomain.Codes(
            categories: ["a": [], "b": ["a"], "c": []], itemTypes: ["x": [], "y": []], branches: ["main": []])
        for _ in 0..<40 {
            func policy() -> String {
                let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    let category =
                        ["", "category = \"a\", ", "category = \"b\", ", "category = { \"b\", \"c\" }, "].randomElement(
                            using: &random) ?? ""
                    let type = ["", "item_type = \"x\", "].randomElement(using: &random) ?? ""
                    return "{ \(category)\(type)loan = days(\(Int.random(in: 1...2, using: &random))) }"
                }
                return Self.rules((rows + ["{ loan = days(3) }"]).joined(separator: ", "))
            }
            let (one, other) = (policy(), policy())
            let (before, after) = (try LuaPolicy(Self.parsed(one)), try LuaPolicy(Self.parsed(other)))
            var differs = false
            for category: JSON in ["a", ["b", "a"], "c"] {
                for type: JSON in ["x", "y"] {
                    let question = try Case(
                        json: ["point": "due", "patron": ["category": category], "copy": ["item_type": type]])
                    differs = differs || before.decide(question).due != after.decide(question).due
                }
            }
            let report = try Self.report(one, other, codes: codes, points: [.due])
            #expect(report.unknown == 0)
            #expect(report.isEqual == !differs, "\(one)\n\(other)")
        }
    }
}

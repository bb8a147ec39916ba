import Circulation
import Prover
import Scripting
import TestSupport
import Testing
import TextFormats
import Workbench

@Suite("The matrix of a policy")
struct MatrixTests {
    private func bundle(_ body: String) throws -> ParsedPolicy {
        try ParsedPolicy(name: "main.lua", source: "return policy {\n\(body)\n}")
    }

    private func matrix(_ body: String, _ dimensions: MatrixDimensions? = nil) throws -> PolicyMatrix {
        try PolicyMatrix(bundle(body), dimensions: dimensions)
    }

    private static let declared = MatrixDimensions(
        categories: [["staff"], ["student"]], itemTypes: [["book"], ["dvd"], ["atlas", "book"]], branches: [["main"]])

    private static let rules = """
        limits = { { category = "staff", max = unlimited }, { item_type = "dvd", max = 2 }, { max = 8 } },
        rules = {
            { category = "staff", loan = weeks(8), renewals = 6 },
            { item_type = "dvd", loan = days(7) },
            { loan = days(14), renewals = 1, fine = money "0.20" },
        },
        """

    @Test("without a store the values are the policy's own and one that stands for all others")
    func ownValues() throws {
        let matrix = try matrix(Self.rules)
        #expect(matrix.dimensions.categories == [["staff"], ["other"]])
        #expect(matrix.dimensions.itemTypes == [["dvd"], ["other"]])
        #expect(matrix.dimensions.branches == [["other"]])
        #expect(matrix.cells.count == 4)
    }

    @Test("each combination has its fields, limits and answer")
    func cells() throws {
        let cells = try #require(try matrix(Self.rules).json["cells"]?.arrayValue)
        let other = try #require(cells.last)
        #expect(other["category"] == "other" && other["item_type"] == "other" && other["branch"] == "other")
        #expect(other["answer"] == "allow")
        #expect(
            other["fields"] == [
                "max": 8, "loan": "P14D", "renewals": 1, "fine": "0.20 EUR", "limits": [8],
            ])
        #expect(cells[0]["fields"]?["loan"] == "P8W" && cells[0]["fields"]?["max"] == "unlimited")
        #expect(cells[2]["fields"]?["loan"] == "P7D" && cells[2]["fields"]?["max"] == 2)
        #expect(cells[2]["fields"]?["limits"] == [2, 8])
    }

    @Test("an item type meets the rows of its ancestors, and match weighs the nearer one")
    func ancestors() throws {
        let plain = try matrix("rules = { { item_type = 'book', loan = days(3) }, { loan = days(9) } }", Self.declared)
        #expect(plain.cell(2).itemType == "atlas")
        #expect(plain.cell(2).outcome["loan"] == .value(.period(.days(3))))
        let weighed = try matrix(
            "match = { 'item_type' }, rules = { { item_type = 'book', loan = days(3) }, { item_type = 'atlas', loan = days(1) } }",
            Self.declared)
        #expect(weighed.cell(2).outcome["loan"] == .value(.period(.days(1))))
        #expect(weighed.cell(0).outcome["loan"] == .value(.period(.days(3))))
    }

    @Test(
        "what is asked beyond the combination is the condition of an outcome",
        arguments: [
            ("channel = 'web'", "channel web"), ("on_site = true", "use on site"),
            ("home_branch = 'x'", "home branch x"), ("copy_branch = 'x'", "copies of branch x"),
            ("when = function(case) return case.patron.holds > 3 end", "`patron.holds` > 3"),
        ])
    func conditions(asked: String, words: String) throws {
        let matrix = try matrix(
            "rules = { { \(asked), loan = days(3), renewals = 1 }, { loan = days(9), renewals = 1 } }")
        let outcome = try #require(matrix.outcomes.first)
        #expect(outcome["loan"]?.words == "days(3) if \(words), else days(9)")
        #expect(outcome["renewals"] == .value(.integer(1)), "both rows say the same")
        let cell = try #require(matrix.json["cells"]?.arrayValue?.first)
        let choices = try #require(cell["fields"]?["loan"]?.arrayValue)
        #expect(choices.map { $0["value"] } == ["P3D", "P9D"] && choices.map { $0["row"] } == [1, 2])
        #expect(choices.map { $0["where"] } == [[.string(words)], []])
        #expect(!matrix.json.text().contains("depends") && !matrix.html.contains("depends"))
    }

    @Test("a function of a row counts for the combinations of which it speaks alone")
    func rowFunctions() throws {
        let matrix = try matrix(
            """
            rules = {
                { when = function(case) return has(case.patron.categories, "child") and case.patron.holds > 3 end, loan = days(3) },
                { category = "adult", loan = days(9) }, { loan = days(9) },
            },
            """,
            MatrixDimensions(
                categories: [["infant", "child"], ["adult"]], itemTypes: [["book"]], branches: [["main"]]))
        #expect(matrix.cell(0).outcome["loan"]?.words == "days(3) if `patron.holds` > 3, else days(9)")
        #expect(matrix.cell(1).outcome["loan"] == .value(.period(.days(9))))
    }

    @Test("each combination has what functions decide of it, with the exact condition")
    func functions() throws {
        let matrix = try matrix(
            """
            rules = { { item_type = 'x', lend = false }, { loan = days(9) } },
            checkout = function(case)
                if case.patron.fees_owed >= money "10.00" then return deny("fees_owed", "Pay first.") end
                if has(case.patron.categories, "child") and case.copy and case.copy.item_type == "dvd" then
                    return confirm("film", "A film.")
                end
            end,
            fine = function(case) if case.patron.category == "child" then return money "0.10" end end,
            """,
            MatrixDimensions(
                categories: [["infant", "child"], ["child"], ["adult"]], itemTypes: [["dvd"], ["x"]],
                branches: [["main"]]))
        #expect(matrix.points == [.checkout, .fine])
        func decided(_ index: Int) -> [String] {
            matrix.cell(index).outcome.functions.map {
                "\($0.point.rawValue): \($0.outcome?.conditions.map(\.words).joined(separator: " and ") ?? ""): \($0.outcome?.words ?? "")"
            }
        }
        let owing = "checkout: `patron.fees_owed` >= 10.00 EUR: refused, fees_owed"
        let film = "checkout: `patron.fees_owed` < 10.00 EUR: asks first, film"
        #expect(decided(0) == [owing, film], "an infant borrows a film")
        #expect(decided(1) == [owing], "an infant and another type")
        #expect(decided(2) == [owing, film, "fine: : 0.10 EUR"])
        #expect(decided(4) == [owing], "an adult borrows a film")
        let answers = matrix.cells.indices.map { matrix.cell($0).outcome.answer }
        #expect(answers == [.allow, .deny, .allow, .deny, .allow, .deny])
        let cell = try #require(matrix.json["cells"]?.arrayValue?.first)
        let outcome = try #require(cell["outcomes"]?.arrayValue?.first)
        #expect(outcome["code"] == "fees_owed" && outcome["where"] == ["`patron.fees_owed` >= 10.00 EUR"])
        #expect(outcome["line"] == 4 && outcome["file"] == "main.lua")
        #expect(matrix.html.contains("What functions decide"))
        #expect(matrix.unreached.isEmpty)
    }

    @Test("what a function decides of none of the combinations is said")
    func unreached() throws {
        let matrix = try matrix(
            """
            rules = { { loan = days(9) } },
            checkout = function(case)
                if case.patron.category == "studnet" then return deny("late", "No.") end
            end,
            """, Self.declared)
        #expect(matrix.unreached.map(\.line) == [4])
        #expect(matrix.complaints == ["checkout (main.lua:4): no combination comes to this answer"])
    }

    @Test("what cannot be followed is unknown, with its line and why")
    func unknown() throws {
        let matrix = try matrix(
            """
            rules = { { loan = days(14) } },
            checkout = function(case)
                local here = 0
                for _, loan in ipairs(case.patron.loans) do
                    if loan.on_site then here = here + 1 end
                end
                if here > 6 then return deny("here", "Seven are enough.") end
            end,
            """)
        let unknown = matrix.outcomes.flatMap(\.functions).compactMap(\.because)
        #expect(!unknown.isEmpty && unknown.allSatisfy { $0.line == 5 }, "\(unknown)")
        let bundle = try bundle("rules = { { loan = days(14) } }, due = function(case) return case.now + days(3) end")
        let policy = try LuaPolicy(bundle)
        let late = PolicyMatrix(policy, dimensions: Self.declared, MatrixFunctions(policy, time: .zero))
        #expect(late.outcomes.flatMap(\.functions).allSatisfy { $0.because?.message == "the time limit" })
        #expect(!late.outcomes.flatMap(\.functions).isEmpty)
    }

    @Test("limits apply behind one that is unlimited only where that does not")
    func limits() throws {
        let matrix = try matrix(
            "limits = { { channel = 'web', max = unlimited }, { home_branch = 'x', max = 2 }, { max = 8 } }, rules = { { loan = days(1) } }"
        )
        let outcome = try #require(matrix.outcomes.first)
        #expect(
            outcome["max"]?.words
                == "2 if home branch x and not channel web, 8 if not channel web, else unlimited")
        #expect(outcome.answer == .allow && outcome.refusals.isEmpty)
    }

    @Test("a row that refuses under a condition does not make the answer another")
    func refusals() throws {
        let matrix = try matrix("rules = { { channel = 'web', lend = false }, { on_site = true, loan = days(1) } }")
        let outcome = try #require(matrix.outcomes.first)
        #expect(
            outcome.refusals.map { "\($0.code) if \($0.condition.words)" } == [
                "not_lent if channel web", "no_rule if not use on site",
            ])
        let json = matrix.json["cells"]?.arrayValue?.first?["outcomes"]?.arrayValue
        #expect(json?.map { $0["code"] } == ["not_lent", "no_rule"])
    }

    @Test(
        "rows that never match are told with what hides them, several together as well",
        arguments: [
            (
                "rules = { { category = 'a', loan = days(1) }, { category = 'b', loan = days(2) },\n{ category = { 'a', 'b' }, loan = days(3) }, { loan = days(4) } }",
                3, [1, 2]
            ),
            ("rules = { { loan = days(1) },\n{ category = 'a', loan = days(2) } }", 2, [1]),
            (
                "rules = { { item_type = 'x', loan = days(1) }, { category = 'a', loan = days(2) },\n{ category = 'a', loan = days(3) }, { loan = days(4) } }",
                3, [2]
            ),
            ("limits = { { category = 'a', max = unlimited },\n{ category = 'a', max = 2 } }", 2, [1]),
        ])
    func neverMatch(body: String, row: Int, hiding: [Int]) throws {
        let matrix = try matrix(body)
        #expect(matrix.losing.map(\.row) == [row])
        #expect(matrix.losing.first?.hiddenBy == hiding)
        #expect(matrix.losing.first?.place.line == 3)
        let json = try #require(matrix.json["never_match"]?.arrayValue?.first)
        #expect(json["row"] == .integer(Int64(row)) && json["line"] == 3 && json["file"] == "main.lua")
        #expect(json["hidden_by"]?.arrayValue?.map { $0["row"] } == hiding.map { .integer(Int64($0)) })
    }

    @Test("fields that never win are reported apart from rows")
    func neverWin() throws {
        let matrix = try matrix("rules = { { fine = none },\n{ loan = days(1), grace = days(2) } }")
        #expect(matrix.losing.map(\.fields) == [["grace"]])
        #expect(matrix.json["never_match"] == .array([]))
        #expect(matrix.json["never_win"]?.arrayValue?.first?["fields"] == ["grace"])
    }

    @Test("a row for a code that the library lacks is reported with the reason")
    func undeclared() throws {
        let matrix = try matrix(
            "rules = { { category = 'studnet', loan = days(1) }, { loan = days(2) } }", Self.declared)
        #expect(matrix.losing.first?.because == "there is no category studnet")
    }

    @Test("combinations for which no row says how long a loan lasts are uncovered")
    func uncovered() throws {
        let matrix = try matrix("rules = { { item_type = 'dvd', loan = days(7) }, { category = 'a', loan = days(1) } }")
        #expect(matrix.uncovered.map { matrix.cell($0).category } == ["other"])
        #expect(
            matrix.json["uncovered"] == [["category": "other", "item_type": "other", "branch": "other"]])
        #expect(
            matrix.complaints == [
                "no row says how long a loan lasts: category other, item type other, branch other"
            ])
        #expect(matrix.outcomes.filter(\.isUncovered).map(\.code) == ["no_rule"])
    }

    @Test(
        "the rules that are shipped have nothing to complain of",
        arguments: ["bitbooks", "public", "textbooks", "university"])
    func shipped(name: String) throws {
        let matrix = try PolicyMatrix(ParsedPolicy(file: ShippedPolicyTests.path(name)))
        #expect(matrix.isSound, "\(matrix.complaints)")
        #expect(matrix.html.contains("<table>") && TableMarkup.faults(in: matrix.html) == [])
    }

    @Test("a matrix says what the policy decides")
    func agrees() throws {
        let bundle = try bundle(Self.rules)
        let policy = try LuaPolicy(bundle)
        let matrix = PolicyMatrix(policy, dimensions: Self.declared, MatrixFunctions())
        for index in matrix.cells.indices {
            let cell = matrix.cell(index)
            var question = try Case(json: [:])
            question.patron.category = cell.category
            question.copy?.itemTypes = Self.declared.itemTypes.first { $0[0] == cell.itemType } ?? []
            let rule = try policy.tables.matchedRule(for: question) { _ in false }
            #expect(cell.outcome["loan"] == .value(rule["loan"]), "\(cell)")
            #expect(cell.outcome["renewals"] == .value(rule["renewals"]), "\(cell)")
        }
    }

    // MARK: - Differences

    private func difference(_ before: String, _ after: String) throws -> MatrixDifference {
        let bundles = try (bundle(before), bundle(after))
        let policies = try [bundles.0, bundles.1].map { try LuaPolicy($0) }
        let dimensions = MatrixDimensions(namedBy: policies.map(\.tables.source))
        let matrices = policies.map { PolicyMatrix($0, dimensions: dimensions, MatrixFunctions($0)) }
        return MatrixDifference(
            from: matrices[0], to: matrices[1], try ComparedPolicies(bundles.0, bundles.1).report())
    }

    @Test("a difference has what functions decide otherwise")
    func functionsAreCompared() throws {
        let function = "checkout = function(case) if (case.patron.age or 0) > 9 then return deny('a', 'b') end end"
        let changed = try difference(Self.rules + function, Self.rules + function.replacing("> 9", with: "> 12"))
        #expect(changed.count == changed.before.cells.count)
        let json = changed.before.json(changed)
        #expect(json["changed"]?.arrayValue?.first?["field"] == "functions")
        let checkout = json["decisions"]?["points"]?.arrayValue?.first { $0["point"] == "checkout" }
        #expect(checkout?["status"] == "different" && json["decisions"]?["equal"] == false)
        #expect(changed.html.contains("What is decided differently"))
        #expect(TableMarkup.faults(in: changed.html) == [])
        #expect(try difference(Self.rules, Self.rules).decisions.isEqual)
    }

    @Test("only changes are shown, with before and after")
    func changes() throws {
        let difference = try difference(Self.rules, Self.rules.replacing("days(7)", with: "days(5)"))
        #expect(difference.count == 1)
        let json = difference.before.json(difference)
        #expect(json["cells"] == .array([]))
        #expect(
            json["changed"] == [
                [
                    "category": "other", "item_type": "dvd", "branch": "other", "field": "loan", "before": "P7D",
                    "after": "P5D",
                ]
            ])
        #expect(try self.difference(Self.rules, Self.rules).count == 0)
    }

    @Test("a limit that is not the strictest counts as a change too, and so does a refusal")
    func limitChanges() throws {
        let wider = try difference(Self.rules, Self.rules.replacing("max = 8", with: "max = 9"))
        #expect(wider.before.json(wider)["changed"]?.arrayValue?.map { $0["field"] } == ["limits", "max"])
        let refused = try difference(Self.rules, Self.rules.replacing("loan = days(7)", with: "lend = false"))
        let fields = refused.before.json(refused)["changed"]?.arrayValue?.map { $0["field"]?.stringValue ?? "" }
        #expect(fields?.contains("answer") == true)
        #expect(refused.html.contains("not_lent"))
    }

    // MARK: - Size

    @Test("a hundred thousand combinations share few answers")
    func large() throws {
        let chains = { (name: String, count: Int) in (0..<count).map { ["\(name)\($0)"] } }
        let dimensions = MatrixDimensions(
            categories: chains("c", 50), itemTypes: chains("t", 50), branches: chains("b", 40))
        let rows = (0..<50).map { "{ category = 'c\($0)', item_type = 't\($0)', loan = days(\($0 + 1)) }," }
        let matrix = try matrix("rules = { \(rows.joined()) { loan = days(99) } }", dimensions)
        #expect(matrix.cells.count == 100_000)
        #expect(matrix.outcomes.count == 51)
        #expect(matrix.isSound)
        #expect(matrix.summary.rows.count <= 150)
    }

    @Test("a policy of four thousand rows in several files is examined with all that its functions decide")
    func manyRows() throws {
        func rows(_ range: Range<Int>) -> String {
            let lines = range.map { number -> String in
                let when = number % 500 == 7 ? "when = function(case) return case.patron.holds > 3 end, " : ""
                return "{ category = 'c\(number % 40)', item_type = 't\(number / 40 % 50)', "
                    + "branch = 'b\(number / 2_000)', \(when)\(number % 100 == 5 ? "channel = 'web', " : "")loan = days(\(number % 28 + 1)) }"
            }
            return "return {\n\(lines.joined(separator: ",\n"))\n}"
        }
        let main = """
            local all = {}
            for _, row in ipairs(require "first") do all[#all + 1] = row end
            for _, row in ipairs(require "second") do all[#all + 1] = row end
            all[#all + 1] = { loan = days(30) }
            return policy { api = 1, rules = all,
                checkout = function(case)
                    if case.patron.fees_owed >= money "10.00" then return deny("fees_owed", "Pay first.") end
                    if has(case.patron.categories, "c3") and case.copy and case.copy.item_type == "t7" then
                        return confirm("rare", "Rare.")
                    end
                end,
                due = function(case, rule)
                    if rule.loan == days(7) then return case.now + days(8) end
                end,
            }
            """
        let modules = ["first.lua": rows(0..<2_000), "second.lua": rows(2_000..<4_000)]
        let parsed = try ParsedPolicy(name: "main.lua", source: main) { modules[$0] }
        let policy = try LuaPolicy(parsed, limits: LuaPolicy.limitsForChecking)
        #expect(policy.tables.source.rules.count == 4_001)
        let dimensions = MatrixDimensions(namedBy: [policy.tables.source])
        let functions = MatrixFunctions(policy, time: .seconds(300))
        let matrix = PolicyMatrix(policy, dimensions: dimensions, functions)
        #expect(matrix.cells.count == 41 * 51 * 3)
        #expect(matrix.outcomes.flatMap(\.functions).allSatisfy { $0.because == nil })
        #expect(matrix.unreached.isEmpty, "\(matrix.unreached)")
        let rare = matrix.cells.indices.filter { index in
            matrix.cell(index).outcome.functions.contains { $0.outcome?.code == "rare" }
        }
        #expect(rare.map { matrix.cell($0).category } == ["c3", "c3", "c3"])
        let late = matrix.cells.count { place in
            matrix.outcomes[Int(place)].functions.contains { $0.point == .due }
        }
        #expect(late > 100 && late < matrix.cells.count / 4, "\(late)")
        #expect(matrix.html.utf8.count < 4_000_000 && matrix.summary.rows.count > 500)
    }

    @Test("the page escapes names and colours what is lent")
    func page() throws {
        let html = try matrix(
            "rules = { { category = '<b>', lend = false }, { item_type = 'dvd', loan = days(7) } }"
        ).html
        #expect(html.contains("&lt;b&gt;") && !html.contains("<b>"))
        #expect(html.contains("not lent") && html.contains("no rule") && html.contains("hsl("))
    }
}

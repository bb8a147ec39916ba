import Circulation
import Scripting
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
        "what a function or something beyond the combination decides depends",
        arguments: [
            "when = function(case) return case.patron.age end", "channel = 'web'", "on_site = true",
            "home_branch = 'x'", "copy_branch = 'x'",
        ])
    func depends(condition: String) throws {
        let matrix = try matrix(
            "rules = { { \(condition), loan = days(3), renewals = 1 }, { loan = days(9), renewals = 1 } }")
        let outcome = try #require(matrix.outcomes.first)
        #expect(
            outcome["loan"]
                == .depends([.init(row: 1, value: .period(.days(3))), .init(row: 2, value: .period(.days(9)))]))
        #expect(outcome["renewals"] == .value(.integer(1)), "both rows say the same")
        let cell = try #require(matrix.json["cells"]?.arrayValue?.first)
        #expect(cell["fields"]?["loan"] == "depends")
        #expect(cell["depends"]?["loan"]?.arrayValue?.map { $0["value"] } == ["P3D", "P9D"])
    }

    @Test("a policy's own functions make answers and due dates depend")
    func functions() throws {
        let matrix = try matrix(
            "rules = { { item_type = 'x', lend = false }, { loan = days(9) } }, checkout = function() end, due = function() end"
        )
        #expect(matrix.points == [.checkout, .due])
        #expect(matrix.outcomes.map(\.answer) == [.deny, .depends])
        #expect(matrix.outcomes.first?.code == "not_lent")
        #expect(matrix.outcomes.last?["due"] == .depends([]))
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
        #expect(matrix.html.contains("<table>"))
    }

    @Test("a matrix says what the policy decides")
    func agrees() throws {
        let bundle = try bundle(Self.rules)
        let policy = try LuaPolicy(bundle)
        let matrix = PolicyMatrix(policy, dimensions: Self.declared)
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
        let policies = try [before, after].map { try LuaPolicy(bundle($0)) }
        let dimensions = MatrixDimensions(namedBy: policies.map(\.tables.source))
        return MatrixDifference(
            from: PolicyMatrix(policies[0], dimensions: dimensions),
            to: PolicyMatrix(policies[1], dimensions: dimensions))
    }

    @Test("a difference says that functions are not compared, where there are any")
    func functionsAreNotCompared() throws {
        let function = "checkout = function(case) if (case.patron.age or 0) > 9 then return deny('a', 'b') end end"
        let note = try difference(Self.rules + function, Self.rules + function.replacing("> 9", with: "< 9")).note
        #expect(note?.hasPrefix("Functions are not compared (checkout): ") == true)
        #expect(try difference(Self.rules, Self.rules).note == nil)
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

    @Test("the page escapes names and colours what is lent")
    func page() throws {
        let html = try matrix(
            "rules = { { category = '<b>', lend = false }, { item_type = 'dvd', loan = days(7) } }"
        ).html
        #expect(html.contains("&lt;b&gt;") && !html.contains("<b>"))
        #expect(html.contains("not lent") && html.contains("no rule") && html.contains("hsl("))
    }
}

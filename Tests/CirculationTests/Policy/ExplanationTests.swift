import Circulation
import Testing
import TextFormats

@Suite("Explanations")
struct ExplanationTests {
    private func explained(_ group: RuleGroup, _ rules: [RuleRow], _ question: Case) throws -> GroupExplanation {
        let groups = try Sample.tables(rules).explanation(for: question) { _ in false }
        return try #require(groups.first { $0.group == group })
    }

    @Test(
        "a skipped row says which condition failed, with what is and what it wants",
        arguments: [
            (
                RowConditions(categories: ["staff", "retired"]),
                "category is undergraduate, the row wants staff or retired"
            ),
            (RowConditions(itemTypes: ["dvd"]), "item type is book, the row wants dvd"),
            (RowConditions(branches: ["a", "b", "c"]), "branch is main, the row wants a, b or c"),
            (RowConditions(copyBranches: ["a"]), "the copy's branch is main, the row wants a"),
            (RowConditions(homeBranches: ["a"]), "home branch is main, the row wants a"),
            (RowConditions(onSite: true), "the loan is not for use on site"),
            (RowConditions(channels: ["web"]), "channel is desk, the row wants web"),
            (RowConditions(when: 0), "its when function says no"),
            (
                RowConditions(categories: ["staff"], itemTypes: ["dvd"]),
                "category is undergraduate, the row wants staff"
            ),
        ])
    func because(_ conditions: RowConditions, because: String) throws {
        let rules = [
            Sample.row(["loan": .period(.days(1))], where: conditions), Sample.row(["loan": .period(.days(2))]),
        ]
        let explanation = try explained(.period, rules, Sample.checkout())
        #expect(explanation.skipped.map(\.because) == [because])
        #expect(explanation.skipped.first?.origin.line == 10)
        #expect(explanation.origin?.row == 2)
    }

    @Test("only rows that set the group and stand before the one that won are skipped rows")
    func skipped() throws {
        let staff = RowConditions(categories: ["staff"])
        let rules = [
            Sample.row(["fine": .none], where: staff), Sample.row(["loan": .period(.days(1))], where: staff),
            Sample.row(["loan": .period(.days(2))]), Sample.row(["loan": .period(.days(3))], where: staff),
        ]
        #expect(try explained(.period, rules, Sample.checkout()).skipped.map(\.origin.row) == [2])
        #expect(try explained(.fine, rules, Sample.checkout()).skipped.map(\.origin.row) == [1])
        #expect(try explained(.renewal, rules, Sample.checkout()).skipped.isEmpty)
    }

    @Test("a field that no row sets is explained by its built-in default")
    func defaults() throws {
        let explanation = try explained(.period, [Sample.row(["loan": .period(.days(2))])], Sample.checkout())
        let closed = try #require(explanation.fields.first { $0.name == "closed" })
        #expect(closed.value == .text("next_open"))
        #expect(closed.isDefault)
        let loan = try #require(explanation.fields.first { $0.name == "loan" })
        #expect(!loan.isDefault)
        #expect(loan.origin?.line == 10)
    }

    @Test("the explanation agrees with the rule that applies")
    func agreement() throws {
        let rules = [
            Sample.row(["loan": .period(.days(1)), "bag": .free(1)], where: RowConditions(categories: ["staff"])),
            Sample.row(["renewals": .integer(2)]), Sample.row(["loan": .none, "bag": .free(2)]),
        ]
        let tables = try Sample.tables(rules)
        let rule = try tables.rule(for: Sample.checkout())
        for group in try tables.explanation(for: Sample.checkout(), when: Sample.noCondition) {
            for field in group.fields where field.value != .some(.none) {
                #expect(field.value == rule[field.name], "\(field.name)")
            }
            #expect(group.origin.map { ($0.row ?? 0) - 1 } == rule.row(setting: group.group))
        }
    }

    @Test("a decision's JSON has the fields with value, row, file, line and skipped rows")
    func decision() throws {
        let rules = try [
            Sample.row(["loan": .period(.days(1))], where: RowConditions(categories: ["staff"])),
            Sample.row(["loan": .period(.days(14)), "fine": .money(Sample.money("0.20"))]),
        ]
        let tables = try Sample.tables(rules)
        let question = try Sample.checkout()
        let decision = try Decision(
            point: .checkout, answer: .allow,
            due: tables.dueTime(for: question, rule: tables.rule(for: question)))
        let json = decision.json(explanation: try tables.explanation(for: question, when: Sample.noCondition))
        #expect(json["answer"] == "allow")
        #expect(json["due"] == "2026-06-03T15:00:00Z")
        #expect(json["due_date"] == "2026-06-03")
        let expected: JSON = [
            "value": "P14D", "default": false, "row": 2, "file": "policy.lua", "line": 11,
            "skipped": [
                [
                    "row": 1, "file": "policy.lua", "line": 10,
                    "because": "category is undergraduate, the row wants staff",
                ]
            ],
        ]
        #expect(json["fields"]?["loan"] == expected)
        #expect(json["fields"]?["fine"]?["value"] == "0.20 EUR")
        #expect(json["fields"]?["renewals"]?["line"] == .null)
        #expect(json["refusal"] == .null)
    }

    @Test("a refusal's JSON has code, message, details with all reasons, policy and where")
    func refusal() throws {
        let origin = RuleOrigin(table: .limits, row: 2, file: "policy.lua", line: 12)
        let reasons = [
            Refusal.Reason(
                code: "limit", message: "Full.", title: 10, origin: origin, figures: ["limit": 5, "count": 5]),
            Refusal.Reason(code: "same_title", message: "Again."),
        ]
        let json = Refusal(reasons: reasons, mayBeOverridden: true, policy: "abc").json
        let place: JSON = [
            "row": ["table": "limits", "row": 2], "field": nil, "file": "policy.lua", "line": 12,
        ]
        let expected: JSON = [
            "code": "limit", "message": "Full.", "policy": "abc", "where": place,
            "details": [
                "limit": 5, "count": 5, "override": true,
                "reasons": [
                    ["code": "limit", "message": "Full.", "title": 10, "limit": 5, "count": 5, "where": place],
                    ["code": "same_title", "message": "Again.", "where": nil],
                ],
            ],
        ]
        #expect(json == expected)
        #expect(Refusal(code: "stock", message: "None.").json["where"] == .null)
    }

    @Test("under match the explanation says why rows that match have lost")
    func outranked() throws {
        func row(_ days: Int64, _ conditions: RowConditions) -> RuleRow {
            Sample.row(["loan": .period(.days(days))], where: conditions)
        }
        let tables = try Sample.tables(
            [
                row(1, RowConditions()), row(2, RowConditions(itemTypes: ["media"])),
                row(3, RowConditions(itemTypes: ["bluray"])), row(4, RowConditions(categories: ["staff"])),
                row(5, RowConditions(itemTypes: ["bluray"])), row(6, RowConditions(itemTypes: ["book"])),
            ], match: MatchPrecedence(dimensions: ["category", "item_type"]))
        let question = try Sample.checkout(itemTypes: ["bluray", "media"])
        let period = try #require(
            tables.explanation(for: question, when: Sample.noCondition).first { $0.group == .period })
        #expect(period.origin?.row == 3)
        let lost = period.skipped.map { "\($0.origin.row ?? 0) \($0.because)" }
        #expect(
            lost == [
                "4 category is undergraduate, the row wants staff",
                "5 it matches, but row 3 is as important and stands before it",
                "2 it matches, but row 3 names bluray, which is nearer than media",
                "1 it matches, but row 3 names the item type and this row does not",
            ])
    }
}

import Circulation
import Scripting
import Testing
import TextFormats

@Suite("Policies that count holds by item type")
struct PolicyHoldTypeTests {
    private static let rules = """
        rules = {
            { item_type = "film", loan = days(7), holds_of_item_type = 2 },
            { loan = days(14), holds = 5, holds_of_item_type = 4 },
        }
        """

    private static func hold(_ itemType: JSON, _ hold: JSONObject, holds: Int64 = 0) -> JSON {
        [
            "point": "hold", "patron": ["holds": .integer(holds)], "copy": ["item_type": itemType],
            "hold": .object(hold),
        ]
    }

    @Test(
        "a row counts by the type that it names, and by the copy's own where it names none",
        arguments: [
            (hold(["dvd", "film"], ["of_item_type": 0, "of_item_types": [0, 2]]), 2 as Int64?, "film"),
            (hold(["dvd", "film"], ["of_item_type": 2, "of_item_types": [2, 3]]), 3, "film"),
            (hold(["dvd", "film"], ["of_item_type": 1, "of_item_types": [1, 1]]), nil, ""),
            (hold(["dvd", "film"], ["of_item_type": 2]), 2, "film"), (hold("film", ["of_item_type": 1]), nil, ""),
            (hold("book", ["of_item_type": 3]), nil, ""), (hold("book", ["of_item_type": 4]), 4, "book"),
            (hold("book", [:]), nil, ""), (hold(["atlas", "book"], ["of_item_types": [1, 9]]), nil, ""),
        ] as [(JSON, Int64?, String)])
    func limits(question: JSON, count: Int64?, itemType: String) throws {
        let decision = try PolicySupport.policy(body: Self.rules).decide(Case(json: question))
        #expect(decision.answer == (count == nil ? .allow : .deny))
        let reason = decision.refusal?.reasons.first
        #expect(reason?.figures["count"] == count.map { .integer($0) })
        #expect(count == nil || reason?.figures["item_type"] == .string(itemType))
        #expect(count == nil || decision.refusal?.origin?.field == "holds_of_item_type")
    }

    @Test("both limits may speak against a hold")
    func both() throws {
        let question = Self.hold("book", ["of_item_type": 4], holds: 6)
        let reasons = try PolicySupport.policy(body: Self.rules).decide(Case(json: question)).refusal?.reasons
        #expect(
            reasons?.map(\.message) == [
                "This account has 6 holds; the limit is 5.",
                "This account has 4 holds on items of type book; the limit is 4.",
            ])
        #expect(reasons?.map(\.code) == ["limit", "limit"])
    }

    @Test("functions read the counts of the copy's type and of those above it, 0 and none where they were not counted")
    func functions() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(7) } },
                hold = function(case)
                    local of = case.hold.of_item_types
                    return deny("told", case.hold.of_item_type .. " of " .. #of .. (of[2] and " and " .. of[2] or ""))
                end
                """)
        for (hold, words) in [
            ([:], "0 of 0"), (["of_item_type": 3], "3 of 1"), (["of_item_types": [1, 2]], "1 of 2 and 2"),
        ] as [(JSONObject, String)] {
            let question = try Case(json: Self.hold(["dvd", "film"], hold))
            #expect(policy.decide(question).refusal?.message == words)
            #expect(try Case(json: question.json) == question)
        }
    }

    @Test("what is no count is refused", arguments: ["\"two\"", "-1", "1.5", "true", "days(1)"])
    func malformed(value: String) throws {
        let body = "return policy { rules = { { loan = days(7), holds_of_item_type = \(value) } } }"
        #expect(try PolicySupport.complaint(body)?.contains("holds_of_item_type") == true)
    }

    @Test(
        "a case with what is no count is refused",
        arguments: [["of_item_type": -1], ["of_item_type": "2"], ["of_item_types": ["a"]]] as [JSONObject])
    func malformedCase(hold: JSONObject) {
        #expect(throws: CaseError.self) { try Case(json: Self.hold("book", hold)) }
    }

    @Test(
        "holds are counted where the policy reads it, and at points that may have a hold",
        arguments: [
            ("rules = { { loan = days(1), holds = 5 } }", []),
            ("rules = { { loan = days(1), holds_of_item_type = unlimited } }", []),
            ("rules = { { loan = days(1), holds_of_item_type = 2 } }", [.hold]),
            ("hold = function(case) return case.hold.of_item_type > 2 and deny('a', 'b') or nil end", [.hold]),
            ("recall = function(case) return #case.hold.of_item_types > 9 and case.now or nil end", [.recall]),
            ("fine = function(case) local field = 'of_item_type' return case.hold and case.hold[field] end", []),
        ] as [(String, [DecisionPoint])])
    func needs(body: String, points: [DecisionPoint]) throws {
        let policy = try PolicySupport.policy(body: body)
        #expect(DecisionPoint.allCases.filter { policy.needs(at: $0).holdsByItemType } == points)
    }
}

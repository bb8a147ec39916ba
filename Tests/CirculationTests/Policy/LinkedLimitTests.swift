import Testing
import TextFormats

@testable import Circulation

@Suite("Limits and debts of households, guardians and dependents")
struct LinkedLimitTests {
    private static func euros(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .eur) }

    private static func tables(_ rows: (Int64?, PatronGroup?, owed: Int64?)...) throws -> CompiledTables {
        let limits = rows.enumerated().map { index, row in
            LimitRow(
                conditions: RowConditions(), maximum: row.0, of: row.1, owed: row.owed.map(euros),
                place: Sample.place(index + 10))
        }
        return try PolicyTables(limits: limits).compiled()
    }

    private static func question(loans: Int = 0, owes: Int64 = 0) throws -> Case {
        var question = try Sample.checkout(loans: (0..<loans).map { _ in Sample.loan("book") })
        question.patron.feesOwed = euros(owes)
        var linked = LinkedFacts(alone: question.patron)
        linked[.household] = GroupFacts(people: 3, loans: 9, owed: euros(999))
        linked[.guardians] = GroupFacts(people: 1, loans: 2, owed: euros(1_000))
        question.patron.linked = linked
        return question
    }

    @Test("a row counts the loans of all of a group together, and what the request was granted already")
    func counts() throws {
        var question = try Self.question(loans: 1)
        let tables = try Self.tables((10, .household, nil), (3, .guardians, nil), (1, .dependents, nil), (2, nil, nil))
        #expect(try tables.limitsExceeded(for: question, when: Sample.noCondition).isEmpty)
        question.request = RequestFacts(size: 2, titles: [1, 2], index: 2, granted: [Sample.loan("book")])
        let exceeded = try tables.limitsExceeded(for: question, when: Sample.noCondition)
        #expect(exceeded.map(\.row) == [0, 1, 2, 3] && exceeded.map(\.count) == [10, 3, 1, 2])
        let refused = Refusal.Reason.limit(
            exceeded[0], row: tables.source.limits[0], for: question, origin: tables.origin(ofLimit: 0))
        #expect(refused.message == "10 of 10 allowed loans of the household have been used.")
        let explained = try tables.limitExplanations(for: question, when: Sample.noCondition)
        #expect(explained.map(\.count) == [10, 3, 1, 2] && explained[0].conditions == "of the household")
    }

    @Test("who is linked to nobody is a household alone, and has neither guardians nor dependents")
    func alone() throws {
        var question = try Self.question(loans: 2, owes: 300)
        question.patron.linked = nil
        let exceeded = try Self.tables((2, .household, nil), (2, .family, nil), (1, .guardians, nil))
            .limitsExceeded(for: question, when: Sample.noCondition)
        #expect(exceeded.map(\.row) == [0, 1] && exceeded.map(\.count) == [2, 2])
        #expect(question.patron[.household] == GroupFacts(people: 1, loans: 2, owed: Self.euros(300)))
        #expect(question.patron[.dependents] == GroupFacts(owed: Self.euros(0)))
        question.patron.feesOwed = Self.euros(-300)
        #expect(question.patron[.household].owed == Self.euros(0))
    }

    @Test(
        "a row with an amount applies where so much is owed, to the cent", arguments: [(1_000, true), (1_001, false)])
    func debts(owed: Int64, isRefused: Bool) throws {
        let question = try Self.question(owes: 1_000)
        for group in [PatronGroup.guardians, nil] {
            let tables = try Self.tables((0, group, owed: owed))
            let exceeded = try tables.limitsExceeded(for: question, when: Sample.noCondition)
            #expect(exceeded.isEmpty != isRefused)
            let explained = try tables.limitExplanations(for: question, when: Sample.noCondition)
            #expect(explained[0].because == (isRefused ? nil : "10.00 EUR is owed, the row wants 10.01 EUR"))
        }
    }

    @Test("what is told of others' debts is the row's amount, not theirs")
    func words() throws {
        let question = try Self.question(owes: 1_234)
        for (group, words) in [
            (nil, "Fees of 5.00 EUR or more are unpaid."), (.household, "The household owes 5.00 EUR or more."),
            (.guardians, "The guardians owe 5.00 EUR or more."),
        ] as [(PatronGroup?, String)] {
            let tables = try Self.tables((0, group, owed: 500))
            let exceeded = try tables.limitsExceeded(for: question, when: Sample.noCondition)
            let reason = Refusal.Reason.limit(
                exceeded[0], row: tables.source.limits[0], for: question, origin: tables.origin(ofLimit: 0))
            #expect(reason.code == "fees_owed" && reason.message == words)
            #expect(reason.figures["owed_from"] == "5.00 EUR" && reason.figures["owed"] == nil)
        }
    }

    @Test("an unlimited row with an amount ends the reading only for who owes so much")
    func unlimited() throws {
        let tables = try Self.tables((nil, .guardians, owed: 1_001), (0, nil, nil))
        let exceeded = try tables.limitsExceeded(for: try Self.question(), when: Sample.noCondition)
        #expect(exceeded.map(\.row) == [1])
        #expect(tables.hiddenRows().isEmpty)
    }

    @Test("a file says what it likes of a group, the rest is as of a patron who is linked to nobody")
    func json() throws {
        let question = try Case(json: [
            "patron": ["loans": 2, "fees_owed": "1.00", "guardians": ["owed": "12.00", "people": 2]]
        ])
        #expect(question.patron[.guardians] == GroupFacts(people: 2, owed: Self.euros(1_200)))
        #expect(question.patron[.household] == GroupFacts(people: 1, loans: 2, owed: Self.euros(100)))
        #expect(try Case(json: question.json) == question)
        #expect(throws: CaseError.self) { try Case(json: ["patron": ["household": ["loans": -1]]]) }
        #expect(throws: CaseError.self) { try Case(json: ["patron": ["household": ["owes": "1.00"]]]) }
        #expect(throws: CaseError.self) { try Case(json: ["patron": ["family": 3]]) }
        let plain = try Case(json: ["patron": ["loans": 2]])
        #expect(plain.patron.linked == nil && !plain.json.text().contains("household"))
    }

    @Test("a row counts what others have of the title, or leaves out what they claim to have returned")
    func titleAndClaims() throws {
        func exceeded(_ facts: GroupFacts, per title: Bool, claimed: Bool, max: Int64) throws -> Int64? {
            let row = LimitRow(
                conditions: RowConditions(), maximum: max, isPerTitle: title, countsClaimed: claimed, of: .household,
                place: Sample.place(1))
            var question = try Self.question()
            var linked = LinkedFacts(alone: question.patron)
            linked[.household] = facts
            question.patron.linked = linked
            let tables = try PolicyTables(limits: [row]).compiled()
            return try tables.limitsExceeded(for: question, when: Sample.noCondition).first?.count
        }
        let facts = GroupFacts(
            people: 3, loans: 5, owed: Self.euros(0), claimed: 2, sameTitle: 2, sameTitleClaimed: 1)
        #expect(try exceeded(facts, per: false, claimed: true, max: 5) == 5)
        #expect(try exceeded(facts, per: false, claimed: false, max: 4) == nil)
        #expect(try exceeded(facts, per: false, claimed: false, max: 3) == 3)
        #expect(try exceeded(facts, per: true, claimed: true, max: 2) == 2)
        #expect(try exceeded(facts, per: true, claimed: true, max: 3) == nil)
        #expect(try exceeded(facts, per: true, claimed: false, max: 1) == 1)
        // What was not gathered is nothing.
        #expect(try exceeded(GroupFacts(loans: 9, owed: Self.euros(0)), per: true, claimed: true, max: 1) == nil)
    }
}

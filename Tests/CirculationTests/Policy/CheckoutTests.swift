import Circulation
import Testing

@Suite("Standard checks")
struct CheckoutTests {
    private func codes(_ tables: CompiledTables, _ question: Case) throws -> [String] {
        try tables.standardCheckout(for: question, rule: tables.rule(for: question), when: Sample.noCondition)
            .map(\.code)
    }

    @Test("all reasons are given, in the order of the checks")
    func order() throws {
        var question = try Sample.checkout(loans: [Sample.loan("book", title: 10)])
        question.copy?.heldForOther = true
        let tables = try PolicyTables(
            limits: [
                LimitRow(conditions: RowConditions(itemTypes: ["book"]), maximum: 1, place: Sample.place(1)),
                LimitRow(conditions: RowConditions(), maximum: 1, place: Sample.place(2)),
            ],
            rules: [
                Sample.row(["lend": .boolean(false), "reason": .text("Stays here."), "same_title": .text("refuse")])
            ]
        ).compiled()
        #expect(
            try codes(tables, question) == ["not_lent", "no_rule", "held_for_other", "limit", "limit", "same_title"])
        let reasons = try tables.standardCheckout(
            for: question, rule: tables.rule(for: question), when: Sample.noCondition)
        #expect(reasons.first?.message == "Stays here.")
        #expect(reasons.allSatisfy { $0.title == 10 })
        #expect(tables.standardAnswer(to: reasons, rule: try tables.rule(for: question)) == .deny)
    }

    @Test("a rule that lets all pass gives no reason")
    func allowed() throws {
        let tables = try Sample.tables([Sample.row(["loan": .period(.days(14))])])
        let question = try Sample.checkout(loans: [Sample.loan("book", title: 10)])
        #expect(try codes(tables, question).isEmpty)
        #expect(tables.standardAnswer(to: [], rule: try tables.rule(for: question)) == .allow)
    }

    @Test("another copy of the title asks for confirmation if that is all there is and the rule says so")
    func confirmation() throws {
        let fields: [String: RuleValue] = ["loan": .period(.days(14)), "same_title": .text("confirm")]
        let tables = try Sample.tables([Sample.row(fields)])
        var question = try Sample.checkout(loans: [Sample.loan("book", title: 10)])
        let rule = try tables.rule(for: question)
        let reasons = try tables.standardCheckout(for: question, rule: rule, when: Sample.noCondition)
        #expect(tables.standardAnswer(to: reasons, rule: rule) == .confirm)
        question.copy?.heldForOther = true
        let more = try tables.standardCheckout(for: question, rule: rule, when: Sample.noCondition)
        #expect(tables.standardAnswer(to: more, rule: rule) == .deny)
    }

    @Test("a copy granted earlier in the same request is another copy of the title")
    func sameTitleGranted() throws {
        let tables = try Sample.tables([Sample.row(["loan": .period(.days(1)), "same_title": .text("refuse")])])
        var question = try Sample.checkout()
        question.request = RequestFacts(size: 2, titles: [10, 10], index: 2, granted: [Sample.loan("book", title: 10)])
        #expect(try codes(tables, question) == ["same_title"])
    }

    @Test("the refusal without a rule names category and item type")
    func noRule() throws {
        let tables = try Sample.tables([Sample.row(["loan": .none], where: RowConditions(itemTypes: ["book"]))])
        let question = try Sample.checkout()
        let reasons = try tables.standardCheckout(
            for: question, rule: tables.rule(for: question), when: Sample.noCondition)
        #expect(
            reasons.first?.message == "No lending rule gives a loan period for category undergraduate and item "
                + "type book.")
        #expect(reasons.first?.origin?.line == 10)
    }

    @Test(
        "membership, blocks and suspensions count through their last day",
        arguments: [
            ("2026-05-19", "2026-05-19", "2026-05-19", ["expired"]),
            ("2026-05-20", "2026-05-20", "2026-05-19", ["blocked"]),
            ("2026-05-20", "2026-05-19", "2026-05-20", ["suspended"]),
            ("2026-05-19", "2026-05-21", "2026-05-21", ["expired", "blocked", "suspended"]),
        ])
    func patronChecks(expires: String, blocked: String, suspended: String, codes: [String]) throws {
        var question = try Sample.checkout()
        question.patron.expiresOn = try Sample.date(expires)
        question.patron.blocks = [BlockFacts(kind: "manual", ends: try Sample.date(blocked))]
        question.patron.suspendedUntil = try Sample.date(suspended)
        #expect(CompiledTables.empty.patronChecks(for: question).map(\.code) == codes)
    }

    @Test(
        "a block stops the actions it names",
        arguments: [
            (DecisionPoint.checkout, BlockFacts.Action.borrow, true), (.request, .borrow, true), (.renew, .renew, true),
            (.hold, .hold, true), (.checkout, .renew, false), (.renew, .borrow, false), (.hold, .borrow, false),
            (.fine, .borrow, false), (.publish, .market, true), (.checkout, .`self`, false),
        ])
    func blockedActions(_ point: DecisionPoint, _ action: BlockFacts.Action, isBlocked: Bool) throws {
        var question = try Sample.checkout()
        question.point = point
        question.patron.blocks = [BlockFacts(kind: "manual", actions: [action])]
        #expect(CompiledTables.empty.patronChecks(for: question).isEmpty == !isBlocked)
    }

    @Test(
        "a block of self-service stops patrons who ask by themselves",
        arguments: [
            (ActorFacts.Role.patron, ActorFacts.Channel.`self`, true), (.patron, .web, true), (.staff, .web, false),
            (.staff, .desk, false), (.job, .job, false), (.staff, .`self`, true),
        ])
    func selfService(_ role: ActorFacts.Role, _ channel: ActorFacts.Channel, isBlocked: Bool) throws {
        var question = try Sample.checkout()
        question.actor = ActorFacts(role: role, channel: channel)
        question.patron.blocks = [BlockFacts(kind: "card", actions: [.`self`])]
        #expect(CompiledTables.empty.patronChecks(for: question).isEmpty == !isBlocked)
    }

    @Test("neither the end of a membership nor a suspension stops the cart and the market")
    func lendingAlone() throws {
        let question = try Sample.checkout()
        var patron = question.patron
        patron.expiresOn = try Sample.date("2026-01-01")
        patron.suspendedUntil = .latest
        let reasons = { (action: BlockFacts.Action) in
            patron.standing(for: action, askedBy: question.actor, on: question.today).map(\.message)
        }
        #expect(reasons(.cart).isEmpty && reasons(.market).isEmpty)
        #expect(
            reasons(.hold) == [
                "The membership expired on 2026-01-01. It must be renewed first.", "This account is suspended.",
            ])
        patron.blocks = [BlockFacts(kind: "suspension", ends: .latest, actions: [.market])]
        #expect(reasons(.market) == ["This account is suspended."])
    }

    @Test("a suspension that is listed as a block as well is given once, with its end")
    func suspensionOnce() throws {
        var question = try Sample.checkout()
        question.patron.suspendedUntil = try Sample.date("2026-05-28")
        question.patron.blocks = [BlockFacts(kind: "suspension", ends: try Sample.date("2026-05-28"))]
        let reasons = CompiledTables.empty.patronChecks(for: question)
        #expect(reasons.map(\.message) == ["This account is suspended until 2026-05-28."])
        question.patron.suspendedUntil = nil
        #expect(CompiledTables.empty.patronChecks(for: question) == reasons)
    }
}

import Circulation
import Testing
import TextFormats

@Suite("Renewals")
struct RenewalTests {
    private func question(
        due: String = "2026-05-22T17:00", now: String = "2026-05-20T12:00", renewals: Int64 = 0
    ) throws -> Case {
        var question = try Sample.overdue(due: due, now: now, lent: "2026-05-08T12:00", point: .renew)
        question.loan?.renewals = renewals
        return question
    }

    private func answer(_ fields: [String: RuleValue], _ question: Case) throws -> RenewalAnswer {
        try Sample.tables([]).renewal(for: question, rule: MatchedRule(fields: fields))
    }

    private func words(_ fields: [String: RuleValue], _ question: Case) throws -> [String] {
        switch try answer(fields, question) {
        case .renewed(let due): [due.words(in: question.zone)]
        case .refused(let reasons): reasons.map(\.code)
        }
    }

    @Test("a renewal counts from now, or from the due date if the rule says so")
    func start() throws {
        let fields: [String: RuleValue] = ["loan": .period(.weeks(2)), "renewals": .integer(2)]
        #expect(try words(fields, question()) == ["2026-06-03 17:00"])
        let fromDue = fields.merging(["renew_from": .text("due")]) { $1 }
        #expect(try words(fromDue, question()) == ["2026-06-05 17:00"])
    }

    @Test("from the due date of a loan that is overdue by more than the renewal, it counts from now")
    func longOverdue() throws {
        let fields: [String: RuleValue] = [
            "loan": .period(.days(7)), "renewals": .integer(2), "renew_from": .text("due"),
        ]
        #expect(try words(fields, question(due: "2026-05-01T17:00")) == ["2026-05-27 17:00"])
        #expect(try words(fields, question(due: "2026-05-18T17:00")) == ["2026-05-25 17:00"])
    }

    @Test("a renewal is as long as the renewal period, else as a loan")
    func period() throws {
        let fields: [String: RuleValue] = [
            "loan": .period(.weeks(2)), "renewals": .unlimited, "renewal_period": .period(.days(5)),
        ]
        #expect(try words(fields, question()) == ["2026-05-25 17:00"])
    }

    @Test(
        "renewals are counted, zero is none, and by default there is none",
        arguments: [
            (RuleValue.integer(2), 1 as Int64, [String]()), (.integer(2), 2, ["2 of 2 renewals have been used."]),
            (.integer(1), 1, ["1 of 1 renewal has been used."]), (.integer(0), 0, ["This loan cannot be renewed."]),
            (.none, 0, ["This loan cannot be renewed."]), (.unlimited, 900, []),
        ])
    func counts(_ renewals: RuleValue, used: Int64, messages: [String]) throws {
        let fields = ["loan": .period(.weeks(2)), "renewals": renewals]
        #expect(try answer(fields, question(renewals: used)).reasons.map(\.message) == messages)
        #expect(try !answer(["loan": .period(.weeks(2))], question()).reasons.isEmpty)
    }

    @Test(
        "renewals without the copy at hand have a count of their own",
        arguments: [
            (ActorFacts.Channel.desk, true), (.`self`, true), (.web, false), (.job, false),
        ])
    func unseen(_ channel: ActorFacts.Channel, isAllowed: Bool) throws {
        var question = try question()
        question.actor.channel = channel
        question.loan?.unseenRenewals = 1
        let fields: [String: RuleValue] = [
            "loan": .period(.weeks(2)), "renewals": .integer(9), "unseen_renewals": .integer(1),
            "auto_renew": .boolean(true),
        ]
        #expect(try answer(fields, question).reasons.isEmpty == isAllowed)
    }

    @Test("before its time a renewal is refused with the first day on which it can be made")
    func tooSoon() throws {
        let fields: [String: RuleValue] = [
            "loan": .period(.weeks(9)), "renewals": .integer(1), "renew_not_before": .period(.days(7)),
        ]
        let early = try question(due: "2026-06-03T23:59")
        let reason = try #require(answer(fields, early).reasons.first)
        #expect(reason.code == "too_soon")
        #expect(reason.message == "This loan can be renewed from 2026-05-27 onwards.")
        #expect(try answer(fields, question(due: "2026-06-03T23:59", now: "2026-05-27T00:00")).reasons.isEmpty)
        let exact = fields.merging(["renew_not_before": .period(.hours(168))]) { $1 }
        let soonest = try answer(exact, early).reasons.first?.figures["soonest"]?.stringValue
        #expect(try soonest == Sample.instant("2026-05-27T23:59").description)
    }

    @Test("a renewal is refused while others wait")
    func holds() throws {
        var question = try question()
        question.title?.holdsWaiting = 2
        let reasons = try answer(["loan": .period(.weeks(2)), "renewals": .integer(1)], question).reasons
        #expect(reasons.map(\.message) == ["2 patrons are waiting for this title."])
    }

    @Test("a renewal that would not move the due date is refused, with the cap if there is one")
    func notLater() throws {
        let fields: [String: RuleValue] = ["loan": .period(.days(1)), "renewals": .integer(1)]
        let reasons = try answer(fields, question()).reasons
        #expect(reasons.map(\.code) == ["too_soon"])
        var capped = try question()
        capped.patron.expiresOn = try Sample.date("2026-05-22")
        let refused = try answer(["loan": .period(.weeks(4)), "renewals": .integer(1)], capped).reasons
        #expect(refused.map(\.code) == ["renewals"])
        #expect(refused.map(\.message) == ["The due date cannot be later than 2026-05-22."])
    }

    @Test("a renewal until a fixed date moves off a closed day as the row says")
    func fixedDate() throws {
        let fields: [String: RuleValue] = ["due_at": .date(try Sample.date("2026-05-30")), "renewals": .integer(1)]
        #expect(try words(fields, question()) == ["2026-06-01 17:00"])
        let back = fields.merging(["closed": .text("previous_open")]) { $1 }
        #expect(try words(back, question()) == ["2026-05-29 17:00"])
        #expect(try words(back, question(due: "2026-05-29T17:00")) == ["too_soon"])
    }

    @Test("a renewal of no length is the policy's failure, even where the loan is overdue", arguments: ["now", "due"])
    func noLength(_ start: String) throws {
        let fields: [String: RuleValue] = [
            "loan": .period(.weeks(2)), "renewals": .integer(1), "renewal_period": .period(.hours(0)),
            "renew_from": .text(start), "closed": .text("keep"),
        ]
        let failure = #expect(throws: PolicyFailure.self) { try answer(fields, question(due: "2026-05-18T17:00")) }
        #expect(failure?.message.contains("a loan of no length") == true)
    }

    @Test("all reasons are given")
    func all() throws {
        var question = try question(due: "2026-06-20T17:00", renewals: 1)
        question.title?.holdsWaiting = 1
        let fields: [String: RuleValue] = [
            "loan": .period(.days(1)), "renewals": .integer(1), "renew_not_before": .period(.days(1)),
        ]
        #expect(try words(fields, question) == ["too_soon", "renewals", "holds_waiting", "too_soon"])
        #expect(try words(["renewals": .integer(1)], question) == ["no_rule", "renewals", "holds_waiting"])
    }

    @Test(
        "the job renews only what renews by itself, until its end",
        arguments: [
            (nil as RuleValue?, true), (RuleValue.date(try Sample.date("2026-05-20")), true),
            (.date(try Sample.date("2026-05-19")), false), (.period(.days(13)), true), (.period(.days(12)), false),
        ])
    func automatic(_ until: RuleValue?, isAllowed: Bool) throws {
        var question = try question()
        question.actor = ActorFacts(role: .job, channel: .job)
        var fields: [String: RuleValue] = ["loan": .period(.weeks(2)), "renewals": .integer(1)]
        #expect(try !answer(fields, question).reasons.isEmpty)
        fields["auto_renew"] = .boolean(true)
        fields["auto_renew_until"] = until
        #expect(try answer(fields, question).reasons.isEmpty == isAllowed)
    }
}

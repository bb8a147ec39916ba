import Circulation
import Desk
import Testing
import TextFormats

@Suite("Limits and times of holds")
struct HoldLimitTests {
    private func library(_ fields: [String: RuleValue]) throws -> Library {
        try Library(policy: PolicySpec(tables: Library.tables(fields: fields)))
    }

    @Test("a patron has no more holds than allowed, and the refusal names the row")
    func many() throws {
        let library = try library(["holds": .integer(2)])
        let first = try library.place("bob", 1).get().hold.id
        _ = try library.place("bob", 2).get()
        let refusal = try #require(try library.place("bob", 3).refusal)
        #expect(refusal.code == "limit" && refusal.message == "This account has 2 holds; the limit is 2.")
        #expect(refusal.origin?.row == 1 && refusal.origin?.line == 3)
        #expect(refusal.reasons.first?.figures == ["limit": 2, "count": 2])
        #expect(try library.place("cyd", 3).value != nil)
        _ = try library.cancel(first).get()
        #expect(try library.place("bob", 3).value != nil)
    }

    @Test("a patron places no more holds a day than allowed, cancelled ones included")
    func today() throws {
        let library = try library(["holds_per_day": .integer(1)])
        let first = try library.place("bob", 1).get().hold.id
        _ = try library.cancel(first).get()
        #expect(try library.place("bob", 2).refusal?.code == "limit")
        try library.pass(days: 1)
        #expect(try library.place("bob", 2).value != nil)
    }

    @Test("zero holds is a value")
    func none() throws {
        let library = try library(["holds": .integer(0)])
        #expect(try library.place("bob").refusal?.message == "No holds are allowed.")
    }

    @Test("blocks, suspensions and the end of membership keep from placing holds")
    func patrons() throws {
        let library = try library([:])
        _ = try library.desk.write { session in
            _ = try session.patrons.block(.username("ada"), kind: "card", actions: [.hold])
            _ = try session.patrons.block(.username("cyd"), kind: "card", actions: [.borrow])
            return try session.patrons.update(.username("bob")) { $0.expiresOn = try CivilDate(parsing: "2026-03-01") }
        }
        #expect(try library.place("ada").refusal?.code == "blocked")
        #expect(try library.place("bob").refusal?.code == "expired")
        #expect(try library.place("cyd").value != nil)
    }

    @Test("what is not lent cannot be kept either", arguments: ["not_lent", "no_rule"])
    func notLent(code: String) throws {
        let place = SourcePlace(file: "policy.lua", line: 1)
        let fields: [String: RuleValue] = code == "not_lent" ? ["lend": .boolean(false)] : ["renewals": .integer(1)]
        var row = RuleRow(conditions: RowConditions(itemTypes: ["book"]), fields: fields, place: place)
        if code == "not_lent" { row.fields["loan"] = .period(.days(1)) }
        let library = try Library(policy: PolicySpec(tables: PolicyTables(rules: [row])))
        #expect(try library.place("bob").refusal?.code == code)
    }

    @Test("a copy is kept on the shelf for the days of the rule, the last one whole", arguments: [(6, 0), (7, 1)])
    func shelfDays(days: Int64, expired: Int64) throws {
        let library = try library(["hold_shelf": .period(.days(6))])
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        try library.pass(days: days)
        #expect(try library.desk.sweep().holdsExpired == expired)
        #expect(try library.hold(hold).hold.state == (expired == 0 ? .shelf : .expired))
        try library.expectSound()
    }

    @Test("a short time on the shelf is exact")
    func shelfMinutes() throws {
        let library = try library(["hold_shelf": .period(Period(42, .minutes))])
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        #expect(try library.hold(hold).hold.shelfUntil == Instant(parsing: "2026-03-02T09:42:00Z"))
    }

    @Test("the last day on the shelf is an open one")
    func shelfOpen() throws {
        let library = try library(["hold_shelf": .period(.days(6))])
        _ = try library.desk.write { session in
            try session.settings.updateBranch("main") { branch in
                let closed = try OpeningCalendar.Closure(CivilDate(parsing: "2026-03-08"), reason: "Sunday")
                branch.calendar = try OpeningCalendar(weekly: branch.calendar.weekly, closed: [closed])
            }.get()
        }
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        #expect(try library.hold(hold).hold.shelfUntil == Instant(parsing: "2026-03-09T23:59:59Z"))
    }

    @Test("what is not fetched in time goes to the next in line")
    func passesOn() throws {
        let library = try library(["hold_shelf": .period(.days(6))])
        _ = try library.bobWaits()
        let second = try library.place("cyd").get().hold.id
        _ = try library.scan().get()
        try library.pass(days: 7)
        _ = try library.desk.sweep()
        let next = try library.hold(second).hold
        #expect(next.state == .shelf && next.shelvedAt == library.clock.now())
        #expect(try library.notices("cyd", "hold_ready").count == 1)
        #expect(try library.desk.sweep().holdsExpired == 0)
        try library.expectSound()
    }

    @Test(
        "a hold is kept on its last day and gone the day after",
        arguments: [(4, Hold.State.waiting), (5, Hold.State.expired)] as [(Int64, Hold.State)])
    func lastDay(days: Int64, state: Hold.State) throws {
        let library = try library([:])
        let hold = try library.desk.write { session in
            try session.holds.place(
                HoldRequest(
                    patron: .username("bob"), wanted: .title(.id(Library.emma)),
                    expiresOn: try CivilDate(parsing: "2026-03-06"))
            ).get()
        }.hold.id
        try library.pass(days: days)
        _ = try library.desk.sweep()
        #expect(try library.hold(hold).hold.state == state)
    }

    @Test("a returned copy skips holds that have run out, before the sweep saw it too")
    func lapsed() throws {
        let library = try library([:])
        _ = try library.lend("ada", Library.emma).get()
        _ = try library.desk.write { session in
            try session.holds.place(
                HoldRequest(
                    patron: .username("bob"), wanted: .title(.id(Library.emma)),
                    expiresOn: try CivilDate(parsing: "2026-03-06"))
            ).get()
        }
        try library.pass(days: 5)
        #expect(try library.scan().get().hold == nil)
    }
}

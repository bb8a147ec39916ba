import Circulation
import Desk
import Testing
import TextFormats

@Suite("Holds")
struct HoldTests {
    private func library() throws -> Library {
        try Library(policy: PolicySpec(tables: Library.holdTables))
    }

    @Test("a returned copy goes to the hold shelf for the first in line, who gets a message")
    func shelf() throws {
        let library = try library()
        let hold = try library.bobWaits()
        _ = try library.place("cyd").get()
        let back = try library.scan().get()
        #expect(back.loan?.returnedAt == library.clock.now())
        #expect(back.hold?.id == hold && back.copy?.status == .onHoldShelf)
        #expect(try library.hold(hold).hold.state == .shelf)
        let notice = try #require(try library.notices("bob", "hold_ready").first)
        #expect(notice.subject == "Ready for pickup: Emma")
        #expect(notice.body.hasSuffix("Please pick it up by 2026-03-08."))
        #expect(try library.notices("cyd", "hold_ready").isEmpty)
        try library.expectSound()
    }

    @Test("a second scan changes nothing, not even the time on the shelf")
    func secondScan() throws {
        let library = try library()
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        let before = try library.hold(hold)
        let events = try library.desk.read { try $0.events.last() }
        try library.pass(days: 2)
        let again = try library.scan().get()
        #expect(again.loan == nil && again.hold == before.hold)
        #expect(try library.hold(hold) == before)
        #expect(try library.desk.read { try $0.events.last() } == events)
    }

    @Test("a copy for another branch is in transit until it is scanned there")
    func transit() throws {
        let library = try library()
        let hold = try library.bobWaits(pickup: "north")
        #expect(try library.scan().get().hold?.state == .transit)
        #expect(try library.status() == .inTransit)
        #expect(try library.notices("bob", "hold_ready").isEmpty)
        #expect(try library.scan(at: "main").get().hold?.state == .transit)
        let arrived = try library.scan(at: "north").get()
        #expect(arrived.hold?.state == .shelf && arrived.copy?.status == .onHoldShelf)
        #expect(try library.hold(hold).hold.shelvedAt == library.clock.now())
        #expect(try library.notices("bob", "hold_ready").count == 1)
        try library.expectSound()
    }

    @Test("what is on the shelf is lent to its patron alone, which fills the hold")
    func fills() throws {
        let library = try library()
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        #expect(try library.lend("cyd", Library.emma).refusal?.code == "held_for_other")
        let loan = try #require(try library.lend("bob", Library.emma).get().first)
        let filled = try library.hold(hold).hold
        #expect(filled.state == .filled && filled.loan == loan.id && filled.heldCopy == loan.copy)
        #expect(try library.status() == .onLoan)
        try library.expectSound()
    }

    @Test("the copy on the shelf is lent before one that anybody could have")
    func ownCopyFirst() throws {
        let library = try library()
        _ = try library.lend("ada", Library.dune, Library.dune).get()
        _ = try library.place("bob", Library.dune).get()
        let copies = try library.copies(Library.dune)
        _ = try library.scan(copies[1].barcode).get()
        _ = try library.scan(copies[0].barcode).get()
        #expect(try library.lend("bob", Library.dune).get().first?.copy == copies[1].id)
        try library.expectSound()
    }

    @Test("the last available copy is kept for who waits, and a further one is not")
    func spokenFor() throws {
        let library = try library()
        _ = try library.place("bob", Library.dune).get()
        #expect(try library.lend("ada", Library.dune).value != nil)
        #expect(try library.lend("cyd", Library.dune).refusal?.code == "held_for_other")
        #expect(try library.lend("bob", Library.dune).value != nil)
        try library.expectSound()
    }

    @Test("an available copy that is scanned is set aside for who waits")
    func pulled() throws {
        let library = try library()
        let hold = try library.place("bob").get().hold.id
        let list = try library.desk.read { try $0.holds.pullList() }
        #expect(list.map(\.hold.id) == [hold] && list.first?.title.title == "Emma")
        #expect(try library.scan().get().hold?.state == .shelf)
        #expect(try library.desk.read { try $0.holds.pullList() }.isEmpty)
    }

    @Test("a scan that means nothing is refused")
    func meaningless() throws {
        let library = try library()
        #expect(try library.scan().refusal?.code == "not_on_loan")
    }

    @Test("a hold on one copy waits for that copy")
    func oneCopy() throws {
        let library = try library()
        let copies = try library.copies(Library.dune)
        _ = try library.lend("ada", Library.dune, Library.dune).get()
        let hold = try library.desk.write { session in
            try session.holds.place(
                HoldRequest(patron: .username("bob"), wanted: .copy(copies[1].barcode), expiresOn: nil)
            ).get()
        }.hold
        #expect(try library.scan(copies[0].barcode).get().hold == nil)
        #expect(try library.lend("cyd", Library.dune).value != nil)
        #expect(try library.scan(copies[1].barcode).get().hold?.id == hold.id)
        try library.expectSound()
    }

    @Test("a cancelled hold passes its copy on", arguments: ["main", "north"])
    func cancelled(next: String) throws {
        let library = try library()
        let first = try library.bobWaits()
        let second = try library.place("cyd", pickup: next).get().hold.id
        _ = try library.scan().get()
        #expect(try library.cancel(first).get().hold.state == .cancelled)
        #expect(try library.hold(second).hold.state == (next == "main" ? .shelf : .transit))
        #expect(try library.cancel(second).get().hold.state == .cancelled)
        #expect(try library.status() == .available)
        #expect(try library.cancel(second).refusal?.code == "closed")
        try library.expectSound()
    }

    @Test("a suspended hold is passed over and keeps its place")
    func suspended() throws {
        let library = try library()
        let first = try library.bobWaits()
        let second = try library.place("cyd").get().hold.id
        let until = try CivilDate(parsing: "2026-03-09")
        _ = try library.desk.write { try $0.holds.suspend(first, until: until).get() }
        #expect(try library.hold(first).position == 1)
        #expect(try library.scan().get().hold?.id == second)
        _ = try library.desk.write { try $0.holds.suspend(first).get() }
        _ = try library.cancel(second).get()
        #expect(try library.status() == .available)
        #expect(try library.desk.write { try $0.holds.resume(first).get() }.hold.suspendedUntil == nil)
        #expect(try library.scan().get().hold?.id == first)
        try library.expectSound()
    }

    @Test("the last day of a suspension is part of it", arguments: [(6, false), (7, false), (8, true)])
    func suspensionEnds(days: Int64, isServed: Bool) throws {
        let library = try library()
        let hold = try library.bobWaits()
        let until = try CivilDate(parsing: "2026-03-09")
        _ = try library.desk.write { try $0.holds.suspend(hold, until: until).get() }
        try library.pass(days: days)
        #expect(try (library.scan().get().hold != nil) == isServed)
    }

    @Test("a pickup branch can be changed, on the shelf too")
    func pickup() throws {
        let library = try library()
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        _ = try library.desk.write { try $0.holds.setPickup(hold, branch: "north").get() }
        #expect(try library.hold(hold).hold.state == .transit)
        #expect(try library.status() == .inTransit)
        #expect(try library.scan(at: "north").get().hold?.state == .shelf)
        #expect(
            try library.desk.write { try $0.holds.setPickup(hold, branch: "moon") }.refusal?.code == "unknown_branch")
        try library.expectSound()
    }

    @Test("a patron has one hold on a title")
    func twice() throws {
        let library = try library()
        _ = try library.bobWaits()
        #expect(try library.place("bob").refusal?.code == "exists")
        #expect(try library.place("nobody").refusal?.code == "unknown_patron")
        #expect(try library.place("bob", 4711).refusal?.code == "unknown_title")
        #expect(try library.place("cyd", pickup: "moon").refusal?.code == "unknown_branch")
    }

    @Test("a loan is not renewed while others wait, and is when only its own patron does")
    func renewal() throws {
        let library = try library()
        let loan = try #require(try library.lend("ada", Library.emma).get().first)
        try library.pass(days: 1)
        _ = try library.place("ada").get()
        #expect(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.value != nil)
        try library.pass(days: 1)
        let hold = try library.place("bob").get().hold.id
        let refusal = try #require(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.refusal)
        #expect(refusal.code == "holds_waiting" && refusal.reasons.first?.figures["count"] == 1)
        _ = try library.desk.write { try $0.holds.suspend(hold).get() }
        #expect(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.value != nil)
    }

    @Test("only whom the copy may be lent to gets it")
    func mayHaveIt() throws {
        var tables = Library.holdTables
        tables.rules.insert(
            RuleRow(
                conditions: RowConditions(categories: ["staff"]), fields: ["lend": .boolean(false)],
                place: SourcePlace(file: "policy.lua", line: 2)), at: 0)
        let library = try library()
        let first = try library.bobWaits()
        let second = try library.place("cyd").get().hold.id
        _ = try library.desk.write { try $0.patrons.update(.username("bob")) { $0.category = "staff" } }
        try library.use(PolicySpec(tables: tables), "stricter")
        #expect(try library.scan().get().hold?.id == second)
        #expect(try library.hold(first).position == 1)
    }

    @Test("whose membership ended is passed over")
    func ended() throws {
        let library = try library()
        _ = try library.bobWaits()
        _ = try library.desk.write { session in
            try session.patrons.update(.username("bob")) { $0.expiresOn = try CivilDate(parsing: "2026-03-01") }
        }
        #expect(try library.scan().get().hold == nil)
    }

    @Test("a copy that is withdrawn from the shelf sends its hold back to its place")
    func withdrawn() throws {
        let library = try library()
        _ = try library.lend("ada", Library.dune, Library.dune).get()
        let copies = try library.copies(Library.dune)
        let first = try library.place("bob", Library.dune).get().hold.id
        let second = try library.place("cyd", Library.dune).get().hold.id
        _ = try library.scan(copies[0].barcode).get()
        _ = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: copies[0].barcode).get() }
        #expect(try library.queue(Library.dune) == [first, second])
        #expect(try library.hold(first).position == 1)
        #expect(try library.scan(copies[1].barcode).get().hold?.id == first)
        try library.expectSound()
    }

    @Test("a hold that a withdrawn copy alone could fill ends")
    func withdrawnForGood() throws {
        let library = try library()
        let barcode = try #require(try library.copies().first).barcode
        let hold = try library.desk.write { session in
            try session.holds.place(HoldRequest(patron: .username("bob"), wanted: .copy(barcode))).get()
        }.hold.id
        _ = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: barcode).get() }
        #expect(try library.hold(hold).hold.state == .cancelled)
    }

    @Test("who is removed waits for nothing any more, and the copy goes on")
    func removed() throws {
        let library = try library()
        let first = try library.bobWaits()
        let second = try library.place("cyd").get().hold.id
        _ = try library.scan().get()
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")).get() }
        let gone = try library.hold(first).hold
        #expect(gone.state == .cancelled && gone.patron == nil)
        #expect(try library.hold(second).hold.state == .shelf)
        try library.expectSound()
    }

    @Test("a title that is removed ends its holds, and a branch stays while holds are to be picked up there")
    func references() throws {
        let library = try library()
        let hold = try library.place("bob", pickup: "north").get().hold.id
        #expect(try library.desk.write { try $0.settings.removeBranch("north") }.refusal?.code == "in_use")
        _ = try library.desk.write { try $0.catalogue.remove(.id(Library.emma)).get() }
        #expect(try library.hold(hold).hold.state == .cancelled)
        #expect(try library.desk.write { try $0.settings.removeBranch("north") }.value != nil)
        try library.expectSound()
    }

    @Test("patrons manage only their own holds")
    func owners() throws {
        let library = try library()
        let hold = try library.bobWaits()
        let cyd = Actor(name: "patron:\(try library.id("cyd"))", role: .patron, channel: .web)
        let bob = Actor(name: "patron:\(try library.id("bob"))", role: .patron, channel: .web)
        let own = HoldRequest(patron: .username("bob"), wanted: .title(.id(Library.dune)))
        #expect(try library.desk.acting(as: cyd).write { try $0.holds.cancel(hold) }.refusal?.code == "not_owner")
        #expect(try library.desk.acting(as: cyd).write { try $0.holds.place(own) }.refusal?.code == "not_owner")
        let moved = try library.desk.acting(as: bob).write { try $0.holds.move(hold, to: 1) }
        #expect(moved.refusal?.code == "not_allowed")
        #expect(try library.desk.acting(as: bob).write { try $0.holds.place(own) }.value?.hold.channel == .web)
        #expect(try library.desk.acting(as: bob).write { try $0.holds.cancel(hold) }.value != nil)
    }

    @Test("lent to another in spite of the hold, the copy's hold waits again in its place")
    func lentAllTheSame() throws {
        let library = try Library(
            policy: PolicySpec(tables: Library.holdTables) { question, decision in
                guard question.point == .checkout, question.copy?.heldForOther == true else { return decision }
                var allowed = Decision(point: .checkout, answer: .allow, rule: decision.rule)
                allowed.due = DueTime(instant: .latest, date: .latest, isExact: false)
                return allowed
            })
        let hold = try library.bobWaits()
        _ = try library.scan().get()
        _ = try library.lend("cyd", Library.emma).get()
        #expect(try library.hold(hold).hold.state == .waiting)
        #expect(try library.hold(hold).position == 1)
        try library.expectSound()
    }
}

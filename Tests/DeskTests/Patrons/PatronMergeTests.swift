import Circulation
import Desk
import Foundation
import Storage
import Testing
import TextFormats

@Suite("Two records of one person", .everyStore)
struct PatronMergeTests {
    private func merge(
        _ from: String, into: String, in library: Library, reason: String = ""
    ) throws -> Outcome<MergedPatron> {
        try library.desk.write { try $0.patrons.merge(.username(from), into: .username(into), reason: reason) }
    }

    @Test("loans, holds, the account, messages and blocks of both belong to the one that stays")
    func everything() throws {
        let notices = [Library.notice("first", after: .days(1))]
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: notices)))
        let ada = try library.id("ada")
        let bob = try library.id("bob")
        let past = try library.lend("ada", 3).get()[0]
        _ = try library.desk.write { try $0.loans.checkin(.id(past.id)) }.get()
        let open = try library.lend("ada", 1).get()[0]
        _ = try library.lend("bob", 3).get()
        _ = try library.lend("cyd", Library.emma).get()
        let hold = try library.place("ada").get().hold
        _ = try library.desk.write { session in
            _ = try session.patrons.block(.username("ada"), kind: "manual", reason: "Adasson lost the card").get()
            _ = try session.fees.charge(
                .username("ada"), amount: Money(minorUnits: 300, currency: .eur), label: "Card"
            ).get()
            return try session.fees.charge(
                .username("bob"), amount: Money(minorUnits: 50, currency: .eur), label: "Copies"
            ).get()
        }
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        let counts = try library.desk.read { try $0.statistics.loans(by: .category) }
        let owed = try library.owed("ada") + library.owed("bob")

        let merged = try merge("ada", into: "bob", in: library, reason: "Ada registered twice").get()
        #expect(merged.patron.id == bob)
        #expect(merged[.loans] == 2 && merged[.holds] == 1 && merged[.blocks] == 1 && merged[.notices] == 2)
        #expect(merged.owed.minorUnits == owed && merged.cancelled.isEmpty && merged.exceeded.isEmpty)
        #expect(try library.owed("bob") == owed)
        try library.desk.read { session in
            #expect(try session.patrons.get(.username("ada")) == nil)
            #expect(try session.loans.active(of: .username("bob")).count == 2)
            #expect(try session.loans.get(.id(open.id))?.patron == bob)
            #expect(try session.loans.get(.id(open.id))?.category == open.category)
            #expect(try session.holds.get(hold.id)?.hold.patron == bob)
            #expect(try session.patrons.blocks(of: .username("bob")).map(\.reason) == ["… lost the card"])
            #expect(try session.notices.list(NoticeQuery(patron: bob)).count == 4)
            #expect(try session.statistics.loans(by: .category) == counts)
            let kinds = try session.events.list(EventQuery(patron: bob)).map(\.kind)
            #expect(kinds.contains("loan.returned"), "what happened to the record that went")
            #expect(kinds.suffix(2) == ["patron.merged", "patron.removed"])
            #expect(try session.patrons.survivor(of: ada) == bob)
        }
        #expect(try library.lend("bob", 2).refusal?.code == "blocked")
        try library.expectSound()
    }

    @Test("of two holds on one title the one further along stays")
    func holds() throws {
        let library = try Library(policy: PolicySpec(tables: Library.holdTables))
        _ = try library.lend("cyd", Library.emma).get()
        let early = try library.place("ada").get().hold
        let late = try library.place("bob").get().hold
        let other = try library.place("bob", Library.dune).get().hold
        let merged = try merge("ada", into: "bob", in: library).get()
        #expect(merged.cancelled.map(\.id) == [late.id])
        #expect(try library.queue() == [early.id])
        #expect(try library.hold(early.id).hold.patron == library.id("bob"))
        #expect(try library.hold(late.id).hold.state == .cancelled)
        #expect(try library.hold(other.id).hold.isOpen)
        try library.expectSound()
    }

    @Test("a copy that was set aside for the one that goes stays on the shelf, before an earlier place in the queue")
    func shelf() throws {
        let library = try Library(policy: PolicySpec(tables: Library.holdTables))
        _ = try library.lend("cyd", Library.emma).get()
        _ = try library.place("ada").get()
        let second = try library.place("bob").get().hold
        let third = try library.place("cyd", Library.dune).get().hold
        _ = try library.scan().get()
        // Ada's hold is on the shelf, Bob waits: Bob's goes, and Ada's is his.
        let merged = try merge("ada", into: "bob", in: library).get()
        #expect(merged.cancelled.map(\.id) == [second.id])
        #expect(try library.status() == .onHoldShelf)
        #expect(try library.lend("bob", Library.emma).get()[0].copy != nil)
        #expect(try library.hold(third.id).hold.isOpen)
        try library.expectSound()
    }

    @Test("exceeding a limit together is reported, and stops nothing but the next loan")
    func limits() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(limit: 2)))
        _ = try library.lend("ada", 1, 3).get()
        #expect(try merge("cyd", into: "ada", in: library).get().exceeded.isEmpty)
        _ = try library.lend("bob", 2).get()
        let merged = try merge("bob", into: "ada", in: library).get()
        #expect(merged.exceeded.map(\.code) == ["limit"])
        #expect(merged.exceeded.first?.figures["count"] == 3)
        #expect(try library.desk.read { try $0.loans.active(of: .username("ada")) }.count == 3)
        #expect(try library.lend("ada", 1).refusal?.code == "limit")
        try library.expectSound()
    }

    @Test("suspensions add up to the later end")
    func suspensions() throws {
        let library = try Library()
        let (near, far) = (try CivilDate(parsing: "2026-03-10"), try CivilDate(parsing: "2026-04-10"))
        for (patron, end) in [("ada", far), ("bob", near)] {
            _ = try library.desk.write { session in
                try session.patrons.block(.username(patron), kind: PatronBlock.suspensionKind, ends: end)
            }.get()
        }
        _ = try merge("ada", into: "bob", in: library).get()
        let refusal = try #require(try library.lend("bob", 1).refusal)
        #expect(refusal.code == "suspended")
        #expect(refusal.reasons.first?.figures["until"] == "2026-04-10")
        try library.expectSound()
    }

    @Test("the same record, and unknown ones, are refused and change nothing")
    func refused() throws {
        let library = try Library()
        let before = try library.desk.read { try $0.events.last() }
        #expect(try merge("ada", into: "ada", in: library).refusal?.code == "same_patron")
        #expect(try merge("ada", into: "nobody", in: library).refusal?.code == "unknown_patron")
        #expect(try merge("nobody", into: "ada", in: library).refusal?.code == "unknown_patron")
        #expect(try library.desk.read { try $0.patrons.count() } == 3)
        #expect(try library.refusals().count == 3)
        #expect(try library.desk.read { try $0.events.last() } == before + 3)
        try library.expectSound()
    }

    @Test("a merge that is asked for again changes nothing, and the old id leads to the new record")
    func repeated() throws {
        let library = try Library()
        let (ada, bob, cyd) = (try library.id("ada"), try library.id("bob"), try library.id("cyd"))
        let once = { try library.desk.write(request: "merge-1") { try $0.patrons.merge(.id(ada), into: .id(bob)) } }
        _ = try once().get()
        #expect(throws: DeskError.self) { try once() }
        let last = try library.desk.read { try $0.events.last() }
        let again = try library.desk.write { try $0.patrons.merge(.id(ada), into: .id(bob)) }.get()
        #expect(again.patron.id == bob && again[.loans] == 0)
        #expect(try library.desk.read { try $0.events.last() } == last)
        _ = try library.desk.write { try $0.patrons.merge(.id(bob), into: .id(cyd)) }.get()
        let refusal = try library.desk.write { try $0.patrons.remove(.id(ada)) }.refusal
        #expect(refusal?.code == "unknown_patron")
        #expect(refusal?.reasons.first?.figures["merged_into"] == .integer(cyd))
        #expect(try library.desk.read { try $0.patrons.identities(of: cyd) } == [cyd, bob, ada])
        let unknown = try library.desk.write { try $0.patrons.remove(.id(99)) }.refusal
        #expect(unknown?.message == "There is no such patron.")
        try library.expectSound()
    }

    @Test("what was sent or settled once under the old record is not sent or settled again")
    func keys() throws {
        let library = try Library()
        let send = { (patron: String, key: String) in
            try library.desk.write { session in
                try session.notices.send(
                    to: .username(patron), channel: "email", subject: "S", body: "Dear \(patron.capitalized)", key: key)
            }.get()
        }
        let first = try send("ada", "welcome")
        let waiting = try send("ada", "card")
        let other = try send("bob", "card")
        let cents = Money(minorUnits: 200, currency: .eur)
        let charge = try library.desk.write { session in
            let charge = try session.fees.charge(.username("ada"), amount: cents, label: "Card", key: "card-7").get()
            _ = try session.fees.waive(.username("ada"), entry: charge.id, label: "Goodwill").get()
            return charge
        }
        _ = try merge("ada", into: "bob", in: library).get()
        #expect(try send("bob", "welcome").id == first.id)
        #expect(try library.desk.read { try $0.notices.get(first.id) }?.body == "Dear Bob")
        #expect(try library.desk.read { try $0.notices.get(waiting.id) }?.state == .superseded)
        #expect(try library.desk.read { try $0.notices.get(other.id) }?.state == .queued)
        try library.desk.write { session throws in
            let repeated = try session.fees.charge(.username("bob"), amount: cents, label: "Card", key: "card-7").get()
            #expect(repeated.id == charge.id)
            #expect(try session.fees.waive(.username("bob"), entry: charge.id, label: "Again").get().amount != cents)
        }
        #expect(try library.owed("bob") == 0)
        try library.expectSound()
    }

    @Test("the record that goes leaves no name behind, the one that stays keeps its own")
    func noTrace() throws {
        let folder = try ScratchFolder()
        let store = try folder.store()
        let library = try Library(store: store)
        try library.desk.write { session in
            var zoe = Library.patron("zoetrope")
            zoe.name = "Zoëlinda"
            zoe.surname = "Quartermaine"
            zoe.email = "old.address@example.net"
            zoe.extra = ["guardian": "Hildegunde"]
            _ = try session.patrons.add(zoe).get()
            var again = Library.patron("zq2026")
            again.name = "Zoe"
            again.surname = "Quartermaine"
            _ = try session.patrons.add(again).get()
        }
        _ = try library.lend("zoetrope", 1).get()
        try library.desk.write { session throws in
            _ = try session.notices.send(
                to: .username("zoetrope"), channel: "email", subject: "For zoetrope",
                body: "Dear Zoëlinda Quartermaine, write to old.address@example.net", key: "k")
            _ = try session.patrons.block(.username("zoetrope"), kind: "manual", reason: "Zoëlinda shouted")
        }
        let gone = try library.id("zoetrope")
        _ = try library.desk.write {
            try $0.patrons.merge(.id(gone), into: .username("zq2026"), reason: "Zoëlinda came back as zq2026")
        }.get()
        let kept = try library.id("zq2026")
        let text = try #require(
            try library.desk.read { try $0.notices.list(NoticeQuery(patron: kept)) }.first { $0.kind == "message" })
        #expect(text.body == "Dear Zoe Quartermaine, write to zq2026@example.org")
        let bytes = try folder.bytes()
        for secret in ["zoetrope", "Zoëlinda", "zoelinda", "Zoelinda", "old.address", "Hildegunde"] {
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
        }
        #expect(bytes.range(of: Data("Quartermaine".utf8)) != nil)
        #expect(try library.desk.read { try $0.patrons.search("quartermaine") }.map(\.id) == [kept])
        try library.expectSound()
        try store.close()
    }
}

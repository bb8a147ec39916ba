import Circulation
import Desk
import DeskSupport
import Secrets
import Testing
import TextFormats

@testable import Storage

@Suite("The chain of events", .everyStore)
struct EventChainTests {
    private func head(_ library: Library) throws -> EventChain.Link { try library.desk.examine().head }

    @Test("the end of the chain is reported, grows with each event and stays a part of it")
    func grows() throws {
        let library = try Library()
        let early = try head(library)
        let last = try library.desk.read { try $0.events.last() }
        #expect(early.hash.count == 64 && early.sequence == last)
        _ = try library.lend("ada", 1).get()
        #expect(try library.lend("nobody", 2).refusal != nil)
        let late = try head(library)
        #expect(late.sequence > early.sequence && late.hash != early.hash)
        #expect(try library.desk.examine(anchors: [early, late]).isSound)
        let forged = EventChain.Link(sequence: early.sequence, hash: late.hash)
        let gone = EventChain.Link(sequence: late.sequence + 1, hash: late.hash)
        for anchor in [forged, gone] {
            let report = try library.desk.examine(anchors: [anchor])
            #expect(report.broken.map(\.invariant) == ["chain"])
        }
    }

    @Test("what is undone leaves no gap, within a transaction and with it")
    func undone() throws {
        struct Stop: Error {}
        let library = try Library()
        #expect(throws: Stop.self) {
            try library.desk.write { session in
                _ = try session.patrons.add(Library.patron("dee")).get()
                throw Stop()
            }
        }
        try library.desk.write { session in
            _ = try session.patrons.add(Library.patron("eve")).get()
            #expect(throws: Stop.self) {
                try session.savepoint {
                    _ = try session.patrons.add(Library.patron("fay")).get()
                    throw Stop()
                }
            }
            _ = try session.patrons.add(Library.patron("gil")).get()
        }
        let sequences = try library.desk.read { try $0.events.list(EventQuery()) }.map(\.sequence)
        #expect(sequences == Array(1...Int64(sequences.count)))
        try library.expectSound()
    }

    @Test(
        "what is cleared for somebody who was removed is told by an event, once more after a merge, and the chain holds"
    )
    func cleared() throws {
        let library = try Library()
        let early = try head(library)
        let (ada, bob) = (try library.id("ada"), try library.id("bob"))
        for name in ["ada", "bob"] {
            for number in 0..<3 {
                _ = try library.desk.write { session in
                    try session.fees.charge(
                        .username(name), amount: Money(minorUnits: 100, currency: .eur), label: "Card",
                        key: "adasson-\(name)-\(number)")
                }.get()
            }
            let owed = try library.desk.read { try $0.fees.owed(by: .username(name)) }
            _ = try library.desk.write { try $0.fees.pay(.username(name), amount: owed) }.get()
        }
        let loan = try library.lend("ada", 1).get()[0]
        _ = try library.desk.write { session in
            try session.loans.setDue(
                .id(loan.id), date: try CivilDate(year: 2026, month: 3, day: 20), reason: "for Bobsson's mother")
        }
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        _ = try library.desk.write { try $0.patrons.merge(.id(ada), into: .id(bob)) }.get()
        let between = try head(library)
        try library.expectSound()
        _ = try library.desk.write { try $0.patrons.remove(.id(bob)) }.get()
        let clearings = try library.events(.eventsCleared)
        #expect(!clearings.isEmpty)
        #expect(try library.desk.examine(anchors: [early, between]).isSound)
        let texts = try library.desk.read { try $0.events.list(EventQuery()) }.map(\.payload).joined()
        #expect(!texts.contains("adasson-") && !texts.contains("Bobsson"))
        let told = try #require(clearings.last)
        for forgery in [
            "UPDATE events SET payload = replace(payload, '…', 'Cyd') WHERE cleared_by IS NOT NULL",
            "UPDATE events SET payload = replace(payload, 'Card', 'Fine') WHERE cleared_by = \(told.sequence)",
            "UPDATE events SET cleared_by = sequence + 1 WHERE cleared_by IS NOT NULL",
        ] {
            #expect(throws: Undone.self) {
                try library.store.write { transaction in
                    try transaction.execute(Query(once: forgery))
                    let broken = try Self.broken(transaction)
                    #expect(broken > 0, "\(forgery)")
                    throw Undone()
                }
            }
        }
    }

    private struct Undone: Error {}

    /// How many events the chain does not prove, by what is published of it and not by the doctor.
    private static func broken(_ transaction: Transaction) throws -> Int {
        var (previous, broken) = (EventChain.Link.start.hash, 0)
        try transaction.events.forEachSealed { sealed in
            let hash = EventChain.hash(of: sealed.event, content: sealed.content, after: previous)
            var isTold = true
            if let clearing = sealed.clearedBy {
                let now = EventChain.content(sealed.event.payload, salt: "")
                let payload = try transaction.events.get(clearing)?.payload ?? ""
                let wanted = "{\"event\":\(sealed.event.sequence),\"was\":\"\(sealed.seal)\",\"is\":\"\(now)\"}"
                isTold = payload.contains(wanted)
            }
            if hash != sealed.hash || !isTold { broken += 1 }
            previous = sealed.hash
            return true
        }
        return broken
    }

    @Test("a rename changes no event, and the actor is shown by the name of today")
    func renamed() throws {
        let library = try Library()
        let ada = try library.id("ada")
        _ = try library.desk.write { try $0.patrons.update(.id(ada)) { $0.role = .staff } }.get()
        let worker = library.desk.acting(as: Actor(name: "patron:\(ada)", role: .staff, channel: .desk))
        _ = try worker.write { try $0.patrons.add(Library.patron("dee")) }.get()
        let before = try library.desk.read { try $0.events.list(EventQuery()) }
        _ = try library.desk.write { try $0.patrons.update(.id(ada)) { $0.username = "lovelace" } }.get()
        let after = try library.desk.read { try $0.events.list(EventQuery()) }
        let own = try #require(after.last { $0.kind == "patron.added" })
        #expect(own.actor == "patron:\(ada)" && own.actorUsername == "lovelace")
        #expect(after.prefix(before.count).map(\.actor) == before.map(\.actor))
        #expect(after.last?.actor == "desk" && after.last?.actorUsername == nil)
        try library.expectSound()
    }

    @Test(
        "names that actors have are no usernames, whichever way they come",
        arguments: [
            "desk", "Desk", " desk ", "patron:62", "PATRON:62", "ｄｅｓｋ", "job:sweep", "system", "pa\u{200B}tron:1",
            "me", "ME", "Somebody who left", "5ystem", "0perator", "lIbrary", "de5k",
        ])
    func reserved(name: String) throws {
        let library = try Library()
        var patron = Library.patron("dee")
        patron.username = name
        #expect(try library.desk.write { try $0.patrons.add(patron) }.refusal?.code == "reserved_username")
        let renamed = try library.desk.write { try $0.patrons.update(.username("ada")) { $0.username = name } }
        #expect(renamed.refusal?.code == "reserved_username")
        let accounts = try AccountManager(library.desk, cost: .least)
        let signedUp = try accounts.signUp(patron, password: "a long enough password")
        #expect(signedUp.refusal?.code == "reserved_username")
        guard case .rejected(let refusal) = try library.desk.write({ try $0.imports.patron(patron) }) else {
            Issue.record("it was taken in")
            return
        }
        #expect(refusal.code == "reserved_username")
        try library.expectSound()
    }
}

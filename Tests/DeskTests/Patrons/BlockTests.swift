import Circulation
import Testing
import TextFormats

@testable import Desk

@Suite("Blocks", .everyStore)
struct BlockTests {
    private func block(_ order: BlockRequest, in library: Library) throws -> PatronBlock {
        try library.desk.write { try $0.patrons.block(.username("ada"), order) }.get()
    }

    private func asPatron(_ library: Library, _ channel: ActorFacts.Channel) throws -> Desk {
        library.desk.acting(
            as: Actor(name: "patron:\(try library.id("ada"))", role: .patron, channel: channel, branch: "main"))
    }

    /// Asks for everything that a block may stop; what was stopped.
    private func stopped(by actions: Set<BlockFacts.Action>) throws -> Set<String> {
        let library = try Library(policy: PolicySpec(tables: Library.holdTables))
        let loan = try library.lend("ada", 1).get()[0]
        _ = try library.lend("bob", Library.emma).get()
        _ = try block(BlockRequest(kind: "card", actions: actions), in: library)
        var stopped: Set<String> = []
        try library.pass(days: 3)
        if try library.lend("ada", 3).refusal?.code == "blocked" { stopped.insert("borrow") }
        if try library.desk.write({ try $0.loans.renew(.id(loan.id)) }).refusal?.code == "blocked" {
            stopped.insert("renew")
        }
        if try library.place("ada").refusal?.code == "blocked" { stopped.insert("hold") }
        let machine = try asPatron(library, .`self`).write { session in
            try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(3)])))
        }
        if machine.refusal?.code == "blocked" { stopped.insert("machine") }
        // Copies may always come back.
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        try library.expectSound()
        return stopped
    }

    @Test(
        "an action stops what it names, at the desk and at a machine",
        arguments: [
            ([.borrow], ["borrow", "machine"]), ([.renew], ["renew"]), ([.hold], ["hold"]), ([.`self`], ["machine"]),
            ([.cart], []), ([.market], []), ([.borrow, .hold], ["borrow", "hold", "machine"]),
            (Set(BlockFacts.Action.allCases), ["borrow", "renew", "hold", "machine"]),
        ] as [(Set<BlockFacts.Action>, Set<String>)])
    func actions(actions: Set<BlockFacts.Action>, expected: Set<String>) throws {
        #expect(try stopped(by: actions) == expected)
    }

    @Test("several stand side by side, and each is lifted alone")
    func several() throws {
        let library = try Library()
        let card = try block(BlockRequest(kind: "card", reason: "Reported lost"), in: library)
        let conduct = try block(BlockRequest(kind: "conduct", actions: [.borrow]), in: library)
        #expect(try library.lend("ada", 1).refusal?.reasons.count == 2)
        let lift = { (id: Int64) in
            try library.desk.write { try $0.patrons.unblock(.username("ada"), block: id) }
        }
        #expect(try lift(card.id).value?.map(\.id) == [card.id])
        #expect(try lift(card.id).refusal?.code == "unknown_block")
        #expect(try library.lend("ada", 1).refusal?.reasons.map { $0.figures["kind"] } == ["conduct"])
        #expect(try library.desk.write { try $0.patrons.unblock(.username("bob"), block: conduct.id) }.refusal != nil)
        #expect(try lift(conduct.id).value?.count == 1)
        _ = try library.lend("ada", 1).get()
        try library.expectSound()
    }

    @Test("a block ends by itself the day after its last one")
    func expiry() throws {
        let library = try Library()
        let last = try CivilDate(parsing: "2026-03-04")
        let added = try block(BlockRequest(kind: "card", ends: last), in: library)
        try library.pass(days: 2)
        #expect(try library.lend("ada", 1).refusal?.code == "blocked")
        try library.pass(days: 1)
        _ = try library.lend("ada", 1).get()
        #expect(try library.desk.read { try $0.patrons.blocks(of: .username("ada")) }.isEmpty)
        #expect(try library.desk.write { try $0.patrons.unblock(.username("ada"), block: added.id) }.refusal != nil)
        let late = try library.desk.write { try $0.patrons.block(.username("ada"), kind: "card", ends: last) }
        #expect(late.refusal?.code == "past")
        try library.expectSound()
    }

    @Test("staff see kind, end and reason, patrons kind and end, and the log no reason")
    func told() throws {
        let library = try Library()
        let end = try CivilDate(parsing: "2026-05-01")
        _ = try block(BlockRequest(kind: "card", reason: "Found in the lift", ends: end), in: library)
        _ = try block(BlockRequest(kind: "suspension", reason: "Third time late", length: .days(5)), in: library)
        let refusal = try #require(try library.lend("ada", 1).refusal)
        #expect(
            refusal.reasons.map(\.message) == [
                "This account is blocked until 2026-05-01 (card): Found in the lift.",
                "This account is suspended until 2026-03-07: Third time late.",
            ])
        #expect(refusal.message == refusal.reasons.first?.message)
        #expect(refusal.reasons.first?.figures["reason"] == "Found in the lift")
        let own = try asPatron(library, .web).write { session in
            try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1)])))
        }
        #expect(own.refusal?.message == "This account is blocked until 2026-05-01 (card).")
        #expect(own.refusal?.reasons.allSatisfy { $0.figures["reason"] == nil } == true)
        for event in try library.desk.read({ try $0.events.list(EventQuery()) }) {
            #expect(!event.payload.contains("lift") && !event.payload.contains("Third"), "\(event.payload)")
        }
        try library.expectSound()
    }

    @Test(
        "a suspension follows the one that runs, or ends no earlier",
        arguments: [
            (nil, "2026-03-05", "2026-03-12"), (.longest, "2026-03-12", "2026-03-12"),
            (.add, "2026-03-15", "2026-03-15"),
        ] as [(BlockMode?, String, String)])
    func modes(mode: BlockMode?, end: String, until: String) throws {
        let library = try Library()
        _ = try block(BlockRequest(kind: "suspension", length: .days(10)), in: library)
        let second = try block(BlockRequest(kind: "suspension", length: .days(3), mode: mode), in: library)
        #expect(second.ends?.description == end)
        #expect(second.actions == BlockFacts.Action.lending)
        let refusal = try #require(try library.lend("ada", 1).refusal)
        #expect(refusal.code == "suspended" && refusal.reasons.count == 1)
        #expect(refusal.reasons.first?.figures["until"] == .string(until))
        try library.expectSound()
    }

    @Test("a suspension from one thing alone stops that alone; one without end lasts until it is lifted")
    func narrow() throws {
        let library = try Library(policy: PolicySpec(tables: Library.holdTables))
        _ = try library.lend("bob", Library.emma).get()
        let narrow = try block(BlockRequest(kind: "suspension", actions: [.hold]), in: library)
        #expect(try library.place("ada").refusal?.message == "This account is suspended.")
        _ = try library.lend("ada", 1).get()
        let open = try block(BlockRequest(kind: "suspension", length: .days(3), mode: .add), in: library)
        #expect(open.ends == nil, "there is no end to add to")
        #expect(try library.lend("ada", 3).refusal?.message == "This account is suspended.")
        _ = try library.desk.write { try $0.patrons.unblock(.username("ada"), kind: "suspension") }.get()
        _ = try library.place("ada").get()
        #expect(narrow.id != open.id)
        try library.expectSound()
    }

    @Test(
        "an order that makes no sense is an error",
        arguments: [
            BlockRequest(kind: ""), BlockRequest(kind: "x", actions: []), BlockRequest(kind: "x", length: .hours(3)),
            BlockRequest(kind: "x", length: .days(0)), BlockRequest(kind: "x", ends: .latest, mode: .add),
            BlockRequest(kind: "x", ends: .latest, length: .days(1)),
        ])
    func senseless(order: BlockRequest) throws {
        let library = try Library()
        #expect(throws: DeskError.self) { try block(order, in: library) }
        #expect(throws: (any Error).self) {
            try block(BlockRequest(kind: "x", length: .days(.max)), in: library)
        }
        try library.expectSound()
    }

    @Test("events that called holds requests are still read")
    func formerWord() throws {
        let event = Event(
            sequence: 1, at: .earliest, actor: "desk", channel: "desk", kind: "patron.blocked", version: 1,
            payload:
                #"{"id":1,"patron":2,"kind":"k","actions":["borrow","request"],"created_at":"2026-01-01T00:00:00Z"}"#,
            request: "r", ordinal: 0)
        guard let block = try event.body()[.patronBlocked] else {
            Issue.record("another kind")
            return
        }
        #expect(block.actions == [.borrow, .hold])
    }
}

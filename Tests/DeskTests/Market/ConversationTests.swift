import Circulation
import Desk
import Market
import Storage
import TestSupport
import Testing

@Suite("Conversations", .everyStore)
struct ConversationTests {
    private func write(
        _ text: String, _ patron: String, about subject: ConversationService.Subject, in library: Library
    ) throws -> Outcome<Message> {
        try library.desk.write { try $0.conversations.write(text, from: .username(patron), about: subject) }
    }

    private func list(_ patron: String, in library: Library) throws -> [Conversation] {
        try library.desk.read { try $0.conversations.list(of: .username(patron)) }
    }

    private func texts(_ id: Int64, _ patron: String, in library: Library) throws -> [String]? {
        try library.desk.read { try $0.conversations.messages(of: id, reader: .username(patron))?.map(\.text) }
    }

    @Test("both sides write and read, each is told by mail, and no third sees it")
    func both() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        let first = try write("Is it yours?", "bob", about: .listing(listing.id), in: library).get()
        let id = first.conversation
        #expect(first.number == 1)
        #expect(try list("ada", in: library).map { $0.unread(by: $0.owner ?? 0) } == [1])
        #expect(try list("bob", in: library).map { $0.unread(by: $0.asker ?? 0) } == [0])
        #expect(try write("Yes.", "ada", about: .conversation(id), in: library).get().number == 2)
        #expect(try write("How much?", "bob", about: .listing(listing.id), in: library).get().number == 3)
        for patron in ["ada", "bob"] {
            #expect(try texts(id, patron, in: library) == ["Is it yours?", "Yes.", "How much?"])
            #expect(try list(patron, in: library).map(\.id) == [id])
        }
        #expect(try texts(id, "cyd", in: library) == nil && list("cyd", in: library) == [])
        for code in try [
            write("Hi", "cyd", about: .conversation(id), in: library).refusal?.code,
            write("Hi", "bob", about: .conversation(id + 1), in: library).refusal?.code,
        ] { #expect(code == "unknown_conversation") }
        let subjects = try ["ada", "bob"].map { try library.notices($0, "contact").map(\.subject) }
        #expect(subjects == [["About your listing: Dune", "About your listing: Dune"], ["About Dune"]])
        try library.expectSound()
    }

    @Test("what is written to the library, to oneself or about what is gone is refused, and blank texts are none")
    func refused() throws {
        let library = try Library()
        let own = try library.offer(nil)
        let ada = try library.offer("ada", 2)
        let gone = try library.offer("ada", 3)
        _ = try library.desk.write { try $0.market.withdraw(gone.id) }.get()
        for (patron, listing, code) in [
            ("bob", own.id, "no_owner"), ("ada", ada.id, "own_listing"), ("bob", gone.id, "not_offered"),
            ("bob", 99, "unknown_listing"), ("zoe", ada.id, "unknown_patron"),
        ] { #expect(try write("Hi", patron, about: .listing(listing), in: library).refusal?.code == code) }
        for text in ["", " \n", String(repeating: "x", count: 5_001)] {
            #expect(throws: DeskError.self) { try write(text, "bob", about: .listing(ada.id), in: library) }
        }
        #expect(try list("ada", in: library) == [])
        try library.expectSound()
    }

    @Test("who takes no messages from another gets none, in any conversation, until that is taken back")
    func blocks() throws {
        let library = try Library()
        let (dune, emma) = (try library.offer("ada"), try library.offer("ada", 2))
        let id = try write("Hi", "bob", about: .listing(dune.id), in: library).get().conversation
        for _ in 1...2 { _ = try library.desk.write { try $0.conversations.block(id, by: .username("ada")) }.get() }
        for (subject, patron) in [
            (ConversationService.Subject.conversation(id), "bob"), (.listing(emma.id), "bob"),
            (.conversation(id), "ada"),
        ] { #expect(try write("Hello?", patron, about: subject, in: library).refusal?.code == "blocked") }
        let contact = try library.desk.write {
            try $0.market.contact(dune.id, from: .username("bob"), message: "Hello?")
        }
        #expect(contact.refusal?.code == "blocked")
        #expect(try list("ada", in: library).count == 1)
        #expect(try write("Hi", "cyd", about: .listing(dune.id), in: library).value != nil)
        _ = try library.desk.write { try $0.conversations.unblock(id, by: .username("ada")) }.get()
        #expect(try write("Hello?", "bob", about: .conversation(id), in: library).get().number == 2)
        let stranger = try library.desk.write { try $0.conversations.block(id, by: .username("cyd")) }
        #expect(stranger.refusal?.code == "unknown_conversation")
        try library.expectSound()
    }

    @Test("patrons act in their own name alone")
    func own() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        let bob = try library.desk.acting(as: Library.actor(library.id("bob")))
        let forged = try bob.write {
            try $0.conversations.write("Hi", from: .username("cyd"), about: .listing(listing.id))
        }
        #expect(forged.refusal?.code == "not_owner")
        let id = try write("Hi", "cyd", about: .listing(listing.id), in: library).get().conversation
        let read = try bob.write { try $0.conversations.markRead(id, of: .username("ada")) }
        #expect(read.refusal?.code == "not_owner")
        #expect(try list("ada", in: library).map(\.ownerRead) == [0])
        try library.expectSound()
    }

    @Test("with a patron go their words, and nobody writes to them any more")
    func removed() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        let id = try write("I am Bob Bobsson", "bob", about: .listing(listing.id), in: library).get().conversation
        _ = try write("Fine.", "ada", about: .conversation(id), in: library).get()
        _ = try library.desk.write { try $0.conversations.block(id, by: .username("bob")) }.get()
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")) }.get()
        #expect(try texts(id, "ada", in: library) == ["", "Fine."])
        #expect(try write("Bob?", "ada", about: .conversation(id), in: library).refusal?.code == "no_reader")
        let events = try library.desk.read { try $0.events.list(EventQuery(kind: "message.sent")) }
        #expect(events.count == 2 && !String(describing: events).contains("Bobsson"))
        try library.expectSound()
    }

    @Test("two records that become one have the conversations and the blocked writers of both")
    func merged() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        for patron in ["bob", "cyd"] {
            let id = try write("Hi", patron, about: .listing(listing.id), in: library).get().conversation
            _ = try library.desk.write { try $0.conversations.block(id, by: .username("ada")) }.get()
        }
        _ = try library.desk.write { try $0.patrons.merge(.username("cyd"), into: .username("bob"), reason: "") }.get()
        let both = try list("bob", in: library)
        #expect(both.count == 2)
        _ = try library.desk.write { try $0.conversations.unblock(both[0].id, by: .username("ada")) }.get()
        let next = try write("Me again", "bob", about: .listing(listing.id), in: library).get()
        #expect(next.conversation == both.map(\.id).max())
        try library.expectSound()
    }

    @Test(
        "whatever is done in whatever order, numbers have no gap and what is unread is what came since",
        arguments: 1...4)
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Library()
        let patrons = ["ada", "bob", "cyd"]
        let listings = try patrons.map { try library.offer($0).id }
        var unread: [Int64: [Int64: Int64]] = [:]
        for _ in 0..<60 {
            let patron = try library.id(patrons[Int.random(in: 0..<3, using: &random)])
            let id = Int64.random(in: 1...6, using: &random)
            let choice = Int.random(in: 0..<8, using: &random)
            let listing = listings[Int.random(in: 0..<3, using: &random)]
            try library.desk.write { session in
                switch choice {
                case 0...4:
                    let subject: ConversationService.Subject = choice < 2 ? .listing(listing) : .conversation(id)
                    let sent = try session.conversations.write("Hi", from: .id(patron), about: subject).value
                    guard let sent, let conversation = try session.conversations.get(sent.conversation) else { return }
                    unread[sent.conversation, default: [:]][patron] = 0
                    if let other = conversation.other(than: patron) {
                        unread[sent.conversation, default: [:]][other, default: 0] += 1
                    }
                case 5, 6:
                    if try session.conversations.markRead(id, of: .id(patron)).value != nil { unread[id]?[patron] = 0 }
                default:
                    let blocks = session.conversations
                    let isBlock = Bool.random(using: &random)
                    _ = try isBlock ? blocks.block(id, by: .id(patron)) : blocks.unblock(id, by: .id(patron))
                }
            }
        }
        for patron in try patrons.map(library.id) {
            let all = try library.desk.read { try $0.conversations.list(of: .id(patron)) }
            for conversation in all {
                #expect(conversation.unread(by: patron) == unread[conversation.id]?[patron, default: 0])
                let numbers = try library.desk.read {
                    try $0.conversations.messages(of: conversation.id, reader: .id(patron))?.map(\.number)
                }
                #expect(numbers == Array(1...conversation.messages))
            }
        }
        try library.expectSound()
    }
}

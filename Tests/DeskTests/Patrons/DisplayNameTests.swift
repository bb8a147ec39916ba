import Circulation
import Desk
import Market
import Storage
import Testing

@Suite("Display names of patrons", .everyStore)
struct PatronDisplayNameTests {
    @discardableResult
    private func call(_ patron: String, _ name: String?, in library: Library) throws -> Outcome<Patron> {
        try library.desk.write { try $0.patrons.update(.username(patron)) { $0.displayName = name } }
    }

    private func publicName(_ patron: String, in library: Library) throws -> String? {
        try library.desk.read { try $0.patrons.get(.username(patron))?.publicName }
    }

    private func member(_ name: String, in library: Library) throws -> String? {
        try library.desk.read { try $0.patrons.member(named: name)?.username }
    }

    @Test("a patron is seen by the name of their choice, and found by it alone")
    func chosen() throws {
        let library = try Library()
        #expect(try publicName("ada", in: library) == "ada" && member("ADA", in: library) == "ada")
        let own = try library.desk.acting(as: Library.actor(library.id("ada")))
        let outcome = try own.write { try $0.patrons.update(.username("ada")) { $0.displayName = "Countess" } }
        #expect(try outcome.get().publicName == "Countess")
        #expect(try member("countess", in: library) == "ada" && member("ada", in: library) == nil)
        let event = try #require(try library.events(.patronUpdated).last?.body()[.patronUpdated])
        #expect(event.fields == ["display_name"])
        _ = try call("ada", "", in: library).get()
        #expect(try publicName("ada", in: library) == "ada" && member("Countess", in: library) == nil)
        try library.expectSound()
    }

    @Test("nobody is called like another, like the library, or by what is no name")
    func refused() throws {
        let library = try Library()
        _ = try call("ada", "Countess", in: library).get()
        for name in ["Countess", "COUNTESS", "c0unte5s", "Count\u{435}ss", "ada", "Ada", "4da"] {
            // What has letters of two alphabets is no name at all.
            let code = try? call("bob", name, in: library).refusal?.code
            let isMixed = name.unicodeScalars.contains { $0.value == 0x435 }
            #expect(code == (isMixed ? nil : "exists"), "\(name)")
            #expect(try publicName("bob", in: library) == "bob")
        }
        #expect(try call("bob", "countess", in: library).refusal?.code == "exists")
        for name in ["Staff", "admin 2", "The Library", "Reader 7", "Moonshelf", "me", "patron:1"] {
            #expect(try call("bob", name, in: library).refusal?.code == "reserved_name", "\(name)")
        }
        #expect(throws: DeskError.self) { try call("bob", "bob@example.org", in: library) }
        #expect(throws: DeskError.self) { try call("bob", "b", in: library) }
        // A username that reads as another's display name is taken, one's own is not.
        let renamed = try library.desk.write { try $0.patrons.update(.username("bob")) { $0.username = "countess" } }
        #expect(renamed.refusal?.code == "exists")
        let added = try library.desk.write { try $0.patrons.add(Library.patron("C0untess")) }
        #expect(added.refusal?.code == "exists")
        let own = try library.desk.write { try $0.patrons.update(.username("ada")) { $0.username = "countess" } }
        #expect(try own.get().username == "countess")
        try library.expectSound()
    }

    @Test("the library says which words are reserved, and its own name always is")
    func words() throws {
        let library = try Library()
        _ = try library.desk.write { try $0.settings.setLibrary(name: "Bodleian", reservedNames: ["beadle"]) }.get()
        #expect(try call("bob", "Beadle Bob", in: library).refusal?.code == "reserved_name")
        #expect(try call("bob", "B0dleian", in: library).refusal?.code == "reserved_name")
        #expect(try call("bob", "Staff of life", in: library).get().publicName == "Staff of life")
        for words in [Array(repeating: "word", count: 101), [String(repeating: "x", count: 41)], [""], ["a\nb"]] {
            #expect(throws: DeskError.self) {
                try library.desk.write { try $0.settings.setLibrary(reservedNames: words) }
            }
        }
        _ = try library.desk.write { try $0.settings.setLibrary(reservedNames: []) }.get()
        #expect(try call("cyd", "Beadle", in: library).get().publicName == "Beadle")
        #expect(try library.desk.read { try $0.settings.library().reservedNames } == [])
        try library.expectSound()
    }

    @Test("of two records that become one the chosen name stays, and goes with who is removed")
    func merged() throws {
        let library = try Library()
        _ = try call("ada", "Countess", in: library).get()
        _ = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob")) }.get()
        #expect(try publicName("bob", in: library) == "Countess" && member("Countess", in: library) == "bob")
        _ = try call("cyd", "Duchess", in: library).get()
        _ = try library.desk.write { try $0.patrons.merge(.username("cyd"), into: .username("bob")) }.get()
        #expect(try publicName("bob", in: library) == "Countess" && member("Duchess", in: library) == nil)
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")) }.get()
        #expect(try member("Countess", in: library) == nil)
        let added = try library.desk.write { try $0.patrons.add(Library.patron("dee")) }
        #expect(try added.get().displayName == nil)
        _ = try call("dee", "Countess", in: library).get()
        try library.expectSound()
    }

    @Test("messages on the market name their writer by it, and forget it with the writer")
    func messages() throws {
        let library = try Library()
        _ = try call("bob", "Duke of Ob", in: library).get()
        let listing = try library.offer("ada")
        _ = try library.desk.write {
            try $0.conversations.write("Is it yours?", from: .username("bob"), about: .listing(listing.id))
        }.get()
        let body = try #require(try library.notices("ada", "contact").first?.body)
        #expect(body.contains("Duke of Ob writes about") && !body.contains("bob"))
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")) }.get()
        let left = try library.desk.read { try $0.notices.list(NoticeQuery()) }
        #expect(left.allSatisfy { !$0.body.contains("Duke of Ob") && !$0.subject.contains("Duke of Ob") })
        try library.expectSound()
    }
}

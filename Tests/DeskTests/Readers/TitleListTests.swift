import Circulation
import Desk
import Storage
import Testing

@Suite("Lists of titles", .everyStore)
struct TitleListTests {
    private func make(
        _ name: String, _ patron: String = "ada", isPublic: Bool = false, in library: Library
    ) throws -> Outcome<TitleList> {
        try library.desk.write { try $0.lists.make(name, isPublic: isPublic, for: .username(patron)) }
    }

    @discardableResult
    private func add(
        _ title: Int64, to list: TitleList, _ patron: String = "ada", in library: Library
    ) throws -> Outcome<ListedTitle> {
        try library.desk.write { try $0.lists.add(.id(title), to: list.id, of: .username(patron)) }
    }

    private func titles(_ list: TitleList, in library: Library) throws -> [Int64] {
        try library.desk.read { try $0.lists.titles(of: list.id).map(\.title) }
    }

    private func names(_ patron: String, in library: Library) throws -> [String] {
        try library.desk.read { try $0.lists.list(of: .username(patron)).map(\.name) }
    }

    @Test(
        "words are looked for in the names of the latest public lists alone, of so many as are asked for, a part at a time"
    )
    func searched() throws {
        let library = try Library()
        for name in ["Dogs of war", "Cats", "Hot dogs", "Dogsbodies"] {
            _ = try make(name, isPublic: true, in: library).get()
        }
        _ = try make("My dogs", in: library).get()
        func found(_ part: ListPart = ListPart(limit: 50), among most: Int64) throws -> [String] {
            try library.desk.read { try $0.lists.ofAll(named: " DOGS ", among: most, part).map(\.name) }
        }
        #expect(try found(among: 10_000) == ["Dogsbodies", "Hot dogs", "Dogs of war"])
        #expect(try found(among: 3) == ["Dogsbodies", "Hot dogs"])
        #expect(try found(among: 0) == [])
        #expect(try found(ListPart(limit: 1, offset: 1), among: 10_000) == ["Hot dogs"])
    }

    @Test("titles stand on a list once, in the order in which they came, until they are taken off")
    func keeps() throws {
        let library = try Library()
        let list = try make(" For the seminar ", in: library).get()
        #expect(list.name == "For the seminar" && !list.isPublic)
        for title in [3, 1, 2, 1] as [Int64] { _ = try add(title, to: list, in: library).get() }
        #expect(try titles(list, in: library) == [3, 1, 2])
        let off = try library.desk.write { try $0.lists.remove(.id(1), from: list.id, of: .username("ada")) }
        #expect(try off.get().title == 1)
        _ = try add(1, to: list, in: library).get()
        #expect(try titles(list, in: library) == [3, 2, 1])
        let changed = try library.desk.write {
            try $0.lists.change(list.id, name: "Seminar", isPublic: true, of: .username("ada"))
        }
        #expect(try changed.get().isPublic && names("ada", in: library) == ["Seminar"])
        _ = try library.desk.write { try $0.lists.remove(list.id, of: .username("ada")) }.get()
        #expect(try names("ada", in: library).isEmpty && titles(list, in: library).isEmpty)
        try library.expectSound()
    }

    @Test("another's list is none, names are one's own and bounded, and so is what a list holds")
    func refused() throws {
        let library = try Library()
        let list = try make("To read", in: library).get()
        #expect(try make("TO  read", in: library).refusal?.code == "exists")
        #expect(try make("To read", "bob", in: library).get().name == "To read")
        for name in ["", "  ", "a\nb", "a\u{0}", String(repeating: "x", count: 81)] {
            #expect(throws: DeskError.self, "\(name)") { try make(name, in: library) }
        }
        #expect(try add(1, to: list, "bob", in: library).refusal?.code == "unknown_list")
        #expect(try add(99, to: list, in: library).refusal?.code == "unknown_title")
        let off = try library.desk.write { try $0.lists.remove(.id(1), from: list.id, of: .username("ada")) }
        #expect(off.refusal?.code == "not_listed")
        let ada = try library.desk.acting(as: Library.actor(library.id("ada")))
        #expect(try ada.write { try $0.lists.make("x", for: .username("bob")) }.refusal?.code == "not_owner")
        for number in 2...100 { _ = try make("List \(number)", in: library).get() }
        #expect(try make("One more", in: library).refusal?.code == "full")
        let other = try make("Other", "bob", in: library).get()
        let renamed = try library.desk.write {
            try $0.lists.change(other.id, name: "to READ", of: .username("bob"))
        }
        #expect(renamed.refusal?.code == "exists")
        try library.expectSound()
    }

    @Test("a list holds a thousand titles and no more")
    func full() throws {
        let library = try Library()
        let list = try make("All", in: library).get()
        let ids = try library.desk.write { session in
            try (0..<1_001).map { try session.catalogue.add(Title(title: "Title \($0)")).get().id }
        }
        let refusal = try library.desk.write { session in
            for id in ids.dropLast() { _ = try session.lists.add(.id(id), to: list.id, of: .username("ada")).get() }
            return try session.lists.add(.id(ids[1_000]), to: list.id, of: .username("ada")).refusal
        }
        #expect(refusal?.code == "full")
        #expect(try library.desk.read { try $0.lists.count(list.id) } == 1_000)
        try library.expectSound()
    }

    @Test("lists go over with a record that becomes another's, and go with who is removed")
    func merged() throws {
        let library = try Library()
        let list = try make("To read", in: library).get()
        _ = try add(2, to: list, in: library).get()
        _ = try make("To read", "bob", in: library).get()
        _ = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob")) }.get()
        #expect(try names("bob", in: library) == ["To read", "To read"] && titles(list, in: library) == [2])
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")) }.get()
        #expect(try titles(list, in: library).isEmpty)
        #expect(try library.desk.read { try $0.lists.get(list.id) } == nil)
        try library.expectSound()
    }
}

import Circulation
import Desk
import Storage
import Testing

@Suite("Links between patrons", .everyStore)
struct PatronLinkTests {
    private func link(
        _ patron: String, _ other: String, _ kind: PatronLink.Kind, in library: Library
    ) throws -> Outcome<LinkedPatron> {
        try library.desk.write { try $0.patrons.link(.username(patron), to: .username(other), as: kind) }
    }

    private func unlink(
        _ patron: String, _ other: String, _ kind: PatronLink.Kind, in library: Library
    ) throws -> Outcome<LinkedPatron> {
        try library.desk.write { try $0.patrons.unlink(.username(patron), from: .username(other), as: kind) }
    }

    /// `guardian ada`, `household bob` and the like.
    private func links(_ patron: String, in library: Library) throws -> [String] {
        try library.desk.read { session in
            try session.patrons.links(of: .username(patron)).map { "\($0.relation) \($0.patron.username)" }
        }
    }

    private func add(_ names: [String], to library: Library) throws {
        for name in names { _ = try library.desk.write { try $0.patrons.add(Library.patron(name)) }.get() }
    }

    @Test("a guardian is seen from both sides, once, and nobody is both to another")
    func guardians() throws {
        let library = try Library()
        let made = try link("ada", "bob", .guardian, in: library).get()
        #expect(made.patron.username == "bob" && made.relation == .guardian && made.since == library.clock.now())
        #expect(try link("ada", "bob", .guardian, in: library).get() == made)
        #expect(try links("ada", in: library) == ["guardian bob"] && links("bob", in: library) == ["dependent ada"])
        #expect(try link("bob", "ada", .guardian, in: library).refusal?.code == "not_guardian")
        #expect(try link("ada", "ada", .guardian, in: library).refusal?.code == "same_patron")
        #expect(try link("ada", "nobody", .guardian, in: library).refusal?.code == "unknown_patron")
        #expect(try unlink("bob", "ada", .guardian, in: library).refusal?.code == "unknown_link")
        #expect(try unlink("ada", "bob", .household, in: library).refusal?.code == "unknown_link")
        #expect(try unlink("ada", "bob", .guardian, in: library).get() == made)
        #expect(try links("ada", in: library).isEmpty && links("bob", in: library).isEmpty)
        try library.expectSound()
    }

    @Test("a household is a whole, whoever of it is named, and goes on without the one who began it")
    func households() throws {
        let library = try Library()
        try add(["dee", "eve"], to: library)
        _ = try link("bob", "ada", .household, in: library).get()
        // Whoever is in none joins, on whichever side they are named.
        _ = try link("bob", "cyd", .household, in: library).get()
        _ = try link("dee", "cyd", .household, in: library).get()
        #expect(try links("dee", in: library) == ["household ada", "household bob", "household cyd"])
        #expect(try links("ada", in: library) == ["household bob", "household cyd", "household dee"])
        _ = try unlink("ada", "dee", .household, in: library).get()
        #expect(try links("ada", in: library).isEmpty)
        #expect(try links("cyd", in: library) == ["household bob", "household dee"])
        _ = try link("ada", "eve", .household, in: library).get()
        #expect(try link("ada", "bob", .household, in: library).refusal?.code == "other_household")
        _ = try unlink("bob", "cyd", .household, in: library).get()
        _ = try unlink("dee", "cyd", .household, in: library).get()
        #expect(try links("cyd", in: library).isEmpty && links("dee", in: library).isEmpty)
        try library.expectSound()
    }

    @Test("since when two are in a household is when the later of them came")
    func since() throws {
        let library = try Library()
        let first = library.clock.now()
        _ = try link("bob", "ada", .household, in: library).get()
        try library.pass(days: 3)
        _ = try link("cyd", "ada", .household, in: library).get()
        let later = library.clock.now()
        for (name, expected) in [("ada", [first, later]), ("bob", [first, later]), ("cyd", [later, later])] {
            let found = try library.desk.read { session in
                try session.patrons.links(of: .username(name)).map(\.since)
            }
            #expect(found == expected, "\(name)")
        }
    }

    @Test("households, guardians and those for whom one answers have a most")
    func bounds() throws {
        let library = try Library()
        let names = (1...PatronLink.mostDependents + 1).map { "p\($0)" }
        try add(names, to: library)
        for name in names.dropLast() { _ = try link(name, "ada", .guardian, in: library).get() }
        #expect(try link(names[names.count - 1], "ada", .guardian, in: library).refusal?.code == "full")
        for name in names.prefix(PatronLink.mostGuardians) { _ = try link("bob", name, .guardian, in: library).get() }
        #expect(try link("bob", "p50", .guardian, in: library).refusal?.code == "full")
        for name in names.prefix(PatronLink.mostInHousehold - 1) {
            _ = try link(name, "ada", .household, in: library).get()
        }
        #expect(try link("bob", "p3", .household, in: library).refusal?.code == "full")
        #expect(try links("p1", in: library).count == 2 + PatronLink.mostInHousehold - 1)
        try library.expectSound()
    }

    @Test("links go with a patron who is removed, and a household goes on")
    func removal() throws {
        let library = try Library()
        try add(["dee"], to: library)
        for name in ["bob", "cyd"] { _ = try link(name, "dee", .household, in: library).get() }
        _ = try link("ada", "dee", .guardian, in: library).get()
        _ = try library.desk.write { try $0.patrons.remove(.username("dee")) }.get()
        #expect(try links("ada", in: library).isEmpty && links("bob", in: library) == ["household cyd"])
        try library.expectSound()
    }

    @Test("of two records of one person the links go over, none twice, none to oneself, none both ways")
    func merged() throws {
        let library = try Library()
        try add(["dee", "eve", "fay"], to: library)
        for (patron, other) in [
            ("ada", "bob"), ("ada", "cyd"), ("bob", "cyd"), ("dee", "ada"), ("dee", "bob"), ("eve", "ada"),
            ("ada", "fay"), ("fay", "bob"),
        ] { _ = try link(patron, other, .guardian, in: library).get() }
        let merge = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob")) }.get()
        #expect(merge[.links] + merge[.linkedFrom] > 0)
        #expect(
            try links("bob", in: library) == ["guardian cyd", "dependent dee", "dependent eve", "dependent fay"])
        #expect(try links("dee", in: library) == ["guardian bob"] && links("fay", in: library) == ["guardian bob"])
        try library.expectSound()
    }

    @Test(
        "of two records of one person the household goes over, or that of the record that stays is kept",
        arguments: [
            // Who is in the household of whom before, the members of bob's afterwards, and those of dee's.
            ([("cyd", "ada"), ("dee", "ada")], ["cyd", "dee"], ["bob", "cyd"]),
            ([("ada", "cyd"), ("dee", "cyd")], ["cyd", "dee"], ["cyd", "bob"]),
            ([("bob", "ada"), ("dee", "ada")], ["dee"], ["bob"]),
            ([("ada", "bob"), ("dee", "bob")], ["dee"], ["bob"]),
            ([("bob", "ada")], [], []),
            ([("cyd", "bob"), ("dee", "ada"), ("eve", "ada")], ["cyd"], ["eve"]),
            ([("bob", "cyd"), ("ada", "dee"), ("eve", "dee")], ["cyd"], ["eve"]),
        ] as [([(String, String)], [String], [String])])
    func mergedHouseholds(pairs: [(String, String)], ofBob: [String], ofDee: [String]) throws {
        let library = try Library()
        try add(["dee", "eve"], to: library)
        for (patron, other) in pairs { _ = try link(patron, other, .household, in: library).get() }
        _ = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob")) }.get()
        #expect(try Set(links("bob", in: library)) == Set(ofBob.map { "household \($0)" }))
        #expect(try Set(links("dee", in: library)) == Set(ofDee.map { "household \($0)" }))
        try library.expectSound()
    }

    @Test("patrons do not say themselves who answers for whom")
    func roles() throws {
        let library = try Library()
        let ada = try library.desk.acting(as: Library.actor(library.id("ada")))
        let made = try ada.write { try $0.patrons.link(.username("ada"), to: .username("bob"), as: .guardian) }
        #expect(made.refusal?.code == "not_allowed")
        let ended = try ada.write { try $0.patrons.unlink(.username("ada"), from: .username("bob"), as: .guardian) }
        #expect(ended.refusal?.code == "not_allowed")
    }
}

import Circulation
import Desk
import Market
import Storage
import Testing

@Suite("Favourites", .everyStore)
struct FavouriteTests {
    private func add(_ subject: FavouriteService.Subject, _ patron: String, in library: Library) throws -> Outcome<
        Favourite
    > {
        try library.desk.write { try $0.favourites.add(subject, of: .username(patron)) }
    }

    private func list(_ patron: String, in library: Library) throws -> [Favourite] {
        try library.desk.read { try $0.favourites.list(of: .username(patron)) }
    }

    @Test("titles and listings are kept in their order, each once, and taken away by their owner alone")
    func keeps() throws {
        let library = try Library()
        let listing = try library.offer("bob", 3)
        let emma = try add(.title(.id(2)), "ada", in: library).get()
        let offered = try add(.listing(listing.id), "ada", in: library).get()
        #expect(try add(.title(.id(2)), "ada", in: library).get() == emma)
        #expect(try list("ada", in: library) == [emma, offered] && list("bob", in: library) == [])
        let taken = try library.desk.write { try $0.favourites.remove(emma.id, of: .username("bob")) }
        #expect(taken.refusal?.code == "unknown_favourite")
        _ = try library.desk.write { try $0.favourites.remove(emma.id, of: .username("ada")) }.get()
        #expect(try list("ada", in: library) == [offered])
        for (subject, code) in [
            (FavouriteService.Subject.title(.id(99)), "unknown_title"), (.listing(99), "unknown_listing"),
        ] { #expect(try add(subject, "ada", in: library).refusal?.code == code) }
        #expect(try add(.title(.id(1)), "nobody", in: library).refusal?.code == "unknown_patron")
        try library.expectSound()
    }

    @Test("patrons keep only what they see, and only in their own mind")
    func own() throws {
        let library = try Library()
        let listing = try library.offer("bob")
        let ada = try library.desk.acting(as: Library.actor(library.id("ada")))
        _ = try library.desk.write { session in
            try session.market.update(listing.id, ListingUpdate(state: .hidden))
        }.get()
        let hidden = try ada.write { try $0.favourites.add(.listing(listing.id), of: .username("ada")) }
        #expect(hidden.refusal?.code == "unknown_listing")
        let others = try ada.write { try $0.favourites.add(.title(.id(1)), of: .username("bob")) }
        #expect(others.refusal?.code == "not_owner")
        #expect(try ada.write { try $0.favourites.add(.title(.id(1)), of: .username("ada")) }.value != nil)
        try library.expectSound()
    }

    @Test("of what two records of one person keep nothing stands twice")
    func merged() throws {
        let library = try Library()
        for (patron, title) in [("ada", 1), ("bob", 1), ("ada", 2), ("bob", 3)] as [(String, Int64)] {
            _ = try add(.title(.id(title)), patron, in: library).get()
        }
        _ = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob"), reason: "") }.get()
        #expect(try list("bob", in: library).compactMap(\.title) == [1, 2, 3])
        try library.expectSound()
    }

    @Test("they go with the patron, and with the title")
    func removed() throws {
        let library = try Library()
        _ = try add(.title(.id(1)), "ada", in: library).get()
        _ = try add(.title(.id(1)), "bob", in: library).get()
        _ = try add(.title(.id(2)), "bob", in: library).get()
        _ = try library.desk.write { try $0.patrons.remove(.username("ada")) }.get()
        _ = try library.desk.write { try $0.catalogue.remove(.id(1)) }.get()
        #expect(try list("bob", in: library).map(\.title) == [2])
        var left = 0
        try library.desk.read { session in
            try session.exports.favourites { _ in
                left += 1
                return true
            }
        }
        #expect(left == 1)
        try library.expectSound()
    }
}

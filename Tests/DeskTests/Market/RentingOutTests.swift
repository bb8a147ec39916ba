import Circulation
import Desk
import Market
import Testing

@Suite("Rentals that lenders write down themselves", .everyStore)
struct RentingOutTests {
    private static let ends = "2026-03-09"

    private func rentOut(
        _ listing: Listing, to name: String, in library: Library, as lender: String = "ada", quantity: Int64 = 1,
        until ends: String = Self.ends
    ) throws -> Outcome<Rental> {
        let date = try CivilDate(parsing: ends)
        let id = try library.id(lender)
        return try library.desk.acting(as: Library.actor(id)).write {
            try $0.market.rentOut(
                listing.id, to: name, until: date, quantity: quantity, by: .id(id))
        }
    }

    @Test("the lender writes a rental down: stock is taken, nothing is charged, and the borrower is told")
    func recording() throws {
        let library = try Library(policy: Library.taxed)
        let listing = try library.offer("ada", 1, .rent, price: "1.00", quantity: 2)
        let rental = try rentOut(listing, to: "BOB", in: library).get()
        #expect(try rental.order == nil && rental.borrower == library.id("bob"))
        #expect(try rental.lender == library.id("ada") && rental.price == Library.euros("1.00"))
        #expect(try library.listing(listing).quantity == 1 && library.listing(listing).state == .active)
        #expect(try library.owed("bob") == 0 && library.owed("ada") == 0)
        #expect(try library.desk.read { try $0.market.orders() }.isEmpty)
        let notice = try #require(try library.notices("bob", "contact").first)
        #expect(
            notice.subject == "About Dune" && notice.body.hasPrefix("ada has written down")
                && notice.body.contains("until \(Self.ends)"))
        _ = try rentOut(listing, to: "cyd", in: library).get()
        #expect(try library.listing(listing).state == .hidden)
        #expect(try rentOut(listing, to: "cyd", in: library).refusal?.code == "stock")
        try library.expectSound()
    }

    @Test("only who has it may end it, besides the lender; ending it brings the piece back")
    func ending() throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent, price: "1.00")
        let rental = try rentOut(listing, to: "bob", in: library).get()
        func end(_ rental: Rental, _ name: String) throws -> Outcome<Rental> {
            try library.desk.acting(as: Library.actor(try library.id(name))).write {
                try $0.market.giveBack(rental.id, by: .username(name))
            }
        }
        #expect(try end(rental, "cyd").refusal?.code == "not_owner")
        #expect(try end(rental, "bob").get().endedAt != nil)
        #expect(try library.listing(listing).state == .active)
        // What was ordered comes back when the lender says so, not the borrower.
        let ordered = try library.rent("bob", listing).get()
        #expect(try end(ordered, "bob").refusal?.code == "not_owner")
        #expect(try end(ordered, "ada").get().endedAt != nil)
        try library.expectSound()
    }

    @Test("another's listing, oneself, a stranger, a past day and a blocked lender are refused")
    func refusals() throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent, price: "1.00")
        let sold = try library.offer("ada", 2)
        #expect(try rentOut(listing, to: "bob", in: library, as: "cyd").refusal?.code == "not_owner")
        #expect(try rentOut(listing, to: "ada", in: library).refusal?.code == "own_listing")
        #expect(try rentOut(listing, to: "nobody", in: library).refusal?.code == "unknown_patron")
        #expect(try rentOut(listing, to: "Reader 999", in: library).refusal?.code == "unknown_patron")
        #expect(try rentOut(listing, to: "bob", in: library, until: "2026-03-01").refusal?.code == "past")
        #expect(try rentOut(listing, to: "bob", in: library, until: "2099-03-01").refusal?.code == "too_long")
        #expect(try rentOut(sold, to: "bob", in: library).refusal?.code == "not_offered")
        let message = try library.desk.write {
            try $0.conversations.write("Hello", from: .username("bob"), about: .listing(listing.id))
        }.get()
        _ = try library.desk.write { try $0.conversations.block(message.conversation, by: .username("bob")) }.get()
        #expect(try rentOut(listing, to: "bob", in: library).refusal?.code == "blocked")
        #expect(try library.listing(listing).quantity == 1)
        #expect(try library.desk.read { try $0.market.rentals(isOpen: nil) }.isEmpty)
        try library.expectSound()
    }

    @Test("who logs in by an e-mail address is found by the public name alone")
    func publicNames() throws {
        let library = try Library()
        let address = "mia@letters.test"
        let mia = try library.desk.write {
            try $0.patrons.add(Patron(username: address, category: "patron", homeBranch: "main"))
        }.get()
        let listing = try library.offer("ada", 1, .rent, price: "1.00")
        #expect(try rentOut(listing, to: address, in: library).refusal?.code == "unknown_patron")
        #expect(try rentOut(listing, to: "reader \(mia.id)", in: library).get().borrower == mia.id)
        // A number of somebody with a username is no name of theirs.
        let bob = try library.id("bob")
        let other = try library.offer("ada", 2, .rent, price: "1.00")
        #expect(try rentOut(other, to: "Reader \(bob)", in: library).refusal?.code == "unknown_patron")
        try library.expectSound()
    }

    @Test("a price is asked before anything is bought or rented, and nothing is written")
    func quotes() throws {
        let library = try Library(policy: Library.taxed)
        let (sold, rented) = (
            try library.offer("ada", quantity: 3),
            try library.offer("ada", 2, .rent, price: "1.00", period: .weeks(1))
        )
        let before = try library.desk.read { try $0.events.list(EventQuery(limit: 10_000)).count }
        func quote(_ listing: Listing, _ quantity: Int64 = 1, as name: String = "bob") throws -> Outcome<CartTotal> {
            let ends = listing.kind == .rent ? try CivilDate(parsing: "2026-03-11") : nil
            return try library.desk.read {
                try $0.market.quote(listing.id, quantity: quantity, until: ends, patron: .username(name))
            }
        }
        let total = try quote(sold, 2).get()
        #expect(try total.total == Library.euros("9.60") && total.owed.isZero)
        #expect(try quote(rented).get().lines.first?.amount == Library.euros("2.00"))
        #expect(try quote(sold, 4).refusal?.code == "stock")
        #expect(try quote(sold, as: "ada").refusal?.code == "own_listing")
        #expect(try quote(sold, as: "nobody").refusal?.code == "unknown_patron")
        #expect(try library.desk.read { try $0.events.list(EventQuery(limit: 10_000)).count } == before)
    }
}

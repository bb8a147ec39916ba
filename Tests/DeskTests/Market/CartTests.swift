import Circulation
import Desk
import Market
import Synchronization
import Testing
import TextFormats

@Suite("Carts", .everyStore)
struct CartTests {
    @Test("a cart outlives its session, and its checkout lends, sells and rents in one go")
    func wholeCart() throws {
        let library = try Library(policy: Library.taxed)
        let (sold, rented) = (
            try library.offer("ada", quantity: 3), try library.offer(nil, 2, .rent, price: "1.00", period: .days(7))
        )
        _ = try library.put("bob", .loan, title: 3).get()
        _ = try library.put("bob", .buy, listing: sold).get()
        let same = try library.put("bob", .buy, listing: sold).get()
        #expect(same.quantity == 2)
        _ = try library.put("bob", .rent, listing: rented, until: "2026-03-16").get()
        #expect(try library.cart("bob").map(\.kind) == [.loan, .buy, .rent])
        let total = try library.desk.read { try $0.carts.total(of: .username("bob")) }.get()
        #expect(total.total == (try Library.euros("11.73")))
        #expect(total.owed == (try Library.euros("2.13")))
        #expect(total.lines.map(\.label) == ["2 x Dune", "Taxes", "Emma, until 2026-03-16", "Taxes"])
        #expect(total.lines.map(\.item) == [1, 1, nil, nil])
        let done = try library.checkOut("bob").get()
        #expect(done.loans.count == 1 && done.rentals.count == 1)
        #expect(done.order?.total == total.total)
        #expect(done.order?.lines == total.lines)
        #expect(try library.owed("bob") == 213)
        #expect(try library.cart("bob").isEmpty)
        #expect(try library.checkOut("bob").refusal?.code == "empty")
        #expect(try library.listing(sold).quantity == 1)
        try library.expectSound()
    }

    @Test("one line that cannot be had refuses all of it, names the line, and changes nothing")
    func allOrNothing() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        _ = try library.put("bob", .loan, title: 3).get()
        let line = try library.put("bob", .buy, listing: listing).get()
        _ = try library.buy("cyd", listing).get()
        let refusal = try #require(try library.checkOut("bob").refusal)
        #expect(refusal.code == "stock")
        #expect(refusal.reasons.first?.figures["line"] == .integer(line.id))
        #expect(try library.cart("bob").count == 2)
        #expect(try library.desk.read { try $0.loans.active(of: .username("bob")) }.isEmpty)
        #expect(try library.owed("bob") == 0)
        try library.expectSound()
    }

    @Test("a loan that the policy refuses meanwhile refuses the purchases too, and names its line")
    func loansRefused() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(limit: 1)))
        let listing = try library.offer("ada")
        _ = try library.put("bob", .buy, listing: listing).get()
        let line = try library.put("bob", .loan, title: 3).get()
        #expect(try library.put("bob", .loan, title: 1).refusal?.code == "limit")
        _ = try library.lend("bob", 2).get()
        let refusal = try #require(try library.checkOut("bob").refusal)
        #expect(refusal.code == "limit")
        #expect(refusal.reasons.first?.figures["line"] == .integer(line.id))
        #expect(try library.listing(listing).quantity == 1)
        try library.expectSound()
    }

    @Test("a price that changed is refused until the line takes it, a withdrawn listing always")
    func stale() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        let line = try library.put("bob", .buy, listing: listing).get()
        let dearer = ListingUpdate(price: try Library.euros("6.00"))
        _ = try library.desk.write { try $0.market.update(listing.id, dearer) }.get()
        let refusal = try #require(try library.checkOut("bob").refusal)
        #expect(refusal.code == "price_changed" && refusal.message.contains("6.00 EUR"))
        #expect(try library.desk.read { try $0.carts.total(of: .username("bob")) }.refusal?.code == "price_changed")
        _ = try library.desk.write { try $0.carts.set(line.id, of: .username("bob"), quantity: 1) }.get()
        #expect(try library.desk.read { try $0.carts.total(of: .username("bob")) }.get().total == dearer.price)
        _ = try library.desk.write { try $0.market.withdraw(listing.id) }.get()
        #expect(try library.checkOut("bob").refusal?.code == "not_offered")
        #expect(try library.cart("bob").count == 1)
        try library.expectSound()
    }

    @Test("what could not be had is not put in")
    func checkedWhenAdded() throws {
        let library = try Library()
        let listing = try library.offer("ada", quantity: 2)
        #expect(try library.put("bob", .buy, listing: listing, quantity: 3).refusal?.code == "stock")
        _ = try library.put("bob", .buy, listing: listing, quantity: 2).get()
        #expect(try library.put("bob", .buy, listing: listing).refusal?.code == "stock")
        #expect(try library.put("ada", .buy, listing: listing).refusal?.code == "own_listing")
        _ = try library.lend("cyd", 2).get()
        #expect(try library.put("bob", .loan, title: 2).refusal?.code == "no_copies")
        #expect(try library.put("bob", .loan, title: 99).refusal?.code == "unknown_title")
        #expect(try library.put("nobody", .loan, title: 1).refusal?.code == "unknown_patron")
        try library.expectSound()
    }

    @Test("lines are changed, taken out and cleared by whose cart it is")
    func changing() throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent, quantity: 4)
        let line = try library.put("bob", .rent, listing: listing, until: "2026-03-09").get()
        let later = try CivilDate(parsing: "2026-03-12")
        let set = try library.desk.write {
            try $0.carts.set(line.id, of: .username("bob"), quantity: 3, ends: later)
        }.get()
        #expect(set.quantity == 3 && set.ends == later && set.id == line.id)
        #expect(
            try library.desk.write { try $0.carts.set(line.id, of: .username("bob"), quantity: 5) }.refusal?.code
                == "stock")
        #expect(
            try library.desk.write { try $0.carts.remove(line.id, of: .username("cyd")) }.refusal?.code
                == "unknown_line")
        let cyd = library.desk.acting(as: Library.actor(try library.id("cyd")))
        #expect(try cyd.write { try $0.carts.clear(.username("bob")) }.refusal?.code == "not_owner")
        _ = try library.desk.write { try $0.carts.remove(line.id, of: .username("bob")) }.get()
        _ = try library.put("bob", .loan, title: 1).get()
        _ = try library.put("bob", .loan, title: 3, quantity: 2).get()
        #expect(try library.desk.write { try $0.carts.clear(.username("bob")) }.get() == 2)
        #expect(try library.cart("bob").isEmpty)
        try library.expectSound()
    }

    @Test("the policy is asked about each seller's part alone, and about what the library offers with the loans")
    func deals() throws {
        var spec = Library.taxed
        let asked = Mutex<[[SaleLine]]>([])
        let taxes = spec.answer
        spec.answer = { question, decision in
            if question.point == .price { asked.withLock { $0.append(question.lines ?? []) } }
            return taxes?(question, decision) ?? decision
        }
        let library = try Library(policy: spec)
        for (seller, kind) in [("ada", Listing.Kind.sell), (nil, .sell), ("cyd", .sell), ("ada", .trade)] {
            let price = kind == .trade ? nil : "4.50"
            _ = try library.put("bob", .buy, listing: try library.offer(seller, 1, kind, price: price)).get()
        }
        _ = try library.put("bob", .loan, title: 3).get()
        let order = try #require(try library.checkOut("bob").get().order)
        let sellers = asked.withLock { $0 }.map { $0.map(\.seller) }
        #expect(sellers == [[1, 1], [nil, nil], [3]])
        #expect(order.lines.map(\.item) == [1, 1, 1, nil, nil, 3, 3])
        #expect(order.total == (try Library.euros("14.40")))
        #expect(try library.owed("bob") == 480)
        try library.expectSound()
    }

    @Test("two copies of a title are two loans")
    func copies() throws {
        let library = try Library()
        _ = try library.put("bob", .loan, title: 3, quantity: 2).get()
        #expect(try library.checkOut("bob").get().loans.count == 2)
        try library.expectSound()
    }
}

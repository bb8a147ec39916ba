import Circulation
import Desk
import Market
import Testing
import TextFormats

@Suite("Orders and rentals", .everyStore)
struct OrderTests {
    @Test("buying takes stock, charges each line once, and writes to both sides")
    func buying() throws {
        let library = try Library(policy: Library.taxed)
        let listing = try library.offer(nil, quantity: 3)
        let order = try library.buy("bob", listing, quantity: 2).get()
        #expect(order.lines.map(\.label) == ["2 x Dune", "Taxes"])
        #expect(order.total == (try Library.euros("9.60")))
        #expect(try order.owed() == order.total)
        #expect(try library.owed("bob") == 960)
        #expect(try library.listing(listing).quantity == 1)
        let ledger = try library.desk.read { try $0.fees.ledger(of: .username("bob")) }
        #expect(ledger.map(\.key) == ["order:\(order.id):1", "order:\(order.id):2"])
        #expect(ledger.map(\.amount.minorUnits) == [900, 60])
        #expect(try #require(try library.notices("bob", "order").first).body.contains("Total: 9.60 EUR"))
        #expect(try library.buy("bob", listing, quantity: 2).refusal?.code == "stock")
        _ = try library.buy("cyd", listing).get()
        #expect(try library.listing(listing).state == .sold)
        #expect(try library.buy("cyd", listing).refusal?.code == "stock")
        try library.expectSound()
    }

    @Test("what patrons sell and rent out to each other is in the orders, and is not a debt to the library")
    func privateDeals() throws {
        let library = try Library(policy: Library.taxed)
        let (sold, rented) = (try library.offer("ada", quantity: 3), try library.offer("ada", 2, .rent))
        let order = try library.buy("bob", sold, quantity: 2).get()
        #expect(order.lines.map(\.label) == ["2 x Dune", "Taxes"] && order.lines.map(\.item) == [1, 1])
        #expect(order.total == (try Library.euros("9.60")))
        #expect(try order.owed().isZero)
        let rental = try library.rent("bob", rented).get()
        #expect(try library.owed("bob") == 0 && library.owed("ada") == 0)
        #expect(try library.desk.read { try $0.fees.ledger(of: .username("bob")) }.isEmpty)
        #expect(try library.notices("ada", "sold").count == 2)
        let told = try #require(try library.notices("bob", "order").first).body
        #expect(told.contains("2 x Dune: 9.00 EUR, to the seller"))
        let orders = try library.desk.read { try $0.market.orders(seller: .username("ada")) }
        #expect(orders.map(\.id) == [try #require(rental.order), order.id] && orders.last?.lines == order.lines)
        for order in orders {
            _ = try library.desk.write { try $0.market.cancel(order: order.id) }.get()
        }
        #expect(try library.owed("bob") == 0)
        #expect(try library.listing(sold).quantity == 3)
        try library.expectSound()
    }

    @Test("a policy may say that a line of a private deal is owed to the library, and only that is charged")
    func fees() throws {
        var spec = Library.taxed
        let taxed = try #require(spec.answer)
        spec.answer = { question, decision in
            var decision = taxed(question, decision)
            guard question.point == .price, decision.lines?.isEmpty == false else { return decision }
            decision.lines?.append(
                PriceLine(label: "Fee", amount: Money(minorUnits: 50, currency: .eur), isForLibrary: true))
            return decision
        }
        let library = try Library(policy: spec)
        let order = try library.buy("bob", try library.offer("ada")).get()
        #expect(order.lines.map(\.label) == ["Dune", "Taxes", "Fee"] && order.lines.map(\.item) == [1, 1, nil])
        #expect(try order.owed() == Library.euros("0.50"))
        #expect(try library.owed("bob") == 50)
        _ = try library.desk.write { try $0.market.cancel(order: order.id) }.get()
        #expect(try library.owed("bob") == 0)
        try library.expectSound()
    }

    @Test("months of an import stand in the history until there are orders of the month")
    func pastMonths() throws {
        let library = try Library()
        _ = try library.desk.write {
            try $0.catalogue.update(.id(1)) {
                $0.extra = [
                    "older:7": [
                        "months": [
                            ["month": "2026-01", "sold": 3, "price": "20.00 EUR"],
                            ["month": "2026-02", "sold": 0, "price": "21.00 EUR"],
                            ["month": "2026-03", "sold": 9, "price": "1.00 EUR"],
                            ["month": "2019-01", "sold": 3, "price": "20.00 EUR"], ["month": 7], "nonsense",
                            ["month": "2025-12", "sold": -4, "price": "20.00 GBP"],
                        ]
                    ], "other": "text",
                ]
            }
        }.get()
        _ = try library.buy("bob", try library.offer("ada")).get()
        let months = try #require(try library.desk.read { try $0.market.priceHistory(of: .id(1)) })
        let known = months.filter { $0.average != nil }.map { "\($0.name) \($0.sold) \($0.average?.amountText ?? "")" }
        #expect(known == ["2026-01 3 20.00", "2026-02 0 21.00", "2026-03 1 4.50"])
        #expect(months.count == 12 && months.allSatisfy { $0.sold >= 0 })
    }

    @Test(
        "what cannot be bought is refused with its reason",
        arguments: [
            ("ada", Listing.Kind.sell, "own_listing"), ("bob", .rent, "not_offered"),
            ("nobody", .sell, "unknown_patron"),
        ])
    func refusals(buyer: String, kind: Listing.Kind, code: String) throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, kind)
        #expect(try library.buy(buyer, listing).refusal?.code == code)
        #expect(
            try library.desk.write { try $0.market.buy(999, patron: .username("bob")) }.refusal?.code
                == "unknown_listing")
        #expect(try library.listing(listing).quantity == 1)
        try library.expectSound()
    }

    @Test("what is given away or traded costs nothing and is on record", arguments: [Listing.Kind.donate, .trade])
    func gifts(kind: Listing.Kind) throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, kind, price: nil)
        let order = try library.buy("bob", listing).get()
        #expect(order.total.isZero)
        #expect(try library.owed("bob") == 0)
        #expect(try library.listing(listing).state == .sold)
        try library.expectSound()
    }

    @Test("a policy that fails at price refuses, and takes nothing")
    func failure() throws {
        var spec = Library.standard
        spec.failing = [.price]
        let library = try Library(policy: spec)
        let listing = try library.offer("ada")
        #expect(try library.buy("bob", listing).refusal?.code == "policy_failed")
        #expect(try library.listing(listing).quantity == 1)
        #expect(try library.events(.policyFailed).count == 1)
        #expect(try library.owed("bob") == 0)
        try library.expectSound()
    }

    @Test("without a policy a thing costs price times quantity")
    func noPolicy() throws {
        let library = try Library(policy: nil)
        let listing = try library.offer("ada", quantity: 2)
        #expect(try library.buy("bob", listing, quantity: 2).get().total == (try Library.euros("9.00")))
        try library.expectSound()
    }

    @Test("a rental hides the listing until it is given back, with its price as it was")
    func renting() throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent, price: "1.50", period: .days(7))
        let rental = try library.rent("bob", listing, until: "2026-03-20").get()
        let order = try #require(try library.desk.read { try $0.market.orders(buyer: .username("bob")) }.first)
        #expect(order.total == (try Library.euros("4.50")))
        let hidden = try library.listing(listing)
        #expect(hidden.state == .hidden && hidden.quantity == 0)
        #expect(try library.rent("cyd", listing).refusal?.code == "stock")
        let byBob = try library.desk.write { try $0.market.giveBack(rental.id, by: .username("bob")) }
        #expect(byBob.refusal?.code == "not_owner")
        let ada = library.desk.acting(as: Library.actor(try library.id("ada")))
        #expect(try ada.write { try $0.market.giveBack(rental.id) }.value?.endedAt != nil)
        #expect(try ada.write { try $0.market.giveBack(rental.id) }.refusal?.code == "closed")
        let back = try library.listing(listing)
        #expect(back.state == .active && back.quantity == 1 && back.price == listing.price)
        #expect(try library.desk.read { try $0.market.rentals(borrower: .username("bob")) }.isEmpty)
        #expect(try library.desk.read { try $0.market.rentals(lender: .username("ada"), isOpen: nil) }.count == 1)
        try library.expectSound()
    }

    @Test("a withdrawn listing stays withdrawn when what was rented comes back")
    func withdrawnMeanwhile() throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent)
        let rental = try library.rent("bob", listing).get()
        _ = try library.desk.write { try $0.market.withdraw(listing.id) }.get()
        _ = try library.desk.write { try $0.market.giveBack(rental.id) }.get()
        #expect(try library.listing(listing).state == .withdrawn)
        try library.expectSound()
    }

    @Test(
        "started periods count",
        arguments: [
            (Period.days(1), "2026-03-03", 1), (.days(1), "2026-03-09", 7), (.days(7), "2026-03-09", 1),
            (.days(7), "2026-03-10", 2), (.weeks(2), "2026-03-31", 3), (.months(1), "2026-04-02", 1),
            (.months(1), "2026-04-03", 2),
        ])
    func periods(period: Period, until: String, count: Int64) throws {
        let library = try Library()
        let listing = try library.offer(nil, 1, .rent, price: "1.00", period: period)
        _ = try library.rent("bob", listing, until: until).get()
        #expect(try library.owed("bob") == count * 100)
    }

    @Test(
        "a rental ends after today and within ten years",
        arguments: [("2026-03-02", "past"), ("2020-01-01", "past"), ("2046-03-02", "too_long")])
    func ends(until: String, code: String) throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent)
        #expect(try library.rent("bob", listing, until: until).refusal?.code == code)
    }

    @Test("without a date the policy's due says when a rental ends")
    func dueDate() throws {
        let library = try Library()
        let listing = try library.offer(nil, 1, .rent, price: "0.10")
        let rental = try library.rent("bob", listing, until: nil).get()
        #expect(rental.ends.description == "2026-03-16")
        #expect(try library.owed("bob") == 140)
        let other = try Library(policy: nil)
        let second = try other.offer("ada", 1, .rent)
        #expect(try other.rent("bob", second, until: nil).refusal?.code == "no_rule")
    }

    @Test("who may not borrow may buy and may not rent")
    func blocked() throws {
        let library = try Library()
        let (sold, rented) = (try library.offer("ada"), try library.offer("ada", 1, .rent))
        _ = try library.desk.write { try $0.patrons.block(.username("bob"), kind: "manual", actions: [.borrow]) }.get()
        #expect(try library.rent("bob", rented).refusal?.code == "blocked")
        #expect(try library.listing(rented).quantity == 1)
        _ = try library.buy("bob", sold).get()
        try library.expectSound()
    }

    @Test(
        "a block of the market stops buying and renting, by a cart too, and not what was rented before",
        arguments: [.buy, .rent] as [SaleKind])
    func marketBlocked(kind: SaleKind) throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, kind == .rent ? .rent : .sell, quantity: 3)
        let ends = kind == .rent ? "2026-03-09" : nil
        let running = try library.rent("bob", try library.offer("ada", 2, .rent)).get()
        _ = try library.put("bob", kind, listing: listing, until: ends).get()
        _ = try library.desk.write { try $0.patrons.block(.username("bob"), kind: "debt", actions: [.market]) }.get()
        let asked =
            kind == .rent
            ? try library.rent("bob", listing).refusal?.code : try library.buy("bob", listing).refusal?.code
        #expect(asked == "blocked")
        #expect(try library.put("bob", kind, listing: listing, until: ends).refusal?.code == "blocked")
        #expect(try library.checkOut("bob").refusal?.code == "blocked")
        #expect(try library.listing(listing).quantity == 3)
        #expect(try library.cart("bob").count == 1)
        _ = try library.put("bob", .loan, title: 3).get()
        _ = try library.desk.write { try $0.market.giveBack(running.id) }.get()
        try library.expectSound()
    }

    @Test("a cancelled order gives back stock and money; a closed one stays")
    func cancelling() throws {
        let library = try Library(policy: Library.taxed)
        let (listing, own) = (try library.offer("ada"), try library.offer(nil))
        _ = try library.put("bob", .buy, listing: listing).get()
        _ = try library.put("bob", .buy, listing: own).get()
        let order = try #require(try library.checkOut("bob").get().order)
        #expect(try library.owed("bob") == 480)
        let bob = library.desk.acting(as: Library.actor(try library.id("bob")))
        #expect(try bob.write { try $0.market.cancel(order: order.id) }.refusal?.code == "not_owner")
        let cancelled = try library.desk.write { try $0.market.cancel(order: order.id, reason: "Bob was ill") }.get()
        #expect(cancelled.state == .cancelled)
        #expect(try library.owed("bob") == 0)
        let back = try library.listing(listing)
        #expect(back.state == .active && back.quantity == 1)
        #expect(try library.desk.write { try $0.market.cancel(order: order.id) }.refusal?.code == "closed")
        #expect(try #require(try library.events(.orderCancelled).first).payload.contains("… was ill"))
        let second = try library.buy("bob", listing).get()
        #expect(
            try library.desk.write { try $0.market.handOver(second.id, by: .username("bob")) }.refusal?.code
                == "not_owner")
        #expect(
            try library.desk.write { try $0.market.handOver(second.id, by: .username("ada")) }.value?.state == .done)
        #expect(try library.desk.write { try $0.market.cancel(order: second.id) }.refusal?.code == "closed")
        try library.expectSound()
    }

    @Test("the history of a title's prices has twelve months of real orders")
    func priceHistory() throws {
        let library = try Library()
        let dear = try library.offer("ada", price: "10.00", quantity: 5)
        let cheap = try library.offer("cyd", price: "4.00", quantity: 5)
        _ = try library.buy("bob", dear).get()
        try library.pass(days: 40)
        _ = try library.buy("bob", dear).get()
        _ = try library.buy("bob", cheap, quantity: 2).get()
        let cancelled = try library.buy("bob", cheap).get()
        _ = try library.desk.write { try $0.market.cancel(order: cancelled.id) }.get()
        let months = try #require(try library.desk.read { try $0.market.priceHistory(of: .id(1)) })
        #expect(months.map(\.name).first == "2025-05" && months.last?.name == "2026-04" && months.count == 12)
        #expect(months.map(\.sold) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3])
        let last = try #require(months.last)
        #expect(try last.lowest == Library.euros("4.00"))
        #expect(try last.highest == Library.euros("10.00"))
        #expect(last.average == (try Library.euros("6.00")))
        #expect(months[0].average == nil)
        #expect(try library.desk.read { try $0.market.priceHistory(of: .id(99)) } == nil)
    }

    @Test("the sweep reminds of rentals that end soon, once")
    func rentalDue() throws {
        let library = try Library()
        let listing = try library.offer("ada", 1, .rent)
        _ = try library.rent("bob", listing, until: "2026-03-09").get()
        _ = try library.desk.sweep()
        #expect(try library.notices("bob", "rental_due").isEmpty)
        try library.pass(days: 5)
        _ = try library.desk.sweep()
        _ = try library.desk.sweep()
        let notice = try #require(try library.notices("bob", "rental_due").first)
        #expect(notice.body.contains("Dune ends on 2026-03-09"))
        #expect(try library.notices("bob", "rental_due").count == 1)
        try library.expectSound()
    }

    @Test("a patron who has something rented, lent or ordered is not removed; afterwards nothing names them")
    func removal() throws {
        let library = try Library()
        let rented = try library.offer("ada", 1, .rent, price: "0.00")
        let rental = try library.rent("bob", rented).get()
        let remove: (String) throws -> Refusal? = { name in
            try library.desk.write { try $0.patrons.remove(.username(name)) }.refusal
        }
        #expect(try remove("bob")?.code == "open_rentals")
        #expect(try remove("ada")?.code == "open_rentals")
        _ = try library.desk.write { try $0.market.giveBack(rental.id) }.get()
        #expect(try remove("bob")?.code == "open_orders")
        #expect(try remove("ada")?.code == "open_orders")
        _ = try library.desk.write { try $0.market.handOver(try #require(rental.order)) }.get()
        let note = ListingUpdate(condition: "Bobsson's own", note: "Ask Ada Adasson")
        _ = try library.desk.write { try $0.market.update(rented.id, note) }.get()
        _ = try library.desk.write { try $0.market.contact(rented.id, from: .username("bob"), message: "Hi") }.get()
        _ = try library.put("bob", .loan, title: 2).get()
        #expect(try remove("bob") == nil)
        let told = try library.notices("ada", "contact")
        #expect(told.count == 1 && told.allSatisfy { $0.body.isEmpty && $0.subject.isEmpty })
        #expect(try remove("ada") == nil)
        let listing = try library.listing(rented)
        #expect(listing.state == .withdrawn && listing.seller == nil && listing.note.isEmpty)
        try library.expectSound()
    }
}

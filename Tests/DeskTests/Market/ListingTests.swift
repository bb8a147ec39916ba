import Circulation
import Desk
import Market
import Testing

@Suite("Listings", .everyStore)
struct ListingTests {
    @Test("what is published is found by title, kind, seller and words, and not at all once it is withdrawn")
    func finding() throws {
        let library = try Library()
        let dune = try library.offer("ada", 1)
        let emma = try library.offer(nil, 2, .rent, price: "1.00")
        let found: (ListingQuery) throws -> [Int64] = { query in
            try library.desk.read { try $0.market.listings(query) }.map(\.id)
        }
        #expect(try found(ListingQuery()) == [emma.id, dune.id])
        #expect(try found(ListingQuery(title: .id(1))) == [dune.id])
        #expect(try found(ListingQuery(seller: .username("ada"))) == [dune.id])
        #expect(try found(ListingQuery(kind: .rent)) == [emma.id])
        #expect(try found(ListingQuery(words: "emma")) == [emma.id])
        #expect(try found(ListingQuery(words: "nothing")).isEmpty)
        #expect(try found(ListingQuery(seller: .username("nobody"))).isEmpty)
        _ = try library.desk.write { try $0.market.withdraw(dune.id) }.get()
        #expect(try found(ListingQuery()) == [emma.id])
        #expect(try found(ListingQuery(states: [.withdrawn])) == [dune.id])
        try library.expectSound()
    }

    @Test("titles of a course are found by the course")
    func courses() throws {
        let library = try Library()
        _ = try library.desk.write {
            try $0.catalogue.update(.id(3)) {
                $0.courses = [Course(code: "ENG-7", name: "Modernism")]
                $0.college = "Letters"
            }
        }.get()
        let listing = try library.offer("ada", 3)
        _ = try library.offer("ada", 2)
        let found = try library.desk.read { session in
            try [
                session.market.listings(ListingQuery(course: "eng-7")),
                session.market.listings(ListingQuery(course: "ENG-7", college: "letters")),
                session.market.listings(ListingQuery(words: "emma", course: "ENG-7")),
            ].map { $0.map(\.id) }
        }
        #expect(found == [[listing.id], [listing.id], []])
    }

    @Test("what begins like a word is found where that is asked for, in titles, courses and colleges")
    func prefixes() throws {
        let library = try Library()
        _ = try library.desk.write {
            try $0.catalogue.update(.id(3)) {
                $0.courses = [Course(code: "ENG-7", name: "Modernism")]
                $0.college = "Letters"
            }
        }.get()
        let listing = try library.offer("ada", 3)
        let found: (ListingQuery) throws -> [Int64] = { query in
            try library.desk.read { try $0.market.listings(query) }.map(\.id)
        }
        for query in [
            ListingQuery(words: "ulys", prefix: true), ListingQuery(course: "en", prefix: true),
            ListingQuery(college: "lett", prefix: true),
        ] {
            #expect(try found(query) == [listing.id])
            var whole = query
            whole.prefix = false
            #expect(try found(whole).isEmpty)
        }
        #expect(try found(ListingQuery(words: "lysses", prefix: true)).isEmpty)
        #expect(try library.desk.read { try $0.catalogue.colleges(ListPart(limit: 10)) } == ["Letters"])
    }

    @Test("sellers recommend, and take it back; what they recommend is listed alone")
    func recommended() throws {
        let library = try Library()
        _ = try library.offer("ada", 1)
        let request = ListingRequest(
            seller: .username("ada"), title: .id(2), kind: .sell, price: try Library.euros("2.00"), recommended: true)
        let listing = try library.desk.write { try $0.market.publish(request) }.get()
        #expect(listing.recommended)
        let found = { try library.desk.read { try $0.market.listings(ListingQuery(recommended: true)) }.map(\.id) }
        #expect(try found() == [listing.id])
        let changed = try library.desk.write {
            try $0.market.update(listing.id, ListingUpdate(recommended: false))
        }.get()
        #expect(!changed.recommended)
        #expect(try found().isEmpty)
        try library.expectSound()
    }

    @Test("colleges are listed once each, as many as are asked for")
    func colleges() throws {
        let library = try Library()
        #expect(try library.desk.read { try $0.catalogue.colleges(ListPart(limit: 10)) }.isEmpty)
        for (id, college) in [(1, "Physics"), (2, "Letters"), (3, "Physics")] as [(Int64, String)] {
            _ = try library.desk.write { try $0.catalogue.update(.id(id)) { $0.college = college } }.get()
        }
        #expect(try library.desk.read { try $0.catalogue.colleges(ListPart(limit: 10)) } == ["Letters", "Physics"])
        #expect(try library.desk.read { try $0.catalogue.colleges(ListPart(limit: 1)) } == ["Letters"])
    }

    @Test("only its owner and staff change a listing")
    func owners() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        let cheaper = ListingUpdate(price: try Library.euros("1.00"))
        let bob = library.desk.acting(as: Library.actor(try library.id("bob")))
        #expect(try bob.write { try $0.market.update(listing.id, cheaper) }.refusal?.code == "not_owner")
        #expect(try bob.write { try $0.market.withdraw(listing.id) }.refusal?.code == "not_owner")
        let byBob = try library.desk.write {
            try $0.market.update(listing.id, cheaper, by: .username("bob"))
        }
        #expect(byBob.refusal?.code == "not_owner")
        let forAda = try bob.write {
            try $0.market.publish(ListingRequest(seller: .username("ada"), title: .id(2), kind: .donate))
        }
        #expect(forAda.refusal?.code == "not_owner")
        let library2 = try bob.write {
            try $0.market.publish(ListingRequest(seller: nil, title: .id(2), kind: .donate))
        }
        #expect(library2.refusal?.code == "not_owner")
        let ada = library.desk.acting(as: Library.actor(try library.id("ada")))
        #expect(try ada.write { try $0.market.update(listing.id, cheaper) }.value?.price == cheaper.price)
        #expect(try ada.write { try $0.market.decide(listing.id, publish: true) }.refusal?.code == "not_allowed")
        #expect(try library.desk.write { try $0.market.withdraw(listing.id) }.value?.state == .withdrawn)
        #expect(try library.desk.write { try $0.market.update(listing.id, cheaper) }.refusal?.code == "closed")
        try library.expectSound()
    }

    @Test("a title new to the catalogue waits for staff, who put it in or refuse it; the seller gets a message")
    func review() throws {
        let library = try Library()
        let isbn = try ISBN("9780133977226")
        let request = ListingRequest(
            seller: .username("ada"), proposal: TitleProposal(isbn: isbn, title: "Optics", courses: ["PHY-2"]),
            kind: .sell, price: try Library.euros("20.00"))
        let listing = try library.desk.write { try $0.market.publish(request) }.get()
        #expect(listing.state == .review && listing.title == nil)
        #expect(try library.buy("bob", listing).refusal?.code == "not_offered")
        let again = ListingUpdate(state: .active)
        #expect(try library.desk.write { try $0.market.update(listing.id, again) }.refusal?.code == "review")
        let published = try library.desk.write {
            try $0.market.decide(listing.id, publish: true, message: "Welcome, Ada.")
        }.get()
        #expect(published.state == .active && published.proposal == nil)
        #expect(published.decision == "Welcome, ….")
        let title = try #require(try library.desk.read { try $0.catalogue.get(.isbn(isbn)) })
        #expect(published.title == title.id && title.courses.map(\.code) == ["PHY-2"])
        let notice = try #require(try library.notices("ada", "listing").first)
        #expect(notice.body.contains("Optics was approved"))
        let second = try library.desk.write { try $0.market.publish(request) }.get()
        #expect(second.state == .active && second.title == title.id)
        try library.expectSound()
    }

    @Test(
        "the policy publishes, leaves it to staff or refuses",
        arguments: [
            (Decision.Answer.allow, Listing.State.active as Listing.State?), (.review, .review), (.deny, nil),
            (.failed, nil),
        ])
    func policies(answer: Decision.Answer, state: Listing.State?) throws {
        let library = try Library(policy: Library.publishing(answer, answer == .review ? "We look at it." : nil))
        let request = ListingRequest(seller: .username("ada"), title: .id(1), kind: .donate)
        let outcome = try library.desk.write { try $0.market.publish(request) }
        #expect(outcome.value?.state == state)
        #expect(outcome.value?.decision == (answer == .review ? "We look at it." : nil))
        switch answer {
        case .deny: #expect(outcome.refusal?.code == "too_many")
        case .failed: #expect(try !library.events(.policyFailed).isEmpty)
        default: #expect(outcome.value?.policy != nil)
        }
        let own = try library.desk.write {
            try $0.market.publish(ListingRequest(seller: nil, title: .id(1), kind: .donate))
        }
        #expect(own.value?.state == .active)
        try library.expectSound()
    }

    @Test("a changed listing is decided anew, a hidden one is not asked about")
    func decidedAnew() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        try library.use(Library.publishing(.review, "Dear."), "strict")
        let hidden = try library.desk.write { try $0.market.update(listing.id, ListingUpdate(state: .hidden)) }.get()
        #expect(hidden.state == .hidden)
        let dearer = ListingUpdate(price: try Library.euros("90.00"), state: .active)
        let changed = try library.desk.write { try $0.market.update(listing.id, dearer) }.get()
        #expect(changed.state == .review && changed.decision == "Dear.")
        let refused = try library.desk.write { try $0.market.decide(listing.id, publish: false) }.get()
        #expect(refused.state == .draft)
        try library.expectSound()
    }

    @Test(
        "what makes no sense is an error of the caller",
        arguments: [
            ListingRequest(seller: nil, title: .id(1), kind: .sell),
            ListingRequest(seller: nil, title: .id(1), kind: .sell, price: Money(minorUnits: -1, currency: .eur)),
            ListingRequest(seller: nil, title: .id(1), kind: .donate, price: .zero(.eur)),
            ListingRequest(seller: nil, title: .id(1), kind: .donate, quantity: 0),
            ListingRequest(seller: nil, title: .id(1), kind: .donate, quantity: .max),
            ListingRequest(seller: nil, title: .id(1), kind: .donate, picture: "javascript:alert(1)"),
            ListingRequest(seller: nil, title: .id(1), kind: .donate, picture: "https://a b"),
            ListingRequest(seller: nil, title: .id(1), kind: .rent, price: .zero(.eur), period: .hours(1)),
            ListingRequest(seller: nil, title: .id(1), kind: .donate, period: .days(1)),
            ListingRequest(seller: nil, kind: .donate),
            ListingRequest(seller: nil, proposal: TitleProposal(title: " "), kind: .donate),
        ])
    func nonsense(request: ListingRequest) throws {
        let library = try Library()
        let error = #expect(throws: DeskError.self) { try library.desk.write { try $0.market.publish(request) } }
        #expect(error?.code == .input)
    }

    @Test("a message to an owner reveals no phone number or address")
    func contact() throws {
        let library = try Library()
        _ = try library.desk.write { try $0.patrons.update(.username("bob")) { $0.phone = "0123456789" } }.get()
        let listing = try library.offer("ada")
        let write: (String, String) throws -> Outcome<Notice> = { patron, message in
            try library.desk.write { try $0.market.contact(listing.id, from: .username(patron), message: message) }
        }
        let notice = try write("bob", "Is it {{patron.surname}}'s?").get()
        #expect(notice.patron == (try library.id("ada")))
        #expect(notice.body.contains("bob writes about Dune") && notice.body.contains("{{patron.surname}}"))
        #expect(!notice.body.contains("0123456789") && !notice.body.contains("bob@"))
        #expect(try write("bob", "Is it {{patron.surname}}'s?").refusal?.code == "exists")
        #expect(try write("ada", "Mine?").refusal?.code == "own_listing")
        let own = try library.offer(nil)
        let refused = try library.desk.write { try $0.market.contact(own.id, from: .username("bob"), message: "Hi") }
        #expect(refused.refusal?.code == "no_owner")
        try library.expectSound()
    }

    @Test("a title that is offered is not removed from the catalogue")
    func titles() throws {
        let library = try Library()
        let listing = try library.offer("ada")
        #expect(try library.desk.write { try $0.catalogue.remove(.id(1)) }.refusal?.code == "listed")
        #expect(try library.desk.write { try $0.catalogue.removeAll() }.refusal?.code == "listed")
        _ = try library.desk.write { try $0.market.withdraw(listing.id) }.get()
        _ = try library.desk.write { try $0.catalogue.remove(.id(1)) }.get()
        #expect(try library.listing(listing).title == nil)
        try library.expectSound()
    }
}

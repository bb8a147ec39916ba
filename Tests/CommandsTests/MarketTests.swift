import Foundation
import Testing
import TextFormats

@Suite("The market by the built command")
struct MarketTests {
    private static let script = """
        needs { "cart.write", "catalogue.write", "fees.write", "market.write", "patrons.write" }
        local own = market.publish{ isbn = "\(SmallLibrary.emma)", kind = "sell", price = "10.00", quantity = 2 }
        local dear = market.publish{ seller = "p1", isbn = "\(SmallLibrary.emma)", kind = "sell", price = "60.01" }
        print("review", dear.state, dear.decision)
        print("published", market.approve(dear).state)
        cart.add{ patron = "p2", listing = own, quantity = 2 }
        print("total", cart.total("p2").total)
        local done = cart.checkout("p2")
        for _, line in ipairs(done.order.lines) do print(line.label, line.amount) end
        print("sold", market.get(own).state, select(2, market.buy{ patron = "p1", listing = own }).code)
        local rent = market.publish{ seller = "p1", isbn = "\(SmallLibrary.emma)", kind = "rent", price = "1.00" }
        local rental = market.rent{ patron = "p2", listing = rent }
        print("rental", rental.ends_on, market.get(rent).state, select(2, patrons.remove("p1")).code)
        market.give_back(rental)
        print("back", market.get(rent).state, market.get(rent).price, fees.owed("p2"))
        local asked = suggestions.submit{ patron = "p1", name = "Optics", isbn = "9780133977226" }
        print("suggestion", asked.state, suggestions.approve(asked).state, catalogue.get("9780133977226").title)
        """

    /// Brings a shipped policy into force, without what it says of itself: that is tested and proved elsewhere.
    private static func use(
        _ policy: String, in library: borrowing SmallLibrary, _ now: String
    ) throws -> BuiltCommand.Result {
        let file = BuiltCommand.root.appending(path: "policies/\(policy).lua")
        try library.folder.write(try String(contentsOf: file, encoding: .utf8), to: "\(policy).lua")
        return try library.run("--now", now, "policy", "use", "\(policy).lua")
    }

    @Test("a textbook office sells, rents out and takes suggestions", arguments: StoreChoice.allCases)
    func office(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        let now = "2026-03-02T09:00:00Z"
        let used = try Self.use("textbooks", in: library, now)
        #expect(used.status == 0, "\(used)")
        try library.folder.write(Self.script, to: "market.lua")
        let allowed = "cart.write,catalogue.write,fees.write,market.write,patrons.write"
        let run = try library.run("--now", now, "run", "--allow", allowed, "market.lua")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                "review review The office reviews offers priced above 60.00.", "published active", "total 21.32 EUR",
                "2 x Emma 20.00 EUR", "Taxes (6.62 %) 1.32 EUR", "sold sold stock",
                "rental 2026-03-31 hidden open_rentals", "back active 1.00 EUR 21.32 EUR",
                "suggestion review approved Optics",
            ], "\(run)")
        #expect(try library.isSound())
    }

    /// p2 buys, rents and takes of p1 far more than any policy lets a patron owe.
    private static let privateDeals = """
        needs { "cart.write", "catalogue.write", "fees.write", "loans.write", "market.write", "patrons.write", "settings.write" }
        categories.add{ code = "undergraduate", name = "Undergraduate" }
        for _, patron in ipairs{ "p1", "p2" } do patrons.update(patron, { category = %CATEGORY% }) end
        local function offer(kind, price)
            local listing = market.publish{ seller = "p1", isbn = "\(SmallLibrary.emma)", kind = kind, price = price }
            return listing.state == "active" and listing or market.approve(listing)
        end
        assert(market.buy{ patron = "p2", listing = offer("sell", "99.00") })
        local rental = assert(market.rent{ patron = "p2", listing = offer("rent", "40.00"), ends_on = date "2026-03-31" })
        assert(cart.add{ patron = "p2", listing = offer("sell", "45.00") })
        assert(cart.add{ patron = "p2", listing = offer("trade") })
        assert(cart.checkout("p2"))
        market.give_back(rental)
        print(fees.owed("p1"), fees.owed("p2"), #fees.ledger("p2"))
        print(loans.checkout{ patron = "p2", isbn = "\(SmallLibrary.odyssey)" } ~= nil)
        print(loans.checkout{ patron = "p1", isbn = "\(SmallLibrary.odyssey)" } ~= nil)
        """

    @Test(
        "what a patron buys and rents of another is no fee under a shipped policy, and keeps nobody from borrowing",
        arguments: ["bitbooks", "public", "textbooks", "university"], ["public", "undergraduate"])
    func privateDeals(policy: String, category: String) throws {
        let library = try SmallLibrary()
        let now = "2026-03-02T09:00:00Z"
        let used = try Self.use(policy, in: library, now)
        #expect(used.status == 0, "\(used)")
        try library.folder.write(
            Self.privateDeals.replacing("%CATEGORY%", with: "\"\(category)\""), to: "deals.lua")
        let allowed = "cart.write,catalogue.write,fees.write,loans.write,market.write,patrons.write,settings.write"
        let run = try library.run("--now", now, "run", "--allow", allowed, "deals.lua")
        #expect(run.status == 0 && run.output == "0.00 EUR 0.00 EUR 0\ntrue\ntrue\n", "\(run)")
        let later = try library.run("--now", "2026-12-02T09:00:00Z", "notices", "sweep")
        #expect(later.status == 0, "\(later)")
        #expect(try library.isSound())
    }

    @Test("a patron sells only with permission")
    func notAllowed() throws {
        let library = try SmallLibrary()
        let denied = try library.run("eval", "--format", "json", "market.withdraw(1)")
        #expect(denied.status == 3)
        #expect(try denied.failure()["error"]?["code"] == "capability")
        let refused = try library.run(
            "eval", "--allow", "cart.write", "return select(2, cart.checkout('p1')).code")
        #expect(refused.status == 0 && refused.output.contains("empty"), "\(refused)")
    }
}

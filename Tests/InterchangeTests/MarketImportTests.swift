import Circulation
import Desk
import Interchange
import Market
import Testing

@Suite("The market in files")
struct MarketImportTests {
    private static let people = """
        {"title":{"isbn":"9780140449136","title":"Odyssey"}}
        {"title":{"title":"A Manuscript"}}
        {"patron":{"username":"ada"}}
        {"patron":{"username":"bob"}}
        """
    private static let market = """
        {"listing":{"key":"l1","seller":"ada","isbn":"9780140449136","kind":"sell","price":"4.50 EUR","quantity":2,"condition":"as new","note":"Ask Ada","state":"active","created_at":"2026-09-01T08:00:00Z","updated_at":"2026-09-02T08:00:00Z"}}
        {"listing":{"key":"l2","title":"A Manuscript","kind":"rent","price":"1.00 EUR","period":"P7D","quantity":0,"state":"hidden","created_at":"2026-09-01T08:00:00Z"}}
        {"listing":{"key":"l3","seller":"bob","kind":"donate","state":"review","created_at":"2026-09-01T08:00:00Z","decision":"New.","proposal":{"title":"Optics","isbn":"9780133977226"}}}
        {"order":{"key":"o1","username":"bob","category":"patron","state":"done","items":[{"listing":"l1","isbn":"9780140449136","seller":"ada","kind":"buy","label":"Odyssey","quantity":1,"price":"4.50 EUR"}],"lines":[{"label":"Odyssey","amount":"4.50 EUR","item":1},{"label":"Taxes","amount":"0.30 EUR"}],"total":"4.80 EUR","placed_at":"2026-09-03T08:00:00Z","closed_at":"2026-09-04T08:00:00Z","channel":"web"}}
        {"order":{"key":"o2","username":"bob","state":"open","items":[{"listing":"l2","title":"A Manuscript","kind":"rent","label":"A Manuscript","quantity":1,"price":"1.00 EUR","periods":3,"ends":"2026-09-25"}],"lines":[{"label":"A Manuscript","amount":"3.00 EUR"}],"total":"3.00 EUR","placed_at":"2026-09-04T08:00:00Z"}}
        {"rental":{"key":"r1","listing":"l2","title":"A Manuscript","borrower":"bob","order":"o2","quantity":1,"price":"1.00 EUR","period":"P7D","begun_at":"2026-09-04T08:00:00Z","ends":"2026-09-25"}}
        {"cart_line":{"username":"ada","kind":"loan","isbn":"9780140449136","quantity":1,"added_at":"2026-09-05T08:00:00Z"}}
        {"cart_line":{"username":"bob","kind":"buy","listing":"l1","quantity":2,"price":"4.50 EUR","added_at":"2026-09-05T08:00:00Z"}}
        {"favourite":{"username":"ada","isbn":"9780140449136","added_at":"2026-09-05T08:00:00Z"}}
        {"favourite":{"username":"bob","listing":"l1","added_at":"2026-09-05T08:00:00Z"}}
        {"suggestion":{"key":"s1","username":"ada","proposal":{"title":"Optics","courses":["PHY-2"]},"note":"Please","state":"rejected","submitted_at":"2026-09-01T08:00:00Z","decided_at":"2026-09-02T08:00:00Z","decision":"Too dear."}}
        {"conversation":{"key":"c1","listing":"l1","asker":"bob","owner":"ada","begun_at":"2026-09-05T09:00:00Z","asker_read":2,"owner_read":1}}
        {"message":{"conversation":"c1","number":1,"sender":"bob","text":"Is it yours?","sent_at":"2026-09-05T09:00:00Z"}}
        {"message":{"conversation":"c1","number":2,"sender":"ada","text":"Yes.","sent_at":"2026-09-05T10:00:00Z"}}
        {"message":{"conversation":"c1","number":3,"sender":"bob","text":"Fine.","sent_at":"2026-09-05T11:00:00Z"}}
        {"blocked_writer":{"patron":"ada","writer":"bob","blocked_at":"2026-09-06T08:00:00Z"}}
        """

    private func bench(_ lines: String) throws -> (ImportBench, ImportReport) {
        let bench = try ImportBench()
        return (bench, try bench.importing(bench.file("market.jsonl", Self.people + "\n" + lines + "\n")))
    }

    @Test("what is exported is imported again as the same market, and once only")
    func roundTrip() throws {
        let (bench, report) = try bench(Self.market)
        #expect(report.rejected == 0, "\(report.problems)")
        #expect(try bench.desk.examine().broken == [])
        let text = try bench.export()
        let other = try ImportBench()
        let again = try other.importing(other.file("export.jsonl", text))
        #expect(again.rejected == 0, "\(again.problems)")
        #expect(try other.export() == text)
        #expect(try other.desk.examine().broken == [])
        #expect(try other.importing(other.path("export.jsonl")).added == 0)
        #expect(try other.export() == text)
    }

    @Test("an imported market goes on: what was rented is given back, and prices have a history")
    func goesOn() throws {
        let (bench, _) = try bench(Self.market)
        try bench.desk.write { session in
            let rental = try #require(try session.market.rentals(borrower: .username("bob")).first)
            #expect(rental.order != nil && rental.price.amountText == "1.00")
            _ = try #require(try session.market.giveBack(rental.id).value)
            #expect(try session.market.get(rental.listing)?.state == .active)
            let sold = try #require(try session.market.orders(buyer: .username("bob"), state: .done).first)
            #expect(sold.lines.map(\.label) == ["Odyssey", "Taxes"] && sold.total.amountText == "4.80")
            #expect(try session.carts.items(of: .username("bob")).map(\.quantity) == [2])
        }
        #expect(try bench.desk.examine().broken == [])
    }

    @Test(
        "what cannot be kept is reported",
        arguments: [
            #"{"listing":{"key":"x","seller":"eve","isbn":"9780140449136","kind":"donate","state":"active","created_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"listing":{"key":"x","isbn":"9780140449136","kind":"sell","price":"1.00 USD","state":"active","created_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"listing":{"key":"x","isbn":"9780140449136","kind":"sell","price":"1.00 EUR","quantity":-1,"state":"hidden","created_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"listing":{"key":"x","kind":"give","state":"active","created_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"order":{"key":"x","username":"bob","state":"open","items":[],"lines":[{"label":"x","amount":"1.00 EUR"}],"total":"2.00 EUR","placed_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"order":{"key":"x","username":"bob","state":"open","items":[],"lines":[{"label":"x","amount":"1.00 EUR","item":2}],"total":"1.00 EUR","placed_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"order":{"key":"x","username":"bob","state":"open","items":[],"lines":[{"label":"x","amount":"1.00 EUR","item":"1"}],"total":"1.00 EUR","placed_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"order":{"key":"x","username":"bob","state":"done","items":[],"lines":[],"total":"0.00 EUR","placed_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"rental":{"key":"x","listing":"none","borrower":"bob","price":"1.00 EUR","period":"P1D","begun_at":"2026-09-01T08:00:00Z","ends":"2026-09-02"}}"#,
            #"{"cart_line":{"username":"bob","kind":"loan","added_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"favourite":{"username":"bob","added_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"favourite":{"username":"eve","isbn":"9780140449136","added_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"conversation":{"key":"x","listing":"none","asker":"bob","begun_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"message":{"conversation":"none","number":1,"text":"Hi","sent_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"message":{"number":1,"text":"Hi","sent_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"blocked_writer":{"patron":"bob","writer":"eve","blocked_at":"2026-09-01T08:00:00Z"}}"#,
            #"{"suggestion":{"key":"x","proposal":{},"state":"review","submitted_at":"2026-09-01T08:00:00Z"}}"#,
        ])
    func rejected(line: String) throws {
        let (bench, report) = try bench(line)
        #expect(report.rejected == 1, "\(report.problems)")
        #expect(try bench.desk.examine().broken == [])
    }
}

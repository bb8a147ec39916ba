import Circulation
import Desk
import Foundation
import Market
import Pictures
import Scripting
import Server
import Testing
import TextFormats

@Suite("The order of an offer's pictures")
struct PictureOrderTests {
    /// Takes every file for a picture of its own.
    private struct Writer: PictureWriter {
        func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture {
            WrittenPicture(
                whole: .init(width: 6, height: 8, bytes: bytes), small: .init(width: 3, height: 4, bytes: bytes))
        }
    }

    private let server: TestServer
    private let browser: PageBrowser
    private let offer: Int64
    /// The names of three pictures, as they came.
    private let names: [String]

    init() throws {
        server = try TestServer(writer: Writer())
        browser = PageBrowser(server)
        let id = try server.desk.write { session in
            let request = ListingRequest(
                seller: .username("ann"), title: .id(1), kind: .sell,
                price: try Money(parsing: "1.00", currency: .eur), quantity: 1)
            return try #require(try session.market.publish(request).value).id
        }
        for number in 1...3 {
            #expect(try server.desk.addPicture([0xFF, 0xD8, UInt8(number)], to: id).refusal == nil)
        }
        offer = id
        names = try server.desk.read { try #require(try $0.market.get(id)).pictures }
    }

    private func pictures() throws -> [Int] {
        try server.desk.read { try #require(try $0.market.get(offer)).pictures }.compactMap { names.firstIndex(of: $0) }
    }

    private func path(_ number: Int) -> String { "/me/listings/\(offer)/pictures/\(names[number])/move" }

    @Test("buttons put a picture earlier and later; the first stands for the offer, and nothing leads beyond the ends")
    func buttons() async throws {
        try #require(Set(names).count == 3)
        try await browser.logIn("ann")
        let page = try await browser.open("/me/listings/\(offer)")
        // Two of three can go either way.
        #expect(page.components(separatedBy: "/move\"").count == 5, "\(page)")
        let first = try #require(page.components(separatedBy: "<li>").first { $0.contains(path(0)) })
        #expect(first.contains(">Move later<") && !first.contains(">Move earlier<"))
        let moved = try await browser.send(path(2), ["position": "2"])
        #expect(moved.contains("The order of the pictures has been changed."), "\(moved)")
        #expect(try pictures() == [0, 2, 1])
        try await browser.send(path(2), ["position": "1"])
        #expect(try pictures() == [2, 0, 1])
        let visitor = PageBrowser(server)
        #expect(try await visitor.open("/market").contains("/pictures/\(names[2])-small.jpg"))
        // Each moved picture is kept, none twice.
        #expect(try server.desk.examine().broken.isEmpty)
    }

    @Test("programs move a picture by its name; a place behind the last is the last")
    func routes() async throws {
        let base = "/listings/\(offer)/pictures"
        let moved = try await server.ask(.post, "\(base)/\(names[0])/move", ["position": 6], as: "ann")
        #expect(moved.status == 200, "\(moved.text)")
        #expect(moved.json["pictures"] == .array([names[1], names[2], names[0]].map { .string($0) }))
        // The same place again changes nothing.
        #expect(try await server.ask(.post, "\(base)/\(names[0])/move", ["position": 3], as: "ann").status == 200)
        #expect(try pictures() == [1, 2, 0])
        for (name, position, as_, status) in [
            ("ab", 1, "ann", 404), (names[1], 0, "ann", 400), (names[1], 7, "ann", 400), (names[1], 2, "bob", 404),
        ] as [(String, Int64, String, Int)] {
            let refused = try await server.ask(
                .post, "\(base)/\(name)/move", ["position": .integer(position)], as: as_)
            #expect(refused.status == status, "\(name) \(position) \(as_): \(refused.text)")
        }
        #expect(try await server.ask(.post, "\(base)/\(names[1])/move", ["position": 1], as: nil).status == 401)
        #expect(try pictures() == [1, 2, 0])
        // Staff may, since they keep the market.
        #expect(try await server.ask(.post, "\(base)/\(names[0])/move", ["position": 1], as: "staff").status == 200)
        #expect(try pictures() == [0, 1, 2])
    }

    @Test("an offer that is closed keeps its order")
    func closed() throws {
        _ = try server.desk.write { try $0.market.withdraw(offer) }
        let outcome = try server.desk.write { try $0.market.movePicture(names[0], of: offer, to: 2) }
        #expect(outcome.refusal?.code == "closed")
    }
}

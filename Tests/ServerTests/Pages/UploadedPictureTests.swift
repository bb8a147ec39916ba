import Circulation
import Desk
import Foundation
import Market
import Pictures
import Server
import Synchronization
import TestSupport
import Testing
import TextFormats

/// Takes every JPEG for a picture of its last bytes, and counts.
private final class Darkroom: PictureWriter {
    private let counter = Mutex(0)
    var asked: Int { counter.withLock { $0 } }

    func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture {
        counter.withLock { $0 += 1 }
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .unknown }
        let file: [UInt8] = [0xFF, 0xD8, 0xFF] + bytes.suffix(4) + [0xFF, 0xD9]
        return WrittenPicture(
            whole: .init(width: 600, height: 800, bytes: file),
            small: .init(width: 240, height: 320, bytes: file + file))
    }
}

@Suite("Pictures that were uploaded")
struct UploadedPictureTests {
    private let darkroom = Darkroom()
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer(writer: darkroom)
        browser = PageBrowser(server)
    }

    private static func file(_ number: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture \(1_000 + number)".utf8)
    }

    private func name(_ number: Int) throws -> String { try darkroom.write(Self.file(number)).name }

    private func offer(of username: String = "ann", pieces: Int64 = 1) throws -> Int64 {
        try server.desk.write { session in
            let seller = try #require(try session.patrons.get(.username(username)))
            let request = ListingRequest(
                seller: .id(seller.id), title: .id(1), kind: .sell, price: try Money(parsing: "1.00", currency: .eur),
                quantity: pieces)
            return try #require(try session.market.publish(request).value).id
        }
    }

    private func listing(_ id: Int64) throws -> Listing {
        try server.desk.read { try #require(try $0.market.get(id)) }
    }

    /// Sends the form with a file of the page that goes to a path.
    private func upload(_ path: String, _ bytes: [UInt8]) async throws -> WebResponse {
        var fields: [(String, String)] = []
        for pair in try browser.form(path).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            fields.append((String(parts[0]), String(parts[1]).removingPercentEncoding ?? ""))
        }
        var body: [UInt8] = []
        for (name, value) in fields {
            body += Array("--mark\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        body += Array("--mark\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n\r\n".utf8)
        body += bytes + Array("\r\n--mark--\r\n".utf8)
        let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        return await server.web.answer(
            WebRequest(
                "POST", path,
                fields: [("content-type", "multipart/form-data; boundary=mark"), ("cookie", cookies)], body: body))
    }

    @Test("a seller uploads a picture by the form of the offer; everyone sees it, small in lists")
    func seller() async throws {
        let id = try offer()
        try await browser.logIn("ann")
        try await browser.open("/me/listings/\(id)")
        let answer = try await upload("/me/listings/\(id)/pictures", Self.file(1))
        #expect(answer.status == 303, "\(answer.text)")
        let name = try name(1)
        #expect(try listing(id).pictures == [name])
        #expect(try await browser.open("/me/listings/\(id)").contains("/pictures/\(name)-small.jpg"))
        let visitor = PageBrowser(server)
        #expect(try await visitor.open("/market/\(id)").contains("/pictures/\(name)-small.jpg"))
        #expect(try await visitor.open("/market").contains("<img src=\"/pictures/\(name)-small.jpg\" alt=\"\""))
        for (path, size) in [("/pictures/\(name).jpg", 9), ("/pictures/\(name)-small.jpg", 18)] {
            let picture = await visitor.ask("GET", path)
            #expect(picture.status == 200 && picture.body.count == size)
            #expect(picture.fields["Content-Type"] == "image/jpeg")
            #expect(picture.fields["X-Content-Type-Options"] == "nosniff")
            #expect(picture.fields["Cache-Control"] == "private, max-age=31536000, immutable")
            let tag = try #require(picture.fields["ETag"])
            let again = await visitor.ask("GET", path, fields: [("if-none-match", tag)])
            #expect(again.status == 304 && again.body.isEmpty)
        }
        try await browser.send("/me/listings/\(id)/pictures/\(name)/remove")
        #expect(try listing(id).pictures.isEmpty)
        #expect(await visitor.ask("GET", "/pictures/\(name).jpg").status == 404)
    }

    @Test("what is no picture is refused on the page, and a form without a seal or a file changes nothing")
    func refusals() async throws {
        let id = try offer()
        try await browser.logIn("ann")
        try await browser.open("/me/listings/\(id)")
        let path = "/me/listings/\(id)/pictures"
        let strange = try await upload(path, Array("<svg/>".utf8))
        #expect(strange.status == 409 && strange.text.contains("none of the pictures that can be kept"))
        let empty = try await upload(path, [])
        #expect(empty.status == 400 && empty.text.contains("Choose a picture."))
        let foreign = await server.web.answer(
            WebRequest(
                "POST", path,
                fields: [
                    ("content-type", "multipart/form-data; boundary=mark"),
                    ("cookie", browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")),
                ], body: Array("--mark\r\nContent-Disposition: form-data; name=\"seal\"\r\n\r\nx\r\n--mark--".utf8)))
        #expect(foreign.status == 403)
        #expect(try listing(id).pictures.isEmpty)
        #expect(darkroom.asked == 1)
    }

    @Test("an offer has six pictures in their order; the seventh is refused and not even read")
    func most() throws {
        let id = try offer()
        for number in 1...6 { _ = try server.desk.addPicture(Self.file(number), to: id) }
        // The same once more, then another one.
        let asked = darkroom.asked
        #expect(try server.desk.addPicture(Self.file(7), to: id).refusal?.code == "pictures_full")
        #expect(darkroom.asked == asked)
        let names = try (1...6).map(name)
        #expect(try listing(id).pictures == names)
        let left = try server.desk.write { try $0.market.removePicture(names[2], of: id) }
        #expect(left.value?.pictures == names.filter { $0 != names[2] })
        _ = try server.desk.addPicture(Self.file(1), to: id)
        #expect(try listing(id).pictures == names.filter { $0 != names[2] })
    }

    @Test(
        "the pictures of an offer go when it is withdrawn, handed over, or its seller removed, and come back with a cancelled order"
    )
    func cleaning() throws {
        func isKept(_ number: Int) throws -> Bool {
            let name = try name(number)
            return try server.desk.read { try $0.catalogue.image(name, isSmall: true) } != nil
        }
        let (first, second, third) = (try offer(), try offer(), try offer(of: "bob"))
        for (number, id) in [first, second, third].enumerated() {
            _ = try server.desk.addPicture(Self.file(number), to: id)
            _ = try server.desk.addPicture(Self.file(10), to: id)
        }
        _ = try server.desk.write { try $0.market.withdraw(first) }
        #expect(try [0, 1, 2, 10].map(isKept) == [false, true, true, true])
        #expect(try listing(first).pictures.isEmpty)
        func buy() throws -> Int64 {
            try server.desk.write {
                try #require(try $0.market.buy(second, quantity: 1, patron: .username("bob")).value).id
            }
        }
        let cancelled = try buy()
        #expect(try listing(second).state == .sold && isKept(1))
        _ = try server.desk.write { try $0.market.cancel(order: cancelled) }
        #expect(try listing(second).state == .active && listing(second).pictures.count == 2)
        let order = try buy()
        _ = try server.desk.write { try $0.market.handOver(order) }
        #expect(try [1, 2, 10].map(isKept) == [false, true, true])
        #expect(try listing(second).pictures.isEmpty && server.desk.examine().broken.isEmpty)
        let removed = try server.desk.write { try $0.patrons.remove(.username("bob")) }
        #expect(removed.value != nil, "\(removed)")
        #expect(try [2, 10].map(isKept) == [false, false])
    }

    @Test("pieces of two orders keep their pictures until the last one is handed over")
    func twoOrders() throws {
        let id = try offer(pieces: 2)
        _ = try server.desk.addPicture(Self.file(1), to: id)
        let orders = try (0..<2).map { _ in
            try server.desk.write {
                try #require(try $0.market.buy(id, quantity: 1, patron: .username("bob")).value).id
            }
        }
        _ = try server.desk.write { try $0.market.handOver(orders[0]) }
        #expect(try listing(id).state == .sold && listing(id).pictures.count == 1)
        _ = try server.desk.write { try $0.market.handOver(orders[1]) }
        #expect(try listing(id).pictures.isEmpty)
    }

    @Test("an offer with an uploaded picture has one, for the policy too")
    func asked() throws {
        try server.activatePolicy(
            """
            rules = { { loan = days(14) } }, publish = function(case)
                if case.listing and not case.listing.picture then return deny("picture", "A picture, please.") end
                return allow()
            end,
            """)
        let draft = try server.desk.write { session in
            let request = ListingRequest(
                seller: .username("ann"), title: .id(1), kind: .sell, price: try Money(parsing: "1.00", currency: .eur),
                isDraft: true)
            return try #require(try session.market.publish(request).value).id
        }
        func publish() throws -> Outcome<Listing> {
            try server.desk.write { try $0.market.update(draft, ListingUpdate(state: .active)) }
        }
        #expect(try publish().refusal?.code == "picture")
        _ = try server.desk.addPicture(Self.file(1), to: draft)
        #expect(try publish().value?.state == .active)
    }

    @Test("staff give a title a cover by the form and take it away; the events say so, and the doctor finds nothing")
    func cover() async throws {
        try await browser.logIn("staff")
        try await browser.open("/desk/titles/1")
        #expect(try await upload("/desk/titles/1/cover", Self.file(3)).status == 303)
        let name = try name(3)
        #expect(
            try await browser.open("/titles/1").contains("<img class=\"cover\" src=\"/pictures/\(name)-small.jpg\""))
        // So does an offer of it that has no picture of its own.
        let offered = try offer()
        #expect(try await browser.open("/market").contains("<img src=\"/pictures/\(name)-small.jpg\""))
        #expect(
            try await browser.open("/market/\(offered)").contains(
                "<img class=\"cover\" src=\"/pictures/\(name)-small.jpg\" alt=\"\""))
        try await browser.open("/desk/titles/1")
        #expect(try await upload("/desk/titles/1/cover", Self.file(4)).status == 303)
        #expect(await browser.ask("GET", "/pictures/\(name).jpg").status == 404)
        let next = try self.name(4)
        #expect(try server.desk.read { try $0.catalogue.get(.id(1))?.cover } == next)
        let report = try server.desk.examine()
        #expect(report.broken.isEmpty, "\(report.broken)")
        try await browser.open("/desk/titles/1")
        try await browser.send("/desk/titles/1/cover/remove")
        #expect(try server.desk.read { try $0.catalogue.get(.id(1))?.cover } == nil)
        #expect(await browser.ask("GET", "/pictures/\(next).jpg").status == 404)
    }

    @Test("programs send the file itself or JSON, each for what is theirs")
    func programs() async throws {
        let id = try offer()
        let path = "/api/v1/listings/\(id)/pictures"
        func send(_ method: String, _ path: String, _ type: String, _ body: [UInt8], by name: String) async throws
            -> WebResponse
        {
            await server.web.answer(
                WebRequest(
                    method, path,
                    fields: [("content-type", type), ("authorization", "Bearer \(try server.token(of: name))")],
                    body: body))
        }
        #expect(try await send("POST", path, "image/jpeg", Self.file(1), by: "bob").status == 404)
        #expect(try await send("PUT", "/api/v1/titles/1/cover", "image/jpeg", Self.file(1), by: "ann").status == 403)
        #expect(darkroom.asked == 0)
        let added = try await send("POST", path, "image/jpeg", Self.file(1), by: "ann")
        #expect(added.status == 201, "\(added.text)")
        let json = JSON.object(["image": .string(Base64Text.of(Self.file(2)))])
        #expect(try await send("POST", path, "application/json", Array(json.text().utf8), by: "staff").status == 201)
        let names = [try name(1), try name(2)]
        #expect(try listing(id).pictures == names)
        let strange = try await send("POST", path, "image/svg+xml", Array("<svg/>".utf8), by: "ann")
        #expect(strange.status == 409 && strange.text.contains("picture_unknown"))
        #expect(try await send("POST", path, "text/plain", Self.file(1), by: "ann").status == 415)
        let broken = try await send("POST", path, "application/json", Array("{\"image\":\"??\"}".utf8), by: "ann")
        #expect(broken.status == 400)
        let large = [UInt8](repeating: 0, count: 12 << 20)
        #expect(try await send("POST", path, "image/jpeg", large, by: "ann").status == 413)
        #expect(try await send("PATCH", "/api/v1/listings/\(id)", "image/jpeg", large, by: "ann").status == 413)
        #expect(try await send("PUT", "/api/v1/titles/1/cover", "image/jpeg", Self.file(1), by: "staff").status == 200)
        let gone = try await send("DELETE", "\(path)/\(names[0])", "", [], by: "ann")
        #expect(gone.status == 200, "\(gone.text)")
        #expect(try listing(id).pictures == [names[1]])
    }

    @Test(
        "an address that names no picture answers like a missing page",
        arguments: [
            "a.jpg", "-small.jpg", ".jpg", "\(String(repeating: "a", count: 64)).png", "..%2F.jpg", "titles.jpg",
        ])
    func strangeNames(file: String) async {
        #expect(await browser.ask("GET", "/pictures/\(file)").status == 404)
    }
}

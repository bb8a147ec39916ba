import Circulation
import Desk
import Market
import Server
import Synchronization
import Testing

@Suite("Pictures of other servers")
struct PictureTests {
    /// Answers by the end of an address, and counts.
    private final class Gallery: PictureSource {
        private let requests = Mutex<[String]>([])
        var asked: [String] { requests.withLock { $0 } }

        struct Missing: Error {}

        func bytes(at url: String) throws -> [UInt8] {
            requests.withLock { $0.append(url) }
            switch url.split(separator: ".").last {
            case "png": return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
            case "jpg": return [0xFF, 0xD8, 0xFF, 2]
            case "gif": return Array("GIF89a!".utf8)
            case "webp": return Array("RIFF1234WEBPVP8 ".utf8)
            case "html": return Array("<script>alert(1)</script>".utf8)
            case "svg": return Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
            default: throw Missing()
            }
        }
    }

    private let gallery = Gallery()
    private let server: TestServer
    private let visitor: PageBrowser

    init() throws {
        server = try TestServer(pictures: gallery)
        visitor = PageBrowser(server)
    }

    /// An offer of ann's with a picture.
    private func offer(_ picture: String) throws -> Int64 {
        try server.desk.write { session in
            let seller = try #require(try session.patrons.get(.username("ann")))
            let request = ListingRequest(
                seller: .id(seller.id), title: .id(1), kind: .sell, price: try Money(parsing: "1.00", currency: .eur),
                picture: picture)
            return try #require(try session.market.publish(request).value).id
        }
    }

    @Test(
        "the library's server hands out a seller's picture with its kind, and fetches it once",
        arguments: [("png", "image/png"), ("jpg", "image/jpeg"), ("gif", "image/gif"), ("webp", "image/webp")])
    func handedOut(ending: String, type: String) async throws {
        let id = try offer("https://pictures.example.org/a.\(ending)")
        let page = try await visitor.open("/market/\(id)")
        let path = try #require(page.firstMatch(of: /<img class="cover" src="(\/pictures\/listings\/[^"]*)"/)?.1)
        #expect(!page.contains("pictures.example.org"))
        for _ in 1...3 {
            let answer = await visitor.ask("GET", String(path))
            #expect(answer.status == 200 && answer.fields["Content-Type"] == type)
            #expect(answer.fields["Content-Security-Policy"] == "default-src 'none'; sandbox")
            #expect(answer.fields["X-Content-Type-Options"] == "nosniff")
        }
        #expect(gallery.asked == ["https://pictures.example.org/a.\(ending)"])
    }

    @Test(
        "what is no picture, is not to be had or could run something is not handed out, nor asked for again in ten minutes",
        arguments: ["a.html", "a.svg", "a.missing"])
    func refused(name: String) async throws {
        let id = try offer("https://pictures.example.org/\(name)")
        for _ in 1...3 { #expect(await visitor.ask("GET", "/pictures/listings/\(id)").status == 404) }
        #expect(gallery.asked.count == 1)
        server.pass(.seconds(599))
        #expect(await visitor.ask("GET", "/pictures/listings/\(id)").status == 404)
        #expect(gallery.asked.count == 1)
        server.pass(.seconds(2))
        #expect(await visitor.ask("GET", "/pictures/listings/\(id)").status == 404)
        #expect(gallery.asked.count == 2)
    }

    @Test("an address of another kind is never asked, nor is there a picture of what is not there")
    func never() async throws {
        for address in [
            "http://pictures.example.org/a.png", "javascript:alert(1)", "file:///etc/passwd", "data:image/png,x",
        ] {
            guard let id = try? offer(address) else { continue }
            #expect(await visitor.ask("GET", "/pictures/listings/\(id)").status == 404)
            #expect(try await !visitor.open("/market/\(id)").contains("<img"))
        }
        for path in ["listings/999", "listings/x", "titles/999", "titles/1", "other/1", "listings/1/2"] {
            #expect(await visitor.ask("GET", "/pictures/\(path)").status == 404, "\(path)")
        }
        #expect(gallery.asked.isEmpty)
    }

    @Test("covers come from the library too, and a page lets a browser contact no other server")
    func covers() async throws {
        _ = try server.desk.write {
            try $0.catalogue.update(.id(1)) { $0.coverURL = "https://covers.example.org/1.jpg" }
        }
        for page in ["/", "/search?query=dune", "/titles/1"] {
            let text = try await visitor.open(page)
            #expect(text.contains("src=\"/pictures/titles/1?of="), "\(page)")
            #expect(!text.contains("covers.example.org"), "\(page)")
            let policy = try #require(visitor.page.fields["Content-Security-Policy"])
            #expect(policy.contains("img-src 'self' data:;") && !policy.contains("https:"))
        }
        #expect(await visitor.ask("GET", "/pictures/titles/1").fields["Content-Type"] == "image/jpeg")
    }
}

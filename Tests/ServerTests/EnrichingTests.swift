import Circulation
import Desk
import Pictures
import Scripting
import Server
import Synchronization
import Testing
import TextFormats

@Suite("Titles completed by those who know books")
struct EnrichingTests {
    /// Knows one book, and counts how often it is asked.
    private final class Library: BookDataSource {
        let days: Int64 = 30
        let asked = Mutex<[String]>([])
        let isAway = Mutex(false)

        func find(_ isbn: ISBN) throws(BookDataFailure) -> BookData {
            asked.withLock { $0.append(isbn.digits13) }
            if isAway.withLock({ $0 }) { throw BookDataFailure("Nobody could be asked about this book.") }
            guard isbn.digits13 == EnrichingTests.dune else { return BookData() }
            return BookData(
                description: "Arrakis", coverURL: "https://example.org/c.jpg", pages: 412, year: 1990,
                subjects: ["Deserts"])
        }

        func cover(at address: String) -> [UInt8]? {
            address == "https://example.org/c.jpg" ? picture.withLock { $0 } : nil
        }

        /// What stands at the address of the cover; nil: covers are not kept.
        let picture = Mutex<[UInt8]?>(nil)

        var count: Int { asked.withLock { $0.count } }
    }

    private static let dune = "9780441013593"
    private let library = Library()
    private let server: TestServer

    init() throws { server = try TestServer(bookData: library) }

    @Test("what a title lacks is filled in, and all of it where that is asked for; the answer is kept for its time")
    func fills() async throws {
        try server.desk.write { session in
            _ = try session.catalogue.update(.isbn(try ISBN(Self.dune))) { $0.year = 1965 }
        }
        let path = "/titles/\(Self.dune)/enrich"
        let filled = try await server.ask(.post, path, [:], as: "staff")
        #expect(filled.status == 200, "\(filled.text)")
        #expect(filled.json["description"] == "Arrakis" && filled.json["year"] == 1965)
        #expect(filled.json["extra"]?["pages"] == 412 && filled.json["subjects"] == ["Deserts"])
        let replaced = try await server.ask(.post, path, ["replace": true], as: "staff")
        #expect(replaced.json["year"] == 1990 && library.count == 1)
        server.clock.set(try server.clock.now().adding(hours: 24 * 31))
        let again = try await server.ask(.post, path, [:], as: "staff")
        // The session ended meanwhile; it is asked anew by another.
        #expect(again.status == 401)
        #expect(try server.desk.enrich(.isbn(ISBN(Self.dune))).value?.year == 1990 && library.count == 2)
        #expect(server.teller.all.faults == [])
    }

    /// Takes what begins like a JPEG.
    private struct Reader: PictureWriter {
        func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture {
            guard bytes.starts(with: [0xFF, 0xD8]) else { throw .damaged }
            return WrittenPicture(
                whole: .init(width: 2, height: 3, bytes: bytes), small: .init(width: 2, height: 3, bytes: bytes))
        }
    }

    @Test("a cover whose address is known is kept where that is asked for, once; one that cannot be read is not")
    func covers() throws {
        let library = Library()
        let desk = try TestServer(bookData: library, writer: Reader()).desk
        let key = TitleKey.isbn(try ISBN(Self.dune))
        #expect(try desk.enrich(key).value?.cover == nil)
        library.picture.withLock { $0 = Array("<html>".utf8) }
        let title = try #require(try desk.enrich(key).value)
        #expect(title.cover == nil && title.coverURL == "https://example.org/c.jpg")
        library.picture.withLock { $0 = [0xFF, 0xD8, 1] }
        let name = try #require(try desk.enrich(key).value?.cover)
        #expect(try desk.read { try $0.catalogue.image(name, isSmall: true) }?.bytes == [0xFF, 0xD8, 1])
        library.picture.withLock { $0 = [0xFF, 0xD8, 2] }
        #expect(try desk.enrich(key).value?.cover == name && library.count == 1)
        #expect(try desk.examine().broken.isEmpty)
    }

    @Test("a request that is sent again under its key is answered as before, unless it failed by a fault of others")
    func repeated() async throws {
        let path = "/titles/\(Self.dune)/enrich"
        let key = [(name: "idempotency-key", value: "k-1")]
        library.isAway.withLock { $0 = true }
        #expect(try await server.ask(.post, path, [:], as: "staff", fields: key).status == 503)
        library.isAway.withLock { $0 = false }
        let first = try await server.ask(.post, path, [:], as: "staff", fields: key)
        #expect(first.status == 200 && first.fields["Idempotency-Replayed"] == nil, "\(first.text)")
        _ = try await server.ask(.patch, "/titles/\(Self.dune)", ["year": 1965], as: "staff")
        let again = try await server.ask(.post, path, [:], as: "staff", fields: key)
        #expect(again.body == first.body && again.fields["Idempotency-Replayed"] == "true")
        let other = try await server.ask(.post, path, ["replace": true], as: "staff", fields: key)
        #expect(other.status == 422 && other.code == "key_reused")
    }

    @Test("an empty answer about a book is kept as well; a failure to ask is not")
    func unknown() async throws {
        let path = "/titles/9780141439587/enrich"
        for _ in 0..<2 {
            let answer = try await server.ask(.post, path, [:], as: "staff")
            #expect(answer.status == 409 && answer.code == "no_book_data")
        }
        #expect(library.count == 1)
        library.isAway.withLock { $0 = true }
        for _ in 0..<2 {
            let away = try await server.ask(.post, "/titles/9780141182803/enrich", [:], as: "staff")
            #expect(away.status == 503 && away.code == "book_data_unreachable")
        }
        #expect(library.count == 3)
    }

    @Test("patrons cannot trigger a query, a title without an ISBN causes none, and none happens where it is off")
    func refused() async throws {
        #expect(try await server.ask(.post, "/titles/\(Self.dune)/enrich", [:], as: "ann").status == 403)
        let outcome = try server.desk.acting(as: Actor(name: "patron:1", role: .patron, channel: .web)).enrich(
            .isbn(ISBN(Self.dune)))
        #expect(outcome.refusal?.code == "not_allowed")
        let bare = try server.desk.write { try $0.catalogue.add(Title(title: "Bare")).value }
        #expect(try server.desk.enrich(.id(try #require(bare).id)).refusal?.code == "no_isbn")
        #expect(try server.desk.enrich(.id(9_999)).refusal?.code == "unknown_title")
        #expect(library.count == 0)
        let other = try TestServer()
        #expect(try other.desk.enrich(.isbn(ISBN(Self.dune))).refusal?.code == "book_data_off")
    }
}

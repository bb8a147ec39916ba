import Circulation
import Desk
import Outbound
import TOMLKit

/// The services for book data: the table `[book_data]` of `moonshelf.toml`.
struct BookDataSettings: Hashable, Sendable {
    var client: BookDataClient
    var days: Int64 = 30
    /// Whether the library keeps the covers that the services name.
    var keepsCovers = false

    static let tables = ["book_data"]

    static let googleBooks = "https://www.googleapis.com/books/v1/volumes"
    static let openLibrary = "https://openlibrary.org/api/books"
    /// Both answer in a few kilobytes.
    private static let answerBytes = 1 << 20

    /// - Throws: ``CommandFailure`` that names file, key and what was expected.
    init(_ file: ConfigurationFile, environment: [String: String]) throws(CommandFailure) {
        let table = try file.table()
        let given = environment["MOONSHELF_GOOGLE_BOOKS_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        guard var section = try ConfigurationSection("book_data", of: table, file: file) else {
            let limits = Self.limits(10)
            client = BookDataClient(
                googleBooks: try? WebEndpoint(Self.googleBooks, limits: limits),
                openLibrary: try? WebEndpoint(Self.openLibrary, limits: limits), googleKey: given)
            return
        }
        let limits = Self.limits(try section.number("time_limit", 1...60) ?? 10)
        client = BookDataClient(
            googleBooks: try Self.endpoint("google_books", Self.googleBooks, &section, limits),
            openLibrary: try Self.endpoint("open_library", Self.openLibrary, &section, limits))
        client.googleKey = try section.secret("google_key_file", given).map { String(decoding: $0, as: UTF8.self) }
        days = Int64(try section.number("keep_days", 1...3_650) ?? Int(days))
        keepsCovers = try section.flag("keep_covers") ?? keepsCovers
        try section.finish()
    }

    private static func limits(_ seconds: Int) -> OutboundLimits {
        OutboundLimits(connecting: .seconds(min(seconds, 5)), inAll: .seconds(seconds), answerBytes: answerBytes)
    }

    private static func endpoint(
        _ key: String, _ usual: String, _ section: inout ConfigurationSection, _ limits: OutboundLimits
    ) throws(CommandFailure) -> WebEndpoint? {
        let text = try section.text(key) ?? usual
        if text == "off" { return nil }
        do throws(OutboundFailure) {
            return try WebEndpoint(text, limits: limits)
        } catch {
            throw section.fault(key, "is \"off\" or a URL, which \(error.message)")
        }
    }

    /// nil where both services are off.
    var source: (any BookDataSource)? {
        client.googleBooks == nil && client.openLibrary == nil
            ? nil : NetworkBookData(client: client, days: days, keepsCovers: keepsCovers)
    }
}

/// The services for book data, over the network.
struct NetworkBookData: BookDataSource {
    let client: BookDataClient
    let days: Int64
    let keepsCovers: Bool

    func cover(at address: String) -> [UInt8]? {
        guard keepsCovers, address.hasPrefix("https://") else { return nil }
        return try? NetworkPictures().bytes(at: address)
    }

    func find(_ isbn: ISBN) throws(BookDataFailure) -> BookData {
        do throws(OutboundFailure) {
            return try client.find(isbn)
        } catch {
            throw BookDataFailure("No service could be asked about this book: \(error.message).")
        }
    }
}

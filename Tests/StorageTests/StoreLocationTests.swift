import Storage
import Testing

@Suite("The address of a store")
struct StoreLocationTests {
    @Test(
        "every form of address is read",
        arguments: [
            ("sqlite:library.db", StoreLocation.file("library.db")),
            ("sqlite:/a b/c:d.db", .file("/a b/c:d.db")),
            ("sqlite::memory:", .memory),
            ("postgres://host/name", .postgres("postgres://host/name")),
            ("postgresql://u:p@host/name", .postgres("postgresql://u:p@host/name")),
        ])
    func parsing(text: String, location: StoreLocation) throws {
        #expect(try StoreLocation(parsing: text) == location)
    }

    @Test("an invalid address is refused", arguments: ["", "library.db", "sqlite:", "mysql://x", "sqlite:a\u{0}b"])
    func refusal(text: String) {
        #expect(storeErrorCode { _ = try StoreLocation(parsing: text) } == .badLocation)
    }

    @Test(
        "a password is never shown",
        arguments: [
            "postgres://ada:s3cret@host:5432/name", "postgres://ada:s3cret/x@y?@host/name",
            "postgres://host/name?user=ada&password=s3cret", "postgresql://:s3cret@host/",
            "mysql://ada:s3cret@host/name",
        ])
    func password(text: String) {
        do {
            #expect(!(try StoreLocation(parsing: text)).description.contains("s3cret"))
        } catch {
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test("without a password the description reads back as the same address")
    func description() throws {
        for text in ["sqlite:x/y.db", "sqlite::memory:", "postgres://host:5432/name?sslmode=require"] {
            #expect(try StoreLocation(parsing: text).description == text)
        }
    }
}

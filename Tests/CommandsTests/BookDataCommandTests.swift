import PostSupport
import TestSupport
import Testing
import TextFormats

@Suite("Books asked for by the command", .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)))
struct BookDataCommandTests {
    private static let body = #"{"ISBN:9780441013593": {"number_of_pages": 412, "publish_date": "1990"}}"#
    private static let script = """
        local t = catalogue.add{ title = "Dune", isbn = "9780441013593" } or catalogue.get("9780441013593") \
        local e, no = catalogue.enrich(t) return e and e.extra.pages or no.code
        """

    @Test("who is asked stands in the configuration; the answer is kept for the next process")
    func configured() throws {
        let library = try SmallLibrary()
        let server = try PythonServer("odd", ["bodies": ["open": .string(Self.body)]])
        try library.folder.write(
            """
            [book_data]
            google_books = "off"
            open_library = "http://127.0.0.1:\(server.port)/open"
            """, to: "moonshelf.toml")
        for _ in 0..<2 { #expect(try library.eval(Self.script, "--allow", "catalogue.write") == "412") }
        #expect(try server.records().count == 1)
        try library.folder.write(
            "[book_data]\ngoogle_books = \"off\"\nopen_library = \"off\"\n", to: "moonshelf.toml")
        #expect(try library.eval(Self.script, "--allow", "catalogue.write") == "book_data_off")
        try library.folder.write("[book_data]\nopen_library = \"http://example.org/\"\n", to: "moonshelf.toml")
        // A mistake there does not affect other commands.
        #expect(try library.eval("return catalogue.count{}").isEmpty == false)
        let result = try library.run("eval", "--allow", "catalogue.write", Self.script)
        #expect(
            result.status == 2 && result.error.contains("'book_data.open_library' is \"off\" or a URL"), "\(result)")
    }
}

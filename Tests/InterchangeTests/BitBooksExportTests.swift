import Circulation
import Desk
import Interchange
import Testing

@Suite("The tables of BitBooks, written")
struct BitBooksExportTests {
    private func export(_ bench: ImportBench) throws -> (tables: [BitBooksTable: String], leftOut: Int) {
        try bench.desk.read { session in
            var tables: [BitBooksTable: String] = [:]
            var leftOut = 0
            for table in BitBooksTable.allCases {
                var text: [UInt8] = []
                leftOut += try BitBooksExporter(session: session).export(table) { text += $0 }
                tables[table] = String(decoding: text, as: UTF8.self)
            }
            return (tables, leftOut)
        }
    }

    private static let users = """
        [{
        \t\t"name":\t"Ada",
        \t\t"surname":\t"Byron",
        \t\t"username":\t"ada",
        \t\t"password":\t"not exported"
        \t}, {
        \t\t"name":\t"Bob",
        \t\t"surname":\t"Moss",
        \t\t"username":\t"bob",
        \t\t"password":\t"not exported"
        \t}]
        """
    private static let books = """
        [{
        \t\t"title":\t"Odyssey",
        \t\t"ISBN":\t"9780140449136",
        \t\t"author":\t"Homer",
        \t\t"genre":\t"Epic",
        \t\t"copies":\t1,
        \t\t"given_copies":\t2,
        \t\t"cover":\t"http://x/y.jpg"
        \t}, {
        \t\t"title":\t"Without a number",
        \t\t"ISBN":\t"",
        \t\t"author":\t"",
        \t\t"genre":\t"",
        \t\t"copies":\t0,
        \t\t"given_copies":\t0,
        \t\t"cover":\t""
        \t}]
        """
    private static let loans = """
        [{
        \t\t"username":\t"ada",
        \t\t"isbn":\t"9780140449136",
        \t\t"loan_date":\t"01-10-2026",
        \t\t"return_date":\t"15-10-2026"
        \t}, {
        \t\t"username":\t"ada",
        \t\t"isbn":\t"9780140449136",
        \t\t"loan_date":\t"01-10-2026",
        \t\t"return_date":\t"15-10-2026"
        \t}]
        """
    private static let notifications = """
        [{
        \t\t"username":\t"ada",
        \t\t"isbn":\t"9780140449136",
        \t\t"message":\t"Dear ada, the loan period has expired. You must return \\"Odyssey\\".\\n",
        \t\t"notified":\ttrue
        \t}, {
        \t\t"username":\t"bob",
        \t\t"isbn":\t"9780140449136",
        \t\t"message":\t"Dear bob",
        \t\t"notified":\tfalse
        \t}]
        """

    @Test("what came from BitBooks is written as its server writes it, and read again as the same")
    func roundTrip() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("users.json", Self.users), bench.file("books.json", Self.books),
            bench.file("loans.json", Self.loans), bench.file("notifications.json", Self.notifications))
        #expect(report.rejected == 0 && report.problems == [])
        let (tables, leftOut) = try export(bench)
        #expect(tables[.users] == Self.users)
        #expect(tables[.books] == Self.books)
        #expect(tables[.loans] == Self.loans)
        #expect(tables[.notifications] == Self.notifications)
        #expect(leftOut == 0)
        #expect(try bench.desk.examine().isSound)
    }

    @Test("what concerns no ISBN is left out and counted, an empty library is empty tables")
    func leftOut() throws {
        let bench = try ImportBench()
        #expect(try export(bench).tables == Dictionary(uniqueKeysWithValues: BitBooksTable.allCases.map { ($0, "[]") }))
        try bench.importing(bench.file("users.json", Self.users))
        try bench.desk.write { session in
            for key in ["one", "two"] {
                _ = try session.notices.send(
                    to: .username("ada"), channel: "inbox", subject: "Hello", body: "Come by", key: key)
            }
        }
        let (tables, leftOut) = try export(bench)
        #expect(leftOut == 2 && tables[.notifications] == "[]")
    }
}

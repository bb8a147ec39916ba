import Circulation
import Desk
import Interchange
import Storage
import Testing
import TextFormats

/// The four tables of a BitBooks server, as small as they can be.
struct BitBooksFiles {
    static let odyssey = "9780140449136"
    /// Each member of a book apart from its numbers.
    static let members =
        #""title":"Odyssey","ISBN":"9780140449136","author":"Homer","genre":"Epic","cover":"http://x/y.jpg""#

    static let users = #"""
        [{"name":"Ada","surname":"Byron","username":"ada","password":"not exported"},
         {"name":"Bob","surname":"Moss","username":"bob","password":"not exported"}]
        """#

    static func books(copies: Int, given: Int) -> String {
        #"[{\#(members),"copies":\#(copies),"given_copies":\#(given)}]"#
    }

    /// - Parameter usernames: one loan for each, each of a day of its own.
    static func loans(_ usernames: [String], due: String = "15-10-2026") -> String {
        let rows = usernames.enumerated().map { index, username in
            #"{"username":"\#(username)","isbn":"\#(odyssey)","loan_date":"0\#(index + 1)-10-2026","return_date":"\#(due)"}"#
        }
        return "[\(rows.joined(separator: ",\n"))]"
    }

    static func notifications(_ username: String, notified: Bool = true) -> String {
        #"[{"username":"\#(username)","isbn":"\#(odyssey)","message":"Dear \#(username), the loan period has expired.\n","notified":\#(notified)}]"#
    }
}

@Suite("Copies that BitBooks has given")
struct BitBooksCopiesTests {
    /// What `GET_BOOK` and the table say of the one book.
    private func numbers(_ bench: ImportBench) throws -> [Int64] {
        try bench.desk.read { session in
            var text: [UInt8] = []
            _ = try BitBooksExporter(session: session).export(.books) { text += $0 }
            let book = try #require(try JSONParser.parse(text).arrayValue?.first)
            return try ["copies", "given_copies"].map { try #require(book[$0]?.integerValue) }
        }
    }

    private func statuses(_ bench: ImportBench) throws -> [String: Int] {
        try bench.desk.read { session in
            let copies = try session.catalogue.copies(of: .isbn(ISBN(BitBooksFiles.odyssey)))
            return Dictionary(grouping: copies, by: \.status.rawValue).mapValues(\.count)
        }
    }

    private func files(_ bench: ImportBench, _ copies: Int, _ given: Int, _ loans: [String]) throws -> [String] {
        [
            try bench.file("users.json", BitBooksFiles.users),
            try bench.file("books.json", BitBooksFiles.books(copies: copies, given: given)),
            try bench.file("loans.json", BitBooksFiles.loans(loans)),
        ]
    }

    private func bring(
        _ bench: ImportBench, _ paths: [String], format: ImportOptions.Format = .auto
    ) throws -> ImportReport {
        try Importer(
            desk: bench.desk, options: ImportOptions(format: format), tally: RowCounter()
        ).run(paths: paths)
    }

    static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    @Test(
        "the numbers that came in go out, whatever the order of the files, and also when they come again",
        arguments: orders)
    func order(order: [Int]) throws {
        let bench = try ImportBench()
        let all = try files(bench, 1, 2, ["ada", "bob"])
        let given = order.map { all[$0] }
        for _ in 0..<3 {
            _ = try bring(bench, given)
            #expect(try numbers(bench) == [1, 2])
        }
        #expect(try statuses(bench) == ["available": 1, "on_loan": 2])
        #expect(try bring(bench, given).problems == [])
        let sorted = try ImportBench()
        let again = try files(sorted, 1, 2, ["ada", "bob"])
        let report = try bring(sorted, order.map { again[$0] }, format: .bitbooks)
        #expect(report.rejected == 0 && report.problems == [] && report.added == 5, "\(report.problems)")
        #expect(try numbers(sorted) == [1, 2])
        #expect(try sorted.desk.examine().isSound)
    }

    @Test("a given copy without a loan is not on offer, which the report says with its line")
    func withoutLoan() throws {
        let bench = try ImportBench()
        let files = try files(bench, 1, 3, ["ada"])
        for run in 0..<2 {
            let report = try bring(bench, files)
            let problem = try #require(report.problems.first)
            #expect(report.problems.count == 1 && report.rejected == 0, "\(report.problems), run \(run)")
            #expect(problem.code == "given_without_loan" && problem.severity == .warning && problem.line == 1)
            #expect(problem.file == files[1] && problem.field == "given_copies")
            #expect(problem.message.hasPrefix("2 of 3 given"), "\(problem.message)")
            #expect(try statuses(bench) == ["available": 1, "on_loan": 1, "lost": 2])
            #expect(try numbers(bench) == [1, 3])
        }
        // What comes back is on offer again, and stays so.
        try bench.desk.write { session in
            let copies = try session.catalogue.copies(of: .isbn(ISBN(BitBooksFiles.odyssey)))
            let lost = try #require(copies.first { $0.status == .lost })
            #expect(try session.loans.checkin(.barcode(lost.barcode)).value != nil)
        }
        #expect(try bring(bench, files).problems.map(\.message).first?.hasPrefix("1 of 3 given") == true)
        #expect(try numbers(bench) == [2, 2])
        #expect(try bench.desk.examine().isSound)
        // The library's own export has it all.
        let other = try ImportBench()
        try other.importing(other.file("export.jsonl", bench.export()))
        #expect(try numbers(other) == [2, 2])
    }

    @Test("loans that come in a later run take the given copies")
    func twoRuns() throws {
        let bench = try ImportBench()
        let files = try files(bench, 2, 2, ["ada", "bob"])
        let first = try bring(bench, Array(files.prefix(2)))
        #expect(first.problems.map(\.code) == ["given_without_loan"])
        #expect(try statuses(bench) == ["available": 2, "lost": 2])
        #expect(try numbers(bench) == [2, 2])
        let second = try bring(bench, [files[2]])
        #expect(second.added == 2 && second.problems == [])
        #expect(try statuses(bench) == ["available": 2, "on_loan": 2])
        #expect(try numbers(bench) == [2, 2])
        #expect(try bring(bench, files).added == 0)
        #expect(try bench.desk.examine().isSound)
    }

    @Test("of more loans than given copies none is lost: each has a copy, and is reported")
    func moreLoans() throws {
        let bench = try ImportBench()
        let report = try bring(bench, files(bench, 1, 1, ["ada", "bob", "ada"]))
        #expect(report.rejected == 0 && report.added == 6)
        #expect(report.problems.map(\.code) == ["not_given", "not_given"])
        #expect(report.problems.map(\.line) == [2, 3])
        #expect(report.problems[0].message.contains("takes one that was available"))
        #expect(report.problems[1].message.contains("a copy is added"))
        #expect(try statuses(bench) == ["on_loan": 3])
        #expect(try numbers(bench) == [0, 3])
        #expect(try bring(bench, files(bench, 1, 1, ["ada", "bob", "ada"])).problems == [])
        #expect(try statuses(bench) == ["on_loan": 3])
        #expect(try bench.desk.examine().isSound)
    }

    @Test("a loan that becomes no loan takes no copy")
    func noDue() throws {
        let bench = try ImportBench()
        let loans = BitBooksFiles.loans(["ada"]).replacing(#","return_date":"15-10-2026""#, with: "")
        let report = try bring(
            bench,
            [
                bench.file("users.json", BitBooksFiles.users),
                bench.file("books.json", BitBooksFiles.books(copies: 0, given: 0)), bench.file("loans.json", loans),
            ])
        #expect(report.problems.map(\.code) == ["no_copies"] && report.rejected == 1, "\(report.problems)")
        #expect(try statuses(bench) == [:])
    }

    @Test("loans of a book that is in no table are reported, and those of nobody take nothing")
    func unknown() throws {
        let bench = try ImportBench()
        let loans = BitBooksFiles.loans(["nobody", "ada"]).replacing(
            #""ada","isbn":"9780140449136""#, with: #""ada","isbn":"9780141439518""#)
        let report = try bring(
            bench,
            [
                bench.file("users.json", BitBooksFiles.users),
                bench.file("books.json", BitBooksFiles.books(copies: 1, given: 1)), bench.file("loans.json", loans),
            ])
        #expect(
            report.problems.map(\.code) == ["unknown_patron", "unknown_title", "given_without_loan"],
            "\(report.problems)")
        #expect(try numbers(bench) == [1, 1])
        #expect(try statuses(bench) == ["available": 1, "lost": 1])
    }

    @Test("damaged numbers are refused, and leave nothing", arguments: ["-1", "10001", "1.5", "\"one\"", "[]", "1e99"])
    func damaged(number: String) throws {
        let bench = try ImportBench()
        let book = "[{\(BitBooksFiles.members),\"copies\":1,\"given_copies\":\(number)}]"
        let report = try bring(bench, [bench.file("books.json", book)])
        #expect(report.rejected == 1 && report.added == 0)
        #expect(try statuses(bench) == [:])
    }
}

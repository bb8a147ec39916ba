import Circulation
import Desk
import Interchange
import Testing

@Suite("Importing JSON")
struct DocumentImportTests {
    @Test("the tables of BitBooks become patrons, titles, copies and open loans; passwords stay behind")
    func bitBooks() throws {
        let bench = try ImportBench()
        let users = try bench.file(
            "users.json", #"[{"name":"Ada","surname":"Byron","username":"ada","password":"secret"}]"#)
        let books = try bench.file(
            "books.json",
            #"[{"title":"Odyssey","ISBN":"9780140449136","author":"Homer","genre":"Epic","copies":2,"given_copies":1,"cover":"http://x/y.jpg"}]"#
        )
        let loans = try bench.file(
            "loans.json",
            #"[{"username":"ada","isbn":"9780140449136","loan_date":"01-10-2026","return_date":"15-10-2026"}, {"username":"ada","isbn":"9780141439518","loan_date":"01-10-2026","return_date":"15-10-2026"}]"#
        )
        let report = try bench.importing(users, books, loans)
        #expect(report.added == 3 && report.rejected == 1)
        #expect(report.problems.map(\.code).sorted() == ["password_left_out", "unknown_title"])
        try bench.desk.read { session in
            let title = try #require(try session.catalogue.get(.isbn(try ISBN("9780140449136"))))
            #expect(try session.catalogue.counts(of: title.id) == CopyCounts(copies: 3, available: 2, onLoan: 1))
            let loan = try #require(try session.loans.active(of: .username("ada")).first)
            #expect(loan.due?.date == (try CivilDate(year: 2026, month: 10, day: 15)))
        }
        #expect(try bench.desk.examine().isSound)
        #expect(try bench.export().contains("secret") == false)
        #expect(try bench.importing(users, books, loans).added == 0)
    }

    @Test("members keep their case, and those of the tables of BitBooks are known in any")
    func membersByCase() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("users.json", #"[{"UserName":"ada","Name":"Ada","PASSWORD":"secret"}]"#),
            bench.file("patrons.json", #"[{"username":"bob","Home":"x","extra":{"myKey":1}},{"Username":"cleo"}]"#))
        #expect(report.added == 2)
        #expect(report.problems.map { $0.field ?? $0.code } == ["password", "Home", "unknown_record"])
    }

    @Test("what is exported is imported again as the same library")
    func roundTrip() throws {
        let bench = try ImportBench()
        try bench.importing(
            bench.file(
                "settings.json",
                #"{"library":{"name":"Test","zone":"Europe/Berlin"},"branches":[{"code":"north","name":"North","calendar":{"weekly":{"mon":[["09:00","17:00"]]},"closed":["2026-12-24"]}}],"categories":[{"code":"child","name":"Children"}],"item_types":[{"code":"dvd","name":"DVD"},{"code":"bluray","name":"Blu-ray","parent":"dvd"}]}"#
            ),
            bench.file(
                "titles.csv",
                "isbn,title,authors,year,genres,courses,item_type,branch,copies\n9780140449136,Odyssey,Homer,-700,epic,GRK 1,dvd,north,2\n"
            ),
            bench.file(
                "patrons.csv",
                "username,name,surname,category,home_branch,birth_date\nada,Ada,Byron,child,north,2015-03-01\n"))
        let text = try bench.export()
        let other = try ImportBench()
        let report = try other.importing(other.file("export.jsonl", text))
        #expect(report.rejected == 0)
        #expect(try other.export() == text)
    }

    @Test(
        "each malformed document is refused with its place and loses nothing",
        arguments: [
            "[{\"title\": \"A\", \"isbn\": \"9780140449136\"}, {\"title\": ", "{\"title\": \"A\"}\n{bad}\n", "[1, 2]",
            "[{\"strange\": 1}]",
        ])
    func malformed(text: String) throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("bad.json", text))
        #expect(report.rejected >= 1)
        let problem = try #require(report.problems.first { $0.severity == .error })
        #expect(problem.line >= 1)
        #expect(try bench.desk.examine().isSound)
    }
}

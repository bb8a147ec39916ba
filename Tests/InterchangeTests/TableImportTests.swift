import Circulation
import Desk
import Interchange
import Testing
import TextFormats

@Suite("Importing tables")
struct TableImportTests {
    @Test("titles are taken over with their copies, and a second import adds nothing")
    func titlesTwice() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "titles.csv",
            """
            isbn,title,authors,year,genres,courses,item_type,branch,copies
            978-0-13-110362-7,The C Programming Language,Brian Kernighan|Dennis Ritchie,c1988.,textbook,CMPE 013,book,main,2
            ,A title without a number,Somebody,[1999],,,,,1
            """)
        let first = try bench.importing(path)
        #expect(first.read == 2 && first.added == 2 && first.rejected == 0)
        let second = try bench.importing(path)
        #expect(second.added == 0 && second.updated == 0 && second.unchanged == 2)
        try bench.desk.read { session in
            let title = try #require(try session.catalogue.get(.isbn(try ISBN("9780131103627"))))
            #expect(title.authors == ["Brian Kernighan", "Dennis Ritchie"])
            #expect(title.year == 1988)
            #expect(title.courses == [Course(code: "CMPE 013")])
            #expect(try session.catalogue.copies(of: .id(title.id)).count == 2)
        }
    }

    @Test("what a later file says differently is updated, what it is silent on stays")
    func updates() throws {
        let bench = try ImportBench()
        try bench.importing(
            bench.file("a.csv", "isbn,title,authors,publisher\n9780131103627,C,Kernighan,Prentice Hall\n"))
        let report = try bench.importing(
            bench.file("b.csv", "isbn,title,authors,publisher\n9780131103627,The C Programming Language,,\n"))
        #expect(report.updated == 1 && report.added == 0)
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780131103627"))) }
        #expect(title?.title == "The C Programming Language")
        #expect(title?.publisher == "Prentice Hall")
        #expect(title?.authors == ["Kernighan"])
    }

    @Test(
        "a bad record is reported with line, field and why, and the good ones are kept",
        arguments: [
            ("9780131103620,Wrong digit,A", "isbn", "bad_isbn"), (",,A", "title", "missing"),
            ("9780131103627,T,A,too,many", nil, "too_many_fields"),
        ])
    func badRecords(row: String, field: String?, code: String) throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "t.csv", "isbn,title,authors\n9780140449136,Good,B\n\(row)\n9780141439518,Also good,C\n")
        let report = try bench.importing(path)
        #expect(report.read == 3 && report.added == 2 && report.rejected == 1)
        let problem = try #require(report.problems.first)
        #expect(problem.line == 3 && problem.field == field && problem.code == code && problem.severity == .error)
        #expect(problem.file == path)
    }

    @Test("a strict import with one bad record keeps nothing")
    func strict() throws {
        let bench = try ImportBench()
        let path = try bench.file("t.csv", "isbn,title,authors\n9780140449136,Good,B\n1,Bad,B\n")
        let report = try bench.importing(path, options: ImportOptions(isStrict: true))
        #expect(report.rejected == 1 && report.added == 0)
        #expect(try bench.desk.read { try $0.catalogue.count(CatalogueQuery()) } == 0)
    }

    @Test("a dry run reports what it would do and keeps nothing")
    func dryRun() throws {
        let bench = try ImportBench()
        let path = try bench.file("t.csv", "isbn,title,authors\n9780140449136,Good,B\n")
        let report = try bench.importing(path, options: ImportOptions(isDryRun: true))
        #expect(report.added == 1)
        #expect(try bench.desk.read { try $0.catalogue.count(CatalogueQuery()) } == 0)
    }

    @Test("a mapping file names the columns of an unknown table")
    func mapping() throws {
        let bench = try ImportBench()
        let path = try bench.file("fremd.csv", "ISBN-Nr.;Titel;Verfasser\n9780140449136;Die Odyssee;Homer\n")
        let mapping = try ColumnMapping(
            Array(
                """
                { "kind": "titles", "separator": ";", "constants": { "language": "de" },
                  "columns": { "isbn": "ISBN-Nr.", "title": "Titel", "authors": "Verfasser" } }
                """.utf8), file: "mapping.json")
        let report = try bench.importing(path, options: ImportOptions(mapping: mapping))
        #expect(report.added == 1)
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780140449136"))) }
        #expect(title?.title == "Die Odyssee" && title?.language == "de" && title?.authors == ["Homer"])
    }

    @Test("an unknown table is refused with the columns it has")
    func unknownTable() throws {
        let bench = try ImportBench()
        let path = try bench.file("x.csv", "alpha,beta\n1,2\n")
        let problem = #expect(throws: ImportProblem.self) { try bench.importing(path) }
        #expect(problem?.code == "unknown_table")
        #expect(problem?.message.contains("alpha, beta") == true)
    }

    @Test("identical rows of loans are loans of their own, and the same file again adds none")
    func repeatedLoans() throws {
        let bench = try ImportBench()
        let row =
            "Femmes d'Alger,\"Djebar, Assia, 1936-2015.\",2002,,Reserve Fall 3 hr,PQ3989,5,2018-10-02,2018-10-02,Alumni,FALSE"
        let impossible = "Oresteia,Aeschylus,1984,,Main,PA,6,2018-10-24,2018-10-20,Faculty,FALSE"
        let path = try bench.file(
            "reed.csv",
            "Title,Author,PubDate,PubDateRange,Location,Call_No,Copies,Loaned,Returned,Patron,Thesis\n\(row)\n\(row)\n\(impossible)\n"
        )
        let first = try bench.importing(path)
        #expect(first.added == 3 && first.rejected == 0)
        #expect(first.problems.map(\.code) == ["impossible_date"])
        #expect(first.problems.first?.line == 4)
        let second = try bench.importing(path)
        #expect(second.added == 0 && second.unchanged == 3)
        #expect(try bench.desk.examine().isSound)
        var categories: [String?] = []
        try bench.desk.read { session in
            try session.loans.each(LoanQuery()) { loan in
                categories.append(loan.category)
                #expect(loan.patron == nil && loan.copy == nil && loan.policy == nil)
                return true
            }
        }
        #expect(categories == ["Alumni", "Alumni", "Faculty"])
    }

    @Test("an ISBN that a spreadsheet damaged is mended from the ISBN-10 and reported")
    func damagedISBN() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "books.csv",
            """
            book_id,isbn,isbn13,authors,original_publication_year,original_title,title,language_code
            1,439023483,9.78043902348e+12,Suzanne Collins,2008.0,The Hunger Games,The Hunger Games,eng
            """)
        let report = try bench.importing(path)
        #expect(report.added == 1 && report.repaired == 1)
        #expect(report.problems.first?.code == "repaired_isbn")
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780439023481"))) }
        #expect(title?.year == 2008)
    }

    @Test("the sections of a course list add their courses to one title")
    func courseList() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "courses.csv",
            """
            Dept,Course num,Section num,Title,Author,ISBN,Status
            ACEN,110C,01,Northstar Ed: 4 Th Yr: 2015,Preiss,9780134279770,Required
            ACEN,110D,01,Northstar Ed: 4 Th Yr: 2015,Preiss,9780134279770,Required
            HIS,001,01,Reader,4 Th Ed,-,Optional
            """)
        let report = try bench.importing(path)
        #expect(report.added == 2 && report.updated == 1)
        let title = try #require(try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780134279770"))) })
        #expect(title.courses.map(\.code) == ["ACEN 110C", "ACEN 110D"])
        #expect(title.title == "Northstar" && title.edition == "4" && title.year == 2015)
        #expect(try bench.importing(path).unchanged == 3)
    }
}

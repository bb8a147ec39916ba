import Circulation
import Desk
import Interchange
import Testing
import TextFormats

@Suite("Records that a file has twice")
struct RepeatedRecordTests {
    private static let head = "username,name,surname,email\n"

    private static func update() -> ImportOptions {
        var options = ImportOptions()
        options.repeated = .update
        return options
    }

    private static func patron(_ username: String, _ bench: ImportBench) throws -> Patron {
        try #require(try bench.desk.read { try $0.patrons.get(.username(username)) })
    }

    @Test("a second row with a username is refused with both lines, and the first stays")
    func patrons() throws {
        let bench = try ImportBench()
        let path = try bench.file("p.csv", Self.head + "1,Ada,Hall,ada@example.org\n2,Bob,Moss,\n1,Cleo,Lee,\n")
        let report = try bench.importing(path)
        #expect((report.added, report.updated, report.rejected) == (2, 0, 1))
        let problem = try #require(report.problems.first)
        #expect((problem.line, problem.field, problem.code) == (4, "username", "repeated"))
        #expect(problem.severity == .error && problem.message.contains("'1'") && problem.message.contains("line 2"))
        #expect(problem.message.contains("--repeated update"), "\(problem)")
        #expect(try Self.patron("1", bench).surname == "Hall")
        // The same file again says the same, and changes nothing.
        let again = try bench.importing(path)
        #expect((again.unchanged, again.updated, again.rejected) == (2, 0, 1))
        #expect(try Self.patron("1", bench).surname == "Hall")
    }

    @Test("a row changes a patron who stood in the store before, also one whom an earlier file brought")
    func stored() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("a.csv", Self.head + "1,Ada,Hall,\n"))
        let later = try bench.file("b.csv", Self.head + "1,Ada,Moss,\n")
        let report = try bench.importing(later)
        #expect(report.updated == 1 && report.problems == [])
        let (one, two) = (
            try bench.file("c.csv", Self.head + "1,Ada,Lee,\n"), try bench.file("d.csv", Self.head + "1,Ada,Orr,\n")
        )
        let both = try bench.importing(one, two)
        #expect(both.updated == 2 && both.problems == [])
        #expect(try Self.patron("1", bench).surname == "Orr")
    }

    @Test("a second row that changes nothing is remarked")
    func same() throws {
        let bench = try ImportBench()
        let path = try bench.file("p.csv", Self.head + "1,Ada,Hall,a@example.org\n1,Ada,Hall,a@example.org\n")
        let report = try bench.importing(path)
        #expect((report.added, report.unchanged, report.rejected) == (1, 1, 0))
        #expect(report.problems.map(\.code) == ["repeated"])
        #expect(report.problems.allSatisfy { $0.severity == .warning && $0.message.contains("line 2") })
    }

    @Test("with 'update' the later row changes the earlier one")
    func chosen() throws {
        let bench = try ImportBench()
        let path = try bench.file("p.csv", Self.head + "1,Ada,Hall,\n1,Cleo,Lee,\n")
        let report = try bench.importing(path, options: Self.update())
        #expect((report.added, report.updated, report.rejected) == (1, 1, 0))
        #expect(report.problems == [])
        #expect(try Self.patron("1", bench).surname == "Lee")
    }

    @Test("the row after a refused one is the first of its key, in one transaction as in many")
    func refusedFirst() throws {
        for isStrict in [false, true] {
            let bench = try ImportBench()
            let lines = [
                #"{"copy":{"barcode":"B1","isbn":"9780140449136"}}"#,
                #"{"title":{"title":"Crime","isbn":"9780140449136"}}"#,
                #"{"copy":{"barcode":"B1","isbn":"9780140449136"}}"#,
                #"{"copy":{"barcode":"B1","isbn":"9780140449136","location":"A"}}"#,
            ]
            let path = try bench.file("c.jsonl", lines.joined(separator: "\n") + "\n")
            let report = try bench.importing(path, options: ImportOptions(isStrict: isStrict))
            #expect(report.rejected == 2)
            #expect(report.problems.map(\.code) == ["unknown_title", "repeated"])
            #expect(report.problems.last?.message.contains("line 3") == true)
        }
    }

    /// What comes first, two records of one key that contradict each other, and the words of the key.
    struct Pair: CustomTestStringConvertible, Sendable {
        let kind: String
        let before: [String]
        let one: String
        let other: String
        let key: String
        var isUpdated = true

        var testDescription: String { kind }
    }

    private static let people = [#"{"patron":{"username":"ada"}}"#, #"{"patron":{"username":"bob"}}"#]
    private static let crime = #"{"title":{"title":"Crime","isbn":"9780140449136"}}"#
    private static let at = #""2026-01-02T08:00:00Z""#
    private static let sale =
        #"{"listing":{"key":"L","kind":"sell","state":"active","isbn":"9780140449136","seller":"ada","created_at":\#(at),"price":"3.00 EUR"}}"#

    static let pairs: [Pair] = [
        Pair(
            kind: "copies", before: [crime], one: #"{"copy":{"barcode":"B1","isbn":"9780140449136","location":"A"}}"#,
            other: #"{"copy":{"barcode":"B1","isbn":"9780140449136","location":"B"}}"#, key: "the copy 'B1'"),
        Pair(
            kind: "titles by id", before: [], one: #"{"title":{"id":7,"title":"Crime"}}"#,
            other: #"{"title":{"id":7,"title":"Dune"}}"#, key: "the title with the id 7", isUpdated: false),
        Pair(
            kind: "loans", before: [crime],
            one: #"{"loan":{"key":"k","isbn":"9780140449136","lent_at":\#(at),"returned_at":\#(at)}}"#,
            other: #"{"loan":{"key":"k","isbn":"9780140449136","lent_at":\#(at)}}"#, key: "the loan 'k'",
            isUpdated: false),
        Pair(
            kind: "holds", before: people + [crime],
            one:
                #"{"hold":{"key":"h","isbn":"9780140449136","username":"ada","pickup_branch":"main","placed_at":\#(at)}}"#,
            other:
                #"{"hold":{"key":"h","isbn":"9780140449136","username":"bob","pickup_branch":"main","placed_at":\#(at)}}"#,
            key: "the hold 'h'", isUpdated: false),
        Pair(
            kind: "branches", before: [], one: #"{"branch":{"code":"north","name":"North"}}"#,
            other: #"{"branch":{"code":"north","name":"Northern"}}"#, key: "the branch 'north'"),
        Pair(
            kind: "categories", before: [], one: #"{"category":{"code":"c","name":"C"}}"#,
            other: #"{"category":{"code":"c","name":"D"}}"#, key: "the category 'c'"),
        Pair(
            kind: "item types", before: [], one: #"{"item_type":{"code":"c","name":"C"}}"#,
            other: #"{"item_type":{"code":"c","name":"D"}}"#, key: "the item type 'c'"),
        Pair(
            kind: "locations", before: [], one: #"{"location":{"code":"c","name":"C"}}"#,
            other: #"{"location":{"code":"c","name":"D"}}"#, key: "the location 'c'"),
        Pair(
            kind: "account lines", before: people,
            one: #"{"ledger_entry":{"key":"e","username":"ada","kind":"charge","at":\#(at),"amount":"1.00 EUR"}}"#,
            other: #"{"ledger_entry":{"key":"e","username":"bob","kind":"charge","at":\#(at),"amount":"2.00 EUR"}}"#,
            key: "the account line 'e'", isUpdated: false),
        Pair(
            kind: "links", before: people,
            one: #"{"patron_link":{"username":"ada","other":"bob","kind":"guardian","added_at":\#(at)}}"#,
            other: #"{"patron_link":{"username":"ada","other":"bob","kind":"guardian"}}"#,
            key: "the link 'ada, bob, guardian'", isUpdated: false),
        Pair(
            kind: "ratings", before: people + [crime],
            one: #"{"rating":{"username":"ada","isbn":"9780140449136","stars":3,"rated_at":\#(at)}}"#,
            other: #"{"rating":{"username":"ada","isbn":"9780140449136","stars":4,"rated_at":\#(at)}}"#,
            key: "the rating 'ada, 9780140449136'"),
        Pair(
            kind: "lists", before: people,
            one: #"{"title_list":{"username":"ada","name":"L","created_at":\#(at)}}"#,
            other: #"{"title_list":{"username":"ada","name":"L","created_at":\#(at),"is_public":true}}"#,
            key: "the list 'ada, L'"),
        Pair(
            kind: "listings", before: people + [crime], one: sale,
            other: sale.replacing("3.00", with: "4.00"), key: "the listing 'L'", isUpdated: false),
        Pair(
            kind: "courses", before: [crime],
            one: #"{"course":{"code":"C1","isbn":"9780140449136","name":"One"}}"#,
            other: #"{"course":{"code":"C1","isbn":"9780140449136","name":"Two"}}"#,
            key: "the course 'C1, 9780140449136'"),
    ]

    @Test("two records of a key that contradict each other: the later one is refused, of all kinds", arguments: pairs)
    func contradicted(_ pair: Pair) throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "r.jsonl", (pair.before + [pair.one, pair.other]).joined(separator: "\n") + "\n")
        let report = try bench.importing(path)
        #expect(report.rejected == 1 && report.added + report.updated == pair.before.count + 1, "\(report.problems)")
        let problem = try #require(report.problems.last { $0.severity == .error })
        #expect(problem.code == "repeated" && problem.line == pair.before.count + 2)
        #expect(problem.message.contains("\(pair.key) stands in line \(pair.before.count + 1)"), "\(problem)")
        #expect(problem.message.contains("--repeated update") == pair.isUpdated)
        // What the first record brought is as if the second had not come.
        let alone = try ImportBench()
        try alone.importing(alone.file("r.jsonl", (pair.before + [pair.one]).joined(separator: "\n") + "\n"))
        #expect(try bench.export() == alone.export())

        let other = try ImportBench()
        let chosen = try other.importing(
            other.file("r.jsonl", (pair.before + [pair.one, pair.other]).joined(separator: "\n") + "\n"),
            options: Self.update())
        #expect((chosen.rejected == 0) == pair.isUpdated, "\(chosen.problems)")
    }

    @Test("a code whose parent a later record names is no other one; of two parents the second is refused")
    func parents() throws {
        let bench = try ImportBench()
        let lines = [
            #"{"item_type":{"code":"atlas","name":"Atlas"}}"#, #"{"item_type":{"code":"print","name":"Print"}}"#,
            #"{"item_type":{"code":"atlas","name":"Atlas","parent":"print"}}"#,
            #"{"item_type":{"code":"atlas","name":"Atlas","parent":"book"}}"#,
        ]
        let report = try bench.importing(bench.file("t.jsonl", lines.joined(separator: "\n") + "\n"))
        #expect(report.problems.map(\.line) == [4] && report.rejected == 1, "\(report.problems)")
        #expect(report.problems.first?.message.contains("the parent of the item type 'atlas' stands in line 3") == true)
        #expect(try bench.desk.read { try $0.settings.itemType("atlas")?.parent } == "print")
    }

    @Test("a barcode of two titles' copies is refused with the line of the first")
    func barcodes() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "c.csv",
            """
            title,isbn,authors,barcode
            Crime,9780140449136,Dostoevsky,B1
            The Odyssey,9780140449112,Homer,B1
            """)
        let report = try bench.importing(path)
        #expect((report.added, report.rejected) == (1, 1))
        #expect(report.problems.last?.message == "the copy 'B1' stands in line 2 already, as a copy of another title")
    }

    @Test("titles that a later row changes are said with both lines, and numbers of copies are not added up")
    func titles() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "t.csv",
            """
            title,isbn,authors,publisher,copies
            Crime,9780140449136,Dostoevsky,Penguin,2
            Crime,9780140449136,Dostoevsky,Vintage,1
            """)
        let report = try bench.importing(path)
        #expect((report.added, report.updated, report.rejected) == (1, 1, 0))
        #expect(report.problems.map(\.code) == ["repeated", "repeated"], "\(report.problems)")
        #expect(
            report.problems.first?.message
                == "the title 'Crime' stands in line 2 already, otherwise than here: publisher as in the later row")
        #expect(report.problems.last?.field == "copies")
        let chosen = try ImportBench()
        let silent = try chosen.importing(
            chosen.file("t.csv", "title,isbn,year\nCrime,9780140449136,1990\nCrime,9780140449136,1991\n"),
            options: Self.update())
        #expect(silent.updated == 1 && silent.problems == [])
    }

    @Test("one loan in two rows without a key is taken twice, and said")
    func loans() throws {
        let bench = try ImportBench()
        try bench.importing(
            bench.file(
                "c.jsonl",
                ([Self.crime] + Self.people + [#"{"copy":{"barcode":"B1","isbn":"9780140449136"}}"#])
                    .joined(separator: "\n") + "\n"))
        let path = try bench.file(
            "l.csv",
            """
            barcode,username,lent_on,returned_on,renewals
            B1,ada,2026-01-02,2026-01-20,0
            B1,ada,2026-01-02,2026-01-20,1
            B1,bob,2026-02-02,2026-02-20,0
            """)
        let report = try bench.importing(path)
        #expect(report.added == 3 && report.problems.map(\.code) == ["repeated"])
        #expect(report.problems.first?.line == 3 && report.problems.first?.message.contains("line 2") == true)
    }

    @Test("patrons who stand in each of their rows beside loans are not remarked")
    func beside() throws {
        let bench = try ImportBench()
        let lines = (1...3).map { number in
            #"{"patron":{"username":"ada","name":"Ada","blocks":[{"kind":"b\#(number)","created_at":\#(Self.at)}]}}"#
        }
        let path = try bench.file("p.jsonl", lines.joined(separator: "\n") + "\n")
        let report = try bench.importing(path)
        #expect(report.rejected == 0 && report.problems == [], "\(report.problems)")
    }
}

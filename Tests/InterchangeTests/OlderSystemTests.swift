import Circulation
import Desk
import Foundation
import Interchange
import Market
import Plugins
import TestSupport
import Testing
import TextFormats

/// A system whose tables a plugin reads and writes, by the plugin's name.
enum OlderSystem: String, CaseIterable {
    case textbooksub
    case texttrader = "texttrader-tables"
    case swag = "swag-tables"
    case bookio
}

@Suite("The tables of older systems")
struct OlderSystemTests {
    private func export(_ system: OlderSystem, _ bench: ImportBench) throws -> (files: [String: String], leftOut: Int) {
        let exporter = try #require(try bench.exchange.exporter(of: system.rawValue))
        return try bench.desk.read { session in
            var files: [String: String] = [:]
            var leftOut = 0
            for file in exporter.files {
                var text: [UInt8] = []
                leftOut += try exporter.export(file, in: session) { text += $0 }
                files[file.name] = String(decoding: text, as: UTF8.self)
            }
            return (files, leftOut)
        }
    }

    private func bring(
        _ system: OlderSystem, _ files: [(name: String, text: String)], into bench: ImportBench
    ) throws -> ImportReport {
        let options = ImportOptions(translator: system.rawValue)
        var report = ImportReport()
        for file in files {
            let part = try bench.importing(bench.file(file.name, file.text), options: options)
            (report.read, report.added) = (report.read + part.read, report.added + part.added)
            (report.updated, report.unchanged) = (report.updated + part.updated, report.unchanged + part.unchanged)
            report.rejected += part.rejected
            for problem in part.problems { report.note(problem) }
        }
        return report
    }

    static let samples = OlderSystem.allCases.map(OlderSample.init)

    @Test("what came from a system is written as it was, and read again as the same", arguments: samples)
    func roundTrip(sample: OlderSample) throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let report = try bring(sample.system, sample.files, into: bench)
        #expect(report.rejected == 0 && report.problems == [], "\(report.problems)")
        #expect(report.added == sample.records)
        let again = try bring(sample.system, sample.files, into: bench)
        #expect(again.added == 0 && again.updated == 0 && again.rejected == 0)
        let (files, leftOut) = try export(sample.system, bench)
        for file in sample.files { #expect(files[file.name] == file.text) }
        #expect(files.count == sample.files.count && leftOut == sample.leftOut)
        let doctor = try bench.desk.examine()
        #expect(doctor.isSound, "\(doctor)")
        // The library's own export holds all of it as well.
        let other = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let whole = try bench.export()
        try other.importing(other.file("export.jsonl", whole))
        #expect(try export(sample.system, other).files == files)
    }

    @Test(
        "what is damaged ends with a report, adds nothing a second time and leaves the store sound", arguments: samples)
    func damaged(sample: OlderSample) throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let options = ImportOptions(translator: sample.system.rawValue)
        for (index, file) in sample.files.enumerated() {
            for number in 0..<7 {
                var mutator = ByteMutator(seed: UInt64(number) &* 7919 &+ UInt64(index))
                let path = try bench.file("\(number)-\(file.name)", bytes: mutator.mutate(Array(file.text.utf8)))
                let first = try ImportFuzzTests.outcome(bench, path, options)
                guard case .success(let report) = first else { continue }
                ImportFuzzTests.check(report, of: path, "\(file.name), damage \(number)")
                let second = try ImportFuzzTests.outcome(bench, path, options).get()
                #expect(second.added == 0, "\(file.name), damage \(number): \(second.problems)")
            }
        }
        #expect(try bench.desk.examine().isSound)
    }

    @Test(
        "files of the malformed sets are refused or read, never a crash",
        .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"), arguments: OlderSystem.allCases)
    func malformed(system: OlderSystem) throws {
        let root = SharedData.path("data/malformed")
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let options = ImportOptions(translator: system.rawValue)
        var count = 0
        for path in names.sorted().map({ "\(root)/\($0)" }) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                let size = attributes[.size] as? Int, size < 100_000
            else { continue }
            if case .success(let report) = try ImportFuzzTests.outcome(bench, path, options) {
                ImportFuzzTests.check(report, of: path, "\(path)")
            }
            count += 1
        }
        #expect(count > 100)
        #expect(try bench.desk.examine().isSound)
    }

    @Test("records are known by the keys that they always had, so that a store of before does not get them twice")
    func keys() throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let book = #"[{"id":7,"title":"Optics","publisher":"教务处","price":4.5}]"#
        #expect(try bring(.textbooksub, [("books.json", book)], into: bench).added == 1)
        let shelf = #"[{"id":5,"title":"Emma","lastCheckedOut":"2014-02-11 18:00:00"}]"#
        #expect(try bring(.swag, [("shelf.json", shelf)], into: bench).rejected == 0)
        let seller = SHA256.hexadecimal(of: "Optics\u{1F}教务处".utf8).prefix(16)
        let loan = SHA256.hexadecimal(of: "5\u{1F}Emma\u{1F}2014-02-11 18:00:00\u{1F}".utf8)
        let whole = try bench.export()
        #expect(whole.contains("\"textbooksub:7:\(seller)\""), "\(whole)")
        #expect(whole.contains("\"row:\(loan):1\""), "\(whole)")
    }

    @Test("passwords stay behind, an account that is there stays as it is, and what has no place is reported")
    func accounts() throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let users = #"[{"username":"ann","name":"Ann","email":"ann@example.org","password":"secret","school":"North"}]"#
        let report = try bring(.texttrader, [("Users.json", users)], into: bench)
        #expect(report.added == 1 && report.problems.map(\.code) == ["password_left_out", "left_out"])
        #expect(report.problems.map(\.field) == ["password", "school"])
        #expect(try !bench.export().contains("secret"))
        let other = #"[{"username":"ann","name":"Eve","email":"eve@example.org"}]"#
        #expect(try bring(.texttrader, [("Users.json", other)], into: bench).unchanged == 1)
        let kept = try bench.desk.read { try $0.patrons.get(.username("ann")) }
        #expect(kept?.email == "ann@example.org")
    }

    @Test("Bookio's tables come as CSV as well, with numbers for ISBNs, and its prices stay with what is offered")
    func tables() throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let report = try bring(
            .bookio,
            [
                ("User.csv", "user_id,user_fname,user_lname,user_phone\nann,Ann,Lee,5551234567\nbob,Bob,Moss,\n"),
                ("Books.csv", "ISBN,book_name,book_author\n9780140449136,Odyssey,Homer\n"),
                ("CourseBooks.csv", "course_no,ISBN\nGRK 1,9780140449136\n"),
                ("UserBooks.csv", "user_id,ISBN,rent,rent_cost,sell,sell_cost\nann,9780140449136,1,5,1,12\n"),
                ("Rented.csv", "from_user_id,to_user_id,ISBN\nann,bob,9780140449136\n"),
            ], into: bench)
        #expect(report.rejected == 0 && report.problems.map(\.field) == ["end_date"], "\(report.problems)")
        let offers = try bench.desk.read { try $0.market.listings(ListingQuery(seller: .username("ann"))) }
        #expect(Set(offers.map(\.kind)) == [.rent, .sell])
        #expect(offers.first { $0.kind == .sell }?.price?.amountText == "12.00")
        let rentals = try bench.desk.read { try $0.market.rentals(borrower: .username("bob")) }
        #expect(rentals.count == 1 && rentals.first?.ends.description == "2027-04-07")
    }

    @Test("wrapped rows of a database are read, and an unknown name is reported")
    func wrapped() throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let users = #"{"Items":[{"username":{"S":"ann"},"name":{"S":"Ann"},"email":{"NULL":true}}]}"#
        let books = #"{"Items":[{"username":{"S":"ann"},"title":{"S":"Dune"},"price":{"N":"4.5"}}]}"#
        #expect(try bring(.texttrader, [("Users.json", users), ("Books.json", books)], into: bench).added == 2)
        let shelf = #"[{"title":"Emma","lastCheckedOut":"2014-02-11 18:00:00","lastCheckedOutBy":"Nobody"}]"#
        let report = try bring(.swag, [("books.json", shelf)], into: bench)
        #expect(report.added == 1 && report.problems.map(\.field) == ["lastCheckedOutBy"])
        let title = try bench.desk.read { try $0.catalogue.search(CatalogueQuery(words: "Emma")).first }
        let loan = try bench.desk.read { [id = title?.id ?? 0] in try $0.loans.latest(of: id) }
        #expect(loan?.lentAt.description == "2014-02-11T18:00:00Z" && loan?.patron == nil)
    }

    @Test(
        "each record that cannot be kept is refused with its line, its field and why",
        arguments: [
            (OlderSystem.textbooksub, #"{"id":1,"title":"A","publisher":"nobody","price":1}"#, "unknown_patron"),
            (.textbooksub, #"{"id":1,"title":"A","publisher":"教务处","price":"dear"}"#, "bad_money"),
            (.textbooksub, #"{"id":1,"title":"A","publisher":"教务处","price":1.239}"#, "bad_money"),
            (.textbooksub, #"{"id":1,"title":"A","publisher":"教务处","price":1,"historyPrice":[1]}"#, "wrong_type"),
            (.textbooksub, #"{"id":"x","title":"A","publisher":"教务处","price":1}"#, "wrong_type"),
            (.texttrader, #"{"username":"ann","title":"A","isbn":"9780140449137"}"#, "bad_isbn"),
            (.texttrader, #"{"strange":1}"#, "unknown_record"),
            (.swag, #"{"title":"A","id":-1}"#, "out_of_range"),
            (.swag, #"{"title":"A","lastCheckedOut":"yesterday"}"#, "bad_date"),
            (.swag, #"{"title":["A"]}"#, "wrong_type"), (.swag, "[1]", "wrong_type"),
            (.bookio, #"{"course_no":"X 1"}"#, "no_book"), (.bookio, #"{"user_id":7,"ISBN":1}"#, "bad_isbn"),
            (.bookio, #"{"user_id":"a","ISBN":"9780140449136","rent":2}"#, "wrong_type"),
            (.bookio, #"{"results":[{"ISBN":9780140449136}]}"#, "unknown_record"),
        ])
    func refused(system: OlderSystem, text: String, code: String) throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let report = try bring(system, [("rows.json", text)], into: bench)
        #expect(report.rejected == 1 && report.added == 0)
        #expect(report.problems.first { $0.severity == .error }?.code == code, "\(report.problems)")
        #expect(report.problems.allSatisfy { $0.line == 1 })
    }

    @Test("a record that stands twice is refused once, and a field of a million characters is kept whole")
    func extremes() throws {
        let bench = try ImportBench(shipped: OlderSystem.allCases.map(\.rawValue))
        let twice = #"[{"id":1,"title":"A"},"# + "\n" + #"{"id":1,"title":"B"}]"#
        let report = try bring(.swag, [("books.json", twice)], into: bench)
        #expect(report.added == 1 && report.problems.map(\.code) == ["duplicate_record"])
        #expect(report.problems.first?.line == 2)
        let answer = #"{"results":[{"user_id":"ann"},{"user_id":"bob","user_fname":7},{"user_id":"ann"}]}"#
        let rows = try bring(.bookio, [("User.json", answer)], into: bench)
        #expect(rows.problems.map(\.field) == ["results[2].user_fname", "results[3]"], "\(rows.problems)")
        let long = String(repeating: "x", count: 1_000_000)
        #expect(try bring(.swag, [("long.json", #"[{"title":"\#(long)"}]"#)], into: bench).added == 1)
        let bad = try bench.file("bad.json", bytes: Array(#"[{"title":"A"#.utf8) + [0xFF, 0xFE] + Array(#""}]"#.utf8))
        let refused = try bench.importing(bad, options: ImportOptions(translator: OlderSystem.swag.rawValue))
        #expect(refused.rejected == 1 && refused.added == 0)
    }
}

/// Tables of an older system as it has them.
struct OlderSample: Sendable, CustomStringConvertible {
    let system: OlderSystem

    init(_ system: OlderSystem) { self.system = system }

    var description: String { system.rawValue }

    var records: Int {
        switch system {
        case .textbooksub: 3
        case .texttrader: 5
        case .swag: 2
        case .bookio: 6
        }
    }

    /// Of the library's own records those that the tables have no place for.
    var leftOut: Int { 0 }

    var files: [(name: String, text: String)] {
        switch system {
        case .textbooksub:
            [
                ("users.json", "[\n{\"username\":\"ann\"}\n]\n"),
                (
                    "books.json",
                    """
                    [
                    {"id":0,"title":"数据结构","publisher":"教务处","stars":5,"price":25.5,"BookDescription":"A book","BookImage":"book1","courses":"CS 101, CS 102","historyPrice":[0,0,0,0,0,0,0,0,0,0,20,25.5],"historyPurchase":[0,0,0,0,0,0,0,0,0,0,3,4],"remain":13,"total":20,"college":"计算机学院","author":"严蔚敏","expand":false,"recommend":true}
                    ,{"id":7,"title":"Calculus","publisher":"ann","stars":0,"price":10,"BookDescription":"","BookImage":"https://example.org/7.png","courses":"","historyPrice":[0,0,0,0,0,0,0,0,0,0,0,10],"historyPurchase":[0,0,0,0,0,0,0,0,0,0,0,0],"remain":0,"total":2,"college":"","author":"","expand":false,"recommend":false}
                    ]

                    """.replacing("\n,{", with: ",\n{")
                ),
            ]
        case .texttrader:
            [
                (
                    "Users.json",
                    """
                    [
                    {"username":"ann","name":"Ann Lee","email":"ann@example.org"},
                    {"username":"bob","name":"","email":""}
                    ]

                    """
                ),
                (
                    "Books.json",
                    """
                    [
                    {"username":"ann","isbn":"9780441013593","title":"Dune","authfirstname":"Frank","authlastname":"Herbert","location":"North School","price":4.5},
                    {"username":"ann","isbn":"","title":"The Dispossessed","authfirstname":"Ursula K.","authlastname":"Le Guin","location":"","price":null},
                    {"username":"bob","isbn":"9780141439587","title":"Emma","authfirstname":"","authlastname":"Austen","location":"","price":0}
                    ]

                    """
                ),
            ]
        case .swag:
            [
                (
                    "books.json",
                    """
                    [
                    {"author":"Jason Morris","categories":"interface, ui, android","id":1,"lastCheckedOut":null,"lastCheckedOutBy":null,"publisher":"Prolific","title":"UI","url":"/books/1/"},
                    {"author":"A; B","categories":"","id":4,"lastCheckedOut":"2014-02-11 18:00:00","lastCheckedOutBy":null,"publisher":null,"title":"Java","url":"/books/4/"}
                    ]

                    """
                )
            ]
        case .bookio:
            [
                (
                    "User.json",
                    """
                    {"results":[
                    {"user_id":"ann","user_fname":"Ann","user_lname":"Lee","user_phone":"5551234567"},
                    {"user_id":"bob.m","user_fname":"Bob","user_lname":"Moss","user_phone":""}
                    ]}

                    """
                ),
                (
                    "Books.json",
                    """
                    {"results":[
                    {"ISBN":"9780140449136","book_name":"Odyssey","book_author":"Homer"}
                    ]}

                    """
                ),
                ("CourseBooks.json", "{\"results\":[\n{\"course_no\":\"GRK 1\",\"ISBN\":\"9780140449136\"}\n]}\n"),
                ("Courses.json", "{\"results\":[\n{\"course_no\":\"GRK 1\",\"course_name\":\"Greek\"}\n]}\n"),
                (
                    "UserBooks.json",
                    """
                    {"results":[
                    {"user_id":"ann","ISBN":"9780140449136","rent":0,"rent_cost":null,"sell":1,"sell_cost":12},
                    {"user_id":"bob.m","ISBN":"9780140449136","rent":0,"rent_cost":null,"sell":0,"sell_cost":null}
                    ]}

                    """
                ),
                (
                    "Rented.json",
                    """
                    {"results":[
                    {"from_user_id":"bob.m","to_user_id":"ann","ISBN":"9780140449136","end_date":"2026-12-24"}
                    ]}

                    """
                ),
            ]
        }
    }
}

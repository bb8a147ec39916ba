import Circulation
import Desk
import Interchange
import Testing
import TextFormats

@Suite("Dates, amounts and numbers as people write them")
struct ConventionTests {
    private func patrons(_ dates: [String], _ conventions: Conventions = Conventions()) throws -> (
        ImportReport, [String?]
    ) {
        let bench = try ImportBench()
        let rows = dates.enumerated().map { "p\($0),N,\"\($1)\"\n" }.joined()
        let report = try bench.importing(
            bench.file("p.csv", "username,name,birth_date\n" + rows), options: ImportOptions(conventions: conventions))
        let born = try bench.desk.read { session in
            try dates.indices.map { try session.patrons.get(.username("p\($0)"))?.birthDate?.description }
        }
        return (report, born)
    }

    @Test(
        "a date with one reading is read",
        arguments: [
            ("1980-03-04", "1980-03-04"), ("19800304", "1980-03-04"), ("4.3.1980", "1980-03-04"),
            ("04/04/1980", "1980-04-04"), ("2018-10-24 18:00:00", "2018-10-24"), ("4 March 1980", "1980-03-04"),
            ("March 4, 1980", "1980-03-04"), ("4. März 1980", "1980-03-04"), ("1er mars 1980", "1980-03-01"),
            ("4 de marzo de 1980", "1980-03-04"), ("4-Mar-1980", "1980-03-04"), ("4 août 1980", "1980-08-04"),
            ("4 gennaio 1980", "1980-01-04"), ("3rd Dec 1980", "1980-12-03"), ("24. Dez. 1980", "1980-12-24"),
        ])
    func certain(text: String, date: String) throws {
        let (report, born) = try patrons([text])
        #expect(born == [date] && report.problems == [], "\(text): \(report)")
    }

    @Test(
        "what is no date is refused",
        arguments: ["31.02.1980", "4 jui 1980", "13/13/1980", "March 1980", "x", "1/2/3/4"])
    func none(text: String) throws {
        let (report, _) = try patrons([text])
        #expect(report.rejected == 1 && report.problems.map(\.code) == ["bad_date"])
    }

    @Test("one value with a single reading settles its column, which is said once")
    func settled() throws {
        let (report, born) = try patrons(["04/03/1980", "24/03/1980", "05/06/1981"])
        #expect(born == ["1980-03-04", "1980-03-24", "1981-06-05"])
        #expect(report.problems.map(\.code) == ["settled_dates"] && report.problems[0].severity == .warning)
        #expect(report.problems[0].message.contains("(dmy), as '24/03/1980' in line 3"))
        let (_, american) = try patrons(["04/03/1980", "03/24/1980"])
        #expect(american == ["1980-04-03", "1980-03-24"])
    }

    @Test("a column of two readings, or of contradictory ones, ends the import and names both and the option")
    func open() throws {
        let ambiguous = #expect(throws: ImportProblem.self) { try patrons(["04/04/1980", "04/03/1980"]) }
        #expect(ambiguous?.code == "ambiguous_date" && ambiguous?.line == 3 && ambiguous?.field == "birth_date")
        for words in ["1980-03-04 if the day comes first (dmy)", "1980-04-03 if the month does (mdy)", "--dates dmy"] {
            #expect(ambiguous?.message.contains(words) == true, "\(String(describing: ambiguous))")
        }
        let both = #expect(throws: ImportProblem.self) { try patrons(["24/03/1980", "03/24/1980"]) }
        #expect(both?.code == "contradictory_dates" && both?.line == 3)
        let (report, born) = try patrons(["24/03/1980", "03/24/1980", "04/03/1980"], Conventions(dates: .mdy))
        #expect(born == [nil, "1980-03-24", "1980-04-03"] && report.problems.map(\.code) == ["bad_date"])
    }

    @Test(
        "years of two digits are read as spreadsheets do, which is said, and in any order that is not told end the import"
    )
    func shortYears() throws {
        let (report, born) = try patrons(["24.3.80", "1.2.05"])
        #expect(born == ["1980-03-24", "2005-02-01"] && report.problems.map(\.code) == ["two_digit_years"])
        let three = #expect(throws: ImportProblem.self) { try patrons(["10/11/12"]) }
        for words in ["2012-11-10", "2012-10-11", "2010-11-12", "--dates dmy` (or mdy or ymd)"] {
            #expect(three?.message.contains(words) == true, "\(String(describing: three))")
        }
        #expect(try patrons(["10/11/12"], Conventions(dates: .ymd)).1 == ["2010-11-12"])
    }

    private func price(_ texts: [String], _ conventions: Conventions = Conventions()) throws -> (
        ImportReport, [String?]
    ) {
        let bench = try ImportBench()
        try bench.importing(bench.file("t.csv", "isbn,title\n9780140449136,Odyssey\n"))
        let rows = texts.enumerated().map { "b\($0);9780140449136;\($1)\n" }.joined()
        let report = try bench.importing(
            bench.file("c.csv", "barcode;isbn;replacement_price\n" + rows),
            options: ImportOptions(conventions: conventions))
        let prices = try bench.desk.read { session in
            try texts.indices.map { try session.catalogue.copy(barcode: "b\($0)")?.replacementPrice?.amountText }
        }
        return (report, prices)
    }

    @Test(
        "amounts are read with their currency, with points, commas and thousands",
        arguments: [
            ("12.50", "12.50"), ("12,50", "12.50"), ("1.234,50", "1234.50"), ("1,234.50", "1234.50"),
            ("EUR 12.50", "12.50"), ("12,50 €", "12.50"), ("€ 1 234,5", "1234.50"), ("1'234.50", "1234.50"),
            ("12,-", "12.00"), ("1.234.567", "1234567.00"), ("12", "12.00"), ("0.25", "0.25"),
        ])
    func amounts(text: String, amount: String) throws {
        let (report, prices) = try price([text])
        #expect(prices == [amount], "\(text): \(prices) \(report)")
    }

    @Test("an amount of two readings ends the import, another one of its column or the option settles it")
    func openAmounts() throws {
        let open = #expect(throws: ImportProblem.self) { try price(["1.234"]) }
        #expect(open?.code == "ambiguous_amount" && open?.message.contains("--decimals point` (or comma)") == true)
        #expect(try price(["1.230", "2,50"]).1 == ["1230.00", "2.50"])
        #expect(try price(["1.230"], Conventions(decimals: .comma)).1 == ["1230.00"])
        #expect(try price(["12,50", "9.9"]).1 == ["12.50", "9.90"])
        let mixed = #expect(throws: ImportProblem.self) { try price(["12,50", "9.9", "1.230"]) }
        #expect(mixed?.code == "ambiguous_amount" && mixed?.line == 4)
        let foreign = try price(["USD 12.50"])
        #expect(foreign.1 == [nil] && foreign.0.problems.map(\.code) == ["bad_money"])
    }

    @Test(
        "ISBNs are read among words, as formulas and without their zeros; of several the first, which is said",
        arguments: [
            ("9780140449136 (pbk) | 0140449132", []), ("=\"9780140449136\"", []), ("[978-0-14-044913-6]", []),
            ("140449132", ["repaired_isbn"]), ("9780140449136.0", ["repaired_isbn"]),
            ("9780140449136 (hbk.), 9780141439518 (pbk.)", ["several_isbns"]),
        ] as [(String, [String])])
    func isbns(text: String, remarks: [String]) throws {
        let bench = try ImportBench()
        let quoted = text.replacing("\"", with: "\"\"")
        let report = try bench.importing(bench.file("t.csv", "title,isbn\nOdyssey,\"\(quoted)\"\n"))
        #expect(report.added == 1 && report.problems.map(\.code) == remarks, "\(report)")
        #expect(try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780140449136"))) } != nil)
        let rounded = try bench.importing(bench.file("u.csv", "title,isbn\nOdyssey,9.78014E+12\n"))
        #expect(rounded.rejected == 1 && rounded.problems.first?.message.contains("spreadsheet has rounded") == true)
    }

    @Test("a plugin's columns are settled alike, by the option before its setting")
    func plugins() throws {
        let bench = try ImportBench(shipped: ["koha-csv"], settings: ["dates": "mdy"])
        let head = "cardnumber,surname,branchcode,categorycode,dateofbirth\n"
        func born(_ dates: [String], _ conventions: Conventions = Conventions()) throws -> [String?] {
            let rows = dates.enumerated().map { "k\($0),S,CPL,PT,\($1)\n" }.joined()
            try bench.importing(bench.file("p.csv", head + rows), options: ImportOptions(conventions: conventions))
            return try bench.desk.read { session in
                try dates.indices.map { try session.patrons.get(.username("k\($0)"))?.birthDate?.description }
            }
        }
        #expect(try born(["04/03/1980"]) == ["1980-04-03"])
        #expect(try born(["04/03/1980"], Conventions(dates: .dmy)) == ["1980-03-04"])
        let other = try ImportBench(shipped: ["koha-csv"])
        let report = try other.importing(other.file("p.csv", head + "1,S,CPL,PT,04/03/1980\n2,S,CPL,PT,24/03/1980\n"))
        #expect(report.added == 2 && report.problems.map(\.code) == ["settled_dates"], "\(report)")
    }
}

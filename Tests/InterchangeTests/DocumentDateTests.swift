import Circulation
import Desk
import Interchange
import TestSupport
import Testing
import TextFormats

@Suite("Dates in JSON that people wrote")
struct DocumentDateTests {
    private func patrons(_ dates: [String], wrapped: Bool = true) -> String {
        dates.enumerated().map { number, date in
            let patron = #"{"username":"u\#(number)","name":"N","birth_date":"\#(date)"}"#
            return wrapped ? #"{"patron":\#(patron)}"# : patron
        }.joined(separator: "\n") + "\n"
    }

    private func born(
        _ dates: [String], _ conventions: Conventions = Conventions(), wrapped: Bool = true
    ) throws -> (ImportReport, [String?]) {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("p.jsonl", patrons(dates, wrapped: wrapped)), options: ImportOptions(conventions: conventions))
        let born = try bench.desk.read { session in
            try dates.indices.map { try session.patrons.get(.username("u\($0)"))?.birthDate?.description }
        }
        return (report, born)
    }

    @Test("a date of two readings ends the import with both and the option, wherever the record stands")
    func twofold() throws {
        for wrapped in [true, false] {
            let open = #expect(throws: ImportProblem.self) {
                try born(["1980-01-02", "04/03/1980", "05/06/1980"], wrapped: wrapped)
            }
            #expect(open?.code == "ambiguous_date" && open?.line == 2, "\(String(describing: open))")
            #expect(open?.field == (wrapped ? "patron.birth_date" : "birth_date"))
            #expect(
                open?.message
                    == "'04/03/1980' is 1980-03-04 if the day comes first (dmy), 1980-04-03 if the month does (mdy);"
                    + " `--dates dmy` (or mdy) says which")
        }
        #expect(try born(["04/03/1980"], Conventions(dates: .dmy)).1 == ["1980-03-04"])
        #expect(try born(["04/03/1980"], Conventions(dates: .mdy)).1 == ["1980-04-03"])
        let (report, dates) = try born(["24/03/1980", "04/03/1980"], Conventions(dates: .mdy))
        #expect(dates == [nil, "1980-04-03"] && report.problems.map(\.code) == ["bad_date"], "\(report)")
    }

    @Test("another date of the same member settles it, which is said; two that contradict each other end the import")
    func settled() throws {
        let (report, dates) = try born(["04/03/1980", "24/03/1980"])
        #expect(dates == ["1980-03-04", "1980-03-24"] && report.problems.map(\.code) == ["settled_dates"], "\(report)")
        let mixed = #expect(throws: ImportProblem.self) { try born(["24/03/1980", "03/24/1980"]) }
        #expect(mixed?.code == "contradictory_dates" && mixed?.line == 2)
        #expect(try born(["1980-03-04", "4 March 1980", "4.3.1980", "19800304"]).1.allSatisfy { $0 == "1980-03-04" })
        #expect(try born(["4/3/80"], Conventions(dates: .dmy)).0.problems.map(\.code) == ["two_digit_years"])
        #expect(try born(["yesterday"]).0.problems.map(\.code) == ["bad_date"])
    }

    @Test("the dates of a list within records are those of one member, and other members do not settle them")
    func lists() throws {
        func titles(_ first: String, _ second: String) throws -> ImportReport {
            let bench = try ImportBench()
            let text =
                #"[{"title":{"title":"Momo","copies":[{"barcode":"B1","acquired_on":"\#(first)"},{"barcode":"B2","acquired_on":"\#(second)"}]}},"#
                + #"{"patron":{"username":"u","birth_date":"24/03/1980"}}]"#
            return try bench.importing(bench.file("t.json", text))
        }
        #expect(try titles("04/03/2020", "24/03/2020").rejected == 0)
        let open = #expect(throws: ImportProblem.self) { try titles("04/03/2020", "05/03/2020") }
        #expect(open?.field == "copies.acquired_on", "\(String(describing: open))")
    }

    @Test("damaged documents with such dates are read or refused, never more", arguments: 0..<60)
    func damaged(number: Int) throws {
        let bench = try ImportBench()
        var mutator = ByteMutator(seed: UInt64(number))
        let bytes = Array(mutator.mutate(Array(patrons(["04/03/1980", "24/03/1980", "1980-01-02"]).utf8)))
        do {
            let report = try bench.importing(bench.file("p.jsonl", bytes: bytes))
            #expect(report.problems.allSatisfy { $0.line > 0 && !$0.message.isEmpty })
        } catch let problem as ImportProblem {
            #expect(!problem.message.isEmpty)
        }
        #expect(try bench.desk.examine().isSound)
    }
}

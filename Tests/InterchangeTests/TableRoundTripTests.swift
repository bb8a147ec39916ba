import Circulation
import Desk
import Interchange
import TestSupport
import Testing
import TextFormats

@Suite("What was exported is imported again")
struct TableRoundTripTests {
    /// What can be asked of an export.
    struct Case: CustomTestStringConvertible {
        let kind: Exporter.Kind
        let isTable: Bool

        var fileName: String { "\(kind.rawValue).\(isTable ? "csv" : "json")" }
        var testDescription: String { fileName }

        static let all = Exporter.Kind.allCases.flatMap { kind in
            [Case(kind: kind, isTable: false)]
                + (Exporter.Kind.tables.contains(kind) ? [Case(kind: kind, isTable: true)] : [])
        }

        /// Those that name nothing outside of themselves.
        static let standingAlone = all.filter { [.all, .titles, .copies, .patrons].contains($0.kind) }

        func export(_ bench: ImportBench) throws -> String {
            try bench.desk.read { session in
                var text: [UInt8] = []
                let exporter = Exporter(session: session) { text += $0 }
                if isTable { try exporter.csv(kind) } else { try exporter.json(kind) }
                return String(decoding: text, as: UTF8.self)
            }
        }
    }

    /// The library in which there is everything, and libraries of chance.
    private func benches() throws -> [ImportBench] {
        let full = try ImportBench()
        try full.importing(full.file("library.jsonl", RandomLibrary.text))
        return try [full]
            + [UInt64](1...4).map { seed in
                let bench = try ImportBench()
                var random = SplitMix(seed: seed)
                for step in 0..<150 { try RandomLibrary.perform(step, bench.desk, &random) }
                return bench
            }
    }

    @Test("an export changes nothing in the library that it came from", arguments: Case.all)
    func again(_ exported: Case) throws {
        for bench in try benches() {
            let before = try bench.export()
            let report = try bench.importing(bench.file(exported.fileName, exported.export(bench)))
            #expect(report.problems == [])
            #expect(report.added == 0 && report.updated == 0 && report.rejected == 0 && report.repaired == 0)
            #expect(try bench.export() == before)
        }
    }

    @Test(
        "a library that has nothing yet holds what was exported, and says it in the same words",
        arguments: Case.standingAlone)
    func elsewhere(_ exported: Case) throws {
        for bench in try benches() {
            let text = try exported.export(bench)
            let other = try ImportBench()
            let report = try other.importing(other.file(exported.fileName, text))
            #expect(report.rejected == 0, "\(report.problems)")
            // A copy without its loan or its hold is where nobody has it.
            func still(_ text: String) -> [Substring] {
                text.replacing(",on_loan,", with: ",available,").replacing(",on_hold_shelf,", with: ",available,")
                    .replacing(#","status":"on_hold_shelf""#, with: "").split(separator: "\n")
            }
            let second = try exported.export(other)
            for (line, expected) in zip(still(second), still(text)) { #expect(line == expected) }
            #expect(still(second).count == still(text).count)
            #expect(try other.importing(other.path(exported.fileName)).added == 0)
        }
    }

    @Test(
        "a table that went through a spreadsheet, or is in another encoding, says the same",
        arguments: Case.all.filter(\.isTable))
    func throughSpreadsheets(_ exported: Case) throws {
        let full = try ImportBench()
        try full.importing(full.file("library.jsonl", RandomLibrary.text))
        let text = try exported.export(full)
        var table = CSVReader(source: MemoryByteSource(text))
        var rows: [[WorkbookFile.Cell]] = []
        while let record = try table.next() {
            // As a spreadsheet keeps them: what is a whole number and looks like one is one.
            rows.append(
                record.fields.map { field in
                    field.isEmpty ? .empty : Int64(field).map(String.init) == field ? .number(field) : .inline(field)
                })
        }
        var units: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { units += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        for (name, bytes) in [("t.xlsx", WorkbookFile(rows).bytes), ("t.txt", units)] {
            let before = try full.export()
            let report = try full.importing(full.file(name, bytes: bytes))
            #expect(report.added == 0 && report.updated == 0 && report.rejected == 0, "\(name): \(report.problems)")
            #expect(try full.export() == before)
            guard Case.standingAlone.contains(where: { $0.fileName == exported.fileName }) else { continue }
            let (one, other) = (try ImportBench(), try ImportBench())
            try one.importing(one.file("t.csv", text))
            try other.importing(other.file(name, bytes: bytes))
            #expect(try one.export() == other.export())
        }
    }

    @Test("a table of patrons leaves alone what it has no column for")
    func silentColumns() throws {
        let bench = try ImportBench()
        let patron = Patron(
            username: "ada", name: "Ada", surname: "L", email: "ada@example.org", category: "patron",
            homeBranch: "main", language: "de", role: .staff, extra: ["note": "x"])
        _ = try bench.desk.write { try $0.patrons.add(patron) }
        let report = try bench.importing(bench.file("phones.csv", "username,name,phone\nada,Ada,123\n"))
        #expect(report.updated == 1 && report.problems == [])
        var expected = patron
        expected.phone = "123"
        expected.id = 1
        #expect(try bench.desk.read { try $0.patrons.get(.username("ada")) } == expected)
        try bench.importing(bench.file("phones.json", #"{"patron":{"username":"ada","phone":"456"}}"#))
        expected.phone = "456"
        #expect(try bench.desk.read { try $0.patrons.get(.username("ada")) } == expected)
    }

    @Test("another library's file does not rename the one that it joins; a settings file does, and says so")
    func joining() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("own.json", #"{"library":{"name":"Own","zone":"Europe/Berlin"}}"#))
        let joined = try bench.importing(bench.file("other.jsonl", RandomLibrary.text))
        #expect(joined.problems.map(\.code) == ["library_kept"] && joined.rejected == 0, "\(joined.problems)")
        #expect(try bench.desk.read { try $0.settings.library().name } == "Own")
        let renamed = try bench.importing(bench.file("settings.json", #"{"library":{"name":"New"}}"#))
        #expect(renamed.problems.map(\.code) == ["library_changed"] && renamed.updated == 1)
        #expect(try bench.desk.read { try $0.settings.library().name } == "New")
    }
}

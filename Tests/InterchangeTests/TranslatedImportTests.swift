import Circulation
import Desk
import Foundation
import Interchange
import LuaRuntime
import Plugins
import Scripting
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Imports of plugins")
struct TranslatedImportTests {
    /// A plugin that reads class lists.
    private static func classList(_ record: String, _ fields: String = "") -> String {
        """
        return plugin {
            api = 1, name = "classlist", version = "1",
            settings = { dates = { type = "text", required = false } },
            imports = { {
                name = "classes", files = { "*.csv", "*.json" }, has = { "Kennung", "Klasse" },
                columns = { id = "required word: Kennung", name = "text: Vorname", born = "date: Geboren", klasse = "text" },
                \(fields)
                record = function(row) \(record) end,
            } },
        }
        """
    }

    private static let patron =
        "return { patron = { username = row.id, name = row.name, birth_date = row.born, extra = { class = row.klasse } } }"

    private func bench(_ record: String = patron, _ fields: String = "") throws -> ImportBench {
        try ImportBench(source: Self.classList(record, fields))
    }

    private func patron(_ username: String, _ bench: ImportBench) throws -> Patron? {
        try bench.desk.read { try $0.patrons.get(.username(username)) }
    }

    private let list = "Kennung;Vorname;Geboren;Klasse\n11;Ada;24.12.2012;5a\n12;Bob;;5b\n"

    @Test("a file is known by its columns and its name, comes in as tables, JSON and lines, and adds nothing again")
    func recognised() throws {
        let bench = try bench()
        let path = try bench.file("list.csv", list)
        #expect(try bench.importing(path).added == 2)
        #expect(try patron("11", bench)?.birthDate?.description == "2012-12-24")
        #expect(try patron("12", bench)?.extra["class"] == .string("5b"))
        #expect(try bench.importing(path).unchanged == 2)
        #expect(throws: ImportProblem.self) { try bench.importing(bench.file("list.txt", list)) }
        let named = ImportOptions(translator: "classes")
        #expect(try bench.importing(bench.file("list.txt", list), options: named).unchanged == 2)
        let objects = "{\"Kennung\":13,\"Klasse\":\"6\"}\n{\"Kennung\":\"14\",\"Klasse\":null}\n"
        #expect(try bench.importing(bench.file("list.json", objects)).added == 2)
        let array = "[{\"Kennung\":15,\"Klasse\":\"6\"},\n{\"Klasse\":\"6\",\"kennung\":{\"S\":\"16\"}}]"
        #expect(try bench.importing(bench.file("array.json", array)).added == 2)
        #expect(try patron("16", bench) != nil)
        #expect(throws: ImportProblem.self) {
            try bench.importing(path, options: ImportOptions(translator: "nonesuch"))
        }
    }

    @Test("kinds that are known without plugins are read as ever, unless a table is said to come first")
    func order() throws {
        let record = "return { patron = { username = row.username, surname = \"P\" } }"
        let source = { (first: String) in
            """
            return plugin { api = 1, name = "p", version = "1", imports = { {
                name = "t", has = { "username", "surname" }, \(first) record = function(row) \(record) end } } }
            """
        }
        let table = "username,surname\nann,Lee\n"
        let before = try ImportBench(source: source(""))
        try before.importing(before.file("p.csv", table))
        #expect(try patron("ann", before)?.surname == "Lee")
        let after = try ImportBench(source: source("first = true,"))
        try after.importing(after.file("p.csv", table))
        #expect(try patron("ann", after)?.surname == "P")
        // What an export wrote stays what it is.
        let whole = try after.export()
        let other = try ImportBench(source: source("first = true,"))
        try other.importing(other.file("e.jsonl", whole))
        #expect(try other.export() == whole)
    }

    @Test("`is` sees the beginning of the file, and says whether it is the table")
    func asked() throws {
        let source = """
            return plugin { api = 1, name = "p", version = "1", imports = { {
                name = "t",
                is = function(head)
                    return head.kind == "csv" and head.columns[2] == "b" and head.rows[1].a == "1" and not head.named
                end,
                record = function(row) return { patron = { username = row.a .. row.b } } end,
            } } }
            """
        let bench = try ImportBench(source: source)
        #expect(try bench.importing(bench.file("x.csv", "a,b\n1,2\n3,4\n")).added == 2)
        #expect(throws: ImportProblem.self) { try bench.importing(bench.file("y.csv", "a,b\n2,2\n")) }
    }

    @Test(
        "what a row says wrong is refused under its line and the file's column, and the rest is kept",
        arguments: [
            ("11;Ada;31.02.2012;5a", "Geboren", "bad_date"), (";Ada;;5a", "Kennung", "missing"),
            ("11;Ada;1.2.123;5a", "Geboren", "bad_date"), ("11;Ada;;5a;more", nil, "too_many_fields"),
        ])
    func faults(row: String, field: String?, code: String) throws {
        let bench = try bench()
        let report = try bench.importing(bench.file("l.csv", "Kennung;Vorname;Geboren;Klasse\n12;Bob;;5b\n\(row)\n"))
        #expect(report.added == 1 && report.rejected == 1)
        #expect(report.problems.map(\.code) == [code] && report.problems.map(\.field) == [field])
        #expect(report.problems.map(\.line) == [3])
    }

    @Test("a row that could not be read keeps no later one out, and an amount has the decimals of its currency")
    func keysOfBadRows() throws {
        let source = """
            return plugin { api = 1, name = "p", version = "1", imports = { {
                name = "t", files = { "*.csv" }, has = { "id", "price" }, key = { "id" },
                columns = { id = "required word", price = "required amount" },
                record = function(row) return { patron = { username = row.id, surname = row.price } } end } } }
            """
        let bench = try ImportBench(source: source)
        let lines = "id,price\n1,1.234\n1,1.230\n1,2\n2,\"1,234.50\"\n2,-3\n3,\n3,4\n"
        let report = try bench.importing(bench.file("x.csv", lines))
        #expect(report.added == 3)
        #expect(
            report.problems.map { "\($0.line) \($0.code) \($0.field ?? "-")" } == [
                "2 settled_amounts price", "2 bad_money price", "4 duplicate_record -", "6 bad_money price",
                "7 missing price",
            ], "\(report.problems)")
    }

    @Test(
        "what a plugin gives wrong is refused row by row, with what was expected",
        arguments: [
            ("return 7", "bad_record"), ("return { patron = 7 }", "bad_record"),
            ("return { reader = {} }", "bad_record"),
            ("return { { {} } }", "bad_record"), ("return { patron = { username = print } }", "bad_record"),
            ("return { policy_activation = {} }", "bad_record"), ("return { patron = {}, loan = {} }", "bad_record"),
            ("return { patron = { name = row.name } }", "missing"), ("return nil, \"no class\"", "plugin"),
            ("return { title = { title = \"A\", isbn = row.id } }", "bad_isbn"),
            ("return { title = {}, once = true }", "missing"),
            ("return { patron = { username = row.id, birth_date = \"04/03/1980\" } }", "bad_date"),
            ("error('no')", "lua_error"), ("return row.id.x.y", "lua_error"),
            ("return { error = { column = \"Klasse\", code = \"odd\", message = \"odd\" } }", "odd"),
        ])
    func garbage(record: String, code: String) throws {
        let bench = try bench(record)
        let report = try bench.importing(bench.file("list.csv", list))
        #expect(report.rejected == 2 && report.added == 0)
        #expect(report.problems.map(\.code) == [code, code], "\(report.problems)")
        #expect(report.problems.map(\.line) == [2, 3])
        if code == "bad_isbn" { #expect(report.problems.first?.field == "Kennung") }
    }

    @Test(
        "an importer that loops, fills memory or would change something ends the import with what it did",
        arguments: [
            ("while true do end", "time_limit"),
            ("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e5) .. i end", "memory_limit"),
            ("state.set('n', 1) return {}", "read_only"),
        ])
    func hostile(record: String, code: String) throws {
        let bench = try bench(record)
        // On a busy machine time passes before the memory is full.
        let deadline: Duration = code == "time_limit" ? .milliseconds(50) : .seconds(60)
        bench.limits = LuaLimits(memory: 8 << 20, deadline: deadline)
        bench.translators = try bench.exchange.translators()
        for isDryRun in [false, true] {
            let problem = #expect(throws: ImportProblem.self) {
                try bench.importing(bench.file("list.csv", list), options: ImportOptions(isDryRun: isDryRun))
            }
            #expect(problem?.code == code && problem?.line == 2, "\(String(describing: problem))")
        }
        #expect(try patron("11", bench) == nil)
        #expect(try bench.desk.examine().isSound)
    }

    @Test("other people's hostile scripts as importers end, and leave the store sound")
    func hostileScripts() throws {
        let bench = try ImportBench()
        bench.limits = LuaLimits(memory: 8 << 20, deadline: .milliseconds(15))
        for script in HostileScript.files + HostileScript.own {
            let files = [PolicyBundle.File(name: PluginFolder.mainName, source: Self.classList(script.source))]
            do {
                try bench.use(PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files))
                let report = try bench.importing(bench.file("list.csv", list))
                #expect(report.added == 0, "\(script)")
            } catch let problem as ImportProblem {
                #expect(!problem.message.isEmpty)
            } catch is DeskError {
                // Not Lua within a function: it is not put into force.
            }
        }
        #expect(try bench.desk.examine().isSound)
    }

    @Test("a date of two readings ends the import and names both and the setting, which picks one")
    func dates() throws {
        let bench = try bench()
        let text = "Kennung;Vorname;Geboren;Klasse\n11;Ada;04/04/2012;5a\n12;Bob;04/03/2012;5b\n"
        let path = try bench.file("list.csv", text)
        let problem = #expect(throws: ImportProblem.self) { try bench.importing(path) }
        #expect(problem?.line == 3 && problem?.field == "Geboren" && problem?.code == "ambiguous_date")
        for words in ["2012-03-04", "2012-04-03", "--set dates=dmy"] {
            #expect(problem?.message.contains(words) ?? false)
        }
        for (order, born) in [("dmy", "2012-03-04"), ("mdy", "2012-04-03")] {
            let bundle = try ParsedPolicy(name: PluginFolder.mainName, source: Self.classList(Self.patron)).bundle
            try bench.use(bundle, settings: ["dates": .string(order)])
            try bench.importing(path)
            #expect(try patron("12", bench)?.birthDate?.description == born)
        }
    }

    @Test("dry run and strict ask the plugin before their transaction, keep nothing or all, and report the same")
    func transactions() throws {
        let bench = try bench()
        let good = try bench.file("list.csv", list)
        let bad = try bench.file("bad.csv", list + "13;Eve;31.31.2012;5a\n")
        let tried = try bench.importing(good, options: ImportOptions(isDryRun: true))
        #expect(tried.added == 2)
        #expect(try patron("11", bench) == nil)
        let strict = try bench.importing(bad, options: ImportOptions(isStrict: true))
        #expect(strict.rejected == 1 && strict.added == 0)
        #expect(strict.problems.map(\.line) == [4] && strict.problems.map(\.field) == ["Geboren"])
        #expect(try patron("11", bench) == nil)
        #expect(try bench.importing(good, options: ImportOptions(isStrict: true)) == tried)
        #expect(try patron("11", bench) != nil)
    }

    @Test("several records of a row stand or fall together, a row may have none, and the library can be asked")
    func several() throws {
        let bench = try bench(
            """
            if row.klasse == "none" then return nil end
            if patrons.get(row.id) then return { warning = "is here" } end
            return { { patron = { username = row.id } }, { title = { title = row.name, copies = 1 } },
                { loan = { username = row.id, title = row.name, lent_on = "2026-01-02" } } }
            """)
        let text = "Kennung;Vorname;Geboren;Klasse\n11;Emma;;1\n12;;;1\n13;Dune;;none\n"
        let report = try bench.importing(bench.file("list.csv", text))
        #expect(report.read == 2 && report.added == 1 && report.rejected == 1, "\(report)")
        #expect(try patron("11", bench) != nil)
        #expect(try patron("12", bench) == nil && patron("13", bench) == nil)
        #expect(try bench.desk.examine().isSound)
        let again = try bench.importing(bench.file("list.csv", text))
        #expect(again.added == 0 && again.problems.first?.message == "is here")
    }

    private struct DiskFull: Error {}

    private func export(_ write: String, to sink: @escaping ([UInt8]) throws -> Void) throws {
        let bench = try ImportBench(
            source: """
                return plugin { api = 1, name = "p", version = "1", exports = { {
                    name = "t.json", columns = { "a", "n?" }, write = function(out) \(write) end } } }
                """)
        let exporter = try #require(try bench.exchange.exporter(of: "p"))
        let file = try #require(exporter.files.first)
        _ = try bench.desk.read { try exporter.export(file, in: $0, to: sink) }
    }

    @Test(
        "what an export does wrong is the plugin's error",
        arguments: [
            ("out.put { b = 1 }", "no column 'b'"), ("out.put(7)", "a table"),
            ("out.each('x', print)", "there are no 'x'"),
            ("out.put { a = print }", "'a'"), ("patrons.add { username = 'x' }", "patrons.write"),
            ("error('no')", "no"),
        ])
    func badExports(write: String, words: String) throws {
        let fault = #expect(throws: PluginFault.self) { try export(write) { _ in } }
        #expect(fault?.description.contains(words) ?? false, "\(String(describing: fault))")
    }

    @Test("rows are written in the order of their columns, and what could not be written is not passed over")
    func writtenExports() throws {
        var text: [UInt8] = []
        try export("out.put { n = 1, a = { 1, 2 } } out.put { a = 'x' } out.put { n = 2 }") { text += $0 }
        #expect(
            String(decoding: text, as: UTF8.self)
                == "[\n{\"a\":[1,2],\"n\":1},\n{\"a\":\"x\"},\n{\"a\":null,\"n\":2}\n]\n")
        #expect(throws: DiskFull.self) {
            try export("for i = 1, 2000 do pcall(out.put, { a = ('x'):rep(100) }) end") { _ in throw DiskFull() }
        }
    }

    @Test("bytes of other encodings become UTF-8 however they are cut, and what is none stays none")
    func encodings() throws {
        func decoded(_ bytes: [UInt8], _ encoding: TextEncoding) throws -> [UInt8] {
            var source = DecodedByteSource(MemoryByteSource(bytes, portion: 1), from: encoding)
            var (text, buffer): ([UInt8], [UInt8]) = ([], [0, 0, 0])
            while true {
                let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
                if count == 0 { return text }
                text += buffer[..<count]
            }
        }
        let words = "é€📚"
        let units = Array(words.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try decoded([0xFE, 0xFF] + units, .utf16BigEndian) == Array(words.utf8))
        #expect(try decoded([0xD8, 0x3D, 0x00, 0x41], .utf16BigEndian) == [0xFF, 0x41])
        #expect(try decoded([0xE9, 0x80, 0x81, 0x41], .windows1252) == Array("é€".utf8) + [0xFF, 0x41])
    }

    @Test("a class list that is damaged is read or refused line by line", arguments: 0..<8)
    func damaged(number: Int) throws {
        let bench = try ImportBench(shipped: ["excel-list", "koha-csv", "goodreads", "librarything"])
        let seeds = [
            (
                "list.csv",
                "Ausweisnummer;Nachname;Vorname;Geburtsdatum\n1001;Müller;\"Jörg\";24.03.2014\n1002;O'Neil;Zoë;4.11.2013\n"
            ),
            (
                "k.csv",
                "cardnumber,surname,categorycode,branchcode,dateofbirth\n42,Hall,PT,CPL,1980-04-24\n43,\"Ha,ll\",PT,CPL,\n"
            ),
        ]
        for (name, text) in seeds {
            var mutator = ByteMutator(seed: UInt64(number) &* 7919)
            let path = try bench.file(name, bytes: mutator.mutate(Array(text.utf8)))
            guard case .success(let report) = try ImportFuzzTests.outcome(bench, path) else { continue }
            ImportFuzzTests.check(report, of: path, "\(name), damage \(number)")
            #expect(try ImportFuzzTests.outcome(bench, path).get().added == 0)
        }
        #expect(try bench.desk.examine().isSound)
    }

    @Test(
        "files of the malformed sets are refused or read by plugins for real exports, never a crash",
        .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"))
    func malformed() throws {
        let bench = try ImportBench(shipped: ["excel-list", "koha-csv", "goodreads", "librarything"])
        let root = SharedData.path("data/malformed")
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        for path in names.sorted().map({ "\(root)/\($0)" }) where path.hasSuffix(".csv") || path.hasSuffix(".json") {
            for translator in [nil, "excel-books", "koha-patrons"] {
                let options = ImportOptions(translator: translator)
                if case .success(let report) = try ImportFuzzTests.outcome(bench, path, options) {
                    ImportFuzzTests.check(report, of: path, "\(path)")
                }
            }
        }
        #expect(try bench.desk.examine().isSound)
    }
}

import Circulation
import Foundation
import LuaRuntime
import Scripting
import Testing
import TextFormats

@Suite("Files that scripts are given")
struct ScriptFileArgumentTests {
    /// Runs a script with `--list` naming a file of these bytes; portions of a size, so that a text is cut anywhere.
    private func run(_ body: String, _ bytes: [UInt8], portion: Int = .max, path: String = "list.csv") throws
        -> ScriptResult
    {
        let sample = try APISample()
        var options = ScriptOptions(arguments: ["--list", path])
        options.opensFiles = { _ in MemoryByteSource(bytes, portion: portion) }
        return sample.runner().run(
            ScriptSource(text: "report.params { list = 'file' }\n\(body)", name: "s.lua"), options: options)
    }

    private func values(_ body: String, _ text: String, portion: Int = .max) throws -> String {
        let result = try run(body, Array(text.utf8), portion: portion)
        #expect(result.failure == nil, "\(result.failure?.message ?? "")")
        return ScriptEvaluator.texts(of: result.values).joined(separator: ", ")
    }

    @Test("lines come one at a time without their ends, however the bytes are cut", arguments: [1, 3, 1_000])
    func lines(portion: Int) throws {
        let body = "local t = {} for line in args.list.lines() do t[#t + 1] = line end return table.concat(t, '|'), #t"
        #expect(try values(body, "\u{FEFF}one\r\ntwo\n\nfour", portion: portion) == "\"one|two||four\", 4")
        #expect(try values(body, "", portion: portion) == "\"\", 0")
    }

    @Test("records of CSV are tables by the names in the first, with their line")
    func rows() throws {
        let body = """
            local t = {}
            for row, line in args.list.rows() do t[#t + 1] = line .. ":" .. row.barcode .. "/" .. tostring(row.note) .. "/" .. tostring(row[3]) end
            return table.concat(t, " ")
            """
        let text = "barcode; note\n1001;\"a; b\nc\"\n1002\n1003;x;more\n"
        #expect(try values(body, text) == "\"2:1001/a; b\\nc/nil 4:1002/nil/nil 5:1003/x/more\"")
    }

    @Test("a file may be read again from its beginning, and has its name")
    func again() throws {
        let body = "return args.list.name, args.list.text(), args.list.text() == args.list.text()"
        #expect(try values(body, "héllo\n") == "\"list.csv\", \"héllo\\n\", true")
    }

    @Test(
        "what is no text, or no table, is an error that says where",
        arguments: [
            ("return args.list.text()", [0xFF, 0xFE, 0x41], "list.csv is not UTF-8 text"),
            ("for _ in args.list.lines() do end", [0x61, 0x0A, 0xC3, 0x0A], "list.csv:2: the line is not UTF-8"),
            (
                "for _ in args.list.rows() do end", Array("a,a\n1,2".utf8),
                "list.csv:1: the column 'a' stands there twice"
            ),
            ("for _ in args.list.rows() do end", Array("a,b\n\"1,2".utf8), "list.csv:2: "),
        ] as [(String, [UInt8], String)])
    func faults(body: String, bytes: [UInt8], message: String) throws {
        let failure = try #require(try run(body, bytes).failure)
        #expect(failure.message.contains(message), "\(failure.message)")
        #expect(failure.line == 2)
    }

    @Test("a line without end is refused before it fills the memory")
    func endless() throws {
        struct Endless: ByteSource {
            mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                buffer.initializeMemory(as: UInt8.self, repeating: 0x61)
                return buffer.count
            }
        }
        let sample = try APISample()
        for call in ["args.list.lines()()", "args.list.text()", "args.list.rows()()"] {
            var options = ScriptOptions(arguments: ["--list", "-"])
            options.opensFiles = { _ in Endless() }
            let result = sample.runner().run(
                ScriptSource(text: "report.params { list = 'file' } return \(call)", name: "s.lua"), options: options)
            #expect(result.failure != nil, "\(call)")
        }
    }

    @Test("where others choose the arguments, no file is opened")
    func closed() throws {
        let sample = try APISample()
        let result = sample.runner().run(
            ScriptSource(text: "report.params { list = 'file' } return args.list.text()", name: "s.lua"),
            options: ScriptOptions(arguments: ["--list", "/etc/passwd"]))
        #expect(result.status == .usage && result.failure?.message.contains("command line") == true)
    }

    @Test(
        "a total is summed, chosen or given, and says what it cannot sum",
        arguments: [
            ("total = true", "Total/6/9.00 EUR"), ("total = { 'n' }", "Total/6/"),
            ("total = { name = 'All', n = 7 }", "All/7/"), ("total = false", "none"),
        ])
    func totals(total: String, row: String) throws {
        let rows = """
            { { name = "a", n = 1, due = money "4.50" }, { name = "b", n = 5, due = money "4.50" }, { name = "c" } }
            """
        let result = try run("report.table { columns = { 'name', 'n', 'due' }, rows = \(rows), \(total) }", [])
        #expect(result.failure == nil, "\(result.failure?.message ?? "")")
        let table = try #require(result.document.tables.first)
        #expect((table.total?.map(\.text).joined(separator: "/") ?? "none") == row)
    }

    @Test(
        "a total of nothing that can be summed is an error",
        arguments: [
            ("{ { a = 'x' } }", "true", "no column of numbers or money"),
            ("{ { a = 'x' } }", "{ 'a' }", "the column 'a' cannot be summed at x"),
            ("{ { a = 1 }, { a = money '1' } }", "{ 'a' }", "cannot be summed at 1.00 EUR"),
            ("{ { amount = 1 } }", "{ 'amuont' }", "did you mean 'amount'?"),
            ("{ { amount = 1 } }", "{ amuont = 1 }", "did you mean 'amount'?"), ("{}", "5", "must be true or a table"),
        ])
    func wrongTotals(rows: String, total: String, message: String) throws {
        let failure = try #require(try run("report.table { rows = \(rows), total = \(total) }", []).failure)
        #expect(failure.message.contains(message), "\(failure.message)")
    }
}

import Testing

@testable import LuaSyntax

@Suite("Hints at what was meant")
struct SyntaxHintTests {
    static let slips: [(source: String, hint: String)] = [
        ("if x = 1 then end", "to compare, write '=='"), ("while x = 1 do end", "to compare, write '=='"),
        ("return x = 1", "to compare, write '=='"), ("return (x = 1)", "to compare, write '=='"),
        ("x == 1", "to give a value, write '='"),
        ("f(x = 1)", "named arguments stand in braces"),
        ("t = { a = 1 b = 2 }", "a comma is missing before 'b'"),
        ("t = {\n  { a = 1 }\n  { a = 2 }\n}", "a comma is missing before '{'"),
        ("t = { 'a' 'b' }", "a comma is missing before ''b''"), ("f(1 2)", "a comma is missing before '2'"),
        ("t = { a = true\n b = 1 }", "a comma is missing before 'b'"),
        ("t = { loan = 3 weeks }", "write weeks(3)"), ("t = { loan = weeks 3 }", "write weeks(3)"),
        ("t = { loan = 14days }", "write days(14)"),
        ("t = { loan = 1 day, b = 1 }", "write days(1)"),
        ("if x != 1 then end", "'not equal' is written '~='"), ("if !x then end", "'!' is written 'not'"),
        ("if x && y then end", "'&&' is written 'and'"), ("if x || y then end", "'||' is written 'or'"),
        ("x += 1", "x = x + ..."), ("x -= 1", "x = x - ..."), ("s ..= 'a'", "s = s .. ..."), ("x++", "x = x + 1"),
        ("if x then\ny()\nelse if z then\ny()\nend", "'elseif' is one word"),
        ("if x then y() elif z then end", "write 'elseif'"), ("if x then y() elsif z then end", "write 'elseif'"),
        ("if x == 1 { y() }", "blocks have no braces"), ("for i = 1, 2 { y() }", "blocks have no braces"),
        ("t = { age: 12 }", "a field is written with '='"), ("t = { 'age': 12 }", "a field is written with '='"),
        ("t = { 'age' = 12 }", "a field's name stands without quotation marks"),
        ("t = { max-loans = 3 }", "a field's name is one word"),
        ("let x = 1", "a variable begins with 'local'"), ("const x = 1", "a variable begins with 'local'"),
        ("def f() end", "a function begins with 'function'"), ("f = x => x", "a function is written"),
        ("// a comment", "a comment begins with '--'"), ("# a comment\n# another", "a comment begins with '--'"),
        ("x = a ? b : c", "a choice is written"),
        ("x = \u{201C}a\u{201D}", "straight quotation marks"), ("x = \u{2018}a\u{2019}", "straight quotation marks"),
        ("x = \u{AB}a\u{BB}", "straight quotation marks"), ("t = { a = 1\u{FF0C} b = 2 }", "write ',' itself"),
        ("f\u{FF08}1\u{FF09}", "write '(' itself"), ("x = 3 \u{2212} 1", "a minus is the character '-'"),
        ("x = a \u{2260} b", "'~='"), ("x = a \u{2264} b", "'<='"),
        ("x\u{A0}= 1", "an invisible character stands here (U+A0)"),
        ("x = \u{200B}1", "an invisible character stands here (U+200B)"), ("gr\u{F6}sse = 1", "the letters a to z"),
    ]

    @Test("a habit from another language gets a hint with the Lua syntax", arguments: slips)
    func hint(source: String, hint: String) throws {
        let error = #expect(throws: LuaSyntaxError.self) {
            try LuaParser.parse(source, chunk: "test", skipsFirstLineComment: false)
        }
        #expect(error?.hint?.contains(hint) == true, "\(error?.explained ?? "no error")")
        #expect(error?.explained.hasPrefix(error?.message ?? "") == true)
    }

    @Test(
        "where nothing comes to mind, Lua's words stand alone",
        arguments: ["x =", "for", "return return", "x = [[", "goto 1", "t = {", "f(", "local 1", "end", ""])
    func none(source: String) {
        #expect(
            (try? LuaParser.parse(source, chunk: "test")) != nil || error(source)?.hint == nil,
            "\(error(source)?.hint ?? "")")
    }

    private func error(_ source: String) -> LuaSyntaxError? {
        do throws(LuaSyntaxError) {
            _ = try LuaParser.parse(source, chunk: "test")
            return nil
        } catch {
            return error
        }
    }

    @Test("a text that is cut off anywhere, or changed by a letter, gets hints of bounded length", arguments: slips)
    func cut(source: String, hint: String) {
        let bytes = Array(source.utf8)
        for end in bytes.indices {
            _ = try? LuaParser.parse(Array(bytes[..<end]), chunk: "cut")
            _ = try? LuaParser.parse(Array(bytes[end...]), chunk: "cut")
        }
    }
}

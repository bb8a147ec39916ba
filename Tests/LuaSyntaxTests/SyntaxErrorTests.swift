import LuaSyntax
import Testing

@Suite("A syntax error says what and where")
struct SyntaxErrorTests {
    private func error(_ source: String) throws -> LuaSyntaxError {
        try #require(throws: LuaSyntaxError.self) { try LuaParser.parse(source, chunk: "test") }
    }

    @Test(
        "the place is that of the token, the escape or the jump",
        arguments: [
            ("local x 5", 1, 9, "unexpected symbol near '5'"), ("x =\n\n  = 1", 3, 3, "unexpected symbol near '='"),
            ("x = 'é' y", 1, 10, "syntax error near <eof>"),
            ("\tx = 'ab\\q'", 1, 9, #"invalid escape sequence near ''ab\q'"#),
            ("x = \"abc\ny", 1, 5, #"unfinished string near '"abc'"#),
            ("f(\n1\n", 3, 1, "')' expected (to close '(' at line 1) near <eof>"),
            ("do\n  break\nend", 2, 3, "break outside loop at line 2"),
            ("x = 1\ngoto nowhere\ny = 2", 2, 6, "no visible label 'nowhere' for <goto> at line 2"),
            ("local a <const> = 1\n  a = 2", 2, 3, "attempt to assign to const variable 'a'"),
            ("local a <fixed> = 1", 1, 10, "unknown attribute 'fixed'"), ("x = $", 1, 5, "unexpected symbol near '$'"),
            ("::a:: x = 1 ::a::", 1, 13, "label 'a' already defined on line 1"),
            ("::a:: ::a::", 1, 7, "label 'a' already defined on line 1"),
            ("x = 3x", 1, 5, "malformed number near '3x'"),
            ("日本 = 1", 1, 1, "unexpected symbol near '<\\230>'"),
            ("x = '日本' $", 1, 10, "unexpected symbol near '$'"),
        ])
    func places(source: String, line: Int, column: Int, message: String) throws {
        let error = try error(source)
        #expect(error.position.line == line)
        #expect(error.position.column == column)
        #expect(error.message == message)
    }

    @Test(
        "a text that only stops too early is incomplete",
        arguments: [
            "x =", "if a then", "f(", "x = {", "x = [[", "--[[", "for", "function f()", "x = 1 +", "'abc", "while x do",
            "repeat", "local", "x = function(", "goto", "::a", "return f(\n",
        ])
    func incomplete(source: String) throws {
        #expect(try error(source).isIncomplete)
    }

    @Test(
        "a text that no further line can mend is not incomplete",
        arguments: [
            "x = )", "end", "x = 'a\n'", "break", "goto a", "x y", "local a <const> = 1; a = 2", "x = 3x", "'\\q'",
        ])
    func complete(source: String) throws {
        #expect(try !error(source).isIncomplete)
    }

    @Test(
        "a first line that begins with # is skipped but counted, also behind a byte order mark",
        arguments: ["", "\u{FEFF}"])
    func firstLine(mark: String) throws {
        let error = try error(mark + "#!/usr/bin/lua = = =\nx = = 1")
        #expect(error.position.line == 2)
        #expect(error.position.column == 5)
        let refused = #expect(throws: LuaSyntaxError.self) {
            try LuaParser.parse("#!x", chunk: "test", skipsFirstLineComment: false)
        }
        #expect(refused?.message == "unexpected symbol near '#'")
        #expect(throws: Never.self) { try LuaParser.parse("# only this", chunk: "test") }
    }

    @Test("compiled Lua is refused")
    func binary() throws {
        #expect(try error("\u{1B}Lua").message == "attempt to load a binary chunk (mode is 't')")
    }

    @Test("any bytes are judged, valid UTF-8 or not")
    func invalidText() throws {
        let source: [UInt8] = Array("x = '".utf8) + [0xFF, 0xC3] + Array("' y".utf8)
        let error = try #require(throws: LuaSyntaxError.self) { try LuaParser.parse(source, chunk: "test") }
        #expect(error.message == "syntax error near <eof>")
        // 0xFF stands for a character, 0xC3 as well: neither continues another.
        #expect(error.position.column == 11)
    }
}

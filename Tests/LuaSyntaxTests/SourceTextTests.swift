import LuaSyntax
import Testing

@Suite("A source text is read by lines")
struct SourceTextTests {
    @Test(
        "lines end at LF, CR, CR LF and LF CR",
        arguments: [
            ("a\nb", ["a", "b"]), ("a\r\nb\n\rc\rd\n", ["a", "b", "c", "d", ""]), ("", [""]), ("\n\n", ["", "", ""]),
            ("a\r\r\nb", ["a", "", "b"]),
        ])
    func lines(text: String, lines: [String]) {
        let source = SourceText(text)
        #expect(source.lineCount == lines.count)
        #expect((1...source.lineCount).map { source.line($0) } == lines)
        #expect(source.line(0) == nil)
        #expect(source.line(lines.count + 1) == nil)
    }

    @Test("a position counts characters in columns and bytes in offsets")
    func positions() {
        let source = SourceText("é = 1\n  日本 x")
        #expect(source.position(atOffset: 0) == .start)
        #expect(source.position(atOffset: 3) == SourcePosition(line: 1, column: 3, offset: 3))
        #expect(source.position(atOffset: 16) == SourcePosition(line: 2, column: 6, offset: 16))
        #expect(source.position(atOffset: 99).offset == source.bytes.count)
        #expect(source.position(atOffset: -1) == .start)
    }

    @Test("the parser's positions are those of the text")
    func agreement() throws {
        let text = "-- é\r\nlocal 'x'"
        let error = try #require(throws: LuaSyntaxError.self) { try LuaParser.parse(text, chunk: "test") }
        #expect(SourceText(text).position(atOffset: error.position.offset) == error.position)
    }

    @Test("every name of a chunk is found in the text where its range says")
    func ranges() throws {
        let text =
            "local uber = 1\n-- 日本\nreturn a.b['c'](uber, function(d) return d end)"
        let chunk = try LuaParser.parse(text, chunk: "test")
        let uses = ScopeAnalysis(chunk).uses
        #expect(uses.map(\.variable.name) == ["a", "uber", "d"])
        for use in uses { #expect(chunk.source[use.variable.range] == use.variable.name) }
        let call = try #require(chunk.returned?.first)
        #expect(chunk.source[call.range] == "a.b['c'](uber, function(d) return d end)")
    }
}

import Testing

@testable import LuaSyntax

@Suite("A finding is shown with its line and a marker")
struct RenderingTests {
    private func excerpt(_ line: String, column: Int, endColumn: Int? = nil, maximumLength: Int = 120) -> SourceExcerpt?
    {
        SourceExcerpt(
            of: SourceText(line), line: 1, column: column, endColumn: endColumn, maximumLength: maximumLength)
    }

    @Test("place, message, line, marker and suggestion")
    func whole() {
        let finding = Finding(
            code: "unknown_field", severity: .error, file: "policies/main.lua",
            position: SourcePosition(line: 2, column: 16, offset: 0), endColumn: 23,
            message: "'case.patron' has no field 'catgory'", suggestion: "category")
        let source = SourceText("-- a policy\nif case.patron.catgory then\nend")
        #expect(
            finding.rendered(with: source) == """
                policies/main.lua:2:16: error: 'case.patron' has no field 'catgory' (unknown_field)
                    2 | if case.patron.catgory then
                      |                ^~~~~~~ did you mean 'category'?
                """)
        #expect(
            finding.rendered(with: nil) == """
                policies/main.lua:2:16: error: 'case.patron' has no field 'catgory' (unknown_field); \
                did you mean 'category'?
                """)
        #expect(finding.rendered(with: SourceText("x")) == finding.rendered(with: nil))
    }

    @Test("the marker keeps the tabs of the line")
    func tabs() {
        #expect(excerpt("\tif\tx then", column: 5)?.marker == "\t  \t^")
    }

    @Test("the marker stands under its character behind wide, combining and other characters")
    func widths() {
        #expect(excerpt("x = '日本' y", column: 10)?.marker == "           ^")
        #expect(excerpt("e\u{301}x", column: 3)?.marker == " ^")
        #expect(excerpt("é = 1", column: 3)?.marker == "  ^")
        #expect(excerpt("'😀' x", column: 5)?.marker == "     ^")
        #expect(excerpt("'日本'", column: 2, endColumn: 4)?.marker == " ^~~~")
    }

    @Test("a marker may stand behind the end of the line, and ends with it")
    func ends() {
        #expect(excerpt("x =", column: 4)?.marker == "   ^")
        #expect(excerpt("x =", column: 99)?.marker == "   ^")
        #expect(excerpt("abc", column: 2, endColumn: 99)?.marker == " ^~")
        #expect(excerpt("abc", column: 0, endColumn: -5)?.marker == "^")
        #expect(SourceExcerpt(of: SourceText("x"), line: 2, column: 1) == nil)
    }

    @Test("of a long line the part around the marker is shown", arguments: [1, 5, 40, 300, 599, 600])
    func longLine(column: Int) throws {
        let line = String((0..<600).map { _ in "-" }).replacing("------", with: "abcdef")
        let excerpt = try #require(self.excerpt(line, column: column, maximumLength: 40))
        #expect(excerpt.line.count <= 42)
        let marked = excerpt.line[excerpt.line.index(excerpt.line.startIndex, offsetBy: excerpt.marker.count - 1)]
        #expect(marked == line[line.index(line.startIndex, offsetBy: column - 1)])
    }

    @Test("control characters and bidirectional overrides of a file do not reach the terminal")
    func control() throws {
        let line = "x = '\u{1B}[31m' \u{202E} \u{7} \u{9B}"
        let shown = try #require(excerpt(line, column: 1)).line
        #expect(shown == "x = '\u{FFFD}[31m' \u{FFFD} \u{FFFD} \u{FFFD}")
        let error = LuaSyntaxError(message: "near '\u{1B}'", position: .start)
        let text = Finding(error, file: "a\u{1B}.lua").rendered(with: nil)
        #expect(!text.unicodeScalars.contains("\u{1B}"))
    }

    @Test("findings sort by file, place, severity and code")
    func order() {
        func finding(_ file: String, _ offset: Int, _ severity: Finding.Severity, _ code: String) -> Finding {
            Finding(
                code: code, severity: severity, file: file,
                position: SourcePosition(line: 1, column: offset + 1, offset: offset), message: "")
        }
        let sorted = [
            finding("a", 1, .error, "b"), finding("a", 2, .error, "b"), finding("a", 2, .error, "c"),
            finding("a", 2, .warning, "a"), finding("b", 0, .error, "a"),
        ]
        #expect(sorted.reversed().sorted() == sorted)
        #expect(sorted.shuffled().sorted() == sorted)
    }
}

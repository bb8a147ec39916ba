import Testing

@testable import LineEditing

@Suite("Indentation")
struct IndentationTests {
    @Test(
        "a line that opens a block sets the next one in",
        arguments: [
            ("for i = 1, 2 do", 4), ("if x then", 4), ("    loans.each{", 8), ("print(1)", 0), ("  x = { 1, 2 }", 2),
            ("if x then return end", 0), ("local f = function(a)", 4),
        ])
    func next(line: String, blanks: Int) {
        #expect(Indentation.ofNextLine(after: line).count == blanks)
    }

    @Test(
        "the word that ends a block goes back to where it began",
        arguments: [
            ("for i = 1, 2 do\n    end", 4), ("if x then\n    print(1)\n    end", 4), ("do\n    do\n        end", 4),
            ("do\n    x = 1\nend", 0), ("do\n    ending", 0),
        ])
    func surplus(text: String, blanks: Int) {
        #expect(Indentation.surplus(in: text) == blanks)
    }
}

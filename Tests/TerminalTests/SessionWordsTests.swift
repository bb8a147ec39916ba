import Terminal
import Testing

@Suite("The words behind a command")
struct SessionWordsTests {
    @Test(
        "they are parted at blanks, but not in quotation marks",
        arguments: [
            ("", []), ("  a  b ", ["a", "b"]), ("'a b' c", ["a b", "c"]), ("a\"b c\"d", ["ab cd"]), ("''", [""]),
            ("'open end", ["open end"]), ("it\"'\"s", ["it's"]),
        ])
    func words(text: String, words: [String]) {
        #expect(SessionWords(text).words == words)
    }

    @Test("the text is kept as it was typed")
    func text() {
        #expect(SessionWords("  'a  b' ").text == "'a  b'")
    }
}

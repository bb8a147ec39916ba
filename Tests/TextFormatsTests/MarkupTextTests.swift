import Testing
import TextFormats

@Suite("Text within markup")
struct MarkupTextTests {
    @Test(
        "signs of markup are escaped, also where an accent makes them one character with it",
        arguments: [
            ("plain", "plain"), ("", ""), ("a < b & \"c\" 'd' >", "a &lt; b &amp; &quot;c&quot; &#39;d&#39; &gt;"),
            ("\"\u{301} x=", "&quot;\u{301} x="), ("<\u{338}script>\u{338}", "&lt;\u{338}script&gt;\u{338}"),
            ("'\u{200D}&\u{FE0F}", "&#39;\u{200D}&amp;\u{FE0F}"), ("é \u{1F4DA}", "é \u{1F4DA}"),
        ])
    func escaped(text: String, wanted: String) {
        // By scalars, since as characters the two may be alike.
        #expect(Array(MarkupText.escaped(text).unicodeScalars) == Array(wanted.unicodeScalars))
    }
}

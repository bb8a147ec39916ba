import TestSupport
import Testing
import TextFormats

@Suite("Text that is safe to show")
struct SafeTextTests {
    @Test(
        "Nothing that steers a terminal is left",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"), ("a\u{202E}b\u{2066}c\u{2069}", "abc"),
            ("one\ntwo\r\nthree\tfour", "one two three four"),
            ("\u{9B}31m\u{7}\u{8}", "31m"), ("naïve 漢字 📚", "naïve 漢字 📚"), ("x\u{2028}y", "x y"),
            ("\u{FEFF}a\u{E0041}", "a"), ("👩‍🚀", "👩‍🚀"), ("plain", "plain"),
            ("del\u{7F}", "del"),
        ])
    func terminal(_ text: String, _ safe: String) {
        #expect(SafeText.line(text) == safe)
    }

    @Test(
        "nothing that steers a terminal is left of a naughty string",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
    func naughtyStrings() throws {
        let text = String(decoding: try SharedData.bytes("data/malformed/blns/blns_a.txt"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            #expect(
                !SafeText.line(String(line)).unicodeScalars.contains {
                    $0.value < 0x20 || (0x202A...0x202E).contains($0.value)
                })
        }
    }
}

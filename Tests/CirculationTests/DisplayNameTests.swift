import Circulation
import Testing

@Suite("Display names")
struct DisplayNameTests {
    @Test(
        "what reads as a name can be one",
        arguments: [
            "Al", "Ada L.", "J.R.R. Tolkien", "Zoë O'Brien-Smith", "雪子", "Нина", "Falstaff", "Reader of 5",
            "Room 101", "R2D2", String(repeating: "a", count: 40), "Dr. Strange", "Ελένη",
        ])
    func allowed(name: String) {
        #expect(DisplayName.problem(of: name) == nil)
        #expect(!DisplayName.reads(name, asOneOf: LibrarySettings.usualReservedNames))
    }

    @Test(
        "what is too short or too long, cannot be read, or says where somebody is to be reached, cannot",
        arguments: [
            "", "a", String(repeating: "a", count: 41), " ada", "ada ", "ada  b", "a\tb", "a\nb", "a\u{0}b",
            "a\u{200B}b", "a\u{202E}b", "ada@example.org", "ada\u{FF20}example", "\u{FE6B}da", "http://x", "ftp://ada",
            "www.ada", "ada.example", "see ada-x.org", "a\u{2024}ada.org", "030 123456", "12-34-56", "٠١٢٣٤٥",
            "call 555 1234", "12345", "!!", "ad\u{430}", "a\u{301}\u{301}\u{301}b", "\u{E000}x",
            String(repeating: "\u{1F469}\u{200D}\u{1F469}", count: 20),
        ])
    func refused(name: String) {
        #expect(DisplayName.problem(of: name) != nil)
    }

    @Test(
        "what reads as a reserved word is found, however it is written",
        arguments: [
            "Library", "LIBRARY desk", "the library", "L1brary", "l i b r a r y", "Librarian", "Admin", "adm1n",
            "Ad-min", "Administrator", "Staff", "5taff", "St\u{430}ff", "Staff 2", "Your staff", "\u{FF21}dmin",
        ])
    func reserved(name: String) {
        #expect(DisplayName.reads(name, asOneOf: LibrarySettings.usualReservedNames))
    }

    @Test("a list of no words, and words without letters, reserve nothing")
    func noWords() {
        #expect(!DisplayName.reads("Library", asOneOf: []))
        #expect(!DisplayName.reads("Library", asOneOf: ["", "  ", "12", "!"]))
    }
}

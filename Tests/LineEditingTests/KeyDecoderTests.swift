import Testing

@testable import LineEditing

@Suite("Keys")
struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return text.utf8.compactMap { decoder.take($0) }
    }

    @Test(
        "a terminal's sequences are keys",
        arguments: [
            ("\u{1B}[A", Key.up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", .wordRight), ("\u{1B}[3~", .delete),
            ("\u{1B}[H", .home), ("\u{1B}[4~", .end), ("\u{1B}b", .wordLeft), ("\u{1B}\r", .newLine),
            ("\u{1B}[Z", .backTab), ("\u{03}", .control("c")), ("\u{7F}", .backspace), ("猫", .text("猫")),
        ])
    func sequences(bytes: String, key: Key) {
        #expect(keys(bytes) == [key])
    }

    @Test(
        "what is no key is passed over, and the next one is one",
        arguments: ["\u{1B}[99;99;99x", "\u{85}", "\u{202E}", "\0"])
    func noKey(bytes: String) {
        #expect(keys(bytes + "a") == [.text("a")])
    }

    @Test("bytes that are not UTF-8 are skipped")
    func noText() {
        var decoder = KeyDecoder()
        let bytes: [UInt8] = [0xFF, 0xC3, 0x28, 0x80, 0xE2, 0x82, 0x61]
        #expect(bytes.compactMap { decoder.take($0) } == [.text("("), .text("a")])
    }

    @Test("a paste is one key, whose controls are left out and whose last line end is the person's to type")
    func paste() {
        #expect(keys("\u{1B}[200~a\r\nb\r\u{1B}[Dc\t\u{7F}d\r\u{1B}[201~") == [.paste("a\nb\n[Dc\td")])
    }

    @Test("a paste that is too long ends where it must, and what comes after it is keys again")
    func longPaste() throws {
        let typed = keys("\u{1B}[200~" + String(repeating: "x", count: KeyDecoder.longestPaste + 100) + "\u{1B}[201~y")
        #expect(typed.count == 2 && typed.last == .text("y"))
        guard case .paste(let text) = try #require(typed.first) else { return #expect(Bool(false), "no paste") }
        #expect((KeyDecoder.longestPaste...KeyDecoder.longestPaste + 16).contains(text.count))
    }

    @Test("ESC alone is decided when nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.take(0x1B) == nil)
        #expect(decoder.isUndecided)
        #expect(decoder.decide() == .escape)
        #expect(!decoder.isUndecided)
    }
}

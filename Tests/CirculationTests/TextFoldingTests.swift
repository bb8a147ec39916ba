import Circulation
import Foundation
import TestSupport
import Testing

@Suite("Folding text")
struct TextFoldingTests {
    @Test(
        "Spellings that readers take for the same become the same",
        arguments: [
            ("Straße", "STRASSE"), ("Čapek", "capek"), ("Æsop", "aesop"), ("Łódź", "lodz"),
            ("Ｆｕｌｌ　Width", "full width"), ("ﬁn", "FIN"),
            ("O’Brien", "o'brien"), ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"), ("e\u{301}te\u{301}", "Été"), ("İstanbul", "istanbul"),
            ("Ørsted", "orsted"),
            ("ｶﾞｷﾞ", "ガギ"), ("한국어", "한국어"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("Năm", "nam"), ("Việt", "viet"),
        ])
    func same(_ left: String, _ right: String) {
        #expect(TextFolding.folded(left) == TextFolding.folded(right))
        #expect(Array(TextFolding.folded(left).utf8) == Array(TextFolding.folded(right).utf8))
    }

    @Test("Letters that differ stay different", arguments: [("が", "か"), ("हिन्दी", "हनद"), ("ä", "b"), ("й", "и")])
    func different(_ left: String, _ right: String) {
        // Cyrillic й decomposes to и with a breve, which readers do leave out.
        #expect((TextFolding.folded(left) == TextFolding.folded(right)) == (left == "й"))
    }

    @Test(
        "Folding twice changes nothing",
        arguments: ["Straße", "ΟΔΥΣΣΕΥΣ", "İSTANBUL", "ﬁ", "각", "ẞ", "が", "ⅷ", "™", "e\u{301}\u{323}", "Ǆ", "ŉ", "ΐ"])
    func idempotent(_ text: String) {
        let once = TextFolding.folded(text)
        #expect(TextFolding.folded(once) == once)
    }

    @Test("The table of common alphabets folds as the general way does", arguments: 0..<20)
    func table(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x80...0x52F, 0x2000...0x206F, 0x3001...0x30FE, 0x4E00...0x4FFF, 0xAC00...0xAFFF,
        ]
        for _ in 0..<200 {
            let range = ranges.randomElement(using: &random) ?? ranges[0]
            let text = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: range, using: &random))
                    }))
            // An ideographic space is in no table, so that the text around it goes the general way.
            #expect(Array(TextFolding.folded(text + "\u{3000}").utf8) == Array((TextFolding.folded(text) + " ").utf8))
        }
    }

    @Test("Plain text folds to lower case and keeps the rest")
    func ascii() {
        #expect(TextFolding.folded("The HOBBIT, vol. 2 [ed.]") == "the hobbit, vol. 2 [ed.]")
        #expect(TextFolding.folded("") == "")
        #expect(TextFolding.folded("@[`{") == "@[`{")
    }

    @Test(
        "Words are the tokens, and of Chinese and Japanese each character",
        arguments: [
            ("The Hobbit, or There & Back Again", ["the", "hobbit", "or", "there", "back", "again"]),
            ("O'Brien's 1984", ["o", "brien", "s", "1984"]),
            ("紅樓夢 vol.2", ["紅", "樓", "夢", "vol", "2"]), ("ノルウェイの森", ["ノ", "ル", "ウ", "ェ", "イ", "の", "森"]), ("", []),
            (" ,;. ", []),
            ("Čapek: R.U.R.", ["capek", "r", "u", "r"]),
            ("हिन्दी साहित्य", ["हिन्दी", "साहित्य"]), ("한국어 책", ["한국어", "책"]),
            ("a\u{0}b\u{1B}[31m", ["a", "b", "31m"]),
        ])
    func tokens(_ text: String, _ tokens: [String]) {
        #expect(TextFolding.tokens(text) == tokens)
    }

    @Test(
        "Slugs are plain names of files",
        arguments: [
            ("Loans by Month", "loans-by-month"), ("../../etc/passwd", "etc-passwd"), ("", "untitled"),
            ("???", "untitled"), ("Über-Ausleihe 2026", "uber-ausleihe-2026"),
            ("\u{0}CON", "con"),
        ])
    func slugs(_ text: String, _ slug: String) {
        #expect(TextFolding.slug(text) == slug)
    }

    @Test("A long slug is cut at a word, or in it if there is but one")
    func longSlugs() {
        #expect(TextFolding.slug("one two three", maximumLength: 8) == "one-two")
        #expect(
            TextFolding.slug(String(repeating: "x", count: 100), maximumLength: 10) == String(repeating: "x", count: 10)
        )
        #expect(TextFolding.slug("abc", maximumLength: 0) == "a")
    }

    @Test(
        "All normal forms of Unicode's own test fold alike",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
    func normalForms() throws {
        let text = String(
            decoding: try SharedData.bytes("data/malformed/unicode/NormalizationTest-15.1.0_subset_a.txt"),
            as: UTF8.self)
        var (lines, unlike) = (0, [String]())
        for line in text.split(separator: "\n") where !line.hasPrefix("#") && !line.hasPrefix("@") {
            let forms = line.split(separator: ";").prefix(5).map { field in
                String(
                    String.UnicodeScalarView(
                        field.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }))
            }
            lines += 1
            // Canonical forms fold alike, and so do the compatibility forms.
            if Set(forms.map { Array(TextFolding.folded($0).utf8) }).count != 1 {
                unlike.append(String(line.prefix(60)))
            }
        }
        #expect(lines > 100)
        #expect(unlike.isEmpty)
    }

    @Test(
        "No string of the naughty list breaks anything",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
    func naughtyStrings() throws {
        let text = String(decoding: try SharedData.bytes("data/malformed/blns/blns_a.txt"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let folded = TextFolding.folded(String(line))
            #expect(TextFolding.folded(folded) == folded, "\(line)")
            #expect(!TextFolding.slug(String(line)).contains("/"))
            #expect(TextFolding.tokens(String(line)).allSatisfy { !$0.isEmpty && !$0.contains(" ") })
        }
    }
}

import TestSupport
import Testing
import TextFormats

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test(
        "texts become segments of paths",
        arguments: [
            ("", ""), ("azAZ09-._~", "azAZ09-._~"), ("a b+c", "a%20b%2Bc"), ("/?#&=%", "%2F%3F%23%26%3D%25"),
            ("\r\n\u{0}", "%0D%0A%00"), ("é", "%C3%A9"), ("📚", "%F0%9F%93%9A"),
        ])
    func encoded(text: String, encoded: String) {
        #expect(PercentEncoding.encoded(text) == encoded)
    }

    @Test(
        "both cases of digits are read, and a plus where it is a space",
        arguments: [
            ("", false, ""), ("%c3%A9", false, "é"), ("a+b", false, "a+b"), ("a+b%2B", true, "a b+"), ("é", false, "é"),
            ("%09%0D%0A", false, "\t\r\n"),
        ])
    func decoded(text: String, plusIsSpace: Bool, decoded: String) throws {
        #expect(try PercentEncoding.decoded(text[...], plusIsSpace: plusIsSpace) == decoded)
    }

    @Test("a percent sign needs two digits", arguments: ["%", "%4", "a%4", "%zz", "%4g", "%+1", "% 1", "%%41"])
    func digits(text: String) {
        #expect(throws: PercentEncoding.Fault.digits) { try PercentEncoding.decoded(text[...]) }
    }

    @Test(
        "bytes that are no text are refused, control characters too",
        arguments: ["%FF", "%C3", "%C0%AF", "%ED%A0%80", "%F4%90%80%80", "%00", "%1B", "\u{7}"])
    func text(text: String) {
        #expect(throws: PercentEncoding.Fault.text) { try PercentEncoding.decoded(text[...]) }
    }

    @Test("what was encoded is decoded to the same text", arguments: 1...4)
    func round(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 0..<30, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 32..<0x11_0000, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let encoded = PercentEncoding.encoded(text)
            #expect(encoded.utf8.allSatisfy { $0 > 32 && $0 < 127 })
            #expect(try PercentEncoding.decoded(encoded[...], plusIsSpace: true).unicodeScalars.elementsEqual(scalars))
        }
    }
}

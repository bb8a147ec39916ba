import Secrets
import Testing

@Suite("Bytes written as text")
struct ByteEncodingTests {
    private static let all = Array(UInt8.min...UInt8.max)

    @Test("what is written is read again", arguments: ByteEncoding.allCases)
    func roundTrip(encoding: ByteEncoding) {
        for count in [0, 1, 2, 3, 255, 256] {
            let bytes = Array(Self.all.prefix(count))
            #expect(encoding.bytes(of: encoding.text(of: bytes)) == bytes)
        }
    }

    @Test(
        "the vectors of RFC 4648, section 10, hold",
        arguments: [("f", "Zg==", "66"), ("fooba", "Zm9vYmE=", "666f6f6261"), ("foobar", "Zm9vYmFy", "666f6f626172")])
    func vectors(text: String, base64: String, hexadecimal: String) {
        #expect(ByteEncoding.base64.text(of: Array(text.utf8)) == base64)
        #expect(ByteEncoding.hexadecimal.text(of: Array(text.utf8)) == hexadecimal)
        #expect(ByteEncoding.hexadecimal.bytes(of: hexadecimal.uppercased()) == Array(text.utf8))
    }

    @Test("what is not so written is nothing", arguments: ["f", "zz", "0g", "é0", "6 6"])
    func malformed(text: String) {
        #expect(ByteEncoding.hexadecimal.bytes(of: text) == nil)
    }

    @Test(
        "Base64 without its padding, or with other characters, is nothing", arguments: ["Zg", "Zg=", "Z-_=", "Zg==x"])
    func malformedBase64(text: String) {
        #expect(ByteEncoding.base64.bytes(of: text) == nil)
    }
}

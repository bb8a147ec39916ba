import Testing
import TextFormats

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "the digests of the standard's examples are right",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func standardExamples(text: String, digest: String) {
        #expect(SHA256.hexadecimal(of: text.utf8) == digest)
    }

    @Test("a million letters a have the digest that the standard gives")
    func aMillionLetters() {
        let letters = repeatElement(UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            SHA256.hexadecimal(of: letters) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("bytes taken in piece by piece give the same digest", arguments: [1, 7, 55, 56, 63, 64, 65, 200])
    func pieces(size: Int) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var digest = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) {
            digest.update(bytes[start..<min(bytes.count, start + size)])
        }
        #expect(digest.finish() == SHA256.hexadecimal(of: bytes))
    }
}

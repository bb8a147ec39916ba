import Secrets
import Testing

@Suite("Codes that tell who wrote a message")
struct MessageAuthenticationTests {
    private static func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    @Test(
        "the vectors of RFC 4231 hold",
        arguments: [
            (
                bytes(0x0B, 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (bytes(0xAA, 20), bytes(0xDD, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
            (
                Array(1...25), bytes(0xCD, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                bytes(0xAA, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func vectors(secret: [UInt8], message: [UInt8], code: String) {
        #expect(MessageAuthentication.code(of: message, secret: secret) == code)
    }

    @Test(
        "texts are the same only where each byte is",
        arguments: [("", "", true), ("ab", "ab", true), ("ab", "abc", false), ("ab", "aB", false)])
    func same(one: String, other: String, areSame: Bool) {
        #expect(MessageAuthentication.areSame(one.utf8, other.utf8) == areSame)
    }
}

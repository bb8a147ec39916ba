import Secrets
import Testing

@Suite("Tokens")
struct SecretTokenTests {
    @Test("a token is read again as it was handed out, and its digest is another text")
    func roundTrip() throws {
        let token = SecretToken(kind: "msk")
        let shown = try #require(SecretToken(shown: token.text))
        #expect(shown == token && shown.digest == token.digest)
        #expect(token.text.hasPrefix("msk_") && token.text.utf8.count == 47)
        #expect(token.digest.utf8.count == 64 && !token.digest.contains(token.text))
    }

    @Test("no two are alike")
    func unlike() {
        let tokens = Set((0..<1000).map { _ in SecretToken(kind: "t").text })
        #expect(tokens.count == 1000)
    }

    @Test(
        "what cannot be one is none",
        arguments: [
            "", "msk_", "msk_ü" + String(repeating: "a", count: 43), String(repeating: "a", count: 65),
            "msk_" + String(repeating: "a", count: 42) + "\n", "msk_" + String(repeating: "=", count: 43),
        ])
    func nonsense(text: String) {
        #expect(SecretToken(shown: text) == nil)
    }
}

import Outbound
import Testing

@Suite("E-mail addresses")
struct EmailAddressTests {
    @Test(
        "an address by RFC 5321 without quoting is taken as it is",
        arguments: [
            "ada@example.org", "ada.lovelace+books@mail.example.co.uk", "a@localhost", "O'Brien@example.org",
            "x{y}~z@xn--mnchen-3ya.de", "1@2.3",
        ])
    func taken(text: String) {
        #expect(EmailAddress(text)?.description == text)
    }

    @Test(
        "what could end a header, begin another recipient or is no address is refused",
        arguments: [
            "", "ada", "@example.org", "ada@", "ada@example.org\r\nBcc: eve@example.org", "ada@example.org\n",
            "ada@example.org,eve@example.org", "ada example@example.org", "<ada@example.org>", "ada@@example.org",
            "ada..b@example.org", ".ada@example.org", "ada.@example.org", "ada@example..org", "ada@-example.org",
            "ada@example-.org", "ada@exam_ple.org", "\"a b\"@example.org", "ada@[127.0.0.1]", "ädä@example.org",
            "ada@exämple.org", "ada@example.org\u{0}", "ada\u{202E}@example.org", "ada(comment)@example.org",
            String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "b", count: 64) + ".org",
            "a@" + Array(repeating: "abcdefghi", count: 26).joined(separator: "."),
        ])
    func refused(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test("a name may stand before the address, in quotes or not")
    func parties() {
        #expect(MailParty("ada@example.org")?.name == "")
        #expect(MailParty("Die Bücherei <desk@example.org>")?.name == "Die Bücherei")
        #expect(MailParty("\"Desk, Main\" <desk@example.org>")?.name == "Desk, Main")
        #expect(MailParty("Desk <desk@example.org>, eve@example.org") == nil)
        #expect(MailParty("Desk\r\nBcc: eve@example.org <desk@example.org>") == nil)
    }

    @Test("a Message-ID holds atoms and dots alone")
    func messageIDs() {
        #expect(MessageID(left: "0a1b", right: "library.moonshelf")?.description == "0a1b@library.moonshelf")
        #expect(MessageID(left: "a b", right: "c") == nil)
        #expect(MessageID(left: "a", right: "b>\r\nBcc: c") == nil)
        #expect(MessageID(left: "", right: "b") == nil)
    }
}

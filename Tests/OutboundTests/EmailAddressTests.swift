import Circulation
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
        "a domain in another script is written as mail servers read it",
        arguments: [
            ("ada@münchen.de", "ada@xn--mnchen-3ya.de"), ("ada@MÜNCHEN.de", "ada@xn--mnchen-3ya.de"),
            ("ada@faß.de", "ada@xn--fa-hia.de"), ("ada@例え.jp", "ada@xn--r8jz45g.jp"),
            ("ada@e\u{301}.com", "ada@xn--9ca.com"), ("ädä@example.org", "ädä@example.org"),
            ("a\u{308}da.図書@münchen.de", "äda.図書@xn--mnchen-3ya.de"),
        ])
    func international(text: String, written: String) {
        #expect(EmailAddress(text)?.description == written)
        #expect(MailParty("Ada <\(text)>")?.address.description == written)
    }

    @Test("only what stands before the @ makes an address one that not every server takes")
    func isInternational() {
        #expect(EmailAddress("ädä@example.org")?.isInternational == true)
        #expect(EmailAddress("ada@münchen.de")?.isInternational == false)
    }

    @Test(
        "what could end a header, begin another recipient or is no address is refused",
        arguments: [
            "", "ada", "@example.org", "ada@", "ada@example.org\r\nBcc: eve@example.org", "ada@example.org\n",
            "ada@example.org,eve@example.org", "ada example@example.org", "<ada@example.org>", "ada@@example.org",
            "ada..b@example.org", ".ada@example.org", "ada.@example.org", "ada@example..org", "ada@-example.org",
            "ada@example-.org", "ada@exam_ple.org", "\"a b\"@example.org", "ada@[127.0.0.1]", "ä\u{2028}d@example.org",
            "ada@exämple.org\r\nBcc: x", "ada@ex/ämple.org", "ada@ä@example.org", "ada@-ä.org", "ada@ä\u{202E}b.org",
            "ada@ä%2Eorg", "ada@ä:25", "ada@a\u{200D}b.org", "ada@example.org\u{0}", "ada\u{202E}@example.org",
            "ada(comment)@example.org", "ä\u{A0}da@example.org", "ä\u{200D}a@example.org", "ä\u{85}@example.org",
            "ä..b@example.org", String(repeating: "ä", count: 33) + "@example.org",
            String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "b", count: 64) + ".org",
            "a@" + Array(repeating: "abcdefghi", count: 26).joined(separator: "."),
        ])
    func refused(text: String) {
        #expect(EmailAddress(text) == nil)
        #expect(EmailAddress.problem(of: text)?.contains("e-mail address") == true)
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

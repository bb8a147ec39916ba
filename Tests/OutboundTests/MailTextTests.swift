import Testing

@testable import Outbound

@Suite("Texts with headings and lists")
struct MailTextTests {
    private static let text = MailText([
        .head("City <Library>"), .text("Dear Ada,\nwelcome."), .heading("Overdue (2)"),
        .list(["Dune\r\nBcc: eve@example.org", "R&D"]), .heading("In full"), .subheading("One"),
        .text("One.\n\nhttps://example.org/a?b=1&c\n"),
    ])

    @Test("plain, headings stand above what they head, and an entry is one line whatever it holds")
    func plain() {
        #expect(
            Self.text.plain == """
                City <Library>

                Dear Ada,
                welcome.

                Overdue (2)
                - Dune  Bcc: eve@example.org
                - R&D

                In full

                One
                One.

                https://example.org/a?b=1&c

                """)
        #expect(MailText([]).plain.isEmpty)
    }

    @Test("as a page it says the same, with nothing of it taken for markup")
    func page() {
        let page = Self.text.html(title: "2 <notices>", language: "ar", isRightToLeft: true)
        #expect(page.contains("<html lang=\"ar\" dir=\"rtl\">") && page.contains("<title>2 &lt;notices&gt;</title>"))
        #expect(
            page.contains("<h1>City &lt;Library&gt;</h1>\n<p>Dear Ada,<br>\nwelcome.</p>\n<h2>Overdue (2)</h2>\n<ul>"))
        #expect(page.contains("<li>Dune  Bcc: eve@example.org</li>\n<li>R&amp;D</li>\n</ul>"))
        #expect(page.contains("<a href=\"https://example.org/a?b=1&amp;c\">"))
    }
}

import Circulation
import Testing

@testable import Desk

@Suite("Templates")
struct TextTemplateTests {
    private func context(_ name: String, title: String = "Dune") throws -> TemplateContext {
        var patron = Patron(username: "u", category: "c", homeBranch: "main")
        patron.name = name
        let library = LibrarySettings(name: "City", zone: .utc, currency: .eur)
        return TemplateContext(
            patron: patron, title: Title(title: title), library: library, now: try Instant(parsing: Library.start))
    }

    @Test(
        "fields are filled, whatever the spaces around them, and nothing is escaped",
        arguments: [
            ("Dear {{patron.name}},", "Dear O'Brien & Sons,"), ("{{ patron.name }}{{library}}", "O'Brien & SonsCity"),
            ("{{title.title}} by {{title.authors}}.", "Dune by ."), ("no fields", "no fields"), ("", ""),
            ("{{patron.name", "{{patron.name"), ("{ {patron.name}}", "{ {patron.name}}"), ("{{nobody}}", "{{nobody}}"),
        ])
    func filled(template: String, text: String) throws {
        #expect(TextTemplate(template).filled(with: try context("O'Brien & Sons")) == text)
    }

    @Test("text that is filled in is never expanded again")
    func once() throws {
        let context = try context("{{title.title}}", title: "{{patron.username}}")
        #expect(
            TextTemplate("{{patron.name}} {{title.title}}").filled(with: context)
                == "{{title.title}} {{patron.username}}")
    }

    @Test("text that is filled in loses line breaks and control characters")
    func controls() throws {
        let filled = TextTemplate("Subject: {{patron.name}}").filled(with: try context("A\r\nBcc: x\u{1b}[0m\u{202e}"))
        #expect(!filled.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\u{1b}" || $0 == "\u{202e}" })
    }

    @Test("unknown fields are reported, in their order")
    func unknown() {
        let template = "{{patron.nmae}} {{patron.name}} {{x}}"
        #expect(NoticeService.unknownFields(in: template) == ["patron.nmae", "x"])
        #expect(NoticeService.unknownFields(in: "{{loan.due}} {{copy.barcode}} {{branch}} {{library}}").isEmpty)
    }
}

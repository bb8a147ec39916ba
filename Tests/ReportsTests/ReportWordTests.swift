import Circulation
import Foundation
import Languages
import Reports
import Testing
import TextFormats

/// What readers see of a report that programs do not: names of codes, links, a language, the library's sign.
@Suite("Words of reports")
struct ReportWordTests {
    private static let table = ReportTable(
        columns: [
            ReportColumn(name: "branch", codes: ReportCodes(["main": "Main <Library>"])),
            ReportColumn(name: "month", codes: ReportCodes(["2026-12": "Dec 2026"], areInOrder: true)),
            ReportColumn(name: "title"),
        ],
        rows: [
            [.text("main"), .text("2026-12"), .link(ReportLink(.title, 7, text: "=Dune & Co"))],
            [.text("moon"), .none, .link(ReportLink(.patron, 9, text: "ann"))],
        ], total: [.text("Total"), .none, .none])

    private static var document: ReportDocument {
        ReportDocument(
            title: "Words",
            parameters: [ReportParameter(name: "branch", value: .text("main"), words: "Main <Library>")],
            blocks: [.table(table)])
    }

    @Test("people see names, and codes that have none; programs get the codes", arguments: ReportFormat.allCases)
    func names(format: ReportFormat) throws {
        let text = format.render(Self.document)
        switch format {
        case .json:
            let json = try JSONParser.parse(text)
            let rows = try #require(json["tables"]?.arrayValue?.first?["rows"]?.arrayValue)
            #expect(rows.first?["branch"] == "main" && rows.first?["month"] == "2026-12")
            #expect(rows.first?["title"] == "=Dune & Co" && json["parameters"]?["branch"] == "main")
        case .csv:
            #expect(text == "branch,month,title\r\nmain,2026-12,'=Dune & Co\r\nmoon,,ann\r\n")
        case .table, .md, .html:
            let name =
                format == .table ? "Main <Library>" : format == .md ? #"Main \<Library\>"# : "Main &lt;Library&gt;"
            #expect(text.components(separatedBy: name).count == 3, "\(text)")
            #expect(text.contains("Dec 2026") && text.contains("moon") && !text.contains("2026-12 "), "\(text)")
        }
    }

    @Test("readers sort by names, and by codes where these have an order")
    func sorting() {
        let page = ReportFormat.html.render(Self.document)
        #expect(
            page.contains("<td>Main &lt;Library&gt;</td><td class=\"whole\" data-v=\"2026-12\">Dec 2026</td>"),
            "\(page)")
    }

    @Test("a record is a link where its page has an address, and a text everywhere else")
    func links() {
        let plain = ReportFormat.html.render(Self.document)
        #expect(plain.contains("<td>=Dune &amp; Co</td>") && !plain.contains("<a "), "\(plain)")
        let options = RenderOptions(address: { $0.kind == .patron ? nil : "/titles/\($0.id)?a=1&b=\"" })
        let linked = ReportFormat.html.render(Self.document, options: options)
        #expect(linked.contains("<a href=\"/titles/7?a=1&amp;b=&quot;\">=Dune &amp; Co</a>"), "\(linked)")
        #expect(linked.contains("<td>ann</td>"), "\(linked)")
        #expect(ReportFormat.table.render(Self.document, options: options) == ReportFormat.table.render(Self.document))
    }

    @Test("figures, dates and what a page says around a report follow its language")
    func language() throws {
        let table = ReportTable(
            columns: [
                ReportColumn(name: "a", type: .money), ReportColumn(name: "b", type: .date),
                ReportColumn(name: "c", type: .number),
            ],
            rows: [
                [
                    .money(try Money(parsing: "12345.50", currency: .eur)), .date(try CivilDate(parsing: "2026-12-24")),
                    .number(1.5),
                ],
                [.none, .none, .number(2.25)],
            ])
        var document = ReportDocument(title: "Zahlen", blocks: [.table(table)])
        let languages = Languages.shipped
        func page() -> String { document.spoken(in: languages) { ReportFormat.html.render(document) } }
        #expect(page().contains("<html lang=\"en\">") && page().contains("24 Dec 2026"))
        document.language = "de"
        #expect(page().contains("<html lang=\"de\">") && page().contains("24. Dez. 2026"), "\(page())")
        #expect(page().contains("12\u{202F}345,50 EUR") && page().contains("2,25"), "\(page())")
        document.language = "ar"
        #expect(page().contains("<html lang=\"ar\" dir=\"rtl\">") && page().contains("ديسمبر"), "\(page())")
        document.language = "fr"
        #expect(page().contains("24 déc. 2026") && page().contains("<html lang=\"fr\">"), "\(page())")
        // Machines read the same in every language.
        let csv = document.spoken(in: languages) { ReportFormat.csv.render(document) }
        #expect(csv.contains("12345.50 EUR,2026-12-24,1.5"), "\(csv)")
    }

    @Test("the library's sign stands in the page itself, before the library's name")
    func logo() throws {
        var document = ReportDocument(title: "Test", blocks: [.text("x")])
        document.library = "Books"
        let options = RenderOptions(logo: HTMLReport.Logo(Array("<svg/>".utf8), type: "image/svg+xml"))
        let page = ReportFormat.html.render(document, options: options)
        #expect(
            page.contains("<p class=\"library\"><img src=\"data:image/svg+xml;base64,PHN2Zy8+\" alt=\"\">Books</p>"))
        #expect(page.contains("; img-src data:; base-uri"), "\(page)")
        #expect(!ReportFormat.html.render(document).contains("img-src"))
    }
}

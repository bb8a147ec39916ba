import Circulation
import Foundation
import Reports
import TestSupport
import Testing
import TextFormats

@Suite("Reports as pages")
struct HTMLReportTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Golden/report.html")

    private static func page(_ blocks: [ReportBlock], zone: Zone? = nil) -> String {
        var document = ReportDocument(title: "Test", blocks: blocks)
        document.zone = zone
        return ReportFormat.html.render(document)
    }

    private static func table(_ type: ReportColumnType, _ values: [ReportValue], zone: Zone? = nil) -> [String] {
        let table = ReportTable(
            columns: [ReportColumn(name: "x", type: type), ReportColumn(name: "y")], rows: values.map { [$0, .none] })
        return page([.table(table)], zone: zone).split(separator: "<tr><td").dropFirst().compactMap { row in
            row.split(separator: ">", maxSplits: 1).last.flatMap { $0.split(separator: "</td>", maxSplits: 1).first }
                .map(String.init)
        }
    }

    @Test("the page of a sample equals its reviewed golden file")
    func sample() throws {
        var document = try ReportSample.document()
        document.zone = Zone(identifier: "Europe/London")
        document.madeAt = try Instant(parsing: "2026-12-23T10:00:00Z")
        let page = ReportFormat.html.render(document)
        guard let known = try? String(contentsOf: Self.golden, encoding: .utf8) else {
            try Data(page.utf8).write(to: Self.golden)
            Issue.record("\(Self.golden.lastPathComponent) was not there and was written; look at it")
            return
        }
        #expect(page == known)
    }

    @Test("a report says whose it is, and who had it made, where that is known")
    func origin() throws {
        var document = ReportDocument(title: "Test", blocks: [.text("x")])
        document.madeAt = try Instant(parsing: "2026-12-23T10:00:00Z")
        #expect(!ReportFormat.html.render(document).contains("<p class=\"library\">"))
        (document.library, document.madeBy) = ("Books & <b>", "ann<i>")
        let page = ReportFormat.html.render(document)
        let library = try #require(page.range(of: "<p class=\"library\">Books &amp; &lt;b&gt;</p>"))
        let title = try #require(page.range(of: "<h1>"))
        #expect(library.lowerBound < title.lowerBound)
        #expect(page.contains(", made by ann&lt;i&gt;</footer>"), "\(page)")
        #expect(
            !ReportFormat.csv.render(document).contains("Books")
                && !ReportFormat.json.render(document).contains("Books"))
    }

    @Test("all sheets of a report lie where one of its tables needs it, else all stand")
    func orientation() {
        func table(_ columns: Int) -> ReportBlock {
            .table(ReportTable(columns: (0..<columns).map { ReportColumn(name: "c\($0)") }, rows: [[.text("class")]]))
        }
        let lying = "@page { size: landscape; }"
        #expect(Self.page([table(3), table(9), table(3)]).components(separatedBy: lying).count == 2)
        #expect(!Self.page([table(6), .text("class=\"wide broad\"")]).contains(lying))
        #expect(!Self.page([table(9)]).contains("page: broad"))
    }

    @Test("a page keeps its browser from loading anything, and lets it run the one script that stands in it")
    func policyOfContent() throws {
        let page = ReportFormat.html.render(ReportSample.table(["a", "b"]))
        let script = try #require(page.split(separator: "<script>").last?.split(separator: "</script>").first)
        let hexadecimal = Array(SHA256.hexadecimal(of: script.utf8))
        let digest = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(hexadecimal[$0...$0 + 1]), radix: 16) }
        let source = "sha256-" + Data(digest).base64EncodedString()
        #expect(
            page.contains(
                "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src '\(source)'; base-uri 'none'; form-action 'none'\""
            ))
        for word in ["src=", "url(", "@import", "<link", "<iframe", "<object", "<img"] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test(
        "what a report was run with stands on the page as people write it",
        arguments: [
            ("2026-01-01..2026-12-31", "1 Jan 2026 to 31 Dec 2026"), ("2026-01-05..2026-01-05", "5 Jan 2026"),
            ("2026-01-05..", "from 5 Jan 2026 onwards"), ("..2026-01-05", "until 5 Jan 2026"), ("..", ".."),
            ("a..b", "a..b"), ("1..2", "1..2"), ("main", "main"),
        ])
    func parameters(text: String, shown: String) {
        let document = ReportDocument(
            title: "Test", parameters: [ReportParameter(name: "lent_in", value: .text(text))], blocks: [])
        #expect(ReportFormat.html.render(document).contains("<dt>lent in</dt><dd>\(shown)</dd>"))
    }

    @Test(
        "a word longer than a column may break, all others stay whole",
        arguments: [
            (
                #"{"id":972,"copy":269,"title":177,"patron":17,"x":1}"#,
                "{&quot;id&quot;:972,<wbr>&quot;copy&quot;:269,<wbr>&quot;title&quot;:177,<wbr>"
                    + "&quot;patron&quot;:17,<wbr>&quot;x&quot;:1}"
            ),
            ("a,b and/or " + String(repeating: "c", count: 50), "a,b and/or " + String(repeating: "c", count: 50)),
        ])
    func longWords(text: String, shown: String) {
        let table = ReportTable(columns: [ReportColumn(name: "x")], rows: [[.text(text)]])
        #expect(Self.page([.table(table)]).contains("<td>\(shown)</td>"))
    }

    @Test("a page with nothing to sort has no script at all")
    func noScript() {
        let page = Self.page([.text("Nothing yet."), .metric(ReportMetric(name: "Loans", value: .integer(0)))])
        #expect(!page.contains("<script") && !page.contains("script-src"))
    }

    @Test("data never becomes markup, wherever it stands")
    func markup() throws {
        let harmful = "</style></script></title><script>alert(1)</script><img src=x onerror=\"alert(1)\"> & 'x'"
        let table = ReportTable(
            title: harmful, columns: [ReportColumn(name: harmful, label: harmful)],
            rows: [[.text(harmful)], [.text("b")]])
        let chart = ReportChart(
            kind: .bar, title: harmful, labels: [harmful, "b"],
            series: [.init(name: harmful, values: [1, 2]), .init(name: "b", values: [2, 3])], labelTitle: harmful,
            valueTitle: harmful, unit: harmful)
        var document = ReportDocument(
            title: harmful, parameters: [ReportParameter(name: harmful, value: .text(harmful))],
            blocks: [
                .section(harmful), .text(harmful), .text("  " + harmful), .printed(harmful), .table(table),
                .chart(chart),
                .metric(ReportMetric(name: harmful, value: .text(harmful), unit: harmful, note: harmful)),
            ])
        for kind in ReportChart.Kind.allCases {
            var drawn = chart
            drawn.kind = kind
            document.blocks.append(.chart(drawn))
        }
        let page = ReportFormat.html.render(document)
        #expect(page.components(separatedBy: "<script").count == 2)
        #expect(page.components(separatedBy: "</style>").count == 2)
        #expect(!page.contains("<img") && !page.contains("onerror=\"") && !page.contains("& "))
        _ = try Drawing.all(in: page)
    }

    @Test(
        "only addresses of the web become links",
        arguments: [
            ("https://example.org/a?b=1&c=2", true), ("http://example.org", true), ("javascript:alert(1)", false),
            ("data:text/html,x", false), ("HTTPS://EXAMPLE.ORG/", true), ("https://a b", false), ("https://", false),
            ("https://x/\"onclick=alert(1)", false), ("see https://example.org", false), ("//example.org/x", false),
        ])
    func links(text: String, isLink: Bool) {
        #expect(Self.page([.text(text)]).contains("<a href=") == isLink)
    }

    @Test(
        "values are written as people write them",
        arguments: [
            (.integer, [.integer(1234), .integer(-1_234_567)], ["1234", "-1\u{202F}234\u{202F}567"]),
            (.number, [.number(0.5), .integer(3), .number(2.25)], ["0.50", "3.00", "2.25"]),
            (.number, [.number(1 / 3), .number(.nan), .number(1e300)], ["0.33", "nan", "1e+300"]),
            (.percent, [.number(12.5), .integer(3)], ["12.5%", "3.0%"]),
            (.date, [.text("2026-12-24"), .text("soon")], ["24 Dec 2026", "soon"]),
            (.instant, [.text("2026-06-30T23:30:00Z")], ["1 Jul 2026, 00:30"]),
            (.boolean, [.boolean(true), .boolean(false)], ["yes", "no"]),
        ] as [(ReportColumnType, [ReportValue], [String])])
    func values(type: ReportColumnType, values: [ReportValue], expected: [String]) {
        #expect(Self.table(type, values, zone: Zone(identifier: "Europe/London")) == expected)
    }

    @Test("money and percentages keep their signs and exactness")
    func money() throws {
        let amount = ReportValue.money(try Money(parsing: "-12345.50", currency: .eur))
        #expect(Self.table(.money, [amount]) == ["-12\u{202F}345.50 EUR"])
        #expect(Self.table(.percent, [.percent(try Percent(parsing: "6.62"))]) == ["6.62%"])
    }

    @Test("what is sorted by something else than its words says by what")
    func sortKeys() throws {
        let rows: [[ReportValue]] = [
            [
                .date(try CivilDate(parsing: "2026-12-24")), .money(try Money(parsing: "12345.50", currency: .eur)),
                .none,
            ],
            [
                .date(try CivilDate(parsing: "2026-02-03")), .money(try Money(parsing: "3.00", currency: .eur)),
                .text("x"),
            ],
        ]
        let columns = [
            ReportColumn(name: "a", type: .date), ReportColumn(name: "b", type: .money), ReportColumn(name: "c"),
        ]
        let page = Self.page([.table(ReportTable(columns: columns, rows: rows))])
        #expect(page.contains("<table class=\"sortable\">"))
        #expect(
            page.contains(
                "<th scope=\"col\" data-sort=\"t\">a</th><th scope=\"col\" data-sort=\"n\" class=\"figure\">b</th>"))
        #expect(
            page.contains(
                "<tr><td class=\"whole\" data-v=\"2026-12-24\">24 Dec 2026</td><td class=\"figure\" data-v=\"1234550\">12\u{202F}345.50 EUR</td><td></td></tr>"
            ))
    }

    @Test("a table without a title is called as its section, or as the report; a chart's figures as the chart")
    func captions() {
        func table(_ title: String? = nil) -> ReportBlock {
            .table(ReportTable(title: title, columns: [ReportColumn(name: "a")], rows: [[.text("x")]]))
        }
        let page = Self.page([table(), .section("Late & lost"), table(), table("Found"), table()])
        let captions = page.components(separatedBy: "<caption").dropFirst().map {
            $0.components(separatedBy: "</caption>")[0]
        }
        #expect(
            captions == [
                " class=\"unseen\">Test", " class=\"unseen\">Late &amp; lost", ">Found",
                " class=\"unseen\">Late &amp; lost",
            ])
        #expect(page.contains("aria-label=\"Late &amp; lost\""))
        let chart = ReportChart(
            kind: .bar, title: "By month", labels: ["May"], series: [ReportChart.Series(name: "loans", values: [1])])
        let charts = Self.page([.chart(chart)])
        #expect(charts.contains("<caption class=\"unseen\">By month</caption>"))
        for html in [page, charts, Self.page([])] { #expect(TableMarkup.faults(in: html) == []) }
        // What has neither is found.
        #expect(TableMarkup.faults(in: "<table class=\"a\"><tr><th>x</th></tr></table>").count == 2)
        #expect(
            TableMarkup.faults(in: "<table><caption></caption><tr><th scope=\"col\">x</th></tr></table>").count == 1)
    }

    @Test("figures one after another stand together, and an empty table says so")
    func tiles() {
        let metric = ReportBlock.metric(ReportMetric(name: "Loans", value: .integer(3), unit: "pieces", note: "today"))
        let page = Self.page([metric, metric, .table(ReportTable(columns: [ReportColumn(name: "a")]))])
        #expect(page.components(separatedBy: "<dl class=\"tiles\">").count == 2)
        #expect(page.components(separatedBy: "<dd>3 <span>pieces</span></dd><dd class=\"note\">today</dd>").count == 3)
        #expect(page.contains("<td class=\"soft\" colspan=\"1\">(no rows)</td>"))
    }
}

import Circulation
import Reports
import Testing
import TextFormats

@Suite("Renderers of reports")
struct ReportFormatTests {
    @Test("a table for the terminal is aligned, figures at the right")
    func table() throws {
        let text = ReportFormat.table.render(try ReportSample.document())
        #expect(
            text == """
                Loans by month
                span: 2026

                All branches.

                Figures

                Total: 42 loans (renewals apart)

                By month
                month    loans  fees owed
                -------  -----  ---------
                2026-11      9  12.50 EUR
                2026-12     33\("           ")

                done

                Loans
                Nov   9  ███████████
                Dec  33  ████████████████████████████████████████

                """)
    }

    @Test("JSON has the documented shape, without what was printed")
    func json() throws {
        let json = try JSONParser.parse(ReportFormat.json.render(try ReportSample.document()))
        let table: JSON = [
            "title": "By month",
            "columns": [
                ["name": "month", "type": "text"], ["name": "loans", "type": "integer"],
                ["name": "owed", "type": "money"],
            ],
            "rows": [
                ["month": "2026-11", "loans": 9, "owed": "12.50 EUR"], ["month": "2026-12", "loans": 33, "owed": nil],
            ],
        ]
        #expect(json["title"] == "Loans by month")
        #expect(json["parameters"] == ["span": "2026", "since": nil])
        #expect(json["tables"] == [table])
        #expect(json["metrics"] == [["name": "Total", "value": 42, "unit": "loans", "note": "renewals apart"]])
        #expect(json["charts"]?.arrayValue?.first?["kind"] == "bar")
        #expect(!json.text().contains("done"))
    }

    @Test("CSV has the tables alone, and reads back")
    func csv() throws {
        let text = ReportFormat.csv.render(try ReportSample.document())
        #expect(text == "month,loans,owed\r\n2026-11,9,12.50 EUR\r\n2026-12,33,\r\n")
    }

    @Test("CSV of a report without tables gives its metrics")
    func csvOfMetrics() {
        let document = ReportDocument(blocks: [.metric(ReportMetric(name: "Loans", value: .integer(3)))])
        #expect(ReportFormat.csv.render(document) == "metric,value,unit\r\nLoans,3,\r\n")
    }

    @Test("Markdown has headings and a table that GFM reads")
    func markdown() throws {
        let text = ReportFormat.md.render(try ReportSample.document())
        #expect(text.hasPrefix("# Loans by month\n\n- span: 2026\n"))
        #expect(text.contains("| month | loans | fees owed |\n| --- | ---: | ---: |\n| 2026-11 | 9 | 12.50 EUR |"))
        #expect(text.contains("    done\n"))
    }

    @Test("an empty report is empty text, and whole JSON")
    func empty() throws {
        #expect(ReportFormat.table.render(ReportDocument()).isEmpty)
        #expect(ReportFormat.md.render(ReportDocument()).isEmpty)
        #expect(ReportFormat.csv.render(ReportDocument()).isEmpty)
        let json = try JSONParser.parse(ReportFormat.json.render(ReportDocument()))
        #expect(json == ["title": "", "parameters": [:], "tables": [], "metrics": [], "charts": []])
    }

    // MARK: - Data that means harm

    private static let harmful = "a\u{1B}[2Jb\u{202E}c\u{85}d\r\ne\u{7}\u{9B}31mf\u{2066}g\0h"

    @Test("no control, escape or bidirectional character of the data comes out", arguments: ReportFormat.allCases)
    func controls(format: ReportFormat) {
        let harmful = ReportFormatTests.harmful
        let document = ReportDocument(
            title: harmful, parameters: [ReportParameter(name: harmful, value: .text(harmful))],
            blocks: [
                .section(harmful), .text(harmful), .printed(harmful),
                .metric(ReportMetric(name: harmful, value: .text(harmful), unit: harmful, note: harmful)),
                .table(
                    ReportTable(title: harmful, columns: [ReportColumn(name: harmful)], rows: [[.text(harmful)]])),
                .chart(
                    ReportChart(
                        kind: .pie, title: harmful, labels: [harmful],
                        series: [ReportChart.Series(name: harmful, values: [1])])),
            ])
        let text = format.render(document)
        let allowed: Set<Unicode.Scalar> = format == .csv ? ["\r", "\n"] : ["\n"]
        for scalar in text.unicodeScalars where !allowed.contains(scalar) {
            let isControl = scalar.properties.generalCategory == .control
            let isBidirectional = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            #expect(!isControl && !isBidirectional, "\(scalar.value)")
        }
    }

    @Test("JSON keeps harmful data exactly, escaped")
    func jsonIsExact() throws {
        let json = try JSONParser.parse(ReportFormat.json.render(ReportSample.table([ReportFormatTests.harmful])))
        let row = json["tables"]?.arrayValue?.first?["rows"]?.arrayValue?.first
        #expect(row?["text"] == .string(ReportFormatTests.harmful))
    }

    @Test(
        "CSV puts ' before text that a spreadsheet would take for a formula",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "' =1"),
            ("\r=1", "\"'\n=1\""), ("\u{1B}=1", "'=1"), ("a=1", "a=1"), ("", ""),
        ])
    func formulas(text: String, field: String) {
        let expected = field.isEmpty ? "text\r\n\"\"\r\n" : "text\r\n\(field)\r\n"
        #expect(ReportFormat.csv.render(ReportSample.table([text])) == expected)
    }

    @Test("negative figures of CSV stay figures")
    func negativeFigures() throws {
        let table = ReportTable(
            columns: [ReportColumn(name: "a", type: .integer), ReportColumn(name: "b", type: .money)],
            rows: [[.integer(-5), .money(try Money(parsing: "-1.50", currency: .eur))]])
        #expect(ReportFormat.csv.render(ReportDocument(blocks: [.table(table)])) == "a,b\r\n-5,-1.50 EUR\r\n")
    }

    @Test("data never becomes markup of Markdown")
    func markup() {
        let text = ReportFormat.md.render(ReportSample.table(["a | b", "<script>", "[x](javascript:y)", "`code`"]))
        #expect(text.contains("| a \\| b |"))
        #expect(text.contains("| \\<script\\> |"))
        #expect(text.contains("| \\[x\\](javascript:y) |"))
        #expect(text.contains("| \\`code\\` |"))
    }

    @Test("numbers that are none become null in JSON")
    func notFinite() throws {
        let document = ReportDocument(blocks: [.metric(ReportMetric(name: "x", value: .number(.nan)))])
        #expect(try JSONParser.parse(ReportFormat.json.render(document))["metrics"] == [["name": "x", "value": nil]])
    }
}

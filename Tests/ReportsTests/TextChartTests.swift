import Circulation
import Reports
import Testing
import TextFormats

@Suite("Charts in fixed-width type")
struct TextChartTests {
    private static func render(_ chart: ReportChart, width: Int? = nil) -> String {
        ReportFormat.table.render(ReportDocument(blocks: [.chart(chart)]), options: RenderOptions(width: width))
    }

    @Test("several series stand below one another at their label")
    func groups() {
        let chart = ReportChart(
            kind: .bar, title: "Loans", labels: ["Nov", "Dec"],
            series: [.init(name: "this year", values: [2, 4]), .init(name: "last year", values: [1, nil])])
        #expect(
            Self.render(chart)
                == """
                Loans
                █ this year   ▒ last year
                Nov  2  ████████████████████
                     1  ▒▒▒▒▒▒▒▒▒▒
                Dec  4  ████████████████████████████████████████


                """.replacing("████\n\n\n", with: "████\n\n"))
    }

    @Test("stacked bars are one row with their sum")
    func stacks() {
        let chart = ReportChart(
            kind: .bar, labels: ["a", "b"],
            series: [.init(name: "x", values: [1, 2]), .init(name: "y", values: [1, 0])], isStacked: true)
        #expect(
            Self.render(chart) == """
                █ x   ▒ y
                a  2  ████████████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                b  2  ████████████████████████████████████████

                """)
    }

    @Test("a pie is its shares, the largest first")
    func shares() {
        let chart = ReportChart(
            kind: .pie, labels: ["a", "b", "c"], series: [.init(name: "", values: [1, 3, -2])], unit: "EUR")
        #expect(
            Self.render(chart) == """
                (EUR)
                b  3  75%  ████████████████████████████████████████
                a  1  25%  █████████████
                1 below nought: not drawn

                """)
    }

    @Test("a line is a small plot with an axis")
    func line() {
        let chart = ReportChart(
            kind: .line, labels: ["2026-01", "2026-02", "2026-03", "2026-04"],
            series: [.init(name: "", values: [0, 10, 20, 35])])
        #expect(
            Self.render(chart) == """
                40 │
                   │                     •
                30 │
                20 │               •
                   │
                10 │         •
                   │
                 0 │   •
                   └────────────────────────
                    2026-01          2026-04

                """)
    }

    @Test("every line fits the terminal", arguments: ReportChart.Kind.allCases, [30, 60, 100])
    func fits(kind: ReportChart.Kind, width: Int) {
        let chart = ReportChart(
            kind: kind, title: "T", labels: (1...200).map { "label number \($0)" },
            series: [.init(name: "", values: (1...200).map { Double($0 * $0) })])
        for line in Self.render(chart, width: width).split(separator: "\n") {
            #expect(DisplayWidth.of(String(line)) <= max(width, 44), "\(line)")
        }
    }
}

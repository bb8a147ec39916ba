import Circulation

/// A report with every kind of block, and data that renderers have to be careful with.
enum ReportSample {
    static func document() throws -> ReportDocument {
        ReportDocument(
            title: "Loans by month",
            parameters: [
                ReportParameter(name: "span", value: .text("2026")), ReportParameter(name: "since", value: .none),
            ],
            blocks: [
                .text("All branches."), .section("Figures"),
                .metric(ReportMetric(name: "Total", value: .integer(42), unit: "loans", note: "renewals apart")),
                .table(
                    ReportTable(
                        title: "By month",
                        columns: [
                            ReportColumn(name: "month"), ReportColumn(name: "loans", type: .integer),
                            ReportColumn(name: "owed", label: "fees owed", type: .money),
                        ],
                        rows: [
                            [.text("2026-11"), .integer(9), .money(try Money(parsing: "12.50", currency: .eur))],
                            [.text("2026-12"), .integer(33), .none],
                        ])), .printed("done"),
                .chart(
                    ReportChart(
                        kind: .bar, title: "Loans", labels: ["Nov", "Dec"],
                        series: [ReportChart.Series(name: "", values: [9, 33])])),
            ])
    }

    static func table(_ texts: [String]) -> ReportDocument {
        ReportDocument(
            blocks: [.table(ReportTable(columns: [ReportColumn(name: "text")], rows: texts.map { [.text($0)] }))])
    }
}

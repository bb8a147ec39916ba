import Circulation
import Foundation
import Reports

/// How long checkouts took in one company.
package struct CompanyFigure: Hashable, Sendable {
    package var store: MeasuredStore
    package var kind: CompanyKind
    package var titles: Int
    /// How many checkouts were measured.
    package var count: Int
    /// Nanoseconds that half of them and that 99 of a hundred took at most.
    package var usual: Double
    package var late: Double
    package var perSecond: Double
    /// What the others did meanwhile: pages that readers were given, or times that a chore ended.
    package var done: Int

    package init(store: MeasuredStore, kind: CompanyKind, titles: Int, times: [UInt64], seconds: Double, done: Int) {
        (self.store, self.kind, self.titles, self.done) = (store, kind, titles, done)
        count = times.count
        let sorted = times.sorted()
        func percentile(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return .infinity }
            return Double(sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)])
        }
        usual = percentile(0.5)
        late = percentile(0.99)
        perSecond = seconds > 0 ? Double(times.count) / seconds : 0
    }
}

/// What is too long.
package enum CompanyVerdict {
    /// Nanoseconds for the 99th percentile, alone and in company.
    package static let mostAlone = 50_000_000.0
    package static let most = 50_000_000.0
    /// How many times that alone is no excess, however slow the disk.
    private static let times = 2.0

    package static func isAbove(_ figure: CompanyFigure, in figures: [CompanyFigure]) -> Bool {
        guard figure.kind != .alone else { return figure.late > mostAlone }
        let alone = figures.first { $0.kind == .alone && $0.store == figure.store }?.late ?? 0
        return figure.late > max(most, times * alone)
    }
}

/// The figures as a table, as text, and as a page with plots.
struct CompanyReport {
    let figures: [CompanyFigure]

    private static let columns = [
        ReportColumn(name: "store"), ReportColumn(name: "company"), ReportColumn(name: "titles", type: .integer),
        ReportColumn(name: "checkouts", type: .integer),
        ReportColumn(name: "p50_ms", label: "half within ms", type: .number),
        ReportColumn(name: "p99_ms", label: "99 % within ms", type: .number),
        ReportColumn(name: "per_second", label: "checkouts a second", type: .number),
        ReportColumn(name: "done", label: "done by the others", type: .integer), ReportColumn(name: "verdict"),
    ]

    private var rows: [[ReportValue]] {
        figures.map { figure in
            [
                .text(figure.store.rawValue), .text(figure.kind.rawValue), .integer(Int64(figure.titles)),
                .integer(Int64(figure.count)), .number(milliseconds(figure.usual)),
                .number(milliseconds(figure.late)), .number((figure.perSecond * 10).rounded() / 10),
                .integer(Int64(figure.done)),
                .text(CompanyVerdict.isAbove(figure, in: figures) ? "ABOVE" : "ok"),
            ]
        }
    }

    private var reportTable: ReportTable { ReportTable(columns: Self.columns, rows: rows) }

    var table: String {
        ReportFormat.table.render(ReportDocument(title: "Lending in company", blocks: [.table(reportTable)]))
    }

    var tsv: String {
        let lines =
            [Self.columns.map(\.name)]
            + rows.map { row in
                row.map { value in
                    switch value {
                    case .text(let text): text
                    case .integer(let number): "\(number)"
                    case .number(let number): "\(number)"
                    default: ""
                    }
                }
            }
        return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    var page: String {
        let kinds = CompanyKind.allCases.filter { kind in figures.contains { $0.kind == kind } }
        func chart(_ title: String, _ value: @escaping (CompanyFigure) -> Double) -> ReportBlock {
            let series = MeasuredStore.allCases.map { store in
                ReportChart.Series(
                    name: store.rawValue,
                    values: kinds.map { kind in
                        figures.first { $0.store == store && $0.kind == kind }.map(value)
                    })
            }
            return .chart(
                ReportChart(
                    kind: .bar, title: title, labels: kinds.map(\.rawValue), series: series, labelTitle: "company",
                    valueTitle: "milliseconds"))
        }
        let blocks: [ReportBlock] = [
            .text(
                "Checkouts over HTTP, one after the other, alone and while others are at work; the best of some tries."),
            chart("Half of all checkouts within") { milliseconds($0.usual) },
            chart("99 of 100 checkouts within") { milliseconds($0.late) }, .table(reportTable),
        ]
        return ReportFormat.html.render(ReportDocument(title: "Lending in company", blocks: blocks))
    }

    private func milliseconds(_ nanoseconds: Double) -> Double { (nanoseconds / 10_000).rounded() / 100 }
}

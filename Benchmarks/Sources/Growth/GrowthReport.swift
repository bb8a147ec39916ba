import Circulation
import Reports

/// The figures as a table and as a page with plots.
struct GrowthReport {
    let curves: [GrowthCurve]
    let excesses: [GrowthExcess]
    let known: GrowthExcessList

    /// How many units a plot shows at most.
    private static let mostSeries = 8

    /// One line for each unit and size.
    var tsv: String {
        var lines = [
            ["kind", "unit", "titles", "rows", "statements", "instructions", "blocks", "cpu_us"].joined(separator: "\t")
        ]
        for curve in curves {
            for figure in curve.figures {
                lines.append(
                    [
                        curve.kind, curve.unit, "\(figure.size)", "\(figure.rows)", "\(figure.statements)",
                        "\(figure.instructions)", "\(figure.blocks)", "\(Int(figure.cpu / 1_000))",
                    ].joined(separator: "\t"))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var page: String { ReportFormat.html.render(document) }

    private var document: ReportDocument {
        var blocks: [ReportBlock] = [
            .text(
                "What is asked of a library, in libraries of \(sizes.map(String.init).joined(separator: ", ")) titles with "
                    + "twenty past loans for each open one: statements, what the database did for them (\(work)) and processor time."
            ),
            .metric(ReportMetric(name: "Units", value: .integer(Int64(curves.count)))),
            .metric(ReportMetric(name: "Excesses", value: .integer(Int64(excesses.count)))),
            .section("What grows"), .table(excessTable),
        ]
        for excess in excesses { if let curve = curve(excess.unit) { blocks.append(.chart(plot(curve, excess))) } }
        for kind in GrowthUnit.Kind.allCases {
            let own = curves.filter { $0.kind == kind.rawValue }
            guard !own.isEmpty else { continue }
            blocks += [.section("Each \(kind.rawValue)"), .chart(plot(own, kind.rawValue)), .table(table(own))]
        }
        return ReportDocument(title: "What grows with the library", blocks: blocks)
    }

    /// What the database's own work is counted in.
    private var work: String { curves.contains { $0.figures.contains { $0.blocks > 0 } } ? "blocks" : "instructions" }

    private var sizes: [Int] { curves.first?.figures.map(\.size) ?? [] }

    private var labels: [String] { sizes.map(String.init) }

    private func curve(_ unit: String) -> GrowthCurve? { curves.first { $0.unit == unit } }

    private func plot(_ curve: GrowthCurve, _ excess: GrowthExcess) -> ReportChart {
        let values = curve.figures.map { figure -> Double? in
            switch excess.measure {
            case .rows: Double(figure.rows)
            case .instructions: Double(figure.instructions) / Double(max(1, figure.rows))
            case .blocks: Double(figure.blocks) / Double(max(1, figure.rows))
            case .cpu, .failure: figure.cpu / 1_000_000 / Double(max(1, figure.rows))
            }
        }
        let what =
            switch excess.measure {
            case .rows: "records"
            case .instructions: "instructions for each record"
            case .blocks: "blocks for each record"
            case .cpu, .failure: "milliseconds for each record"
            }
        return ReportChart(
            kind: .line, title: curve.unit, labels: labels, series: [.init(name: what, values: values)],
            labelTitle: "titles", valueTitle: what)
    }

    /// Those that take the most in the largest library.
    private func plot(_ curves: [GrowthCurve], _ kind: String) -> ReportChart {
        let dearest = curves.sorted { ($0.figures.last?.cpu ?? 0) > ($1.figures.last?.cpu ?? 0) }.prefix(
            Self.mostSeries)
        return ReportChart(
            kind: .line, title: "The dearest of these", labels: labels,
            series: dearest.map { curve in
                .init(name: curve.unit, values: curve.figures.map { $0.cpu / 1_000_000 })
            }, labelTitle: "titles", valueTitle: "milliseconds of processor time")
    }

    private var excessTable: ReportTable {
        ReportTable(
            columns: [
                ReportColumn(name: "unit"), ReportColumn(name: "measure"),
                ReportColumn(name: "growth", label: "times a decade", type: .number), ReportColumn(name: "reason"),
            ],
            rows: excesses.map {
                [
                    .text($0.unit), .text($0.measure.rawValue), $0.failure == nil ? .number(rounded($0.growth)) : .none,
                    .text(known.reason($0) ?? "not known"),
                ]
            })
    }

    private func table(_ curves: [GrowthCurve]) -> ReportTable {
        var columns = [ReportColumn(name: "unit")]
        for size in sizes {
            columns += [
                ReportColumn(name: "rows_\(size)", label: "rows, \(size)", type: .integer),
                ReportColumn(name: "statements_\(size)", label: "statements, \(size)", type: .integer),
                ReportColumn(name: "work_\(size)", label: "\(work), \(size)", type: .integer),
                ReportColumn(name: "cpu_\(size)", label: "ms, \(size)", type: .number),
            ]
        }
        return ReportTable(
            columns: columns,
            rows: curves.map { curve in
                [.text(curve.unit)]
                    + curve.figures.flatMap { figure -> [ReportValue] in
                        [
                            .integer(Int64(figure.rows)), .integer(Int64(figure.statements)),
                            .integer(Int64(max(figure.instructions, figure.blocks))),
                            .number(rounded(figure.cpu / 1_000_000)),
                        ]
                    }
            })
    }

    private func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}

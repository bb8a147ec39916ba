import Circulation
import Languages
import Reports
import TextFormats

/// The charts of what a title sold for, and of how many pieces were sold, month by month.
enum SalesCharts {
    /// - Parameter months: records `month_of_sales`, the oldest first.
    /// - Returns: nil where nothing was sold and no price is known.
    static func html(_ months: [JSON]) -> String? {
        let labels = months.compactMap { $0["month"]?.stringValue }
        let prices = months.map { $0["average"]?.stringValue.flatMap { try? Money(parsing: $0) } }
        let sold = months.map { $0["sold"]?.integerValue ?? 0 }
        guard labels.count == months.count, sold.contains(where: { $0 > 0 }) || prices.contains(where: { $0 != nil })
        else { return nil }
        let unit = prices.compactMap { $0?.currency.code }.first
        let charts = [
            ReportChart(
                kind: .line, title: say("Price"), labels: labels,
                series: [.init(name: "", values: prices.map { $0.flatMap { Double($0.amountText) } })],
                valueTitle: say("average price"), unit: unit),
            ReportChart(
                kind: .bar, title: say("Sales"), labels: labels,
                series: [.init(name: "", values: sold.map(Double.init))],
                valueTitle: say("items sold")),
        ]
        return charts.enumerated().map { ChartFigure($0.element, number: $0.offset + 1).html }.joined(separator: "\n")
    }
}

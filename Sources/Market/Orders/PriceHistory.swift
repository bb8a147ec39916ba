package import Circulation
package import Desk
import Storage

/// What a title sold for in one month, by real orders.
package struct MonthOfSales: Hashable, Sendable {
    package var year: Int
    package var month: Int
    /// Pieces sold.
    package var sold: Int64
    /// The lowest, the mean and the highest price of a piece; nil where none was sold.
    package var lowest: Money?
    package var average: Money?
    package var highest: Money?

    /// `2026-05`
    package var name: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }
}

extension MarketService {
    private static let months = 12

    /// What a title sold for in this month and the eleven before it, the oldest first, by the library's zone: a row each
    /// month. Cancelled orders do not count.
    ///
    /// - Returns: nil for an unknown title.
    package func priceHistory(of key: TitleKey) throws -> [MonthOfSales]? {
        guard let title = try session.catalogue.get(key) else { return nil }
        let zone = try session.settingsSnapshot().library.zone
        let today = zone.date(of: session.now).parts
        let first = try CivilDate(year: today.year, month: today.month, day: 1).adding(months: Int64(1 - Self.months))
        var months: [MonthOfSales] = []
        for index in 0..<Self.months {
            let parts = try first.adding(months: Int64(index)).parts
            months.append(MonthOfSales(year: parts.year, month: parts.month, sold: 0))
        }
        let currency = try session.fees.currency()
        var sums = Array(repeating: Int128(0), count: Self.months)
        for pieces in try transaction.orders.sold(title: title.id, since: zone.startOfDay(first)) {
            let parts = zone.date(of: pieces.at).parts
            guard let index = months.firstIndex(where: { $0.year == parts.year && $0.month == parts.month })
            else { continue }
            sums[index] += Int128(pieces.price.minorUnits) * Int128(pieces.quantity)
            months[index].add(pieces)
        }
        for index in months.indices where months[index].sold > 0 {
            let mean = (sums[index] * 2 + Int128(months[index].sold)) / (Int128(months[index].sold) * 2)
            months[index].average = Money(minorUnits: Int64(clamping: mean), currency: currency)
        }
        return months
    }
}

extension MonthOfSales {
    fileprivate mutating func add(_ pieces: SoldPieces) {
        let (sum, overflow) = sold.addingReportingOverflow(pieces.quantity)
        sold = overflow ? .max : sum
        if lowest.map({ pieces.price.minorUnits < $0.minorUnits }) ?? true { lowest = pieces.price }
        if highest.map({ pieces.price.minorUnits > $0.minorUnits }) ?? true { highest = pieces.price }
    }
}

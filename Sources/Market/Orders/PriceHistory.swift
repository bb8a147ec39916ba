package import Circulation
package import Desk
import Storage
import TextFormats

/// What a title sold for in one month, by real orders, and by what an import says of months before there were any.
package struct MonthOfSales: Hashable, Sendable {
    package var year: Int
    package var month: Int
    /// Pieces sold.
    package var sold: Int64
    /// The lowest, the mean and the highest price of a piece; nil where none was sold, and no import names a price.
    package var lowest: Money?
    package var average: Money?
    package var highest: Money?

    /// `2026-05`
    package var name: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }
}

extension MarketService {
    private static let months = 12

    /// What a title sold for in this month and the eleven before it, the oldest first, by the library's zone: a row each
    /// month. Cancelled orders do not count. Of a month without orders it is what ``PastMonth`` says of it.
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
        for past in title.pastMonths(in: currency) {
            guard let index = months.firstIndex(where: { $0.name == past.name }), months[index].sold == 0 else {
                continue
            }
            months[index].add(past)
        }
        return months
    }
}

/// What an import says of a title's sales in a past month, under any name in the title's `extra`:
/// `{"months": [{"month": "2026-05", "sold": 3, "price": "20.00 EUR"}]}`.
private struct PastMonth {
    var name: String
    var sold: Int64
    var price: Money?

    init?(_ json: JSON, in currency: Currency) {
        guard let name = json["month"]?.stringValue else { return nil }
        self.name = name
        sold = max(0, json["sold"]?.integerValue ?? 0)
        let price = json["price"]?.stringValue.flatMap { try? Money(parsing: $0) }
        self.price = price.flatMap { $0.currency == currency && !$0.isNegative ? $0 : nil }
    }
}

extension Title {
    /// Those of the same month one after the other.
    fileprivate func pastMonths(in currency: Currency) -> [PastMonth] {
        extra.entries.flatMap { $0.value["months"]?.arrayValue ?? [] }.compactMap { PastMonth($0, in: currency) }
    }
}

extension MonthOfSales {
    fileprivate mutating func add(_ past: PastMonth) {
        sold = past.sold
        guard let price = past.price, !price.isZero || past.sold > 0 else { return }
        (lowest, average, highest) = (price, price, price)
    }

    fileprivate mutating func add(_ pieces: SoldPieces) {
        let (sum, overflow) = sold.addingReportingOverflow(pieces.quantity)
        sold = overflow ? .max : sum
        if lowest.map({ pieces.price.minorUnits < $0.minorUnits }) ?? true { lowest = pieces.price }
        if highest.map({ pieces.price.minorUnits > $0.minorUnits }) ?? true { highest = pieces.price }
    }
}

import Circulation
import TextFormats

/// What is offered on the market, as pages show it.
enum ListingFields {
    /// A listing as one of a list.
    static func short(_ listing: JSON) -> [String: Any] {
        let kind = listing["kind"]?.stringValue ?? ""
        var fields: [String: Any] = [
            "link": "/market/\(listing["id"]?.integerValue ?? 0)", "id": listing["id"]?.integerValue ?? 0,
            "name": PageWords.safe(listing["name"]) ?? "Untitled", "kind": word(of: kind), "price": price(listing),
            "seller": listing["seller"] == nil ? "The library" : "A patron",
        ]
        fields["condition"] = PageWords.safe(listing["condition"])
        fields["quantity"] = listing["quantity"]?.integerValue
        return fields
    }

    static func word(of kind: String) -> String {
        switch kind {
        case "sell": "For sale"
        case "rent": "For rent"
        case "trade": "To swap"
        default: "To give away"
        }
    }

    /// `4.50 EUR`, `1.00 EUR for each week`.
    static func price(_ listing: JSON) -> String {
        guard let price = PageWords.money(listing["price"]) else {
            return listing["kind"] == "trade" ? "A swap" : "Free"
        }
        guard listing["kind"] == "rent", let period = PageWords.period(listing["period"]) else { return price }
        return "\(price) for \(period.hasPrefix("1\u{A0}") ? "each \(period.dropFirst(2))" : period)"
    }
}

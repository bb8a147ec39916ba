import Circulation
import Desk
import Scripting
import TextFormats

/// What is offered on the market, as pages show it.
enum ListingFields {
    /// Kinds of listings, and what they are called.
    static let kinds = [
        (value: "sell", name: "For sale"), (value: "rent", name: "For rent"), (value: "trade", name: "To swap"),
        (value: "donate", name: "To give away"),
    ]

    /// A listing as one of a list.
    static func short(_ listing: JSON, _ call: PageCall) throws -> [String: Any] {
        var fields: [String: Any] = [
            "link": "/market/\(listing["id"]?.integerValue ?? 0)", "id": listing["id"]?.integerValue ?? 0,
            "name": PageWords.safe(listing["name"]) ?? "Untitled",
            "kind": kinds.first { $0.value == listing["kind"]?.stringValue }?.name ?? "", "price": price(listing),
            "seller": PageWords.safe(try call.publicName(listing["seller"]?.integerValue) ?? "the library"),
            "state": word(ofState: listing["state"]?.stringValue), "quantity": listing["quantity"]?.integerValue ?? 0,
        ]
        fields["isRecommended"] = listing["recommended"] == true
        fields["condition"] = PageWords.safe(listing["condition"])
        fields["decision"] = PageWords.safe(listing["decision"])
        return fields
    }

    /// The colleges that titles have.
    static func colleges(_ call: PageCall) throws -> [String] {
        try call.list("/colleges").compactMap(\.stringValue)
    }

    /// The kinds as a form offers them.
    static func choices(of chosen: String?) -> [[String: Any]] {
        kinds.map { ["value": $0.value, "name": $0.name, "isChosen": $0.value == chosen] }
    }

    static func word(ofState state: String?) -> String {
        switch state {
        case "active": "Offered"
        case "review": "Awaiting review"
        case "draft": "Draft"
        case "hidden": "Hidden"
        case "sold": "Sold"
        default: "Withdrawn"
        }
    }

    /// `4.50 EUR`, `1.00 EUR for each week`.
    static func price(_ listing: JSON) -> String {
        guard let price = PageWords.money(listing["price"]) else {
            return listing["kind"] == "trade" ? "For a swap" : "Free"
        }
        guard listing["kind"] == "rent", let period = PageWords.period(listing["period"]) else { return price }
        return "\(price) for \(period.hasPrefix("1\u{A0}") ? "each \(period.dropFirst(2))" : period)"
    }
}

extension PageCall {
    /// The name under which others see the caller.
    func ownName() throws -> String { PageWords.safe(try holder().publicName) }

    /// What others are shown of a patron; nil for one who is gone.
    func publicName(_ id: Int64?) throws -> String? {
        guard let id else { return nil }
        return try context.look { try $0.patrons.get(.id(id))?.publicName }
    }
}

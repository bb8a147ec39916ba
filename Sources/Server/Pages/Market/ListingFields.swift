import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// What is offered on the market, as pages show it.
enum ListingFields {
    /// Kinds of listings, and what they are called.
    static let kinds: [(value: String, name: Phrase)] = [
        (value: "sell", name: "For sale"), (value: "rent", name: "For rent"), (value: "trade", name: "To swap"),
        (value: "donate", name: "To give away"),
    ]

    /// A listing as one of a list.
    static func short(_ listing: JSON, _ call: PageCall) throws -> [String: Any] {
        var fields: [String: Any] = [
            "link": "/market/\(listing["id"]?.integerValue ?? 0)", "id": listing["id"]?.integerValue ?? 0,
            "name": PageWords.safe(listing["name"]) ?? say("Untitled"),
            "kind": kinds.first { $0.value == listing["kind"]?.stringValue }.map { say($0.name) } ?? "",
            "price": price(listing),
            "seller": PageWords.safe(try call.publicName(listing["seller"]?.integerValue) ?? say("the library")),
            "state": word(ofState: listing["state"]?.stringValue), "quantity": listing["quantity"]?.integerValue ?? 0,
        ]
        fields["isRecommended"] = listing["recommended"] == true
        fields["picture"] = PicturePage.path(.listings, of: listing, isSmall: true)
        if fields["picture"] == nil, let title = listing["title"]?.integerValue {
            let cover = try call.context.look { try $0.catalogue.get(.id(title))?.cover }
            fields["cover"] = PicturePage.path(ofKept: cover, isSmall: true)
        }
        fields["condition"] = PageWords.safe(listing["condition"])
        fields["decision"] = PageWords.safe(listing["decision"])
        return fields
    }

    /// The pictures of a listing that were uploaded.
    static func pictures(_ listing: JSON) -> [[String: Any]] {
        let title = PageWords.safe(listing["name"]) ?? say("Untitled")
        let names = TitleFields.texts(listing["pictures"])
        return names.enumerated().map { number, name in
            var fields: [String: Any] = [
                "name": name, "whole": PicturePage.path(ofKept: name) ?? "",
                "small": PicturePage.path(ofKept: name, isSmall: true) ?? "",
                "alt": say("Picture \(number + 1) of \(title)"),
            ]
            // Where the buttons of the owner's page put it.
            if number > 0 { fields["earlier"] = number }
            if number + 1 < names.count { fields["later"] = number + 2 }
            return fields
        }
    }

    /// The colleges that titles have.
    static func colleges(_ call: PageCall) throws -> [String] {
        try call.list("/colleges").compactMap(\.stringValue)
    }

    /// The kinds as a form offers them.
    static func choices(of chosen: String?) -> [[String: Any]] {
        kinds.map { ["value": $0.value, "name": say($0.name), "isChosen": $0.value == chosen] }
    }

    static func word(ofState state: String?) -> String {
        switch state {
        case "active": say("Offered")
        case "review": say("Awaiting review")
        case "draft": say("Draft")
        case "hidden": say("Hidden")
        case "sold": say("Sold")
        default: say("Withdrawn")
        }
    }

    /// `4.50 EUR`, `1.00 EUR for each week`.
    static func price(_ listing: JSON) -> String {
        guard let price = PageWords.money(listing["price"]) else {
            return listing["kind"] == "trade" ? say("For a swap") : say("Free")
        }
        guard listing["kind"] == "rent", let period = PageWords.period(listing["period"]) else { return price }
        return period.hasPrefix("1\u{A0}")
            ? say("\(price) per \(period.dropFirst(2))") : say("\(price) for \(period)")
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

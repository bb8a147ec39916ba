import Circulation
import Desk
import Languages
import Market
import Scripting
import TextFormats

/// A patron's rentals, purchases and sales.
enum TradesPage: PageGroup {
    static let templates = [
        PageTemplate("orders", PackageResources.orders_mustache),
        PageTemplate("rentals", PackageResources.rentals_mustache),
    ]

    static let pages = [
        Page.shown("/me/rentals", .holder) { call in
            let rented = try call.list("/rentals", ["borrower": "me", "state": "all"])
            let lent = try call.list("/rentals", ["lender": "me", "state": "all"])
            return PageView(
                template: "rentals", title: say("Rentals"),
                fields: [
                    "borrowed": try rented.map { try rental($0, partner: "lender", call) },
                    "lent": try lent.map { try rental($0, partner: "borrower", call) },
                ])
        },
        Page.form("/me/rentals/{rental}/give-back") { call in
            try call.act(.post, "/rentals/\(call.value())/give-back", back: "/me/rentals") { _ in
                say("Recorded as returned. It is on offer again.")
            }
        },
        Page.shown("/me/orders", .holder) { call in
            PageView(
                template: "orders", title: say("Bought and sold"),
                fields: [
                    "bought": try call.list("/orders", ["buyer": "me"]).map { try order($0, call) },
                    "sold": try call.list("/orders", ["seller": "me"]).map { try order($0, call) },
                ])
        },
        Page.form("/me/orders/{order}/hand-over") { call in
            try call.act(.post, "/orders/\(call.value())/hand-over", back: "/me/orders") { _ in
                say("Recorded as handed over.")
            }
        },
        Page.form("/me/orders/{order}/cancel") { call in
            try call.act(.post, "/orders/\(call.value())/cancel", back: "/me/orders") { _ in
                say("The order has been cancelled, and its charges have been removed.")
            }
        },
    ]

    private static func rental(_ rental: JSON, partner: String, _ call: PageCall) throws -> [String: Any] {
        var name = try call.titleName(rental["title"]?.integerValue)
        if name == nil, let listing = rental["listing"]?.integerValue {
            name = try call.context.look { session in
                try session.market.get(listing).map { try session.market.label(of: $0) }
            }
        }
        let isOpen = rental["ended_at"] == nil
        let today = call.words.today
        var fields: [String: Any] = [
            "id": rental["id"]?.integerValue ?? 0, "name": PageWords.safe(name ?? say("Something")),
            "quantity": rental["quantity"]?.integerValue ?? 1, "isOpen": isOpen,
            "isOverdue": isOpen && (rental["ends_on"]?.stringValue ?? "9999") < today,
            "isRecorded": isOpen && rental["order"] == nil && partner == "lender",
            "partner": PageWords.safe(try call.publicName(rental[partner]?.integerValue) ?? say("the library")),
            "price": ListingFields.price([
                "kind": "rent", "price": rental["price"] ?? .null, "period": rental["period"] ?? .null,
            ]),
        ]
        fields["about"] = try link(to: rental, call)
        fields["begun"] = call.words.moment(rental["begun_at"])
        let ends = call.words.date(rental["ends_on"])
        fields["ends"] = ends
        fields["endsWords"] = ends?["words"]
        fields["ended"] = call.words.moment(rental["ended_at"])
        return fields
    }

    /// The page of the title, or else of the listing while it is offered; nil: neither is there any more.
    private static func link(to item: JSON, _ call: PageCall) throws -> String? {
        if let title = item["title"]?.integerValue, try call.titleName(title) != nil { return TitleFields.link(title) }
        guard let id = item["listing"]?.integerValue else { return nil }
        let listing = try call.context.look { try $0.market.get(id) }
        let isSeen = listing.map { $0.state == .active || $0.seller == call.caller.patron?.id } ?? false
        return isSeen ? "/market/\(id)" : nil
    }

    private static func order(_ order: JSON, _ call: PageCall) throws -> [String: Any] {
        let me = try call.holder().id
        let items = order["items"]?.arrayValue ?? []
        let isOpen = order["state"] == "open"
        var fields: [String: Any] = [
            "id": order["id"]?.integerValue ?? 0,
            "state": ["open": say("To be handed over"), "done": say("Handed over"), "cancelled": say("Cancelled")][
                order["state"]?.stringValue ?? ""] ?? "",
            "buyer": PageWords.safe(try call.publicName(order["buyer"]?.integerValue) ?? say("a former member")),
            "items": try items.map { item -> [String: Any] in
                var fields: [String: Any] = [
                    "name": PageWords.safe(item["name"]) ?? say("Untitled"),
                    "quantity": item["quantity"]?.integerValue ?? 1,
                    "seller": PageWords.safe(try call.publicName(item["seller"]?.integerValue) ?? say("the library")),
                ]
                fields["about"] = try link(to: item, call)
                return fields
            },
            "isOpen": isOpen,
            "canHandOver": isOpen && items.allSatisfy { $0["seller"]?.integerValue == me },
        ]
        fields["total"] = PageWords.money(order["total"])
        fields["placed"] = call.words.moment(order["placed_at"])
        return fields
    }
}

import Circulation
import Scripting
import TextFormats

/// What is offered: finding it, buying, renting, writing to the seller.
enum MarketPage: PageGroup {
    static let templates = [
        PageTemplate("listing", PackageResources.listing_mustache),
        PageTemplate("market", PackageResources.market_mustache),
    ]

    private static let many: Int64 = 24

    static let pages = [
        Page.shown("/market") { call in
            let names = ["text", "course", "college", "seller", "kind"]
            var members = JSONObject()
            for name in names { if let text = call.query.text(name) { members[name] = .string(text) } }
            if !ListingFields.kinds.contains(where: { $0.value == call.query.text("kind") }) { members["kind"] = nil }
            let number = max(1, min(10_000, call.query.text("page").flatMap(Int64.init) ?? 1))
            members["limit"] = .integer(many + 1)
            members["offset"] = .integer((number - 1) * many)
            let found = try call.list("/listings", members)
            var fields: [String: Any] = [
                "offers": try found.prefix(Int(many)).map { try ListingFields.short($0, call) },
                "kinds": ListingFields.choices(of: call.query.text("kind")),
            ]
            for name in names { fields["\(name)Words"] = PageWords.safe(call.query.text(name) ?? "") }
            let kept = names.compactMap { name in
                call.query.text(name).map { "\(name)=\(PercentEncoding.encoded($0))&" }
            }
            if number > 1 { fields["previous"] = "/market?\(kept.joined())page=\(number - 1)" }
            if found.count > Int(many) { fields["next"] = "/market?\(kept.joined())page=\(number + 1)" }
            return PageView(template: "market", title: "Market", fields: fields)
        },
        Page.shown("/market/{listing}") { call in try view(call) },
        Page.form("/market/{listing}/buy") { call in
            let members = call.members(["quantity"], of: .post, "/listings/{listing}/buy")
            return try call.act(
                .post, "/listings/\(call.value())/buy", members, back: "/me/orders", refusedTo: path(call)
            ) { order in
                "It is yours to collect\(price(of: order))."
            }
        },
        Page.form("/market/{listing}/rent") { call in
            let members = call.members(["quantity", "ends_on"], of: .post, "/listings/{listing}/rent")
            return try call.act(
                .post, "/listings/\(call.value())/rent", members, back: "/me/rentals", refusedTo: path(call)
            ) { rental in
                let ends = call.words.date(rental["ends_on"])?["words"] as? String
                return "It is rented to you\(ends.map { " until \($0)" } ?? "")."
            }
        },
        Page.form("/market/{listing}/contact") { call in
            var members = call.members(["text"], of: .post, "/messages")
            members["listing"] = Int64(call.values[0]).map(JSON.integer) ?? .null
            return try MessagesPage.send(members, refusedTo: path(call), call)
        },
    ]

    /// What an order costs, and to whom it is owed.
    private static func price(of order: JSON) -> String {
        guard let total = PageWords.money(order["total"]), let owed = PageWords.money(order["owed"]) else { return "" }
        if owed == total { return ": \(total) is charged to your account" }
        return ": \(total) is between you and the seller"
    }

    private static func path(_ call: PageCall) -> String { "/market/\(call.value())" }

    private static func view(_ call: PageCall) throws -> PageView {
        guard Int64(call.values[0]) != nil else { throw Problem.notFound }
        let listing = try call.record("/listings/\(call.value())")
        var fields = try ListingFields.short(listing, call)
        fields["path"] = path(call)
        fields["note"] = PageWords.safe(listing["note"])
        fields["picture"] = PicturePage.path(.listings, of: listing)
        fields["edition"] = PageWords.safe(listing["edition"])
        fields["since"] = call.words.moment(listing["created_at"])
        if let title = listing["title"]?.integerValue {
            fields["titleLink"] = TitleFields.link(title)
            fields["months"] = try months(of: title, call)
        }
        let isOwn = listing["seller"] != nil && listing["seller"]?.integerValue == call.caller.patron?.id
        if isOwn {
            fields["own"] = ["state": ListingFields.word(ofState: listing["state"]?.stringValue)]
        } else if call.caller.patron != nil, listing["state"] == "active" {
            let kind = listing["kind"]?.stringValue ?? ""
            var member: [String: Any] = [
                "ownName": try call.ownName(),
                "isRent": kind == "rent", "isSale": kind == "sell", "isSwap": kind == "trade",
                "isGift": kind == "donate", "hasOwner": listing["seller"] != nil,
            ]
            member["most"] = max(1, listing["quantity"]?.integerValue ?? 1)
            member["favourite"] = try FavouritesPage.button(
                "listing", listing["id"]?.integerValue, path: path(call), call)
            fields["member"] = member
        } else if call.caller.patron == nil {
            fields["visitor"] = true
        }
        return PageView(template: "listing", title: listing["name"]?.stringValue ?? "", fields: fields)
    }

    /// What the title sold for, month by month.
    private static func months(of title: Int64, _ call: PageCall) throws -> [[String: Any]] {
        try call.list("/titles/\(title)/prices").filter { ($0["sold"]?.integerValue ?? 0) > 0 }.map { month in
            [
                "month": month["month"]?.stringValue ?? "", "sold": month["sold"]?.integerValue ?? 0,
                "lowest": PageWords.money(month["lowest"]) ?? "", "average": PageWords.money(month["average"]) ?? "",
                "highest": PageWords.money(month["highest"]) ?? "",
            ]
        }
    }
}

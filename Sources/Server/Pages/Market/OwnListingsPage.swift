import Circulation
import Scripting
import TextFormats

/// What somebody offers: publishing it, changing it, taking it back.
enum OwnListingsPage {
    static let pages = [
        Page.shown("/me/listings", .holder) { call in
            let listings = try call.list("/listings", ["seller": .integer(try call.holder().id), "state": "all"])
            return PageView(
                template: "own-listings", title: "What you offer",
                fields: [
                    "listings": try listings.map { listing in
                        var fields = try ListingFields.short(listing, call)
                        fields["isOpen"] = !["sold", "withdrawn"].contains(listing["state"]?.stringValue)
                        return fields
                    }
                ])
        },
        Page.shown("/me/listings/new", .holder) { call in publishing(call) },
        Page.form("/me/listings", again: publishing) { call in
            var members = call.members(
                [
                    "isbn", "name", "authors", "courses", "college", "kind", "price", "period", "quantity", "condition",
                    "edition", "picture", "note",
                ], of: .post, "/listings")
            if members["kind"] != "rent" { members["period"] = nil }
            if members["kind"] == "trade" || members["kind"] == "donate" { members["price"] = nil }
            if call.form.text("draft") != nil { members["draft"] = true }
            members["seller"] = "me"
            return try call.act(.post, "/listings", members, back: "/me/listings") { listing in
                let name = PageWords.safe(listing["name"]) ?? "It"
                return listing["state"] == "review"
                    ? "\(name) will be looked at by the library's staff before others see it." : "\(name) is saved."
            }
        },
        Page.shown("/me/listings/{listing}", .holder) { call in try editing(call) },
        Page.form("/me/listings/{listing}", again: editing) { call in
            let path = try own(call)
            var members = call.members(
                ["price", "period", "quantity", "condition", "edition", "picture", "note", "state"], of: .patch,
                "/listings/{listing}")
            // What was emptied is to be empty.
            for name in ["condition", "edition", "note"] where call.form[name] != nil && members[name] == nil {
                members[name] = ""
            }
            return try call.act(.patch, path, members, back: "/me/listings") {
                "\(PageWords.safe($0["name"]) ?? "The offer") is changed."
            }
        },
        Page.form("/me/listings/{listing}/withdraw") { call in
            try call.act(.delete, try own(call), back: "/me/listings") {
                "\(PageWords.safe($0["name"]) ?? "The offer") is withdrawn."
            }
        },
    ]

    /// Lengths of time that a rental's price may be for.
    private static let periods = [("P1D", "day"), ("P1W", "week"), ("P1M", "month"), ("P6M", "half a year")]

    /// The route of the listing that the path names, which has to be the caller's own even if they are staff.
    private static func own(_ call: PageCall) throws -> String {
        _ = try listing(call)
        return "/listings/\(call.value())"
    }

    private static func listing(_ call: PageCall) throws -> JSON {
        guard Int64(call.values[0]) != nil else { throw Problem.notFound }
        let listing = try call.record("/listings/\(call.value())")
        guard listing["seller"]?.integerValue == (try call.holder().id) else { throw Problem.notFound }
        return listing
    }

    private static func publishing(_ call: PageCall) -> PageView {
        var fields: [String: Any] = [
            "kinds": ListingFields.choices(of: call.form.text("kind") ?? "sell"),
            "periods": choices(of: call.form.text("period")), "isDraft": call.form.text("draft") != nil,
            "quantity": PageWords.safe(call.form.text("quantity") ?? "1"),
        ]
        for name in [
            "isbn", "name", "authors", "courses", "college", "price", "condition", "edition", "picture", "note",
        ] {
            fields[name] = PageWords.safe(call.form[name] ?? call.query[name] ?? "")
        }
        return PageView(template: "publish", title: "Offer something", fields: fields)
    }

    private static func editing(_ call: PageCall) throws -> PageView {
        let listing = try listing(call)
        var fields: [String: Any] = [
            "id": listing["id"]?.integerValue ?? 0, "isRent": listing["kind"] == "rent",
            "isPriced": listing["kind"] == "rent" || listing["kind"] == "sell",
            "periods": choices(of: call.form.text("period") ?? listing["period"]?.stringValue),
            "state": ListingFields.word(ofState: listing["state"]?.stringValue),
            "states": [("active", "Offered"), ("hidden", "Hidden"), ("draft", "Draft")].map { value, name in
                ["value": value, "name": name, "isChosen": listing["state"]?.stringValue == value] as [String: Any]
            },
        ]
        for name in ["condition", "edition", "picture", "note"] {
            fields[name] = PageWords.safe(call.form[name] ?? listing[name]?.stringValue ?? "")
        }
        fields["quantity"] = call.form.text("quantity") ?? listing["quantity"]?.integerValue.map(String.init)
        fields["price"] =
            call.form.text("price") ?? listing["price"]?.stringValue.map { String($0.prefix { $0 != " " }) }
        return PageView(template: "edit-listing", title: PageWords.safe(listing["name"]) ?? "", fields: fields)
    }

    private static func choices(of chosen: String?) -> [[String: Any]] {
        var all = periods
        if let chosen, !all.contains(where: { $0.0 == chosen }), let words = PageWords.period(.string(chosen)) {
            all.append((chosen, words))
        }
        return all.map { ["value": $0.0, "name": $0.1, "isChosen": $0.0 == chosen] }
    }
}

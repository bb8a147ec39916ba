import Circulation
import Languages
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
            if call.query.text("seller") == "me" { _ = try call.holder() }
            if call.query.text("recommended") != nil { members["recommended"] = true }
            members["prefix"] = .bool(begins(["text", "course", "college"].compactMap { call.query.text($0) }))
            let number = max(1, min(10_000, call.query.text("page").flatMap(Int64.init) ?? 1))
            members["limit"] = .integer(many + 1)
            members["offset"] = .integer((number - 1) * many)
            let found = try call.list("/listings", members)
            var fields: [String: Any] = [
                "offers": try found.prefix(Int(many)).map { try ListingFields.short($0, call) },
                "kinds": ListingFields.choices(of: call.query.text("kind")),
                "colleges": try colleges(call, chosen: call.query.text("college")),
                "recommended": call.query.text("recommended") != nil,
            ]
            for name in names { fields["\(name)Words"] = PageWords.safe(call.query.text(name) ?? "") }
            let kept = (names + ["recommended"]).compactMap { name in
                call.query.text(name).map { "\(name)=\(PercentEncoding.encoded($0))&" }
            }
            if number > 1 { fields["previous"] = "/market?\(kept.joined())page=\(number - 1)" }
            if found.count > Int(many) { fields["next"] = "/market?\(kept.joined())page=\(number + 1)" }
            return PageView(template: "market", title: say("Market"), fields: fields)
        },
        Page.shown("/market/{listing}") { call in try view(call) },
        Page(
            verb: .get, path: "/market/{listing}/price", access: .holder,
            work: .serving { call in
                let words = try quote(call.query, call).words
                return WebResponse(
                    200, "application/json", body: Array(JSON.object(["words": .string(words)]).text().utf8))
            }),
        Page.form("/market/{listing}/price") { call in
            let asked = quoted.compactMap { name in
                call.form.text(name).map { "\(name)=\(PercentEncoding.encoded($0))" }
            }
            return .done(
                to: "\(path(call))?\(asked.joined(separator: "&"))", saying: try quote(call.form, call).words)
        },
        Page.form("/market/{listing}/buy") { call in
            let members = call.members(["quantity"], of: .post, "/listings/{listing}/buy")
            return try call.act(
                .post, "/listings/\(call.value())/buy", members, back: "/me/orders", refusedTo: path(call)
            ) { order in
                collected(order)
            }
        },
        Page.form("/market/{listing}/rent") { call in
            let members = call.members(["quantity", "ends_on"], of: .post, "/listings/{listing}/rent")
            return try call.act(
                .post, "/listings/\(call.value())/rent", members, back: "/me/rentals", refusedTo: path(call)
            ) { rental in
                let ends = call.words.date(rental["ends_on"])?["words"] as? String
                return ends.map { say("You have rented it until \($0).") } ?? say("You have rented it.")
            }
        },
        Page.form("/market/{listing}/contact") { call in
            var members = call.members(["text"], of: .post, "/messages")
            members["listing"] = Int64(call.values[0]).map(JSON.integer) ?? .null
            return try MessagesPage.send(members, refusedTo: path(call), call)
        },
    ]

    /// That an order stands, what it costs, and to whom that is owed.
    private static func collected(_ order: JSON) -> String {
        guard let total = PageWords.money(order["total"]), let owed = PageWords.money(order["owed"]) else {
            return say("It is yours to collect.")
        }
        guard order["total"]?.stringValue?.contains(where: { "123456789".contains($0) }) == true else {
            return say("It is yours to collect.")
        }
        if owed == total { return say("It is yours to collect: \(total) has been charged to your account.") }
        if order["owed"]?.stringValue?.contains(where: { "123456789".contains($0) }) == true {
            return say(
                "It is yours to collect: \(owed) of \(total) has been charged to your account; you settle the rest "
                    + "with the seller."
            )
        }
        return say("It is yours to collect: you settle \(total) with the seller.")
    }

    private static func path(_ call: PageCall) -> String { "/market/\(call.value())" }

    private static func view(_ call: PageCall) throws -> PageView {
        guard Int64(call.values[0]) != nil else { throw Problem.notFound }
        let listing = try call.record("/listings/\(call.value())")
        var fields = try ListingFields.short(listing, call)
        fields["path"] = path(call)
        fields["note"] = PageWords.safe(listing["note"])
        let pictures = ListingFields.pictures(listing)
        if pictures.count > 1 { fields["pictures"] = pictures }
        fields["edition"] = PageWords.safe(listing["edition"])
        var script = ""
        fields["since"] = call.words.moment(listing["created_at"])
        if let title = listing["title"]?.integerValue {
            fields["titleLink"] = TitleFields.link(title)
            let months = try call.list("/titles/\(title)/prices")
            fields["months"] = shown(months)
            fields["charts"] = SalesCharts.html(months)
        }
        let isOwn = listing["seller"] != nil && listing["seller"]?.integerValue == call.caller.patron?.id
        if isOwn {
            fields["own"] = [
                "state": ListingFields.word(ofState: listing["state"]?.stringValue),
                "mayRentOut": listing["kind"] == "rent" && listing["state"] == "active",
            ]
        } else if call.caller.patron != nil, listing["state"] == "active" {
            let kind = listing["kind"]?.stringValue ?? ""
            var member: [String: Any] = [
                "ownName": try call.ownName(),
                "isRent": kind == "rent", "isSale": kind == "sell", "isSwap": kind == "trade",
                "isGift": kind == "donate", "hasOwner": listing["seller"] != nil,
            ]
            let most = max(1, listing["quantity"]?.integerValue ?? 1)
            member["most"] = most
            member["wanted"] = call.query.text("quantity").flatMap(Int64.init).map { min(max(1, $0), most) } ?? 1
            member["ends"] = call.query.text("ends_on").map(PageWords.safe) ?? ""
            if kind == "sell" || kind == "rent" {
                let cost = try quote(call.query, call)
                member["cost"] = ["words": cost.words, "isRefused": cost.isRefused]
                script = OfferScript.text
            }
            member["favourite"] = try FavouritesPage.button(
                "listing", listing["id"]?.integerValue, path: path(call), call)
            fields["member"] = member
        } else if call.caller.patron == nil {
            fields["visitor"] = true
        }
        return PageView(
            template: "listing", title: listing["name"]?.stringValue ?? "", fields: fields, script: script)
    }

    // MARK: - What it costs

    private static let quoted = ["quantity", "ends_on"]

    /// What as many as are asked for would cost the caller, in words; or why they are not to be had.
    private static func quote(_ asked: PageForm, _ call: PageCall) throws -> (words: String, isRefused: Bool) {
        var members: JSONObject = [:]
        members["quantity"] = (asked.text("quantity") ?? "1").numberOrText
        members["ends_on"] = asked.text("ends_on").map(JSON.string)
        do {
            switch try call.ask(.get, "/listings/\(call.value())/price", members) {
            case .value(let total): return (words(of: total), false)
            case .refused(let refusal):
                let reasons = try RefusedPage.reasons(of: refusal, call).compactMap { $0["message"] as? String }
                return (reasons.joined(separator: " "), true)
            case .nothing, .notFound: throw Problem.notFound
            }
        } catch let problem as Problem where problem.status == 400 {
            return (PageField.sentence(problem), true)
        }
    }

    /// `2 x Dune: 9.00 EUR, Taxes: 0.60 EUR; 9.60 EUR in all`
    private static func words(of total: JSON) -> String {
        let sum = PageWords.money(total["total"]) ?? ""
        let lines = total["lines"]?.arrayValue ?? []
        guard lines.count > 1 else { return sum }
        let parts = lines.map { "\(PageWords.safe($0["label"]) ?? ""): \(PageWords.money($0["amount"]) ?? "")" }
        return say("\(sum) in total (\(parts.joined(separator: "; ")))")
    }

    /// Words of one letter begin too much.
    private static func begins(_ words: [String]) -> Bool {
        words.allSatisfy { $0.split(whereSeparator: \.isWhitespace).allSatisfy { $0.count > 1 } }
    }

    /// The colleges of the catalogue as a form offers them.
    private static func colleges(_ call: PageCall, chosen: String?) throws -> [[String: Any]] {
        try ListingFields.colleges(call).map {
            ["name": PageWords.safe($0), "isChosen": $0 == chosen]
        }
    }

    /// What the title sold for, month by month.
    private static func shown(_ months: [JSON]) -> [[String: Any]] {
        months.filter { ($0["sold"]?.integerValue ?? 0) > 0 }.map { month in
            [
                "month": month["month"]?.stringValue ?? "", "sold": month["sold"]?.integerValue ?? 0,
                "lowest": PageWords.money(month["lowest"]) ?? "", "average": PageWords.money(month["average"]) ?? "",
                "highest": PageWords.money(month["highest"]) ?? "",
            ]
        }
    }
}

extension String {
    /// A whole number as one.
    fileprivate var numberOrText: JSON { Int64(self).map(JSON.integer) ?? .string(self) }
}

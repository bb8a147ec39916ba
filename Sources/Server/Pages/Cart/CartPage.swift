import Circulation
import Languages
import Scripting
import TextFormats

/// What a patron is about to borrow, buy and rent.
enum CartPage: PageGroup {
    static let templates = [PageTemplate("cart", PackageResources.cart_mustache)]

    static let pages = [
        Page.shown("/cart", .holder) { call in
            let lines = try call.list("/patrons/me/cart").map { try fields(of: $0, call) }
            var values: [String: Any] = ["lines": lines]
            if !lines.isEmpty {
                switch try call.ask(.get, "/patrons/me/cart/total") {
                case .value(let total): values["total"] = Self.fields(ofTotal: total)
                case .refused(let refusal): values["reasons"] = try RefusedPage.reasons(of: refusal, call)
                case .nothing, .notFound: break
                }
            }
            return PageView(template: "cart", title: say("Your cart"), fields: values)
        },
        Page.form("/cart") { call in
            let members = call.members(["title", "listing", "kind", "quantity", "ends_on"], of: .post, lines)
            let back = OwnPath(call.form["back"])?.text
            return try call.act(.post, "/patrons/me/cart", members, back: "/cart", refusedTo: back) { line in
                say("\(PageWords.safe(line["name"]) ?? say("It")) is in your cart.")
            }
        },
        Page.form("/cart/clear") { call in
            try call.act(.delete, "/patrons/me/cart", back: "/cart") { _ in say("Your cart is empty.") }
        },
        Page.form("/cart/{line}") { call in
            let members = call.members(["quantity", "ends_on"], of: .patch, lines + "/{line}")
            return try call.act(.patch, "/patrons/me/cart/\(call.value())", members, back: "/cart") { line in
                say("\(PageWords.safe(line["name"]) ?? say("The line")) has been updated.")
            }
        },
        Page.form("/cart/{line}/remove") { call in
            try call.act(.delete, "/patrons/me/cart/\(call.value())", back: "/cart") { line in
                say("\(PageWords.safe(line["name"]) ?? say("It")) has been removed from your cart.")
            }
        },
        Page.form("/cart/{line}/instead") { call in try choose(call) },
    ]

    private static let lines = "/patrons/{patron}/cart"

    // MARK: - Lines

    private static func fields(of line: JSON, _ call: PageCall) throws -> [String: Any] {
        let kind = line["kind"]?.stringValue ?? ""
        var fields: [String: Any] = [
            "id": line["id"]?.integerValue ?? 0, "name": PageWords.safe(line["name"]) ?? say("Untitled"),
            "kind": ["loan": say("Borrow"), "buy": say("Buy"), "rent": say("Rent")][kind] ?? kind,
            "quantity": line["quantity"]?.integerValue ?? 1, "isLoan": kind == "loan", "isRent": kind == "rent",
        ]
        fields["price"] = PageWords.money(line["price"])
        fields["ends"] = line["ends_on"]?.stringValue
        let title = try line["title"]?.integerValue ?? listing(line["listing"], call)?["title"]?.integerValue
        if let title {
            fields["link"] = TitleFields.link(title)
            fields["choices"] = try choices(for: line, title, call)
        }
        return fields
    }

    private static func listing(_ id: JSON?, _ call: PageCall) throws -> JSON? {
        guard let id = id?.integerValue else { return nil }
        return try call.recordIfAny("/listings/\(id)")
    }

    /// The other ways in which the title of a line can be had.
    private static func choices(for line: JSON, _ title: Int64, _ call: PageCall) throws -> [[String: Any]] {
        var choices: [[String: Any]] = []
        if line["kind"] != "loan", let found = try call.recordIfAny("/titles/\(title)"),
            (found["available"]?.integerValue ?? 0) > 0
        {
            choices.append(["value": "title \(title)", "name": say("Borrow it")])
        }
        let own = try call.holder().id
        for offer in try call.list("/listings", ["isbn": .integer(title), "limit": 20])
        where offer["id"] != line["listing"] && offer["seller"]?.integerValue != own {
            let isRent = offer["kind"] == "rent"
            guard isRent || offer["kind"] == "sell", let id = offer["id"]?.integerValue else { continue }
            choices.append([
                "value": "listing \(id)",
                "name": say("\(isRent ? say("Rent") : say("Buy")) it: \(ListingFields.price(offer))"),
            ])
        }
        return choices
    }

    /// Puts another way to have a title into the cart, and takes the line out once that is done.
    private static func choose(_ call: PageCall) throws -> PageOutcome {
        let parts = (call.form.text("choice") ?? "").split(separator: " ")
        guard parts.count == 2, ["title", "listing"].contains(parts[0]), let id = Int64(parts[1]) else {
            throw Problem.input("Choose one of the other ways to get it.")
        }
        let line = try call.list("/patrons/me/cart").first {
            $0["id"]?.integerValue.map(String.init) == call.values[0]
        }
        guard let line else { throw Problem.notFound }
        var members: JSONObject = [String(parts[0]): .integer(id)]
        // As many as were wanted before, and for as long.
        if parts[0] == "listing" {
            members["quantity"] = line["quantity"]
            let isRent = try listing(.integer(id), call)?["kind"] == "rent"
            if isRent { members["ends_on"] = line["ends_on"] }
        }
        let added = try call.act(.post, "/patrons/me/cart", members, back: "/cart") {
            say("\(PageWords.safe($0["name"]) ?? say("The line")) has been updated.")
        }
        guard case .done = added else { return added }
        guard case .value = try call.ask(.delete, "/patrons/me/cart/\(call.value())") else { throw Problem.notFound }
        return added
    }

    /// What a cart or an order comes to, line by line.
    static func fields(ofTotal total: JSON) -> [String: Any]? {
        let lines = (total["lines"]?.arrayValue ?? []).map { line -> [String: Any] in
            [
                "label": PageWords.safe(line["label"]) ?? "", "amount": PageWords.money(line["amount"]) ?? "",
                "isPrivate": line["item"]?.integerValue != nil,
            ]
        }
        guard !lines.isEmpty, let sum = PageWords.money(total["total"]) else { return nil }
        var fields: [String: Any] = ["lines": lines, "sum": sum]
        // What is owed to sellers is between patrons.
        if let owed = PageWords.money(total["owed"]), owed != sum { fields["owed"] = owed }
        return fields
    }
}

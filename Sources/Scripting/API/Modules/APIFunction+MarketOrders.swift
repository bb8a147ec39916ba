import Circulation
import Desk
import LuaRuntime
import Market

extension APIFunction {
    static let marketBuy = APIFunction(
        "buy", "Buys pieces of a listing, or takes what is traded or given away.",
        details:
            "The policy's `price` says what it costs. What the library itself sells is charged to the buyer's account,"
            + " line by line; what another patron sells is between the two, and stands in the order alone.",
        .named(
            "order", .required("patron", .reference(.patron)), .required("listing", .reference(.listing)),
            .optional("quantity", .integer(1...100_000), "", standard: "1")),
        returns: .written(.record("order")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_owner", "not_offered", "own_listing", "stock", "policy_failed",
        ],
        needs: .marketWrite,
        route: .init(.post, "/listings/{listing}/buy", .holder, own: ["patron"], creates: true, guardian: .listing),
        examples: APIExample(
            MarketExample.offer + #"return market.buy{ patron = "bob", listing = l }.total"#, "4.50 EUR"),
        APIExample(
            MarketExample.offer + #"market.buy{ patron = "bob", listing = l } "#
                + #"return select(2, market.buy{ patron = "carol", listing = l }).code"#, #""stock""#)
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let quantity: Int64 = call.arguments["quantity"] ?? 1
        return try call.write {
            call.answer(
                try $0.market.buy(id, quantity: quantity, patron: patron), APIRecord<Order>.order.table)
        }
    }

    static let marketRent = APIFunction(
        "rent", "Rents pieces of a listing until a date; once none is left, it is hidden until one is given back.",
        .named(
            "rental", .required("patron", .reference(.patron)), .required("listing", .reference(.listing)),
            .optional("ends_on", .date, "the last day; otherwise what the policy's `due` gives"),
            .optional("quantity", .integer(1...100_000), "", standard: "1")),
        returns: .written(.record("rental")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_owner", "not_offered", "own_listing", "stock", "past", "too_long",
            "no_rule", "expired", "blocked", "suspended", "policy_failed",
        ],
        needs: .marketWrite,
        route: .init(.post, "/listings/{listing}/rent", .holder, own: ["patron"], creates: true, guardian: .listing),
        examples: APIExample(
            MarketExample.offerForRent
                + #"market.rent{ patron = "bob", listing = l, ends_on = date "2027-01-07" } "#
                + #"return market.get(l).state, fees.owed("bob")"#, #""hidden", 4.50 EUR"#),
        APIExample(
            MarketExample.offerForRent
                + #"return select(2, market.rent{ patron = "bob", listing = l, ends_on = date "2026-12-01" }).code"#,
            #""past""#)
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let quantity: Int64 = call.arguments["quantity"] ?? 1
        return try call.write {
            call.answer(
                try $0.market.rent(id, quantity: quantity, until: call.arguments["ends_on"], patron: patron),
                APIRecord<Rental>.rental.table)
        }
    }

    static let marketQuote = APIFunction(
        "quote", "Tells what pieces of a listing would cost a patron now, line by line, as the policy's `price` says.",
        .named(
            "order", .required("patron", .reference(.patron)), .required("listing", .reference(.listing)),
            .optional("quantity", .integer(1...100_000), "", standard: "1"),
            .optional("ends_on", .date, "the last day of a rental; otherwise what the policy's `due` gives")),
        returns: .written(.record("cart_total")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_offered", "own_listing", "stock", "past", "too_long", "no_rule",
            "policy_failed",
        ],
        route: .init(.get, "/listings/{listing}/price", .holder, own: ["patron"], guardian: .listing),
        examples: APIExample(
            MarketExample.offerForRent
                + #"return market.quote{ patron = "bob", listing = l, ends_on = date "2027-01-07" }.total"#, "2.00 EUR"),
        APIExample(
            MarketExample.offer
                + #"return select(2, market.quote{ patron = "bob", listing = l, quantity = 2 }).code"#, #""stock""#)
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let quantity: Int64 = call.arguments["quantity"] ?? 1
        return try call.read {
            call.answer(
                try $0.market.quote(id, quantity: quantity, until: call.arguments["ends_on"], patron: patron),
                APIRecord<CartTotal>.cartTotal.table)
        }
    }

    static let marketRentOut = APIFunction(
        "rent_out", "Writes down that something is rented out to a member with whom its lender agreed.",
        details:
            "There is no order, and nothing is charged: what it costs the two settle. The borrower is named as others see "
            + "them (a display name, a username, or a name such as `Reader 62`), gets a message, and may end what is not so.",
        .named(
            "rental", .required("listing", .reference(.listing)),
            .required("borrower", .text(maximum: 200), "the public name"),
            .required("ends_on", .date, "the last day"),
            .optional("quantity", .integer(1...100_000), "", standard: "1"),
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("rental")),
        refusals: [
            "unknown_listing", "unknown_patron", "not_owner", "not_offered", "own_listing", "stock", "past", "too_long",
            "blocked",
        ],
        needs: .marketWrite,
        route: .init(
            .post, "/listings/{listing}/rentals", .holder, own: ["by"], owned: "listing", hidden: ["by"],
            creates: true),
        examples: APIExample(
            MarketExample.offerForRent
                + #"local r = market.rent_out{ listing = l, borrower = "bob", ends_on = date "2027-01-07" } "#
                + #"return r.order, market.get(l).state"#, #"nil, "hidden""#),
        APIExample(
            MarketExample.offerForRent
                + #"return select(2, market.rent_out{ listing = l, borrower = "nobody", "#
                + #"ends_on = date "2027-01-07" }).code"#, #""unknown_patron""#)
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        let (name, ends): (String, CivilDate) = (
            try call.arguments.need("borrower"), try call.arguments.need("ends_on")
        )
        let quantity: Int64 = call.arguments["quantity"] ?? 1
        return try call.write {
            call.answer(
                try $0.market.rentOut(id, to: name, until: ends, quantity: quantity, by: asker),
                APIRecord<Rental>.rental.table)
        }
    }

    static let marketGiveBack = APIFunction(
        "give_back", "Takes back what was rented; the listing is to be had again at the price it had.",
        details:
            "The lender and staff say what came back; of what the lender alone wrote down (`market.rent_out`) the borrower, "
            + "too, may say that it is over.",
        .named(
            "rental", .required("rental", .reference(.rental)),
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("rental")), refusals: ["unknown_rental", "unknown_patron", "not_owner", "closed"],
        needs: .marketWrite,
        route: .init(.post, "/rentals/{rental}/give-back", .holder, own: ["by"], owned: "rental", hidden: ["by"]),
        examples: APIExample(
            MarketExample.offerForRent
                + #"local r = market.rent{ patron = "bob", listing = l, ends_on = date "2027-01-07" } "#
                + "market.give_back(r) return market.get(l).state", #""active""#)
    ) { call in
        let id = try call.id("rental")
        let asker = try call.optionalPatronKey("by")
        return try call.write {
            call.answer(try $0.market.giveBack(id, by: asker), APIRecord<Rental>.rental.table)
        }
    }

    static let marketHandOver = APIFunction(
        "hand_over", "Says that an order was handed over.",
        details: "Whose items all are, and staff, may.",
        .named(
            "order", .required("order", .reference(.order)),
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("order")), refusals: ["unknown_order", "unknown_patron", "not_owner", "closed"],
        needs: .marketWrite,
        route: .init(.post, "/orders/{order}/hand-over", .holder, own: ["by"], owned: "order", hidden: ["by"]),
        examples: APIExample(
            MarketExample.offer
                + #"local order = market.buy{ patron = "bob", listing = l } return market.hand_over(order).state"#,
            #""done""#)
    ) { call in
        let id = try call.id("order")
        let asker = try call.optionalPatronKey("by")
        return try call.write {
            call.answer(try $0.market.handOver(id, by: asker), APIRecord<Order>.order.table)
        }
    }

    static let marketCancel = APIFunction(
        "cancel", "Cancels an order that was not handed over: stock comes back, charges are taken off.",
        .named(
            "order", .required("order", .reference(.order)),
            .optional("reason", .text(maximum: 1000), "why; it becomes part of the event")),
        returns: .written(.record("order")), refusals: ["unknown_order", "not_owner", "closed"], needs: .marketWrite,
        route: .init(.post, "/orders/{order}/cancel", .holder, owned: "order"),
        examples: APIExample(
            MarketExample.offer + #"local order = market.buy{ patron = "bob", listing = l } market.cancel(order) "#
                + #"return market.get(l).quantity, fees.owed("bob")"#, "1, 2.50 EUR")
    ) { call in
        let id = try call.id("order")
        return try call.write {
            call.answer(
                try $0.market.cancel(order: id, reason: call.arguments["reason"]), APIRecord<Order>.order.table)
        }
    }

    static let marketContact = APIFunction(
        "contact", "Writes to the person who offers a listing, in a patron's name.",
        details: "The owner learns the patron's display name (or the username or, where that is an e-mail address, a "
            + "name such as `Reader 62`), no phone number and no address, and the patron nothing.",
        .named(
            "message", .required("patron", .reference(.patron), "who writes"),
            .required("listing", .reference(.listing)),
            .required("message", .text(maximum: 5000))),
        returns: .written(.record("notice")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_owner", "not_offered", "own_listing", "no_owner", "exists",
        ],
        needs: .marketWrite,
        route: .init(.post, "/listings/{listing}/contact", .holder, own: ["patron"], guardian: .listing),
        examples: APIExample(
            MarketExample.offer
                + #"return market.contact{ patron = "bob", listing = l, message = "Is it yours?" }.subject"#,
            #""About your listing: Dune""#)
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let message: String = try call.arguments.need("message")
        return try call.write {
            call.answer(
                try $0.market.contact(id, from: patron, message: message), APIRecord<Notice>.notice.table)
        }
    }
}

import Circulation
import Desk
import LuaRuntime
import Market

extension APIModule {
    static let market = APIModule(
        "market", "What patrons and the library sell, rent out, trade and give away.",
        [
            .marketGet, .marketListings, .marketOrders, .marketRentals, .marketPriceHistory,
            .marketPublish, .marketUpdate, .marketWithdraw, .marketAddPicture, .marketRemovePicture, .marketMovePicture,
            .marketApprove,
            .marketReject, .marketBuy, .marketRent,
            .marketQuote, .marketRentOut, .marketGiveBack, .marketHandOver, .marketCancel, .marketContact,
        ])
}

/// Listings that examples begin with.
enum MarketExample {
    static let offer =
        #"local l = market.publish{ seller = "ada", title = "9780441013593", kind = "sell", price = "4.50" } "#
    /// The sample library's policy lets staff look at gifts.
    static let gift = #"local l = market.publish{ seller = "ada", title = "9780441013593", kind = "donate" } "#
    static let offerForRent =
        #"local l = market.publish{ title = "9780441013593", kind = "rent", price = "1.00", period = days(7) } "#
}

extension APIFunction {
    static let marketGet = APIFunction(
        "get", "Finds one listing by its id, in any state.",
        [.required("listing", .reference(.listing))],
        returns: .found(.record("listing")), route: .init(.get, "/listings/{listing}", .everyone, guardian: .listing),
        examples: APIExample(MarketExample.offer + "return market.get(l).name", #""Dune""#),
        APIExample("market.get(999999)", "nil")
    ) { call in
        let id = try call.id("listing")
        return try call.read { session in
            call.found(try session.market.get(id).map { try ListingRow($0, in: session) }, .listing)
        }
    }

    static let marketListings = APIFunction(
        "listings", "Lists what is offered, the newest first.",
        details: "Phone numbers and addresses of sellers are not told: `market.contact` writes to them.",
        .named(
            "query",
            [
                .optional("isbn", .reference(.title), "only of this title"),
                .optional("course", .text(maximum: 200), "only of titles of this course"),
                .optional("college", .text(maximum: 200), "only of titles of this college"),
                .optional("text", .text(maximum: 1000), "only of titles that have these words"),
                .optional(
                    "prefix", .boolean, "words, of course and college too, may be the beginnings of others",
                    standard: "false"),
                .optional("recommended", .boolean, "only what its seller recommends", standard: "false"),
                .optional("kind", .choice(Listing.Kind.allCases.map(\.rawValue)), "only of this kind"),
                .optional("seller", .reference(.patron), "only this patron's"),
                .optional(
                    "state", .choice(Listing.State.allCases.map(\.rawValue) + ["all"]), "",
                    standard: "\"active\""),
            ] + APIParameter.part(100, of: 0...10_000)),
        returns: .value(.list(.record("listing"))), route: .init(.get, "/listings", .everyone, guardian: .listings),
        examples: APIExample(
            MarketExample.offer + #"return #market.listings{ isbn = "9780441013593", kind = "sell" }"#, "1"),
        APIExample(#"#market.listings{ text = "dune" }"#, "0")
    ) { call in
        let query = try call.listingQuery()
        return try call.read { session in
            let listings = try session.market.listings(query)
            return [APIRecord<ListingRow>.listing.list(try listings.map { try ListingRow($0, in: session) })]
        }
    }

    static let marketOrders = APIFunction(
        "orders", "Lists orders, the latest first.",
        .named(
            "query",
            [
                .optional("buyer", .reference(.patron), "only this patron's"),
                .optional("seller", .reference(.patron), "only with something of this patron's"),
                .optional("state", .choice(Order.State.allCases.map(\.rawValue)), "only in this state"),
            ] + APIParameter.part(100, of: 0...10_000)),
        returns: .value(.list(.record("order"))), route: .init(.get, "/orders", .holder, own: ["buyer", "seller"]),
        examples: APIExample(
            MarketExample.offer
                + #"market.buy{ patron = "bob", listing = l } return market.orders{ buyer = "bob" }[1].total"#,
            "4.50 EUR")
    ) { call in
        let buyer = try call.optionalPatronKey("buyer")
        let seller = try call.optionalPatronKey("seller")
        let state: Order.State? = call.word("state")
        return try call.read { session in
            [
                APIRecord<Order>.order.list(
                    try session.market.orders(buyer: buyer, seller: seller, state: state, call.part(100)))
            ]
        }
    }

    static let marketRentals = APIFunction(
        "rentals", "Lists rentals, the latest first; open ones unless told otherwise.",
        .named(
            "query",
            [
                .optional("lender", .reference(.patron), "only of what this patron rents out"),
                .optional("borrower", .reference(.patron), "only this patron's"),
                .optional("state", .choice(["open", "ended", "all"]), "", standard: "\"open\""),
            ] + APIParameter.part(100, of: 0...10_000)),
        returns: .value(.list(.record("rental"))),
        route: .init(.get, "/rentals", .holder, own: ["borrower", "lender"]),
        examples: APIExample(
            MarketExample.offerForRent
                + #"market.rent{ patron = "bob", listing = l, ends_on = date "2027-01-07" } "#
                + #"return market.rentals{ borrower = "bob" }[1].ends_on"#, "2027-01-07")
    ) { call in
        let lender = try call.optionalPatronKey("lender")
        let borrower = try call.optionalPatronKey("borrower")
        let state: String = call.arguments["state"] ?? "open"
        return try call.read { session in
            [
                APIRecord<Rental>.rental.list(
                    try session.market.rentals(
                        lender: lender, borrower: borrower, isOpen: state == "all" ? nil : state == "open",
                        call.part(100)))
            ]
        }
    }

    static let marketPriceHistory = APIFunction(
        "price_history",
        "Tells what a title sold for in this month and the eleven before it, by real orders, the oldest first.",
        [.required("isbn", .reference(.title))],
        returns: .found(.list(.record("month_of_sales"))), route: .init(.get, "/titles/{isbn}/prices", .everyone),
        examples: APIExample(
            MarketExample.offer
                + #"market.buy{ patron = "bob", listing = l } local h = market.price_history("9780441013593") "#
                + "return #h, h[12].month, h[12].sold, h[12].average, h[11].sold",
            #"12, "2026-12", 1, 4.50 EUR, 0"#),
        APIExample(#"market.price_history("9780140449136")"#, "nil")
    ) { call in
        let key = try call.titleKey("isbn")
        return try call.read { session in
            [try session.market.priceHistory(of: key).map { APIRecord<MonthOfSales>.monthOfSales.list($0) } ?? .nil]
        }
    }
}

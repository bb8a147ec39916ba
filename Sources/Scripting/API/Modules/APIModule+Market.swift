import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let market = APIModule(
        "market", "What patrons and the library sell, rent out, trade and give away.",
        [
            .marketGet, .marketListings, .marketOrders, .marketRentals, .marketPriceHistory,
            .marketPublish, .marketUpdate, .marketWithdraw, .marketApprove, .marketReject, .marketBuy, .marketRent,
            .marketGiveBack, .marketHandOver, .marketCancel, .marketContact,
        ])
}

private let offer =
    #"local l = market.publish{ seller = "ada", title = "9780441013593", kind = "sell", price = "4.50" } "#
private let offerForRent =
    #"local l = market.publish{ title = "9780441013593", kind = "rent", price = "1.00", period = days(7) } "#

// MARK: - Reading

extension APIFunction {
    fileprivate static let marketGet = APIFunction(
        "get", "Finds one listing by its id, in any state.",
        [.required("listing", .reference(.listing), "")],
        returns: .found(.record("listing")),
        examples: [
            APIExample(offer + "return market.get(l).name", #""Dune""#), APIExample("market.get(999999)", "nil"),
        ]
    ) { call in
        let id = try call.id("listing")
        return try call.read { session in
            call.found(try session.market.get(id).map { try ListingRow($0, in: session) }, .listing)
        }
    }

    fileprivate static let marketListings = APIFunction(
        "listings", "Lists what is offered, the newest first.",
        details: "Phone numbers and addresses of sellers are not told: `market.contact` writes to them.",
        [
            .required(
                "query",
                .fields([
                    .optional("isbn", .reference(.title), "only of this title"),
                    .optional("course", .text(maximum: 200), "only of titles of this course"),
                    .optional("college", .text(maximum: 200), "only of titles of this college"),
                    .optional("text", .text(maximum: 1000), "only of titles that have these words"),
                    .optional("kind", .choice(Listing.Kind.allCases.map(\.rawValue)), "only of this kind"),
                    .optional("seller", .reference(.patron), "only this patron's"),
                    .optional(
                        "state", .choice(Listing.State.allCases.map(\.rawValue) + ["all"]), "", standard: "\"active\""),
                    .optional("limit", .integer(0...10_000), "how many at most", standard: "100"),
                    .optional("offset", .count, "how many to pass over", standard: "0"),
                ]), "")
        ],
        returns: .value(.list(.record("listing"))),
        examples: [
            APIExample(offer + #"return #market.listings{ isbn = "9780441013593", kind = "sell" }"#, "1"),
            APIExample(#"#market.listings{ text = "dune" }"#, "0"),
        ]
    ) { call in
        let query = try call.listingQuery()
        return try call.read { session in
            let listings = try session.market.listings(query)
            return [APIRecord<ListingRow>.listing.list(try listings.map { try ListingRow($0, in: session) })]
        }
    }

    fileprivate static let marketOrders = APIFunction(
        "orders", "Lists orders, the latest first.",
        [
            .required(
                "query",
                .fields([
                    .optional("buyer", .reference(.patron), "only this patron's"),
                    .optional("seller", .reference(.patron), "only with something of this patron's"),
                    .optional("state", .choice(Order.State.allCases.map(\.rawValue)), "only in this state"),
                    .optional("limit", .integer(0...10_000), "how many at most", standard: "100"),
                ]), "")
        ],
        returns: .value(.list(.record("order"))),
        examples: [
            APIExample(
                offer + #"market.buy{ patron = "bob", listing = l } return market.orders{ buyer = "bob" }[1].total"#,
                "4.50 EUR")
        ]
    ) { call in
        let buyer = try call.optionalPatronKey("buyer")
        let seller = try call.optionalPatronKey("seller")
        let state: Order.State? = call.word("state")
        let limit = call.number("limit", standard: 100)
        return try call.read { session in
            [
                APIRecord<Order>.order.list(
                    try session.market.orders(buyer: buyer, seller: seller, state: state, limit: limit))
            ]
        }
    }

    fileprivate static let marketRentals = APIFunction(
        "rentals", "Lists rentals, the latest first; open ones unless told otherwise.",
        [
            .required(
                "query",
                .fields([
                    .optional("lender", .reference(.patron), "only of what this patron rents out"),
                    .optional("borrower", .reference(.patron), "only this patron's"),
                    .optional("state", .choice(["open", "ended", "all"]), "", standard: "\"open\""),
                    .optional("limit", .integer(0...10_000), "how many at most", standard: "100"),
                ]), "")
        ],
        returns: .value(.list(.record("rental"))),
        examples: [
            APIExample(
                offerForRent + #"market.rent{ patron = "bob", listing = l, ends_on = date "2027-01-07" } "#
                    + #"return market.rentals{ borrower = "bob" }[1].ends_on"#, "2027-01-07")
        ]
    ) { call in
        let lender = try call.optionalPatronKey("lender")
        let borrower = try call.optionalPatronKey("borrower")
        let state: String = call.arguments["state"] ?? "open"
        let limit = call.number("limit", standard: 100)
        return try call.read { session in
            [
                APIRecord<Rental>.rental.list(
                    try session.market.rentals(
                        lender: lender, borrower: borrower, isOpen: state == "all" ? nil : state == "open",
                        limit: limit))
            ]
        }
    }

    fileprivate static let marketPriceHistory = APIFunction(
        "price_history",
        "Tells what a title sold for in this month and the eleven before it, by real orders, the oldest first.",
        [.required("isbn", .reference(.title), "")],
        returns: .found(.list(.record("month_of_sales"))),
        examples: [
            APIExample(
                offer + #"market.buy{ patron = "bob", listing = l } local h = market.price_history("9780441013593") "#
                    + "return #h, h[12].month, h[12].sold, h[12].average, h[11].sold",
                #"12, "2026-12", 1, 4.50 EUR, 0"#),
            APIExample(#"market.price_history("9780140449136")"#, "nil"),
        ]
    ) { call in
        let key = try call.titleKey("isbn")
        return try call.read { session in
            [try session.market.priceHistory(of: key).map { APIRecord<MonthOfSales>.monthOfSales.list($0) } ?? .nil]
        }
    }
}

// MARK: - Listings

extension APIFunction {
    private static let described: [APIParameter] = [
        .optional("price", .money, "of one piece, of a rental for each `period`"),
        .optional("period", .period, "what a rental's price is for, in days, weeks or months", standard: "days(1)"),
        .optional("quantity", .integer(0...100_000), "pieces that can be had", standard: "1"),
        .optional("condition", .text(maximum: 1000), ""),
        .optional("edition", .text(maximum: 1000), ""),
        .optional("picture", .text(maximum: 1000), "an http or https address"),
        .optional("note", .text, "the seller's own words"),
    ]

    fileprivate static let marketPublish = APIFunction(
        "publish", "Offers something, if the policy's `publish` allows it; it may leave it to staff (state `review`).",
        details:
            "What is offered is a `title` or `isbn` of the catalogue, or described by `name` and what is known of it; a "
            + "title that is new to the catalogue is put into it once the listing is published. Without `seller` the "
            + "library itself offers it, and no policy is asked.",
        [
            .required(
                "listing",
                .fields(
                    [
                        .optional("seller", .reference(.patron), "left out: the library itself"),
                        .optional("title", .reference(.title), "a title of the catalogue"),
                        .optional("isbn", .text(maximum: 50), "the same by ISBN, or with `name` what it will be"),
                        .optional("name", .text(maximum: 1000), "the name of a title that the catalogue may lack"),
                        .optional("authors", .list(.text(maximum: 500)), "with `name`"),
                        .optional("courses", .list(.text(maximum: 100)), "with `name`: codes of courses that use it"),
                        .optional("college", .text(maximum: 200), "with `name`"),
                        .required("kind", .choice(Listing.Kind.allCases.map(\.rawValue)), ""),
                    ] + described + [
                        .optional("draft", .boolean, "keep it back for now", standard: "false")
                    ]), "")
        ],
        returns: .written(.record("listing")),
        refusals: ["unknown_patron", "unknown_title", "not_owner", "policy_failed"], needs: .marketWrite,
        examples: [
            APIExample(
                #"market.publish{ seller = "ada", isbn = "9780441013593", kind = "sell", price = money "4.50", "#
                    + #"condition = "well read" }.state"#, #""active""#),
            APIExample(
                #"select(2, market.publish{ seller = "ada", isbn = "9780140449136", kind = "donate" }).code"#,
                #""unknown_title""#),
        ]
    ) { call in
        let request = try call.listingRequest()
        return try call.changeListing { try $0.market.publish(request) }
    }

    fileprivate static let marketUpdate = APIFunction(
        "update", "Changes a listing; one that is offered is decided by the policy's `publish` anew.",
        details:
            "Its owner and staff may. `state` is `active`, `hidden` or `draft`; `market.withdraw` ends a listing.",
        [
            .required(
                "listing",
                .fields(
                    [
                        .required("listing", .reference(.listing), ""),
                        .optional("by", .reference(.patron), "the patron who asks; left out: staff"),
                    ] + described + [
                        .optional("state", .choice(["active", "hidden", "draft"]), "")
                    ]), "")
        ],
        returns: .written(.record("listing")),
        refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed", "review", "stock", "policy_failed"],
        needs: .marketWrite,
        examples: [
            APIExample(offer + #"return market.update{ listing = l, by = "ada", price = "3.00" }.price"#, "3.00 EUR"),
            APIExample(
                offer + #"return select(2, market.update{ listing = l, by = "bob", price = "0.01" }).code"#,
                #""not_owner""#),
        ]
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        let update = ListingUpdate(
            price: call.arguments["price"], period: call.arguments["period"], quantity: call.arguments["quantity"],
            condition: call.arguments["condition"], edition: call.arguments["edition"],
            picture: call.arguments["picture"], note: call.arguments["note"], state: call.word("state"))
        return try call.changeListing { try $0.market.update(id, update, by: asker) }
    }

    fileprivate static let marketWithdraw = APIFunction(
        "withdraw", "Takes a listing back for good.",
        [
            .required(
                "listing",
                .fields([
                    .required("listing", .reference(.listing), ""),
                    .optional("by", .reference(.patron), "the patron who asks; left out: staff"),
                ]), "")
        ],
        returns: .written(.record("listing")), refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed"],
        needs: .marketWrite,
        examples: [APIExample(offer + "return market.withdraw(l).state", #""withdrawn""#)]
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        return try call.changeListing { try $0.market.withdraw(id, by: asker) }
    }

    private static let decision: [APIParameter] = [
        .required(
            "listing",
            .fields([
                .required("listing", .reference(.listing), ""),
                .optional("message", .text(maximum: 1000), "what the seller is told"),
            ]), "")
    ]

    fileprivate static let marketApprove = APIFunction(
        "approve", "Publishes a listing that waits for a review, and tells its seller.",
        details: "A title that is new to the catalogue is put into it.", decision,
        returns: .written(.record("listing")), refusals: ["unknown_listing", "not_owner", "closed"],
        needs: .marketWrite,
        examples: [APIExample(offer + "return select(2, market.approve(l)).code", #""closed""#)]
    ) { call in
        let id = try call.id("listing")
        return try call.changeListing {
            try $0.market.decide(id, publish: true, message: call.arguments["message"])
        }
    }

    fileprivate static let marketReject = APIFunction(
        "reject", "Makes a listing that waits for a review a draft again, and tells its seller.", decision,
        returns: .written(.record("listing")), refusals: ["unknown_listing", "not_owner", "closed"],
        needs: .marketWrite,
        examples: [APIExample("select(2, market.reject(999999)).code", #""unknown_listing""#)]
    ) { call in
        let id = try call.id("listing")
        return try call.changeListing {
            try $0.market.decide(id, publish: false, message: call.arguments["message"])
        }
    }
}

// MARK: - Orders and rentals

extension APIFunction {
    fileprivate static let marketBuy = APIFunction(
        "buy", "Buys pieces of a listing, or takes what is traded or given away.",
        details: "The policy's `price` says what it costs; each line of it is charged to the buyer's account.",
        [
            .required(
                "order",
                .fields([
                    .required("patron", .reference(.patron), ""),
                    .required("listing", .reference(.listing), ""),
                    .optional("quantity", .integer(1...100_000), "", standard: "1"),
                ]), "")
        ],
        returns: .written(.record("order")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_owner", "not_offered", "own_listing", "stock", "policy_failed",
        ],
        needs: .marketWrite,
        examples: [
            APIExample(offer + #"return market.buy{ patron = "bob", listing = l }.total"#, "4.50 EUR"),
            APIExample(
                offer + #"market.buy{ patron = "bob", listing = l } "#
                    + #"return select(2, market.buy{ patron = "carol", listing = l }).code"#, #""stock""#),
        ]
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let quantity: Int64 = call.arguments["quantity"] ?? 1
        return try call.write {
            call.answer(
                try $0.market.buy(id, quantity: quantity, patron: patron), APIRecord<Order>.order.table)
        }
    }

    fileprivate static let marketRent = APIFunction(
        "rent", "Rents pieces of a listing until a date; once none is left, it is hidden until one is given back.",
        [
            .required(
                "rental",
                .fields([
                    .required("patron", .reference(.patron), ""),
                    .required("listing", .reference(.listing), ""),
                    .optional("ends_on", .date, "the last day; otherwise what the policy's `due` gives"),
                    .optional("quantity", .integer(1...100_000), "", standard: "1"),
                ]), "")
        ],
        returns: .written(.record("rental")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_owner", "not_offered", "own_listing", "stock", "past", "too_long",
            "no_rule", "expired", "blocked", "suspended", "policy_failed",
        ],
        needs: .marketWrite,
        examples: [
            APIExample(
                offerForRent + #"market.rent{ patron = "bob", listing = l, ends_on = date "2027-01-07" } "#
                    + #"return market.get(l).state, fees.owed("bob")"#, #""hidden", 4.50 EUR"#),
            APIExample(
                offerForRent
                    + #"return select(2, market.rent{ patron = "bob", listing = l, ends_on = date "2026-12-01" }).code"#,
                #""past""#),
        ]
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let quantity: Int64 = call.arguments["quantity"] ?? 1
        return try call.write {
            call.answer(
                try $0.market.rent(id, quantity: quantity, until: call.arguments["ends_on"], patron: patron),
                APIRecord<Rental>.rental.table)
        }
    }

    fileprivate static let marketGiveBack = APIFunction(
        "give_back", "Takes back what was rented; the listing is to be had again at the price it had.",
        details: "The lender and staff say what came back.",
        [
            .required(
                "rental",
                .fields([
                    .required("rental", .reference(.rental), ""),
                    .optional("by", .reference(.patron), "the patron who asks; left out: staff"),
                ]), "")
        ],
        returns: .written(.record("rental")), refusals: ["unknown_rental", "unknown_patron", "not_owner", "closed"],
        needs: .marketWrite,
        examples: [
            APIExample(
                offerForRent
                    + #"local r = market.rent{ patron = "bob", listing = l, ends_on = date "2027-01-07" } "#
                    + "market.give_back(r) return market.get(l).state", #""active""#)
        ]
    ) { call in
        let id = try call.id("rental")
        let asker = try call.optionalPatronKey("by")
        return try call.write {
            call.answer(try $0.market.giveBack(id, by: asker), APIRecord<Rental>.rental.table)
        }
    }

    fileprivate static let marketHandOver = APIFunction(
        "hand_over", "Says that an order was handed over.",
        details: "Whose items all are, and staff, may.",
        [
            .required(
                "order",
                .fields([
                    .required("order", .reference(.order), ""),
                    .optional("by", .reference(.patron), "the patron who asks; left out: staff"),
                ]), "")
        ],
        returns: .written(.record("order")), refusals: ["unknown_order", "unknown_patron", "not_owner", "closed"],
        needs: .marketWrite,
        examples: [
            APIExample(
                offer
                    + #"local order = market.buy{ patron = "bob", listing = l } return market.hand_over(order).state"#,
                #""done""#)
        ]
    ) { call in
        let id = try call.id("order")
        let asker = try call.optionalPatronKey("by")
        return try call.write {
            call.answer(try $0.market.handOver(id, by: asker), APIRecord<Order>.order.table)
        }
    }

    fileprivate static let marketCancel = APIFunction(
        "cancel", "Cancels an order that was not handed over: stock comes back, charges are taken off.",
        [
            .required(
                "order",
                .fields([
                    .required("order", .reference(.order), ""),
                    .optional("reason", .text(maximum: 1000), "why; it becomes part of the event"),
                ]), "")
        ],
        returns: .written(.record("order")), refusals: ["unknown_order", "not_owner", "closed"], needs: .marketWrite,
        examples: [
            APIExample(
                offer + #"local order = market.buy{ patron = "bob", listing = l } market.cancel(order) "#
                    + #"return market.get(l).quantity, fees.owed("bob")"#, "1, 2.50 EUR")
        ]
    ) { call in
        let id = try call.id("order")
        return try call.write {
            call.answer(
                try $0.market.cancel(order: id, reason: call.arguments["reason"]), APIRecord<Order>.order.table)
        }
    }

    fileprivate static let marketContact = APIFunction(
        "contact", "Writes to whoever offers a listing, in a patron's name.",
        details: "The owner learns the patron's username, no phone number and no address, and the patron nothing.",
        [
            .required(
                "message",
                .fields([
                    .required("patron", .reference(.patron), "who writes"),
                    .required("listing", .reference(.listing), ""),
                    .required("message", .text(maximum: 5000), ""),
                ]), "")
        ],
        returns: .written(.record("notice")),
        refusals: [
            "unknown_patron", "unknown_listing", "not_owner", "not_offered", "own_listing", "no_owner", "exists",
        ],
        needs: .marketWrite,
        examples: [
            APIExample(
                offer + #"return market.contact{ patron = "bob", listing = l, message = "Is it yours?" }.subject"#,
                #""About your listing: Dune""#)
        ]
    ) { call in
        let (id, patron) = (try call.id("listing"), try call.patronKey("patron"))
        let message: String = try call.arguments.need("message")
        return try call.write {
            call.answer(
                try $0.market.contact(id, from: patron, message: message), APIRecord<Notice>.notice.table)
        }
    }
}

// MARK: - Arguments

extension APICall {
    fileprivate func changeListing(_ body: (DeskSession) throws -> Outcome<Listing>) throws -> [LuaValue] {
        try write { session in
            try answer(try body(session)) { APIRecord<ListingRow>.listing.table(try ListingRow($0, in: session)) }
        }
    }

    /// The key of a patron who may be left out.
    func optionalPatronKey(_ name: String) throws -> PatronKey? {
        arguments.has(name) ? try patronKey(name) : nil
    }

    fileprivate func listingQuery() throws -> ListingQuery {
        let state: String = arguments["state"] ?? "active"
        return ListingQuery(
            title: arguments.has("isbn") ? try titleKey("isbn") : nil, seller: try optionalPatronKey("seller"),
            kind: word("kind"), states: state == "all" ? [] : [Listing.State(rawValue: state) ?? .active],
            words: arguments["text"], course: arguments["course"], college: arguments["college"],
            limit: number("limit", standard: 100), offset: number("offset", standard: 0))
    }

    /// What a proposal says of a title.
    func proposal(named name: String) throws -> TitleProposal {
        TitleProposal(
            isbn: try (arguments["isbn"] as String?).map { try ISBN($0) }, title: name,
            authors: arguments["authors"] ?? [], courses: arguments["courses"] ?? [], college: arguments["college"])
    }

    fileprivate func listingRequest() throws -> ListingRequest {
        var request = ListingRequest(
            seller: try optionalPatronKey("seller"), kind: word("kind") ?? .sell, price: arguments["price"],
            period: arguments["period"], quantity: arguments["quantity"] ?? 1,
            condition: arguments["condition"] ?? "", edition: arguments["edition"] ?? "",
            picture: arguments["picture"], note: arguments["note"] ?? "", isDraft: arguments["draft"] ?? false)
        if arguments.has("title") {
            guard !arguments.has("name"), !arguments.has("isbn") else {
                throw fault("only one of 'title', 'isbn' and 'name' may say what is offered")
            }
            request.title = try titleKey("title")
        } else if let name: String = arguments["name"] {
            request.proposal = try proposal(named: name)
        } else if let isbn: String = arguments["isbn"] {
            request.title = .isbn(try ISBN(isbn))
        } else {
            throw fault("one of 'title', 'isbn' and 'name' is needed")
        }
        return request
    }
}

import Circulation
import Desk
import LuaRuntime
import Market

extension APIFunction {
    private static let described: [APIParameter] = [
        .optional("price", .money, "of one piece, of a rental for each `period`"),
        .optional("period", .period, "what a rental's price is for, in days, weeks or months", standard: "days(1)"),
        .optional("quantity", .integer(0...100_000), "pieces that can be had", standard: "1"),
        .optional("condition", .text(maximum: 1000)),
        .optional("edition", .text(maximum: 1000)),
        .optional("picture", .text(maximum: 1000), "an http or https address"),
        .optional("note", .text, "the seller's own words"),
        .optional("recommended", .boolean, "whether its seller recommends it"),
    ]

    static let marketPublish = APIFunction(
        "publish", "Offers something, if the policy's `publish` allows it; it may leave it to staff (state `review`).",
        details:
            "What is offered is a `title` or `isbn` of the catalogue, or described by `name` and what is known of it; a "
            + "title that is new to the catalogue is put into it once the listing is published. Without `seller` the "
            + "library itself offers it, and no policy is asked.",
        .named(
            "listing",
            [
                .optional("seller", .reference(.patron), "left out: the library itself"),
                .optional("title", .reference(.title), "a title of the catalogue"),
                .optional("isbn", .text(maximum: 50), "the same by ISBN, or with `name` what it will be"),
                .optional("name", .text(maximum: 1000), "the name of a title that the catalogue may lack"),
                .optional("authors", .list(.text(maximum: 500)), "with `name`"),
                .optional("courses", .list(.text(maximum: 100)), "with `name`: codes of courses that use it"),
                .optional("college", .text(maximum: 200), "with `name`"),
                .required("kind", .choice(Listing.Kind.allCases.map(\.rawValue))),
            ] + described + [
                .optional("draft", .boolean, "keep it back for now", standard: "false")
            ]),
        returns: .written(.record("listing")),
        refusals: ["unknown_patron", "unknown_title", "not_owner", "policy_failed"], needs: .marketWrite,
        route: .init(.post, "/listings", .holder, own: ["seller"], creates: true),
        examples: APIExample(
            #"market.publish{ seller = "ada", isbn = "9780441013593", kind = "sell", price = money "4.50", "#
                + #"condition = "well read" }.state"#, #""active""#),
        APIExample(
            #"select(2, market.publish{ seller = "ada", isbn = "9780140449136", kind = "donate" }).code"#,
            #""unknown_title""#)
    ) { call in
        let request = try call.listingRequest()
        return try call.changeListing { try $0.market.publish(request) }
    }

    static let marketUpdate = APIFunction(
        "update", "Changes a listing; one that is offered is decided by the policy's `publish` anew.",
        details:
            "Its owner and staff may. `state` is `active`, `hidden` or `draft`; `market.withdraw` ends a listing.",
        .named(
            "listing",
            [
                .required("listing", .reference(.listing)),
                .optional("by", .reference(.patron), "the patron who asks; left out: staff"),
            ] + described + [
                .optional("state", .choice(["active", "hidden", "draft"]), "")
            ]),
        returns: .written(.record("listing")),
        refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed", "review", "stock", "policy_failed"],
        needs: .marketWrite,
        route: .init(.patch, "/listings/{listing}", .holder, own: ["by"], owned: "listing", hidden: ["by"]),
        examples: APIExample(
            MarketExample.offer + #"return market.update{ listing = l, by = "ada", price = "3.00" }.price"#,
            "3.00 EUR"),
        APIExample(
            MarketExample.offer
                + #"return select(2, market.update{ listing = l, by = "bob", price = "0.01" }).code"#,
            #""not_owner""#)
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        let update = ListingUpdate(
            price: call.arguments["price"], period: call.arguments["period"], quantity: call.arguments["quantity"],
            condition: call.arguments["condition"], edition: call.arguments["edition"],
            picture: call.arguments["picture"], note: call.arguments["note"],
            recommended: call.arguments["recommended"], state: call.word("state"))
        return try call.changeListing { try $0.market.update(id, update, by: asker) }
    }

    static let marketWithdraw = APIFunction(
        "withdraw", "Takes a listing back for good.",
        .named(
            "listing", .required("listing", .reference(.listing)),
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("listing")), refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed"],
        needs: .marketWrite,
        route: .init(.delete, "/listings/{listing}", .holder, own: ["by"], owned: "listing", hidden: ["by"]),
        examples: APIExample(MarketExample.offer + "return market.withdraw(l).state", #""withdrawn""#)
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        return try call.changeListing { try $0.market.withdraw(id, by: asker) }
    }

    private static let decision: [APIParameter] = [
        .required(
            "listing",
            .fields([
                .required("listing", .reference(.listing)),
                .optional("message", .text(maximum: 1000), "what the seller is told"),
            ]), "")
    ]

    static let marketApprove = APIFunction(
        "approve", "Publishes a listing that waits for a review, and tells its seller.",
        details: "A title that is new to the catalogue is put into it.", decision,
        returns: .written(.record("listing")), refusals: ["unknown_listing", "not_owner", "closed"],
        needs: .marketWrite, route: .init(.post, "/listings/{listing}/approve", .staff),
        examples: APIExample(MarketExample.gift + "return l.state, market.approve(l).state", #""review", "active""#),
        APIExample(MarketExample.offer + "return select(2, market.approve(l)).code", #""closed""#)
    ) { call in
        let id = try call.id("listing")
        return try call.changeListing {
            try $0.market.decide(id, publish: true, message: call.arguments["message"])
        }
    }

    static let marketReject = APIFunction(
        "reject", "Makes a listing that waits for a review a draft again, and tells its seller.", decision,
        returns: .written(.record("listing")), refusals: ["unknown_listing", "not_owner", "closed"],
        needs: .marketWrite, route: .init(.post, "/listings/{listing}/reject", .staff),
        examples: APIExample(
            MarketExample.gift + #"return market.reject{ listing = l, message = "Too worn" }.decision"#,
            #""Too worn""#),
        APIExample("select(2, market.reject(999999)).code", #""unknown_listing""#)
    ) { call in
        let id = try call.id("listing")
        return try call.changeListing {
            try $0.market.decide(id, publish: false, message: call.arguments["message"])
        }
    }
}

extension APICall {
    func changeListing(_ body: (DeskSession) throws -> Outcome<Listing>) throws -> [LuaValue] {
        try write { session in
            try answer(try body(session)) { APIRecord<ListingRow>.listing.table(try ListingRow($0, in: session)) }
        }
    }

    /// The key of a patron who may be left out.
    func optionalPatronKey(_ name: String) throws -> PatronKey? {
        arguments.has(name) ? try patronKey(name) : nil
    }

    func listingQuery() throws -> ListingQuery {
        let state: String = arguments["state"] ?? "active"
        return ListingQuery(
            title: arguments.has("isbn") ? try titleKey("isbn") : nil, seller: try optionalPatronKey("seller"),
            kind: word("kind"), states: state == "all" ? [] : [Listing.State(rawValue: state) ?? .active],
            words: arguments["text"], course: arguments["course"], college: arguments["college"],
            prefix: arguments["prefix"] ?? false, recommended: arguments["recommended"] ?? false,
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
            picture: arguments["picture"], note: arguments["note"] ?? "",
            recommended: arguments["recommended"] ?? false, isDraft: arguments["draft"] ?? false)
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

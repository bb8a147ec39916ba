import Circulation
import Desk
import LuaRuntime
import Market

extension APIModule {
    static let cart = APIModule(
        "cart", "What patrons are about to borrow, buy and rent.",
        [.cartItems, .cartTotal, .cartAdd, .cartSet, .cartRemove, .cartClear, .cartCheckout])
}

private let filled = #"cart.add{ patron = "bob", title = "9780261103573" } "#
private let offered =
    #"local l = market.publish{ title = "9780261103573", kind = "sell", price = "4.50", quantity = 3 } "#

extension APIFunction {
    private static let ofPatron: [APIParameter] = [.required("patron", .reference(.patron))]
    private static let shared = [
        "unknown_patron", "not_owner", "unknown_listing", "not_offered", "own_listing", "stock", "past", "too_long",
        "no_rule", "policy_failed",
    ]
    private static let lending = ["unknown_title", "no_copies", "limit", "not_lent", "held_for_other", "same_title"]

    fileprivate static let cartItems = APIFunction(
        "items", "Lists what is in a patron's cart, in the order in which it was added.", ofPatron,
        returns: .value(.list(.record("cart_line"))),
        route: .init(.get, "/patrons/{patron}/cart", .holder, own: ["patron"]),
        examples: APIExample(filled + #"return cart.items("bob")[1].name"#, #""The Fellowship of the Ring""#),
        APIExample(#"#cart.items("carol")"#, "0")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { session in
            let rows = try session.carts.items(of: key).map { try CartRow($0, in: session) }
            return [APIRecord<CartRow>.cartLine.list(rows)]
        }
    }

    fileprivate static let cartTotal = APIFunction(
        "total", "Tells what a cart would cost now, line by line, as the policy's `price` says.",
        details: "Loans cost nothing here: what borrowing costs is charged with the loan.", ofPatron,
        returns: .written(.record("cart_total")), refusals: shared + ["price_changed"],
        route: .init(.get, "/patrons/{patron}/cart/total", .holder, own: ["patron"]),
        examples: APIExample(
            offered + #"cart.add{ patron = "bob", listing = l, quantity = 2 } return cart.total("bob").total"#,
            "9.00 EUR")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { call.answer(try $0.carts.total(of: key), APIRecord<CartTotal>.cartTotal.table) }
    }

    fileprivate static let cartAdd = APIFunction(
        "add", "Puts a title to borrow, or pieces of a listing to buy or rent, into a cart.",
        details:
            "It is checked as the checkout will: a title is refused if it could not be borrowed now together with those "
            + "that are in the cart already. A listing that is in the cart gets more pieces.",
        .named(
            "line", .required("patron", .reference(.patron)),
            .optional(
                "kind", .choice(SaleKind.allCases.map(\.rawValue)),
                "otherwise `loan` of a title, `rent` or `buy` of a listing as it is offered"),
            .optional("title", .reference(.title), "the title to borrow"),
            .optional("listing", .reference(.listing), "the listing to buy or rent from"),
            .optional("quantity", .integer(1...100_000), "", standard: "1"),
            .optional("ends_on", .date, "the last day of a rental; otherwise what the policy's `due` gives")),
        returns: .written(.record("cart_line")), refusals: shared + lending + ["full"], needs: .cartWrite,
        route: .init(.post, "/patrons/{patron}/cart", .holder, own: ["patron"], creates: true),
        examples: APIExample(#"cart.add{ patron = "bob", title = "9780261103573" }.kind"#, #""loan""#),
        APIExample(
            offered + #"return select(2, cart.add{ patron = "bob", listing = l, quantity = 4 }).code"#,
            #""stock""#)
    ) { call in
        try call.changeCart { session in try session.carts.add(try call.cartRequest(session)) }
    }

    fileprivate static let cartSet = APIFunction(
        "set", "Changes how many pieces a line is about, or when its rental ends, and takes the price as it is now.",
        .named(
            "line", .required("patron", .reference(.patron)), .required("line", .reference(.cartLine)),
            .optional("quantity", .integer(1...100_000)),
            .optional("ends_on", .date, "the last day of a rental")),
        returns: .written(.record("cart_line")), refusals: shared + lending + ["unknown_line"], needs: .cartWrite,
        route: .init(.patch, "/patrons/{patron}/cart/{line}", .holder, own: ["patron"]),
        examples: APIExample(
            offered + #"local line = cart.add{ patron = "bob", listing = l } "#
                + #"return cart.set{ patron = "bob", line = line, quantity = 3 }.quantity"#, "3")
    ) { call in
        let (id, patron) = (try call.id("line"), try call.patronKey("patron"))
        return try call.changeCart {
            try $0.carts.set(
                id, of: patron, quantity: call.arguments["quantity"], ends: call.arguments["ends_on"])
        }
    }

    fileprivate static let cartRemove = APIFunction(
        "remove", "Takes a line out of a cart.",
        .named("line", .required("patron", .reference(.patron)), .required("line", .reference(.cartLine))),
        returns: .written(.record("cart_line")), refusals: ["unknown_patron", "unknown_line", "not_owner"],
        needs: .cartWrite, route: .init(.delete, "/patrons/{patron}/cart/{line}", .holder, own: ["patron"]),
        examples: APIExample(
            #"local line = cart.add{ patron = "bob", title = "9780261103573" } "#
                + #"cart.remove{ patron = "bob", line = line } return #cart.items("bob")"#, "0")
    ) { call in
        let (id, patron) = (try call.id("line"), try call.patronKey("patron"))
        return try call.changeCart { try $0.carts.remove(id, of: patron) }
    }

    fileprivate static let cartClear = APIFunction(
        "clear", "Takes everything out of a cart, and tells how many lines there were.", ofPatron,
        returns: .written(.count), refusals: ["unknown_patron", "not_owner"], needs: .cartWrite,
        route: .init(.delete, "/patrons/{patron}/cart", .holder, own: ["patron"]),
        examples: APIExample(filled + #"return cart.clear("bob")"#, "1")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.write { call.answer(try $0.carts.clear(key)) { .integer(Int64($0)) } }
    }

    fileprivate static let cartCheckout = APIFunction(
        "checkout", "Checks a cart out, all of it or nothing: loans, and one order for what is bought and rented.",
        details:
            "The reasons of a refusal have the id of the `line`. A listing that no longer costs what it did when its line "
            + "was written is refused with `price_changed`; `cart.set` takes the new price.", ofPatron,
        returns: .written(.record("cart_checkout")),
        refusals: shared + lending + ["empty", "price_changed", "expired", "blocked", "suspended"], needs: .cartWrite,
        route: .init(.post, "/patrons/{patron}/cart/checkout", .holder, own: ["patron"]),
        examples: APIExample(
            offered + filled + #"cart.add{ patron = "bob", listing = l } local done = cart.checkout("bob") "#
                + #"return #done.loans, done.order.total, #cart.items("bob")"#, "1, 4.50 EUR, 0"),
        APIExample(#"select(2, cart.checkout("carol")).code"#, #""empty""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.write { call.answer(try $0.carts.checkout(key), APIRecord<CartCheckout>.cartCheckout.table) }
    }
}

extension APICall {
    fileprivate func changeCart(_ body: (DeskSession) throws -> Outcome<CartLine>) throws -> [LuaValue] {
        try write { session in
            try answer(try body(session)) { APIRecord<CartRow>.cartLine.table(try CartRow($0, in: session)) }
        }
    }

    fileprivate func cartRequest(_ session: DeskSession) throws -> CartRequest {
        guard arguments.has("title") != arguments.has("listing") else {
            throw fault("one of 'title' and 'listing' is needed, and only one")
        }
        let patron = try patronKey("patron")
        let quantity: Int64 = arguments["quantity"] ?? 1
        let kind: SaleKind? = word("kind")
        if arguments.has("title") {
            return CartRequest(
                patron: patron, kind: kind ?? .loan, title: try titleKey("title"), quantity: quantity,
                ends: arguments["ends_on"])
        }
        let listing = try id("listing")
        let isForRent = try session.market.get(listing)?.kind == .rent
        return CartRequest(
            patron: patron, kind: kind ?? (isForRent ? .rent : .buy), listing: listing, quantity: quantity,
            ends: arguments["ends_on"])
    }
}

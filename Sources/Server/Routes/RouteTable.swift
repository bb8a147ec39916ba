import Scripting
import TextFormats

/// All that can be asked for over HTTP, below the root of the API.
package enum RouteTable {
    /// The root of all paths.
    package static let root = "/api/v1"

    package static let all: [Route] =
        (catalogue + copies + circulation + holds + carts + market + patrons + fees
        + messages + settings + statistics + accounts).compactMap(\.self)

    /// Functions that routes name and the API does not have: there must be none.
    package static var isWhole: Bool {
        ![
            catalogue, copies, circulation, holds, carts, market, patrons, fees, messages, settings, statistics,
            accounts,
        ]
        .joined().contains { $0 == nil }
    }

    /// A route to a function of the Lua API.
    static func api(
        _ verb: Route.Verb, _ path: String, _ tag: String, _ name: String, _ access: Route.Access,
        own: [String] = [], owned: String? = nil, fixed: JSONObject = [:], hidden: Set<String> = [],
        staffOnly: Set<String> = [], creates: Bool = false, guardian: Route.Guardian? = nil
    ) -> Route? {
        LuaAPI.function(name).map { function in
            Route(
                verb, path, tag, function, access, own: own, owned: owned, fixed: fixed, hidden: hidden,
                staffOnly: staffOnly, creates: creates, guardian: guardian)
        }
    }
}

// MARK: - Titles and copies

extension RouteTable {
    static let catalogue: [Route?] = [
        api(.get, "/titles", "catalogue", "catalogue.search", .everyone),
        api(.post, "/titles", "catalogue", "catalogue.add", .staff, creates: true),
        api(.get, "/titles/{isbn_or_id}", "catalogue", "catalogue.get", .everyone),
        api(.patch, "/titles/{title}", "catalogue", "catalogue.update", .staff),
        api(.delete, "/titles/{title}", "catalogue", "catalogue.remove", .staff),
        api(.get, "/titles/{title}/copies", "catalogue", "catalogue.copies", .everyone),
        api(.post, "/titles/{isbn}/copies", "catalogue", "catalogue.add_copies", .staff, creates: true),
        // The services that are asked may be slow, so this is not a transaction.
        LuaAPI.function("catalogue.enrich").map {
            Route(.post, "/titles/{isbn}/enrich", "catalogue", $0, .staff, writes: false, isBeside: true)
        },
        api(.get, "/titles/{title}/holds", "holds", "holds.queue", .staff),
        api(.get, "/titles/{title}/share", "catalogue", "catalogue.share", .everyone),
        api(.get, "/titles/{isbn}/prices", "market", "market.price_history", .everyone),
        api(.get, "/trending", "catalogue", "catalogue.trending", .everyone),
        api(.get, "/recommended", "catalogue", "catalogue.recommended", .everyone),
    ]

    static let copies: [Route?] = [
        api(.get, "/copies/{barcode}", "catalogue", "catalogue.copy", .everyone),
        api(.patch, "/copies/{barcode}", "catalogue", "catalogue.update_copy", .staff),
        api(.delete, "/copies/{barcode}", "catalogue", "catalogue.withdraw_copy", .staff),
    ]
}

// MARK: - Circulation

extension RouteTable {
    /// What staff alone may say of a loan.
    private static let override: Set<String> = ["override", "reason", "barcode"]

    static let circulation: [Route?] = [
        api(
            .post, "/loans", "loans", "loans.checkout", .holder, own: ["patron"], staffOnly: override, creates: true),
        api(.post, "/loans/check", "loans", "loans.may_checkout", .holder, own: ["patron"], staffOnly: override),
        api(.get, "/loans/{loan}", "loans", "loans.get", .holder, owned: "loan"),
        api(.get, "/loans/{loan}/explanation", "loans", "loans.explain", .holder, owned: "loan"),
        api(
            .post, "/loans/{loan}/renew", "loans", "loans.renew", .holder, owned: "loan",
            staffOnly: ["override", "reason"]),
        api(.post, "/loans/{loan}/due", "loans", "loans.set_due", .staff),
        api(.post, "/loans/{loan}/lost", "loans", "loans.mark_lost", .staff, hidden: ["barcode"]),
        api(.post, "/loans/{loan}/found", "loans", "loans.mark_found", .staff, hidden: ["barcode"]),
        api(.post, "/loans/{loan}/claim", "loans", "loans.claim_returned", .staff, hidden: ["barcode"]),
        api(.post, "/checkins", "loans", "loans.checkin", .staff),
        api(.post, "/in-house-uses", "loans", "loans.use_in_house", .staff, creates: true),
        api(.get, "/overdue", "loans", "loans.overdue", .staff),
        api(.get, "/patrons/{patron}/loans", "loans", "loans.active", .holder, own: ["patron"]),
        api(.get, "/patrons/{patron}/history", "loans", "loans.history", .holder, own: ["patron"]),
    ]

    static let holds: [Route?] = [
        api(.post, "/holds", "holds", "holds.place", .holder, own: ["patron"], staffOnly: override, creates: true),
        api(.get, "/holds/{hold}", "holds", "holds.get", .holder, owned: "hold"),
        api(.delete, "/holds/{hold}", "holds", "holds.cancel", .holder, owned: "hold"),
        api(.post, "/holds/{hold}/suspend", "holds", "holds.suspend", .holder, owned: "hold"),
        api(.post, "/holds/{hold}/resume", "holds", "holds.resume", .holder, owned: "hold"),
        api(.post, "/holds/{hold}/pickup", "holds", "holds.set_pickup", .holder, owned: "hold"),
        api(.post, "/holds/{hold}/move", "holds", "holds.move", .staff),
        api(.get, "/patrons/{patron}/holds", "holds", "holds.of", .holder, own: ["patron"]),
        api(.get, "/pull-list", "holds", "holds.pull_list", .staff),
    ]

    static let carts: [Route?] = [
        api(.get, "/patrons/{patron}/cart", "cart", "cart.items", .holder, own: ["patron"]),
        api(.get, "/patrons/{patron}/cart/total", "cart", "cart.total", .holder, own: ["patron"]),
        api(.post, "/patrons/{patron}/cart", "cart", "cart.add", .holder, own: ["patron"], creates: true),
        api(.patch, "/patrons/{patron}/cart/{line}", "cart", "cart.set", .holder, own: ["patron"]),
        api(.delete, "/patrons/{patron}/cart/{line}", "cart", "cart.remove", .holder, own: ["patron"]),
        api(.delete, "/patrons/{patron}/cart", "cart", "cart.clear", .holder, own: ["patron"]),
        api(.post, "/patrons/{patron}/cart/checkout", "cart", "cart.checkout", .holder, own: ["patron"]),
    ]
}

// MARK: - The market

extension RouteTable {
    static let market: [Route?] = [
        api(.get, "/listings", "market", "market.listings", .everyone, guardian: ListingGuard.list),
        api(.post, "/listings", "market", "market.publish", .holder, own: ["seller"], creates: true),
        api(.get, "/listings/{listing}", "market", "market.get", .everyone, guardian: ListingGuard.one),
        api(
            .patch, "/listings/{listing}", "market", "market.update", .holder, own: ["by"], owned: "listing",
            hidden: ["by"]),
        api(
            .delete, "/listings/{listing}", "market", "market.withdraw", .holder, own: ["by"], owned: "listing",
            hidden: ["by"]),
        api(.post, "/listings/{listing}/approve", "market", "market.approve", .staff),
        api(.post, "/listings/{listing}/reject", "market", "market.reject", .staff),
        api(
            .post, "/listings/{listing}/buy", "market", "market.buy", .holder, own: ["patron"], creates: true,
            guardian: ListingGuard.one),
        api(
            .post, "/listings/{listing}/rent", "market", "market.rent", .holder, own: ["patron"], creates: true,
            guardian: ListingGuard.one),
        api(
            .post, "/listings/{listing}/contact", "market", "market.contact", .holder, own: ["patron"],
            guardian: ListingGuard.one),
        api(.get, "/orders", "market", "market.orders", .holder, own: ["buyer", "seller"]),
        api(
            .post, "/orders/{order}/hand-over", "market", "market.hand_over", .holder, own: ["by"], owned: "order",
            hidden: ["by"]),
        api(.post, "/orders/{order}/cancel", "market", "market.cancel", .holder, owned: "order"),
        api(.get, "/rentals", "market", "market.rentals", .holder, own: ["borrower", "lender"]),
        api(
            .post, "/rentals/{rental}/give-back", "market", "market.give_back", .holder, own: ["by"], owned: "rental",
            hidden: ["by"]),
        api(.get, "/suggestions", "suggestions", "suggestions.list", .holder, own: ["patron"]),
        api(.post, "/suggestions", "suggestions", "suggestions.submit", .holder, own: ["patron"], creates: true),
        api(.post, "/suggestions/{suggestion}/approve", "suggestions", "suggestions.approve", .staff),
        api(.post, "/suggestions/{suggestion}/reject", "suggestions", "suggestions.reject", .staff),
    ]
}

// MARK: - People

extension RouteTable {
    static let patrons: [Route?] = [
        api(.get, "/patrons", "patrons", "patrons.search", .staff),
        api(.post, "/patrons", "patrons", "patrons.add", .staff, creates: true, guardian: PatronGuard.noRole),
        api(.get, "/patrons/{patron}", "patrons", "patrons.get", .holder, own: ["patron"]),
        api(
            .patch, "/patrons/{patron}", "patrons", "patrons.update", .holder, own: ["patron"],
            staffOnly: ["category", "expires_on", "role", "extra", "birth_date"], guardian: PatronGuard.noRole),
        api(
            .delete, "/patrons/{patron}", "patrons", "patrons.remove", .holder, own: ["patron"],
            guardian: PatronGuard.notOneself),
        api(.post, "/patrons/{into}/merge", "patrons", "patrons.merge", .staff, guardian: PatronGuard.notOneself),
        api(.get, "/patrons/{patron}/favourites", "patrons", "patrons.favourites", .holder, own: ["patron"]),
        api(
            .post, "/patrons/{patron}/favourites", "patrons", "patrons.add_favourite", .holder, own: ["patron"],
            creates: true),
        api(
            .delete, "/patrons/{patron}/favourites/{favourite}", "patrons", "patrons.remove_favourite", .holder,
            own: ["patron"]),
        api(.get, "/patrons/{patron}/blocks", "patrons", "patrons.blocks", .holder, own: ["patron"]),
        api(.post, "/patrons/{patron}/blocks", "patrons", "patrons.block", .staff, creates: true),
        api(.post, "/patrons/{patron}/unblock", "patrons", "patrons.unblock", .staff),
    ]

    static let fees: [Route?] = [
        api(.get, "/patrons/{patron}/fees", "fees", "fees.owed", .holder, own: ["patron"]),
        api(.get, "/patrons/{patron}/ledger", "fees", "fees.ledger", .holder, own: ["patron"]),
        api(.post, "/patrons/{patron}/charges", "fees", "fees.charge", .staff, creates: true),
        api(.post, "/patrons/{patron}/payments", "fees", "fees.pay", .staff, creates: true),
        api(.post, "/patrons/{patron}/waivers", "fees", "fees.waive", .staff, creates: true),
        api(.post, "/patrons/{patron}/refunds", "fees", "fees.refund", .staff, creates: true),
    ]

    static let messages: [Route?] = [
        api(.get, "/patrons/{patron}/notifications", "notifications", "notifications.list", .holder, own: ["patron"]),
        api(.post, "/notifications", "notifications", "notifications.send", .staff, creates: true),
        api(
            .post, "/notifications/{notice}/read", "notifications", "notifications.mark_read", .holder,
            owned: "notice"),
        api(.post, "/notifications/{notice}/cancel", "notifications", "notifications.cancel", .staff),
        api(.post, "/notifications/{notice}/retry", "notifications", "notifications.retry", .staff),
        api(.get, "/outbox", "notifications", "notifications.outbox", .staff),
    ]
}

// MARK: - The library

extension RouteTable {
    static let settings: [Route?] = [
        api(.get, "/branches", "settings", "branches.each", .everyone),
        api(.get, "/branches/{branch}", "settings", "branches.get", .everyone),
        api(.post, "/branches", "settings", "branches.add", .admin, creates: true),
        api(.patch, "/branches/{branch}", "settings", "branches.update", .admin),
        api(.delete, "/branches/{branch}", "settings", "branches.remove", .admin),
        api(.get, "/branches/{branch}/closures", "settings", "calendar.closures", .everyone),
        api(.post, "/branches/{branch}/closures", "settings", "calendar.close", .admin),
        api(.post, "/branches/{branch}/openings", "settings", "calendar.reopen", .admin),
        api(.post, "/branches/{branch}/hours", "settings", "calendar.set_hours", .admin),
        api(.get, "/branches/{branch}/open", "settings", "calendar.is_open", .everyone),
        api(.get, "/categories", "settings", "categories.each", .everyone),
        api(.post, "/categories", "settings", "categories.add", .admin, creates: true),
        api(.patch, "/categories/{category}", "settings", "categories.update", .admin),
        api(.delete, "/categories/{category}", "settings", "categories.remove", .admin),
        api(.get, "/item-types", "settings", "item_types.each", .everyone),
        api(.post, "/item-types", "settings", "item_types.add", .admin, creates: true),
        api(.patch, "/item-types/{item_type}", "settings", "item_types.update", .admin),
        api(.delete, "/item-types/{item_type}", "settings", "item_types.remove", .admin),
    ]

    static let statistics: [Route?] = [
        api(.get, "/statistics/loans", "statistics", "stats.loans_by", .staff),
        api(.get, "/statistics/turnover", "statistics", "stats.turnover", .staff),
        api(.get, "/statistics/never-lent", "statistics", "stats.never_lent", .staff),
        api(.get, "/statistics/titles", "statistics", "catalogue.count", .everyone),
    ]
}

import Circulation
import Desk
import LuaRuntime
import Market

extension APIFunction {
    static let patronsFavourites = APIFunction(
        "favourites", "Lists what a patron keeps in mind, in the order in which it was added.",
        [.required("patron", .reference(.patron))],
        returns: .value(.list(.record("favourite"))),
        route: .init(.get, "/patrons/{patron}/favourites", .holder, own: ["patron"]),
        examples: APIExample(
            #"patrons.add_favourite{ patron = "bob", title = "9780441013593" } return patrons.favourites("bob")[1].name"#,
            #""Dune""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { session in
            [
                APIRecord<FavouriteRow>.favourite.list(
                    try session.favourites.list(of: key).map { try FavouriteRow($0, in: session) })
            ]
        }
    }

    static let patronsAddFavourite = APIFunction(
        "add_favourite", "Keeps a title or a listing in a patron's mind; what is kept already stays as it is.",
        .named(
            "favourite", .required("patron", .reference(.patron)),
            .optional("title", .reference(.title), "a title"),
            .optional("listing", .reference(.listing), "or something offered")),
        returns: .written(.record("favourite")),
        refusals: ["unknown_patron", "not_owner", "unknown_title", "unknown_listing", "full"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/favourites", .holder, own: ["patron"], creates: true),
        examples: APIExample(#"patrons.add_favourite{ patron = "bob", title = "9780441013593" }.name"#, #""Dune""#),
        APIExample(
            #"select(2, patrons.add_favourite{ patron = "bob", listing = 999999 }).code"#, #""unknown_listing""#)
    ) { call in
        guard call.arguments.has("title") != call.arguments.has("listing") else {
            throw call.fault("one of 'title' and 'listing' is needed, and only one")
        }
        let key = try call.patronKey("patron")
        let subject: FavouriteService.Subject =
            call.arguments.has("title") ? .title(try call.titleKey("title")) : .listing(try call.id("listing"))
        return try call.changeFavourite { try $0.favourites.add(subject, of: key) }
    }

    static let patronsRemoveFavourite = APIFunction(
        "remove_favourite", "Takes a favourite away.",
        .named(
            "favourite", .required("patron", .reference(.patron)),
            .required("favourite", .reference(.favourite))),
        returns: .written(.record("favourite")), refusals: ["unknown_patron", "not_owner", "unknown_favourite"],
        needs: .patronsWrite,
        route: .init(.delete, "/patrons/{patron}/favourites/{favourite}", .holder, own: ["patron"]),
        examples: APIExample(
            #"local f = patrons.add_favourite{ patron = "bob", title = "9780441013593" } "#
                + #"patrons.remove_favourite{ patron = "bob", favourite = f } return #patrons.favourites("bob")"#,
            "0")
    ) { call in
        let (id, key) = (try call.id("favourite"), try call.patronKey("patron"))
        return try call.changeFavourite { try $0.favourites.remove(id, of: key) }
    }
}

extension APICall {
    fileprivate func changeFavourite(_ body: (DeskSession) throws -> Outcome<Favourite>) throws -> [LuaValue] {
        try write { session in
            try answer(try body(session)) { APIRecord<FavouriteRow>.favourite.table(try FavouriteRow($0, in: session)) }
        }
    }
}

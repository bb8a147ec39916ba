import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let lists = APIModule(
        "lists", "Titles that patrons put together under names, for themselves or for everyone.",
        [
            .listsOf, .listsPublic, .listsGet, .listsTitles, .listsMake, .listsChange, .listsRemove, .listsAddTitle,
            .listsRemoveTitle, .listsTakeDown, .listsTakenDown, .listsRestore,
        ])
}

/// What examples begin with.
private enum ListExample {
    static let make =
        #"local l = lists.make{ patron = "bob", name = "For the seminar" } "#
        + #"lists.add_title{ patron = "bob", list = l, title = "9780441013593" } "#
}

extension APIFunction {
    fileprivate static let listsOf = APIFunction(
        "of", "Lists a patron's lists in the order in which they were made.",
        [.required("patron", .reference(.patron))],
        returns: .value(.list(.record("title_list"))),
        route: .init(.get, "/patrons/{patron}/lists", .holder, own: ["patron"]),
        examples: APIExample(ListExample.make + #"return lists.of("bob")[1].titles"#, "1")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { session in
            [
                APIRecord<TitleListRow>.titleList.list(
                    try session.lists.list(of: key).map { try TitleListRow($0, in: session) })
            ]
        }
    }

    fileprivate static let listsPublic = APIFunction(
        "public", "Lists the lists that everyone may see, the latest first.",
        .named(
            "query",
            [.optional("query", .text(maximum: 200), "of the latest 10,000 those in whose names this stands")]
                + APIParameter.part(50, of: 0...1_000)),
        returns: .value(.list(.record("title_list"))), route: .init(.get, "/lists", .everyone),
        examples: APIExample(
            #"lists.make{ patron = "bob", name = "To read", visibility = "public" } return lists.public{}[1].name"#,
            #""To read""#)
    ) { call in
        try call.read { session in
            [
                APIRecord<TitleListRow>.titleList.list(
                    try session.lists.ofAll(named: call.arguments["query"] ?? "", call.part(50)).map {
                        try TitleListRow($0, in: session)
                    })
            ]
        }
    }

    /// What is in the link of a list that is shared so.
    fileprivate static let key = APIParameter.optional(
        "key", .text(maximum: 64), "over HTTP: the `link_key` of a list that is shared by a link")

    private static let visibility = APIParameter.optional(
        "visibility", .words(TitleList.Visibility.self), "who may see it: its owner, who has the link, everyone")

    fileprivate static let listsGet = APIFunction(
        "get",
        "Finds a list. Over HTTP a private one exists for its owner alone, one shared by a link for who gives its key.",
        [.required("list", .reference(.titleList)), key],
        returns: .found(.record("title_list")), route: .init(.get, "/lists/{list}", .everyone, guardian: .titleList),
        examples: APIExample(ListExample.make + "return lists.get(l).name", #""For the seminar""#)
    ) { call in
        let id = try call.id("list")
        return try call.read { session in
            call.found(
                try session.lists.get(id).map { try TitleListRow($0, in: session) }, APIRecord<TitleListRow>.titleList)
        }
    }

    fileprivate static let listsTitles = APIFunction(
        "titles", "Lists the titles of a list in the order in which they were added.",
        .named("query", [.required("list", .reference(.titleList)), key] + APIParameter.part(50, of: 0...1_000)),
        returns: .found(.list(.record("title"))),
        route: .init(.get, "/lists/{list}/titles", .everyone, guardian: .titleList),
        examples: APIExample(ListExample.make + "return lists.titles{ list = l }[1].title", #""Dune""#)
    ) { call in
        let id = try call.id("list")
        return try call.read { session in
            guard try session.lists.get(id) != nil else { return [.nil] }
            let titles = try session.lists.titles(of: id, call.part(50)).compactMap {
                try session.catalogue.get(.id($0.title))
            }
            return [APIRecord<CountedTitle>.title.list(try titles.map { try session.counted($0) })]
        }
    }

    fileprivate static let listsMake = APIFunction(
        "make", "Makes a list without titles.",
        .named(
            "list", .required("patron", .reference(.patron)), .required("name", name),
            .optional("is_public", .boolean, "as `visibility`: `public` or `private`", standard: "false"), visibility),
        returns: .written(.record("title_list")), refusals: ["unknown_patron", "not_owner", "exists", "full"],
        needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/lists", .holder, own: ["patron"], creates: true),
        examples: APIExample(#"lists.make{ patron = "bob", name = "To read" }.is_public"#, "false"),
        APIExample(
            #"lists.make{ patron = "bob", name = "To read" } "#
                + #"return select(2, lists.make{ patron = "bob", name = "to READ" }).code"#, #""exists""#)
    ) { call in
        let (name, key): (String, PatronKey) = (try call.arguments.need("name"), try call.patronKey("patron"))
        let isPublic: Bool = call.arguments["is_public"] ?? false
        let visibility = call.visibility
        return try call.writeList {
            try $0.lists.make(name, isPublic: isPublic, visibility: visibility, for: key)
        }
    }

    fileprivate static let listsChange = APIFunction(
        "change", "Renames a list, says who may see it. A link that was taken back leads nowhere for ever.",
        .named(
            "list", .required("patron", .reference(.patron)), .required("list", .reference(.titleList)),
            .optional("name", name), .optional("is_public", .boolean, "as `visibility`: `public` or `private`"),
            visibility,
            .optional("new_link", .boolean, "a new link in the place of the one by which it is shared")),
        returns: .written(.record("title_list")),
        refusals: ["unknown_patron", "not_owner", "unknown_list", "exists", "taken_down"], needs: .patronsWrite,
        route: .init(.patch, "/patrons/{patron}/lists/{list}", .holder, own: ["patron"]),
        examples: APIExample(
            ListExample.make + #"return lists.change{ patron = "bob", list = l, is_public = true }.visibility"#,
            #""public""#),
        APIExample(
            ListExample.make + #"return #lists.change{ patron = "bob", list = l, visibility = "link" }.link_key"#, "32")
    ) { call in
        let (id, key) = (try call.id("list"), try call.patronKey("patron"))
        let (name, isPublic): (String?, Bool?) = (call.arguments["name"], call.arguments["is_public"])
        let (visibility, newLink) = (call.visibility, call.arguments["new_link"] ?? false)
        return try call.writeList {
            try $0.lists.change(
                id, name: name, isPublic: isPublic, visibility: visibility, newLink: newLink, of: key)
        }
    }

    fileprivate static let listsRemove = APIFunction(
        "remove", "Removes a list with its titles, which stay in the catalogue.",
        .named("list", .required("patron", .reference(.patron)), .required("list", .reference(.titleList))),
        returns: .written(.record("title_list")), refusals: ["unknown_patron", "not_owner", "unknown_list"],
        needs: .patronsWrite,
        route: .init(.delete, "/patrons/{patron}/lists/{list}", .holder, own: ["patron"]),
        examples: APIExample(
            ListExample.make + #"lists.remove{ patron = "bob", list = l } return #lists.of("bob")"#, "0")
    ) { call in
        let (id, key) = (try call.id("list"), try call.patronKey("patron"))
        return try call.write { session in
            // How many titles it had is no more to be counted once it is gone.
            let row = try session.lists.get(id).map { try TitleListRow($0, in: session) }
            return try call.answer(try session.lists.remove(id, of: key)) {
                APIRecord.titleList.table(try row ?? TitleListRow($0, in: session))
            }
        }
    }

    fileprivate static let listsAddTitle = entry(
        "add_title", "Adds a title behind the others of a list; one that is there stays where it is.",
        refusals: ["full"],
        route: .init(.post, "/patrons/{patron}/lists/{list}/titles", .holder, own: ["patron"], creates: true),
        example: "return lists.get(l).titles", gives: "1"
    ) { try $0.add($1, to: $2, of: $3) }

    fileprivate static let listsRemoveTitle = entry(
        "remove_title", "Takes a title off a list.", refusals: ["not_listed"],
        route: .init(.delete, "/patrons/{patron}/lists/{list}/titles/{title}", .holder, own: ["patron"]),
        example: #"lists.remove_title{ patron = "bob", list = l, title = "9780441013593" } return lists.get(l).titles"#,
        gives: "0"
    ) { try $0.remove($1, from: $2, of: $3) }

    private static let name = APIType.text(maximum: 4 * TitleList.longestName)

    private static func entry(
        _ name: String, _ summary: String, refusals: [String], route: APIRoute, example: String, gives: String,
        _ change: @escaping @Sendable (TitleListService, TitleKey, Int64, PatronKey) throws -> Outcome<ListedTitle>
    ) -> APIFunction {
        APIFunction(
            name, summary,
            .named(
                "entry", .required("patron", .reference(.patron)), .required("list", .reference(.titleList)),
                .required("title", .reference(.title))),
            returns: .written(.record("listed_title")),
            refusals: ["unknown_patron", "not_owner", "unknown_list", "unknown_title"] + refusals,
            needs: .patronsWrite, route: route, examples: [APIExample(ListExample.make + example, gives)]
        ) { call in
            let (id, key) = (try call.id("list"), try call.patronKey("patron"))
            let title = try call.titleKey("title")
            return try call.write { session in
                call.answer(try change(session.lists, title, id, key), APIRecord<ListedTitle>.listedTitle.table)
            }
        }
    }
}

// What staff do about lists that others see.
extension APIFunction {
    fileprivate static let listsTakeDown = APIFunction(
        "take_down", "Takes down a list that others see: from then on its owner alone sees it.",
        details:
            "The owner is told the reason, and the log keeps it, without the owner's name. The owner cannot share the list "
            + "until `lists.restore`.",
        .named(
            "list", .required("list", .reference(.titleList)),
            .required("reason", .text(maximum: 4 * Rating.longestReason), "why"), key),
        returns: .written(.record("title_list")), refusals: ["unknown_list"], needs: .patronsWrite,
        route: .init(.post, "/lists/{list}/take-down", .staff, guardian: .titleList),
        examples: APIExample(
            #"local l = lists.make{ patron = "bob", name = "To read", visibility = "public" } "#
                + #"return lists.take_down{ list = l, reason = "Names others" }.visibility, #lists.public{}"#,
            #""private", 0"#)
    ) { call in
        let (id, reason): (Int64, String) = (try call.id("list"), try call.arguments.need("reason"))
        return try call.writeList { try $0.lists.takeDown(id, reason: reason) }
    }

    fileprivate static let listsTakenDown = APIFunction(
        "taken_down", "Lists the lists that staff took down, the latest first.",
        .named("query", APIParameter.part(50, of: 0...1_000)), returns: .value(.list(.record("title_list"))),
        route: .init(.get, "/lists/taken-down", .staff),
        examples: APIExample(
            #"local l = lists.make{ patron = "bob", name = "To read", visibility = "public" } "#
                + #"lists.take_down{ list = l, reason = "Names others" } return lists.taken_down{}[1].decision"#,
            #""Names others""#)
    ) { call in
        try call.read { session in
            [
                APIRecord<TitleListRow>.titleList.list(
                    try session.lists.takenDown(call.part(50)).map { try TitleListRow($0, in: session) })
            ]
        }
    }

    fileprivate static let listsRestore = APIFunction(
        "restore", "Lets the owner share a list again that was taken down; it stays private until then.",
        [.required("list", .reference(.titleList))],
        returns: .written(.record("title_list")), refusals: ["unknown_list"], needs: .patronsWrite,
        route: .init(.post, "/lists/{list}/restore", .staff),
        examples: APIExample(
            #"local l = lists.make{ patron = "bob", name = "To read", visibility = "public" } "#
                + #"lists.take_down{ list = l, reason = "Names others" } return lists.restore(l).taken_down_at"#, "nil")
    ) { call in
        let id = try call.id("list")
        return try call.writeList { try $0.lists.restore(id) }
    }
}

extension APICall {
    /// Who is to see a list; nil: nothing was said of it.
    fileprivate var visibility: TitleList.Visibility? {
        (arguments["visibility"] as String?).flatMap(TitleList.Visibility.init)
    }

    fileprivate func writeList(_ body: (DeskSession) throws -> Outcome<TitleList>) throws -> [LuaValue] {
        try write { session in
            try answer(try body(session)) { APIRecord.titleList.table(try TitleListRow($0, in: session)) }
        }
    }
}

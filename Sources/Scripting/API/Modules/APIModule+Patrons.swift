import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIModule {
    static let patrons = APIModule(
        "patrons", "The people who borrow.",
        [
            .patronsGet, .patronsSearch, .patronsCalled, .patronsEach, .patronsCount, .patronsBlocks, .patronsAdd,
            .patronsUpdate, .patronsRenewMembership,
            .patronsRemove, .patronsMerge, .patronsDuplicates, .patronsBlock, .patronsUnblock, .patronsLinks,
            .patronsLink, .patronsUnlink,
            .patronsFavourites, .patronsAddFavourite, .patronsRemoveFavourite,
            .patronsSetPassword, .patronsVerify,
        ])
}

extension APIFunction {
    fileprivate static let patronsGet = APIFunction(
        "get", "Finds one patron by username or id.",
        [.required("patron", .reference(.patron))],
        returns: .found(.record("patron")), route: .init(.get, "/patrons/{patron}", .holder, own: ["patron"]),
        examples: APIExample(#"patrons.get("ada").category"#, #""undergraduate""#),
        APIExample(#"patrons.get("nobody")"#, "nil")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { call.found(try $0.patrons.get(key), .patron) }
    }

    fileprivate static let patronsSearch = APIFunction(
        "search", "Finds patrons by the beginning of words of name, surname, username or e-mail.",
        .named("query", [.required("query", .text(maximum: 1000), "the words")] + APIParameter.part(50, of: 1...1_000)),
        returns: .value(.list(.record("patron"))), route: .init(.get, "/patrons", .staff),
        examples: APIExample(#"patrons.search{ query = "lovel" }[1].username"#, #""ada""#)
    ) { call in
        let words: String = try call.arguments.need("query")
        let limit = call.number("limit", standard: 50)
        let offset = call.number("offset", standard: 0)
        return try call.read { [APIRecord.patron.list(try $0.patrons.search(words, limit: limit, offset: offset))] }
    }

    fileprivate static let patronsCalled = APIFunction(
        "called", "Lists those who are called so: the patron of this username, or else all of this name or full name.",
        details: "Case and accents do not matter.",
        [.required("name", .text(maximum: 1000), "")],
        returns: .value(.list(.record("patron"))),
        examples: [
            APIExample(#"patrons.called("ada LOVELACE")[1].username"#, #""ada""#),
            APIExample(#"#patrons.called("nobody")"#, "0"),
        ]
    ) { call in
        let name: String = try call.arguments.need("name")
        return try call.read { [APIRecord.patron.list(try $0.patrons.called(name))] }
    }

    fileprivate static let patronsEach = APIFunction(
        "each", "Goes through patrons by id, without keeping them all in memory; the loop may write.",
        .named("query", .optional("category", .reference(.category), "only of this category")),
        returns: .each(.record("patron")),
        examples: APIExample(
            "local n = 0 for patron in patrons.each{ category = \"staff\" } do n = n + 1 end return n", "1")
    ) { call in
        let category = call.optionalCode("category")
        return try call.each { session, after, page in
            try page.fill(after: after, id: \.id) {
                try session.patrons.page(after: $0, limit: $1)
            } passes: {
                category == nil || $0.category == category
            } row: {
                APIRecord.patron.table($0)
            }
        }
    }

    fileprivate static let patronsCount = APIFunction(
        "count", "Counts patrons.", [], returns: .value(.count), examples: APIExample("patrons.count()", "3")
    ) { call in
        try call.read { [.integer(try $0.patrons.count())] }
    }

    /// What a patron may be given, beside username and category.
    private static let patronFields: [APIParameter] = [
        .optional("name", .text(maximum: 500)),
        .optional("surname", .text(maximum: 500)),
        .clearable("display_name", .text(maximum: 200), "the name by which other members see them"),
        .clearable("email", .text(maximum: 500)),
        .clearable("phone", .text(maximum: 100)),
        .optional("home_branch", .reference(.branch)),
        .clearable("language", .text(maximum: 20)),
        .clearable("birth_date", .date),
        .clearable("expires_on", .date, "the last day of the membership"),
        .optional("role", .choice(Patron.Role.allCases.map(\.rawValue))),
        .extra(of: .patron),
    ]

    fileprivate static let patronsAdd = APIFunction(
        "add", "Adds a patron.",
        details:
            "Without `expires_on` the membership ends as the policy in force says, or not at all; with `none` it has no end.",
        .named(
            "patron",
            [
                .required("username", .text(maximum: 200), "unique"),
                .optional("category", .reference(.category), "the first category if left out"),
            ] + patronFields),
        returns: .written(.record("patron")),
        refusals: ["exists", "reserved_username", "reserved_name", "invalid_email", "policy_failed"],
        needs: .patronsWrite, route: .init(.post, "/patrons", .staff, creates: true, guardian: .noRole),
        examples: APIExample(#"patrons.add{ username = "grace", category = "staff" }.home_branch"#, #""main""#),
        APIExample(#"select(2, patrons.add{ username = "ada" }).code"#, #""exists""#)
    ) { call in
        try call.write { session in
            let categories = try session.settings.categories()
            var patron = Patron(
                username: try call.arguments.need("username"),
                category: call.optionalCode("category") ?? categories.first?.code ?? "patron",
                homeBranch: call.script.branch.code)
            try call.change(&patron, by: call.arguments)
            let source: MembershipSource = call.arguments.has("expires_on") ? .record : .policy
            return call.answer(try session.patrons.add(patron, endsBy: source), APIRecord.patron.table)
        }
    }

    fileprivate static let patronsUpdate = APIFunction(
        "update", "Changes what is given of a patron; the rest stays. `none` takes away what may be nil.",
        [
            .required("patron", .reference(.patron), "which patron"),
            .required(
                "changes",
                .fields(
                    [
                        .optional("username", .text(maximum: 200)),
                        .optional("category", .reference(.category)),
                    ] + patronFields), "the fields that change"),
        ],
        returns: .written(.record("patron")),
        refusals: ["unknown_patron", "exists", "reserved_username", "reserved_name", "invalid_email"],
        needs: .patronsWrite,
        route: .init(
            .patch, "/patrons/{patron}", .holder, own: ["patron"],
            staffOnly: ["category", "expires_on", "role", "extra", "birth_date"], guardian: .noRole),
        examples: APIExample(#"patrons.update("ada", { language = "en" }).language"#, #""en""#)
    ) { call in
        let key = try call.patronKey("patron")
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let outcome = try session.patrons.update(key) { patron in
                if let username: String = changes["username"] { patron.username = username }
                if case .text(let category)? = changes["category"] as RecordKey? { patron.category = category }
                try call.change(&patron, by: changes)
            }
            return call.answer(outcome, APIRecord.patron.table)
        }
    }

    fileprivate static let patronsRemove = APIFunction(
        "remove", "Removes a patron: all that is personal goes, statistics stay. Gives the id.",
        [.required("patron", .reference(.patron))],
        returns: .written(.id), refusals: ["unknown_patron", "open_loans", "fees_owed", "open_rentals", "open_orders"],
        needs: .patronsWrite,
        route: .init(.delete, "/patrons/{patron}", .holder, own: ["patron"], guardian: .notOneself),
        examples: APIExample(#"select(2, patrons.remove("ada")).code"#, #""open_loans""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.write { call.answer(try $0.patrons.remove(key)) { .integer($0) } }
    }
}

extension APICall {
    /// Sets what is given of a patron.
    fileprivate func change(_ patron: inout Patron, by changes: APIArguments) throws {
        if let name: String = changes["name"] { patron.name = name }
        if let surname: String = changes["surname"] { patron.surname = surname }
        patron.displayName = changes.changed("display_name", patron.displayName)
        patron.email = changes.changed("email", patron.email)
        patron.phone = changes.changed("phone", patron.phone)
        if case .text(let branch)? = changes["home_branch"] as RecordKey? { patron.homeBranch = branch }
        patron.language = changes.changed("language", patron.language)
        patron.birthDate = changes.changed("birth_date", patron.birthDate)
        patron.expiresOn = changes.changed("expires_on", patron.expiresOn)
        if let role = (changes["role"] as String?).flatMap(Patron.Role.init) { patron.role = role }
        patron.extra = try ownFields(changes, .patron, of: patron.extra)
    }
}

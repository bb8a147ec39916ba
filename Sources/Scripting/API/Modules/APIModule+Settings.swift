import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let branches = APIModule(
        "branches", "The branches of the library.",
        [
            CodeFunctions.branches.get(
                route: .init(.get, "/branches/{branch}", .everyone, group: "settings"),
                APIExample(#"branches.get("main").name"#, #""Main Library""#)),
            CodeFunctions.branches.each(
                "Goes through all branches, the first one first.",
                APIExample("local n = 0 for branch in branches.each() do n = n + 1 end return n", "1")),
            CodeFunctions.branches.add(
                "Adds a branch; it is always open until `calendar.set_hours` says otherwise.",
                APIExample(#"branches.add{ code = "east", name = "East" }.code"#, #""east""#),
                APIExample(
                    #"branches.add{ code = "annex", name = "Annex", parent = "main" } "#
                        + #"return branches.get("annex").parent"#, #""main""#)),
            CodeFunctions.branches.update(
                APIExample(#"branches.update("main", { name = "Central" }).name"#, #""Central""#)),
            CodeFunctions.branches.remove(
                "Removes a branch to which no copy, patron, hold or other branch belongs.",
                APIExample(#"select(2, branches.remove("main")).code"#, #""in_use""#)),
        ])

    static let categories = APIModule(
        "categories", "The categories of patrons.",
        [
            CodeFunctions.categories.get(APIExample(#"categories.get("staff").name"#, #""Staff""#)),
            CodeFunctions.categories.each(
                "Goes through all categories.",
                APIExample("local t = {} for c in categories.each() do t[#t + 1] = c.code end return #t", "3")),
            CodeFunctions.categories.add(
                "Adds a category.",
                APIExample(#"categories.add{ code = "guest", name = "Guests" }.name"#, #""Guests""#),
                APIExample(#"categories.add{ code = "tutor", name = "Tutors", parent = "staff" }.parent"#, #""staff""#)),
            CodeFunctions.categories.update(
                APIExample(#"categories.update("staff", { name = "Colleagues" }).name"#, #""Colleagues""#)),
            CodeFunctions.categories.remove(
                "Removes a category that no patron has and no category belongs to.",
                APIExample(#"select(2, categories.remove("staff")).code"#, #""in_use""#)),
        ], callers: .everyone)

    static let itemTypes = APIModule(
        "item_types", "The types of items.",
        [
            CodeFunctions.itemTypes.get(APIExample(#"item_types.get("book").name"#, #""Book""#)),
            CodeFunctions.itemTypes.each(
                "Goes through all item types.",
                APIExample("local n = 0 for item_type in item_types.each() do n = n + 1 end return n", "1")),
            CodeFunctions.itemTypes.add(
                "Adds an item type.",
                APIExample(#"item_types.add{ code = "atlas", name = "Atlas", parent = "book" }.parent"#, #""book""#)),
            CodeFunctions.itemTypes.update(
                APIExample(#"item_types.update("book", { name = "Books" }).name"#, #""Books""#)),
            CodeFunctions.itemTypes.remove(
                "Removes an item type that no copy has and no type belongs to.",
                APIExample(#"select(2, item_types.remove("book")).code"#, #""in_use""#)),
        ], callers: .everyone)

    static let locations = APIModule(
        "locations",
        "The names of shelving locations. Copies may have locations without one: they are shown as they are.",
        [
            CodeFunctions.locations.get(APIExample(#"locations.get("ref").name"#, #""Reference room""#)),
            CodeFunctions.locations.each(
                "Goes through all locations that have names.",
                APIExample("local n = 0 for location in locations.each() do n = n + 1 end return n", "1")),
            CodeFunctions.locations.add(
                "Gives a location a name, by which people see it; policies and files keep the code.",
                APIExample(
                    #"locations.add{ code = "new books", name = "New at the door" }.name"#, #""New at the door""#)),
            CodeFunctions.locations.update(
                APIExample(#"locations.update("ref", { name = "Reference library" }).name"#, #""Reference library""#)),
            CodeFunctions.locations.remove(
                "Removes the name of a location at which no copy stands.",
                APIExample(#"locations.remove("ref").name"#, #""Reference room""#)),
        ], callers: .everyone)
}

/// The functions about one kind of what a library declares under codes.
private struct CodeFunctions<Entry: DeclaredCode>: Sendable {
    /// `an item type`
    let one: String
    let reference: APIReference
    let path: String
    let record: APIRecord<Entry>
    /// What its parent is; nil: it has none.
    var parent: Parent?
    let find: @Sendable (SettingsService, String) throws -> Entry?
    let all: @Sendable (SettingsService) throws -> [Entry]
    let add: @Sendable (SettingsService, Entry) throws -> Outcome<Entry>
    let update: @Sendable (SettingsService, String, (inout Entry) throws -> Void) throws -> Outcome<Entry>
    let remove: @Sendable (SettingsService, String) throws -> Outcome<Entry>
    /// What it has beside its code, its name and its parent.
    var more: [APIParameter] = []
    var setMore: @Sendable (inout Entry, APIArguments) throws -> Void = { _, _ in }

    /// How a parent is said and set.
    struct Parent: Sendable {
        /// What it is.
        let words: String
        let set: @Sendable (inout Entry, String?) -> Void
    }

    /// As its parameter and its record are called: `item_type`
    private var word: String { reference.rawValue }
    private var name: String { word.replacing("_", with: " ") }
    private var result: APIType { .record(word) }
    private var key: APIParameter { .required(word, .reference(reference), "") }
    private var nameType: APIType { .text(maximum: 500) }

    private func route(_ verb: APIRoute.Verb, creates: Bool = false) -> APIRoute {
        let isAbout = verb == .patch || verb == .delete
        return APIRoute(
            verb, isAbout ? "\(path)/{\(word)}" : path, verb == .get ? .everyone : .admin, group: "settings",
            creates: creates)
    }

    func get(route: APIRoute? = nil, _ example: APIExample) -> APIFunction {
        APIFunction(
            "get", "Finds one \(name) by its code.", [key], returns: .found(result), route: route, examples: [example]
        ) { call in
            let code = try call.code(word)
            return try call.read { call.found(try find($0.settings, code), record) }
        }
    }

    func each(_ summary: String, _ example: APIExample) -> APIFunction {
        APIFunction("each", summary, [], returns: .each(result), route: route(.get), examples: [example]) { call in
            let entries = try call.read { try all($0.settings) }
            return call.each(entries.map(record.table))
        }
    }

    func add(_ summary: String, _ examples: APIExample...) -> APIFunction {
        var fields: [APIParameter] = [
            .required("code", .text(maximum: 100), "its key; it does not change"), .required("name", nameType),
        ]
        var refusals = ["exists"]
        if let parent {
            fields.append(.optional("parent", .reference(reference), parent.words))
            refusals += ["unknown_\(word)", "cycle"]
        }
        return APIFunction(
            "add", summary, .named(word, fields + more), returns: .written(result),
            refusals: refusals, needs: .settingsWrite, route: route(.post, creates: true),
            examples: examples
        ) { call in
            var entry = Entry.blank
            entry.code = try call.arguments.need("code")
            entry.name = try call.arguments.need("name")
            parent?.set(&entry, call.optionalCode("parent"))
            try setMore(&entry, call.arguments)
            return try call.write { [entry] in call.answer(try add($0.settings, entry), record.table) }
        }
    }

    func update(_ example: APIExample) -> APIFunction {
        let fields: [APIParameter] =
            parent.map { parent in
                [
                    .optional("parent", .reference(reference), parent.words),
                    .optional("without_parent", .boolean, "true: it stands by itself from now on"),
                ]
            } ?? []
        return APIFunction(
            "update", "Changes what is given of \(one); the rest stays.",
            [
                .required(word, .reference(reference), "which \(name)"),
                .required("changes", .fields([.optional("name", nameType)] + more + fields), ""),
            ],
            returns: .written(result), refusals: ["unknown_\(word)"] + (parent == nil ? [] : ["cycle"]),
            needs: .settingsWrite,
            route: route(.patch), examples: [example]
        ) { call in
            let code = try call.code(word)
            let changes: APIArguments = try call.arguments.need("changes")
            return try call.write { session in
                let outcome = try update(session.settings, code) { entry in
                    if let name: String = changes["name"] { entry.name = name }
                    try setMore(&entry, changes)
                    guard let parent else { return }
                    if changes["without_parent"] == true { parent.set(&entry, nil) }
                    if case .text(let above)? = changes["parent"] as RecordKey? { parent.set(&entry, above) }
                }
                return call.answer(outcome, record.table)
            }
        }
    }

    func remove(_ summary: String, _ example: APIExample) -> APIFunction {
        APIFunction(
            "remove", summary, [key], returns: .written(result), refusals: ["unknown_\(word)", "in_use"],
            needs: .settingsWrite, route: route(.delete), examples: [example]
        ) { call in
            let code = try call.code(word)
            return try call.write { call.answer(try remove($0.settings, code), record.table) }
        }
    }
}

extension CodeFunctions.Parent where Entry: NestedCode {
    init(_ words: String) { self.init(words: words) { $0.parent = $1 } }
}

extension CodeFunctions<Branch> {
    static let branches = CodeFunctions(
        one: "a branch", reference: .branch, path: "/branches", record: .branch,
        parent: .init("what it is a part of, such as a campus"), find: { try $0.branch($1) },
        all: { try $0.branches() },
        add: { try $0.addBranch($1) }, update: { try $0.updateBranch($1, $2) }, remove: { try $0.removeBranch($1) },
        more: [
            .optional("time_zone", .text(maximum: 100), "such as `Europe/Berlin`; the library's if it has none")
        ],
        setMore: { branch, given in
            if let zone: String = given["time_zone"] { branch.zone = try Zone(named: zone) }
        })
}

extension CodeFunctions<Circulation.Category> {
    static let categories = CodeFunctions(
        one: "a category", reference: .category, path: "/categories", record: .category,
        parent: .init("the category it belongs to"), find: { try $0.category($1) }, all: { try $0.categories() },
        add: { try $0.addCategory($1) }, update: { try $0.updateCategory($1, $2) },
        remove: { try $0.removeCategory($1) })
}

extension CodeFunctions<ItemType> {
    static let itemTypes = CodeFunctions(
        one: "an item type", reference: .itemType, path: "/item-types", record: .itemType,
        parent: .init("the type it belongs to"), find: { try $0.itemType($1) }, all: { try $0.itemTypes() },
        add: { try $0.addItemType($1) }, update: { try $0.updateItemType($1, $2) },
        remove: { try $0.removeItemType($1) })
}

extension CodeFunctions<ShelvingLocation> {
    static let locations = CodeFunctions(
        one: "a location", reference: .location, path: "/locations", record: .location,
        find: { try $0.location($1) }, all: { try $0.locations() },
        add: { try $0.addLocation($1) }, update: { try $0.updateLocation($1, $2) },
        remove: { try $0.removeLocation($1) })
}

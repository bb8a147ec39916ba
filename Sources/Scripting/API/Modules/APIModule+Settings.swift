import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let branches = APIModule(
        "branches", "The branches of the library.",
        [.branchesGet, .branchesEach, .branchesAdd, .branchesUpdate, .branchesRemove])
    static let categories = APIModule(
        "categories", "The categories of patrons.",
        [.categoriesGet, .categoriesEach, .categoriesAdd, .categoriesUpdate, .categoriesRemove])
    static let itemTypes = APIModule(
        "item_types", "The types of items.",
        [.itemTypesGet, .itemTypesEach, .itemTypesAdd, .itemTypesUpdate, .itemTypesRemove])
}

extension APIFunction {
    private static let codeField = APIParameter.required("code", .text(maximum: 100), "its key; it does not change")

    /// The fields by which a parent is set or taken away again.
    private static func parentFields(_ reference: APIReference, _ what: String) -> [APIParameter] {
        [
            .optional("parent", .reference(reference), what),
            .optional("without_parent", .boolean, "true: it stands by itself from now on"),
        ]
    }

    // MARK: - Branches

    fileprivate static let branchesGet = APIFunction(
        "get", "Finds one branch by its code.",
        [.required("branch", .reference(.branch), "")], returns: .found(.record("branch")),
        route: .init(.get, "/branches/{branch}", .everyone, group: "settings"),
        examples: [APIExample(#"branches.get("main").name"#, #""Main Library""#)]
    ) { call in
        let code = try call.code("branch")
        return try call.read { call.found(try $0.settings.branch(code), .branch) }
    }

    fileprivate static let branchesEach = APIFunction(
        "each", "Goes through all branches, the first one first.", [], returns: .each(.record("branch")),
        route: .init(.get, "/branches", .everyone, group: "settings"),
        examples: [APIExample("local n = 0 for branch in branches.each() do n = n + 1 end return n", "1")]
    ) { call in
        let branches = try call.read { try $0.settings.branches() }
        return call.each(branches.map(APIRecord.branch.table))
    }

    fileprivate static let branchesAdd = APIFunction(
        "add", "Adds a branch; it is always open until `calendar.set_hours` says otherwise.",
        [
            .required(
                "branch",
                .fields([
                    codeField, .required("name", .text(maximum: 500), ""),
                    .optional("parent", .reference(.branch), "what it is a part of, such as a campus"),
                    .optional("time_zone", .text(maximum: 100), "such as `Europe/Berlin`; the library's if left out"),
                ]), "")
        ],
        returns: .written(.record("branch")), refusals: ["exists", "unknown_branch", "cycle"], needs: .settingsWrite,
        route: .init(.post, "/branches", .admin, group: "settings", creates: true),
        examples: [
            APIExample(#"branches.add{ code = "east", name = "East" }.code"#, #""east""#),
            APIExample(
                #"branches.add{ code = "annex", name = "Annex", parent = "main" } return branches.get("annex").parent"#,
                #""main""#),
        ]
    ) { call in
        let branch = Branch(
            code: try call.arguments.need("code"), name: try call.arguments.need("name"),
            parent: call.optionalCode("parent"), zone: try call.zone())
        return try call.write { call.answer(try $0.settings.addBranch(branch), APIRecord.branch.table) }
    }

    fileprivate static let branchesUpdate = APIFunction(
        "update", "Changes what is given of a branch; the rest stays.",
        [
            .required("branch", .reference(.branch), "which branch"),
            .required(
                "changes",
                .fields(
                    [
                        .optional("name", .text(maximum: 500), ""),
                        .optional("time_zone", .text(maximum: 100), "such as `Europe/Berlin`"),
                    ] + parentFields(.branch, "what it is a part of")), ""),
        ],
        returns: .written(.record("branch")), refusals: ["unknown_branch", "cycle"], needs: .settingsWrite,
        route: .init(.patch, "/branches/{branch}", .admin, group: "settings"),
        examples: [APIExample(#"branches.update("main", { name = "Central" }).name"#, #""Central""#)]
    ) { call in
        let code = try call.code("branch")
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let outcome = try session.settings.updateBranch(code) { branch in
                if let name: String = changes["name"] { branch.name = name }
                if let zone: String = changes["time_zone"] { branch.zone = try Zone(named: zone) }
                call.changeParent(of: &branch, by: changes)
            }
            return call.answer(outcome, APIRecord.branch.table)
        }
    }

    fileprivate static let branchesRemove = APIFunction(
        "remove", "Removes a branch to which no copy, patron, hold or other branch belongs.",
        [.required("branch", .reference(.branch), "")],
        returns: .written(.record("branch")), refusals: ["unknown_branch", "in_use"], needs: .settingsWrite,
        route: .init(.delete, "/branches/{branch}", .admin, group: "settings"),
        examples: [APIExample(#"select(2, branches.remove("main")).code"#, #""in_use""#)]
    ) { call in
        let code = try call.code("branch")
        return try call.write { call.answer(try $0.settings.removeBranch(code), APIRecord.branch.table) }
    }

    // MARK: - Categories

    fileprivate static let categoriesGet = APIFunction(
        "get", "Finds one category by its code.",
        [.required("category", .reference(.category), "")], returns: .found(.record("category")),
        examples: [APIExample(#"categories.get("staff").name"#, #""Staff""#)]
    ) { call in
        let code = try call.code("category")
        return try call.read { call.found(try $0.settings.category(code), .category) }
    }

    fileprivate static let categoriesEach = APIFunction(
        "each", "Goes through all categories.", [], returns: .each(.record("category")),
        route: .init(.get, "/categories", .everyone, group: "settings"),
        examples: [
            APIExample("local t = {} for c in categories.each() do t[#t + 1] = c.code end return #t", "3")
        ]
    ) { call in
        let categories = try call.read { try $0.settings.categories() }
        return call.each(categories.map(APIRecord.category.table))
    }

    fileprivate static let categoriesAdd = APIFunction(
        "add", "Adds a category.",
        [
            .required(
                "category",
                .fields([
                    codeField, .required("name", .text(maximum: 500), ""),
                    .optional("parent", .reference(.category), "the category it belongs to"),
                ]), "")
        ],
        returns: .written(.record("category")), refusals: ["exists", "unknown_category", "cycle"],
        needs: .settingsWrite,
        route: .init(.post, "/categories", .admin, group: "settings", creates: true),
        examples: [
            APIExample(#"categories.add{ code = "guest", name = "Guests" }.name"#, #""Guests""#),
            APIExample(#"categories.add{ code = "tutor", name = "Tutors", parent = "staff" }.parent"#, #""staff""#),
        ]
    ) { call in
        let category = Circulation.Category(
            code: try call.arguments.need("code"), name: try call.arguments.need("name"),
            parent: call.optionalCode("parent"))
        return try call.write { call.answer(try $0.settings.addCategory(category), APIRecord.category.table) }
    }

    fileprivate static let categoriesUpdate = APIFunction(
        "update", "Changes what is given of a category; the rest stays.",
        [
            .required("category", .reference(.category), "which category"),
            .required(
                "changes",
                .fields(
                    [.optional("name", .text(maximum: 500), "")]
                        + parentFields(.category, "the category it belongs to")), ""),
        ],
        returns: .written(.record("category")), refusals: ["unknown_category", "cycle"], needs: .settingsWrite,
        route: .init(.patch, "/categories/{category}", .admin, group: "settings"),
        examples: [APIExample(#"categories.update("staff", { name = "Colleagues" }).name"#, #""Colleagues""#)]
    ) { call in
        let code = try call.code("category")
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let outcome = try session.settings.updateCategory(code) { category in
                if let name: String = changes["name"] { category.name = name }
                call.changeParent(of: &category, by: changes)
            }
            return call.answer(outcome, APIRecord.category.table)
        }
    }

    fileprivate static let categoriesRemove = APIFunction(
        "remove", "Removes a category that no patron has and no category belongs to.",
        [.required("category", .reference(.category), "")],
        returns: .written(.record("category")), refusals: ["unknown_category", "in_use"], needs: .settingsWrite,
        route: .init(.delete, "/categories/{category}", .admin, group: "settings"),
        examples: [APIExample(#"select(2, categories.remove("staff")).code"#, #""in_use""#)]
    ) { call in
        let code = try call.code("category")
        return try call.write { call.answer(try $0.settings.removeCategory(code), APIRecord.category.table) }
    }

    // MARK: - Item types

    fileprivate static let itemTypesGet = APIFunction(
        "get", "Finds one item type by its code.",
        [.required("item_type", .reference(.itemType), "")], returns: .found(.record("item_type")),
        examples: [APIExample(#"item_types.get("book").name"#, #""Book""#)]
    ) { call in
        let code = try call.code("item_type")
        return try call.read { call.found(try $0.settings.itemType(code), .itemType) }
    }

    fileprivate static let itemTypesEach = APIFunction(
        "each", "Goes through all item types.", [], returns: .each(.record("item_type")),
        route: .init(.get, "/item-types", .everyone, group: "settings"),
        examples: [
            APIExample("local n = 0 for item_type in item_types.each() do n = n + 1 end return n", "1")
        ]
    ) { call in
        let types = try call.read { try $0.settings.itemTypes() }
        return call.each(types.map(APIRecord.itemType.table))
    }

    fileprivate static let itemTypesAdd = APIFunction(
        "add", "Adds an item type.",
        [
            .required(
                "item_type",
                .fields([
                    codeField, .required("name", .text(maximum: 500), ""),
                    .optional("parent", .reference(.itemType), "the type it belongs to"),
                ]), "")
        ],
        returns: .written(.record("item_type")), refusals: ["exists", "unknown_item_type", "cycle"],
        needs: .settingsWrite,
        route: .init(.post, "/item-types", .admin, group: "settings", creates: true),
        examples: [
            APIExample(#"item_types.add{ code = "atlas", name = "Atlas", parent = "book" }.parent"#, #""book""#)
        ]
    ) { call in
        let type = ItemType(
            code: try call.arguments.need("code"), name: try call.arguments.need("name"),
            parent: call.optionalCode("parent"))
        return try call.write { call.answer(try $0.settings.addItemType(type), APIRecord.itemType.table) }
    }

    fileprivate static let itemTypesUpdate = APIFunction(
        "update", "Changes what is given of an item type; the rest stays.",
        [
            .required("item_type", .reference(.itemType), "which item type"),
            .required(
                "changes",
                .fields(
                    [.optional("name", .text(maximum: 500), "")]
                        + parentFields(.itemType, "the type it belongs to")), ""),
        ],
        returns: .written(.record("item_type")), refusals: ["unknown_item_type", "cycle"], needs: .settingsWrite,
        route: .init(.patch, "/item-types/{item_type}", .admin, group: "settings"),
        examples: [APIExample(#"item_types.update("book", { name = "Books" }).name"#, #""Books""#)]
    ) { call in
        let code = try call.code("item_type")
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let outcome = try session.settings.updateItemType(code) { type in
                if let name: String = changes["name"] { type.name = name }
                call.changeParent(of: &type, by: changes)
            }
            return call.answer(outcome, APIRecord.itemType.table)
        }
    }

    fileprivate static let itemTypesRemove = APIFunction(
        "remove", "Removes an item type that no copy has and no type belongs to.",
        [.required("item_type", .reference(.itemType), "")],
        returns: .written(.record("item_type")), refusals: ["unknown_item_type", "in_use"], needs: .settingsWrite,
        route: .init(.delete, "/item-types/{item_type}", .admin, group: "settings"),
        examples: [APIExample(#"select(2, item_types.remove("book")).code"#, #""in_use""#)]
    ) { call in
        let code = try call.code("item_type")
        return try call.write { call.answer(try $0.settings.removeItemType(code), APIRecord.itemType.table) }
    }
}

extension APICall {
    fileprivate func changeParent(of entry: inout some DeclaredCode, by changes: APIArguments) {
        if changes["without_parent"] == true { entry.parent = nil }
        if case .text(let parent)? = changes["parent"] as RecordKey? { entry.parent = parent }
    }

    fileprivate func zone() throws -> Zone? {
        try (arguments["time_zone"] as String?).map { try Zone(named: $0) }
    }
}

import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The lists that patrons make, their own and others' that are public.
enum ListsPage: PageGroup {
    static let templates = [
        PageTemplate("list", PackageResources.list_mustache), PageTemplate("lists", PackageResources.lists_mustache),
        PageTemplate("public-lists", PackageResources.public_lists_mustache),
    ]

    static let pages = [
        Page.shown("/me/lists", .holder) { call in try ownView(call) },
        Page.form("/me/lists", again: { call in try ownView(call) }) { call in
            try call.act(.post, "/patrons/me/lists", named(call), back: "/me/lists") {
                say("The list \(PageWords.safe($0["name"]) ?? "") has been created.")
            }
        },
        Page.form("/me/lists/add") { call in try addTitles(call) },
        Page.form("/me/lists/{list}") { call in
            try call.act(.patch, "/patrons/me/lists/\(call.value())", named(call), back: "/lists/\(call.value())") {
                say("The list \(PageWords.safe($0["name"]) ?? "") has been saved.")
            }
        },
        Page.form("/me/lists/{list}/link") { call in
            try call.act(
                .patch, "/patrons/me/lists/\(call.value())", ["new_link": true], back: "/lists/\(call.value())"
            ) { _ in say("The list has a new link. The previous link no longer works.") }
        },
        Page.form("/me/lists/{list}/remove") { call in
            try call.act(.delete, "/patrons/me/lists/\(call.value())", back: "/me/lists") {
                say("The list \(PageWords.safe($0["name"]) ?? "") has been deleted.")
            }
        },
        Page.form("/me/lists/{list}/titles/{title}/remove") { call in
            let path = "/patrons/me/lists/\(call.value())/titles/\(call.value(1))"
            let back = OwnPath(call.form["back"])?.text ?? "/lists/\(call.value())"
            return try call.act(.delete, path, back: back) { _ in say("The title has been removed from the list.") }
        },
        Page.shown("/lists") { call in try publicView(call) },
        Page.shown("/lists/{list}") { call in try view(call) },
        Page(
            verb: .get, path: "/lists/{list}/titles.csv", access: .everyone,
            work: .serving { call in
                let list = try record(call)
                return ReportResponse.sheet(
                    try sheet(titles(of: list, call)), name: list["name"]?.stringValue ?? "list")
            }),
    ]

    private static let nameField = PageField(
        name: "name", label: "Name", most: TitleList.longestName, isRequired: true)

    private static func visibilityField() -> PageField {
        var field = PageField(name: "visibility", label: "Who can see it")
        field.choices = TitleList.Visibility.allCases.map { ($0.rawValue, words($0)) }
        return field
    }

    private static func words(_ visibility: TitleList.Visibility) -> String {
        switch visibility {
        case .private: say("Only you")
        case .link: say("Anyone with the link")
        case .public: say("Everyone")
        }
    }

    /// What the form says of a list.
    private static func named(_ call: PageCall) -> JSONObject {
        var members: JSONObject = ["name": .string(call.form["name"] ?? "")]
        members["visibility"] = call.form.text("visibility").map { .string($0) }
        return members
    }

    /// So many public lists stand on a page.
    private static let mostOnPage: Int64 = 50

    private static func publicView(_ call: PageCall) throws -> PageView {
        return PageView(
            template: "public-lists", title: say("Members' lists"),
            fields: try publicLists(at: "/lists", call) { list in
                var row = row(of: list)
                row["owner"] = PageWords.safe(list["owner_name"]) ?? say("a member")
                return row
            })
    }

    /// A page of the public lists, of those alone in whose names something stands where that was asked for.
    static func publicLists(
        at path: String, _ call: PageCall, row: (JSON) throws -> [String: Any]
    ) throws -> [String: Any] {
        let page = min(max(call.query.text("page").flatMap(Int64.init) ?? 1, 1), 1_000_000)
        let words = String((call.query.text("query") ?? "").prefix(100))
        let lists = try call.list(
            "/lists",
            [
                "limit": .integer(mostOnPage + 1), "offset": .integer((page - 1) * mostOnPage), "query": .string(words),
            ])
        var fields: [String: Any] = [
            "lists": try lists.prefix(Int(mostOnPage)).map(row), "query": PageWords.safe(words),
            "isSearch": !words.isEmpty, "path": path,
        ]
        let asked = words.isEmpty ? "" : "&query=\(PageCall.segment(words))"
        if lists.count > Int(mostOnPage) { fields["next"] = "\(path)?page=\(page + 1)\(asked)" }
        if page > 1 { fields["previous"] = "\(path)?page=\(page - 1)\(asked)" }
        return fields
    }

    private static func ownView(_ call: PageCall) throws -> PageView {
        let lists = try call.list("/patrons/me/lists").map { row(of: $0) }
        return PageView(
            template: "lists", title: say("Lists"),
            fields: ["lists": lists, "inputs": PageField.inputs([nameField, visibilityField()], call)])
    }

    static func row(of list: JSON) -> [String: Any] {
        let titles = list["titles"]?.integerValue ?? 0
        return [
            "isDown": list["taken_down_at"] != nil,
            "id": list["id"]?.integerValue ?? 0, "name": PageWords.safe(list["name"]) ?? "",
            "link": "/lists/\(list["id"]?.integerValue ?? 0)", "isPublic": list["is_public"] == true,
            "isShared": list["visibility"] == "link",
            "count": PageWords.count(titles, "title", "titles"),
        ]
    }

    // MARK: - One list

    /// The key of the link by which the list was opened.
    private static func key(_ call: PageCall) -> JSONObject {
        call.query.text("key").map { ["key": .string(String($0.prefix(64)))] } ?? [:]
    }

    private static func record(_ call: PageCall) throws -> JSON {
        do {
            return try call.record("/lists/\(call.value())", key(call))
        } catch let problem as Problem where problem.status == 400 {
            throw Problem.notFound
        }
    }

    private static func titles(of list: JSON, _ call: PageCall) throws -> [JSON] {
        var members = key(call)
        members["limit"] = .integer(TitleList.most.titles)
        return try call.list("/lists/\(list["id"]?.integerValue ?? 0)/titles", members)
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let list = try record(call)
        let id = list["id"]?.integerValue ?? 0
        let isOwn = call.caller.patron.map { $0.id == list["patron"]?.integerValue } ?? false
        var fields = row(of: list)
        fields["titles"] = try titles(of: list, call).map { title in
            var fields = TitleFields.short(title)
            if isOwn { fields["removal"] = "/me/lists/\(id)/titles/\(title["id"]?.integerValue ?? 0)/remove" }
            return fields
        }
        fields["owner"] = PageWords.safe(list["owner_name"]) ?? say("a member")
        let key = list["link_key"]?.stringValue.map { "?key=\(PageCall.segment($0))" } ?? ""
        fields["sheet"] = "/lists/\(id)/titles.csv\(key)"
        if list["visibility"] != "private" { fields["address"] = "\(call.services.settings.url)/lists/\(id)\(key)" }
        let isDown = list["taken_down_at"] != nil
        if isOwn {
            let inputs = isDown ? [nameField] : [nameField, visibilityField()]
            fields["own"] =
                [
                    "path": "/me/lists/\(id)", "isLinked": list["visibility"] == "link",
                    "inputs": PageField.inputs(inputs, call) { list[$0]?.stringValue },
                ] as [String: Any]
        }
        fields["decision"] = PageWords.safe(list["decision"])
        if call.caller.isStaff, list["visibility"] != "private" || isDown {
            var desk = DeskListsPage.forms(of: list)
            desk["key"] = list["link_key"]?.stringValue
            fields["desk"] = desk
        }
        return PageView(template: "list", title: PageWords.safe(list["name"]) ?? "", fields: fields)
    }

    private static func sheet(_ titles: [JSON]) throws -> String {
        var writer = CSVWriter(guardsFormulas: true)
        writer.record([say("Title"), say("Authors"), say("Year"), say("Publisher"), "ISBN"])
        for title in titles {
            writer.record([
                title["title"]?.stringValue ?? "", TitleFields.authors(title) ?? "",
                title["year"]?.integerValue.map(String.init) ?? "", title["publisher"]?.stringValue ?? "",
                title["isbn"]?.stringValue ?? "",
            ])
        }
        return writer.text
    }

    // MARK: - From titles and searches

    /// The lists to which the titles of a page can be added: those of a patron who is logged in.
    ///
    /// - Parameters:
    ///   - back: the page.
    ///   - title: the title that it is about; nil: the page has several, which are ticked.
    static func adding(to back: String, title: Int64? = nil, _ call: PageCall) throws -> [String: Any]? {
        guard let patron = call.caller.patron?.id else { return nil }
        let lists = try call.context.look { try $0.lists.list(of: .id(patron)) }
        var fields: [String: Any] = [
            "back": back, "most": TitleList.longestName,
            "lists": lists.map { ["id": $0.id, "name": PageWords.safe($0.name)] as [String: Any] },
        ]
        guard let title else { return fields }
        fields["title"] = title
        fields["holding"] = try call.context.look { try $0.lists.holding(title, of: patron) }.map { list in
            [
                "name": PageWords.safe(list.name), "link": "/lists/\(list.id)", "back": back,
                "removal": "/me/lists/\(list.id)/titles/\(title)/remove",
            ] as [String: Any]
        }
        return fields
    }

    /// The most titles that a form adds at once: those of a page of a search.
    private static let mostAtOnce = 100

    private static func addTitles(_ call: PageCall) throws -> PageOutcome {
        let back = OwnPath(call.form["back"])?.text ?? "/me/lists"
        let titles = call.form.all("title").compactMap(Int64.init).prefix(mostAtOnce)
        guard !titles.isEmpty else { throw Problem.input("Select a title first.", argument: "title") }
        var list = call.form.text("list").flatMap(Int64.init)
        var name = ""
        if list == nil {
            // No list is made for titles that there are not.
            for title in titles { _ = try call.record("/titles/\(title)") }
            switch try call.ask(.post, "/patrons/me/lists", ["name": .string(call.form["name"] ?? "")]) {
            case .value(let made):
                list = made["id"]?.integerValue
                name = PageWords.safe(made["name"]) ?? ""
            case .refused(let refusal): return .refused(refusal, back: back)
            case .nothing, .notFound: throw Problem.notFound
            }
        } else if let found = try call.list("/patrons/me/lists").first(where: { $0["id"]?.integerValue == list }) {
            name = PageWords.safe(found["name"]) ?? ""
        }
        for title in titles {
            let added = try call.ask(.post, "/patrons/me/lists/\(list ?? 0)/titles", ["title": .integer(title)])
            if case .refused(let refusal) = added { return .refused(refusal, back: back) }
        }
        return .done(
            to: back,
            saying: titles.count == 1
                ? say("1 title is now on the list \(name).")
                : say("\(titles.count) titles are now on the list \(name)."))
    }
}

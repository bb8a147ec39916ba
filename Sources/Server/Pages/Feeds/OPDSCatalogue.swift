import Languages
import Scripting
import TextFormats

/// The catalogue for reading programs, as OPDS 1.2 has it: feeds of titles, and feeds that lead to them.
enum OPDSCatalogue: PageGroup {
    static let templates = [
        PageTemplate("opds", PackageResources.opds_mustache),
        PageTemplate("opds-search", PackageResources.opds_search_mustache),
    ]

    private static let kind = "application/atom+xml;profile=opds-catalog;kind="
    /// A program cannot ask for a page behind these titles.
    private static let mostListed: Int64 = 10_000

    static let pages = [
        Page(verb: .get, path: "/opds", access: .everyone, work: .serving(root)),
        Page(verb: .get, path: "/opds/subjects", access: .everyone, work: .serving(subjects)),
        Page(verb: .get, path: "/opds/titles", access: .everyone, work: .serving(titles)),
        Page(
            verb: .get, path: "/opds/search.xml", access: .everyone,
            work: .serving { call in
                FeedFields.answer(
                    "opds-search", FeedFields.feed(say("Search"), "/opds/search.xml", call),
                    "application/opensearchdescription+xml")
            }),
    ]

    /// Lists that a program may ask for by name.
    private static let lists: [(name: String, title: Phrase, relation: String)] = [
        (name: "new", title: "New titles", relation: "http://opds-spec.org/sort/new"),
        (name: "popular", title: "Popular this month", relation: "http://opds-spec.org/sort/popular"),
        (
            name: "recommended", title: "Recommended by the library",
            relation: "http://opds-spec.org/featured"
        ),
    ]

    @Sendable private static func root(_ call: PageCall) throws -> WebResponse {
        let url = call.services.settings.url
        let lists = lists.map { list in
            way(say(list.title), "\(url)/opds/titles?list=\(list.name)", list.relation, "acquisition")
        }
        let subjects = way(say("Subjects"), "\(url)/opds/subjects", "subsection", "navigation")
        return answer(say("Catalogue"), "/opds", "navigation", ["ways": lists + [subjects]], call)
    }

    @Sendable private static func subjects(_ call: PageCall) throws -> WebResponse {
        let url = call.services.settings.url
        let counts = try call.list("/facets", ["values": 100]).filter { $0["kind"] == "genre" }
        let ways = counts.compactMap { $0["value"]?.stringValue }.sorted().map { subject in
            way(
                FeedFields.text(subject), "\(url)/opds/titles?genre=\(PercentEncoding.encoded(subject))",
                "subsection",
                "acquisition")
        }
        return answer(say("Subjects"), "/opds/subjects", "navigation", ["ways": ways], call)
    }

    @Sendable private static func titles(_ call: PageCall) throws -> WebResponse {
        let page = max(
            1, min(call.query.text("page").flatMap(Int64.init) ?? 1, mostListed / FeedFields.many))
        let members: JSONObject = [
            "limit": .integer(FeedFields.many), "offset": .integer((page - 1) * FeedFields.many),
        ]
        var (heading, asked, titles) = (say("All titles"), [String](), [JSON]())
        if let list = lists.first(where: { $0.name == call.query.text("list") }) {
            heading = say(list.title)
            asked = ["list=\(list.name)"]
            titles = try self.titles(of: list.name, members, call)
        } else {
            var members = members
            members["order"] = "relevance"
            members["prefix"] = true
            for name in ["query", "author", "genre"] {
                guard let text = call.query.text(name) else { continue }
                heading = FeedFields.text(text)
                asked.append("\(name)=\(PercentEncoding.encoded(text))")
                members[name] = .string(text)
            }
            titles = try call.list("/titles", members)
        }
        func path(_ page: Int64) -> String {
            let query = asked + (page > 1 ? ["page=\(page)"] : [])
            return "/opds/titles" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        }
        let url = call.services.settings.url
        var fields: [String: Any] = ["titles": titles.map { FeedFields.entry($0, call) }]
        if page > 1 { fields["previous"] = url + path(page - 1) }
        if titles.count == FeedFields.many, page < mostListed / FeedFields.many {
            fields["next"] = url + path(page + 1)
        }
        return answer(heading, path(page), "acquisition", fields, call)
    }

    private static func titles(of list: String, _ members: JSONObject, _ call: PageCall) throws
        -> [JSON]
    {
        switch list {
        case "popular": return try call.list("/trending", members).compactMap { $0["title"] }
        case "recommended": return try call.list("/recommended", members)
        default:
            var members = members
            members["order"] = "added"
            return try call.list("/titles", members)
        }
    }

    private static func way(_ title: String, _ link: String, _ relation: String, _ kind: String)
        -> [String: Any]
    {
        ["title": title, "link": link, "relation": relation, "type": Self.kind + kind]
    }

    private static func answer(
        _ title: String, _ path: String, _ kind: String, _ fields: [String: Any], _ call: PageCall
    ) -> WebResponse {
        var all = FeedFields.feed(title, path, call)
        all["type"] = Self.kind + kind
        all["start"] = Self.kind + "navigation"
        all["acquisition"] = Self.kind + "acquisition"
        all.merge(fields) { $1 }
        return FeedFields.answer("opds", all, Self.kind + kind)
    }
}

import Languages
import Scripting
import TextFormats

/// The volumes of a series in their order.
enum SeriesPage: PageGroup {
    static let templates = [PageTemplate("series", PackageResources.series_mustache)]

    /// How many volumes a page has, and how many the page of one of them shows.
    private static let (many, few): (Int64, Int64) = (50, 12)

    static let pages = [
        Page.shown("/series") { call in
            guard let name = call.query.text("name") else { throw Problem.notFound }
            let number = max(1, min(10_000, call.query.text("page").flatMap(Int64.init) ?? 1))
            let found = try volumes(name, offset: (number - 1) * many, limit: many + 1, call)
            guard !found.isEmpty || number > 1 else { throw Problem.notFound }
            var fields: [String: Any] = ["volumes": found.prefix(Int(many)).map(volume)]
            if number > 1 { fields["previous"] = "\(link(name))&page=\(number - 1)" }
            if found.count > Int(many) { fields["next"] = "\(link(name))&page=\(number + 1)" }
            let shown = found.first?["series"]?.stringValue ?? name
            return PageView(
                template: "series", title: say("Series: \(PageWords.safe(shown))"), fields: fields)
        }
    ]

    static func link(_ name: String) -> String { "/series?name=\(PercentEncoding.encoded(name))" }

    /// The other volumes of a title's series, as its page shows them; nil where it has none.
    static func section(of title: JSON, _ call: PageCall) throws -> [String: Any]? {
        guard let name = title["series"]?.stringValue, !name.isEmpty else { return nil }
        let found = try volumes(name, offset: 0, limit: few + 1, call)
        let others = found.prefix(Int(few)).filter { $0["id"] != title["id"] }
        guard !others.isEmpty else { return nil }
        var fields: [String: Any] = ["volumes": others.map(volume), "name": PageWords.safe(name)]
        if found.count > Int(few) { fields["all"] = link(name) }
        return fields
    }

    private static func volumes(_ name: String, offset: Int64, limit: Int64, _ call: PageCall) throws -> [JSON] {
        try call.list(
            "/series", ["name": .string(name), "offset": .integer(offset), "limit": .integer(limit)])
    }

    private static func volume(_ title: JSON) -> [String: Any] {
        var fields = TitleFields.short(title)
        fields["number"] = PageWords.safe(title["series_number"])
        return fields
    }
}

import Scripting
import TextFormats

/// What a search page was asked for, which its links keep.
struct SearchAddress {
    /// The fields of the query that narrow a search, in the order of links.
    static let facets = ["available", "branch", "author", "genre", "language", "decade", "year"]
    private static let names = ["query", "by"] + facets + ["order"]

    /// Fields that are set, in any order.
    private(set) var texts: [String: String] = [:]

    /// The fields of a query that a search takes, each as far as it makes sense.
    init(_ query: PageForm) {
        for name in Self.names { texts[name] = query.text(name) }
        if texts["available"] != nil { texts["available"] = "yes" }
        if Self.number(texts["year"], in: -9_999...9_999) == nil { texts["year"] = nil }
        if Self.number(texts["decade"], in: 1_000...9_990) == nil { texts["decade"] = nil }
        if (texts["language"]?.utf8.count ?? 0) > 20 { texts["language"] = nil }
    }

    /// A search by fields alone.
    init(_ texts: [String: String]) { self.texts = texts }

    /// The same search with another value of a field; nil takes it away.
    func with(_ name: String, _ value: String?) -> SearchAddress {
        var changed = self
        changed.texts[name] = value
        return changed
    }

    /// The path with the query.
    func path(page: Int64 = 1) -> String {
        var members = Self.names.compactMap { name in texts[name].map { "\(name)=\(PercentEncoding.encoded($0))" } }
        if page > 1 { members.append("page=\(page)") }
        return members.isEmpty ? "/search" : "/search?" + members.joined(separator: "&")
    }

    /// What the API is asked for: words and facets, without order.
    var members: JSONObject {
        var members: JSONObject = ["by": .string(texts["by"] ?? "all"), "prefix": true]
        for name in ["query", "branch", "author", "genre", "language"] {
            if let text = texts[name] { members[name] = .string(text) }
        }
        for name in ["year", "decade"] { texts[name].flatMap(Int64.init).map { members[name] = .integer($0) } }
        if texts["available"] != nil { members["available"] = true }
        return members
    }

    /// Whether only the first titles by loans are put in order where a great many are found: see ``CatalogueQuery/among``.
    var sortsSome: Bool {
        guard let order = texts["order"], order != "lent" else { return false }
        return ["year", "rated"].contains(order) || texts["query"] != nil || Self.facets.contains { texts[$0] != nil }
    }

    private static func number(_ text: String?, in range: ClosedRange<Int64>) -> Int64? {
        text.flatMap(Int64.init).flatMap { range.contains($0) ? $0 : nil }
    }
}

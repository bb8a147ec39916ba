import Languages
import TextFormats

/// By what a search can be narrowed, and by what it is.
enum FacetFields {
    private static let kinds: [(String, Phrase)] = [
        ("available", "Available"), ("branch", "Branch"), ("author", "Author"), ("genre", "Genre or subject"),
        ("language", "Language"), ("decade", "Decade"), ("year", "Year"),
    ]
    /// How many values of each kind are shown.
    private static let values: Int64 = 8
    /// Of how many titles of a search the values are counted.
    static let mostCounted: Int64 = 500

    /// What the search is narrowed to, each with the link that takes it away.
    static func chosen(_ address: SearchAddress, _ call: PageCall) throws -> [[String: Any]] {
        try kinds.compactMap { kind, name in
            guard let value = address.texts[kind] else { return nil }
            return [
                "kind": say(name), "name": try shown(kind, value, call), "isAvailable": kind == "available",
                "link": address.with(kind, nil).path(),
            ] as [String: Any]
        }
    }

    /// Links that narrow the search further, by kind, with how many titles they find; where the search finds many, at least so many.
    ///
    /// - Parameter found: how many titles the search finds.
    static func offered(_ address: SearchAddress, found: Int64, _ call: PageCall) throws -> [[String: Any]] {
        guard found > 1 else { return [] }
        var members = address.members
        members["values"] = .integer(values)
        members["most"] = .integer(mostCounted)
        let counts = try call.list("/facets", members)
        return try kinds.compactMap { kind, name in
            // A year belongs to a decade, and is told apart within one.
            let isOther =
                kind == "decade" && address.texts["year"] != nil || kind == "year" && address.texts["decade"] == nil
            let values = counts.filter { $0["kind"]?.stringValue == kind }
            // What all have narrows nothing.
            let isNarrowing = values.contains { $0["titles"]?.integerValue != found || $0["more"] == true }
            guard address.texts[kind] == nil, !isOther, isNarrowing else { return nil }
            let rows = try values.map { count in
                let value = count["value"]?.stringValue ?? ""
                return [
                    "name": try shown(kind, value, call), "link": address.with(kind, sent(kind, value)).path(),
                    "titles": count["titles"]?.integerValue ?? 0, "isMore": count["more"] == true,
                ] as [String: Any]
            }
            return ["kind": say(name), "values": rows] as [String: Any]
        }
    }

    private static func sent(_ kind: String, _ value: String) -> String { kind == "available" ? "yes" : value }

    private static func shown(_ kind: String, _ value: String, _ call: PageCall) throws -> String {
        switch kind {
        case "available": say("Available now")
        case "branch": PageWords.safe(try call.branchName(value) ?? value)
        case "decade": PageWords.safe(value) + "s"
        case "language": TitleFields.language(PageWords.safe(value))
        default: PageWords.safe(value)
        }
    }
}

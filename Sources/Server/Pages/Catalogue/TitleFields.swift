import Languages
import TextFormats

/// Titles as pages show them.
enum TitleFields {
    /// A title as one of a list.
    static func short(_ title: JSON) -> [String: Any] {
        var fields: [String: Any] = [
            "id": title["id"]?.integerValue ?? 0, "link": link(title["id"]?.integerValue),
            "name": PageWords.safe(title["title"]) ?? say("Untitled"),
            "stock": stock(title), "isAvailable": (title["available"]?.integerValue ?? 0) > 0,
        ]
        fields["authors"] = authors(title)
        fields["people"] = links(texts(title["authors"]), "author")
        fields["year"] = title["year"]?.integerValue
        fields["rating"] = RatingPages.average(of: title)
        fields["cover"] = PicturePage.path(.titles, of: title, isSmall: true)
        return fields
    }

    static func link(_ id: Int64?) -> String { "/titles/\(id ?? 0)" }

    /// The authors of a title in one line; nil: it has none.
    static func authors(_ title: JSON) -> String? {
        let names = texts(title["authors"])
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// Links to the titles that have each of some values; the last one says that it is.
    static func links(_ names: [String], _ facet: String) -> [[String: Any]] {
        names.enumerated().map { number, name in
            [
                "name": facet == "language" ? language(name) : name, "link": SearchAddress([facet: name]).path(),
                "isLast": number == names.count - 1,
            ]
        }
    }

    /// What readers call a language, `Italian` for `it`; what is no code of one is as it is.
    static func language(_ code: String) -> String {
        Language.spoken.name(ofLanguage: code).map(PageWords.safe) ?? code
    }

    /// The texts of a list.
    static func texts(_ list: JSON?) -> [String] { (list?.arrayValue ?? []).compactMap { PageWords.safe($0) } }

    /// How many copies there are, and how many can be had.
    static func stock(_ title: JSON) -> String {
        let (all, free) = (title["copies"]?.integerValue ?? 0, title["available"]?.integerValue ?? 0)
        switch (all, free) {
        case (0, _): return say("No copies")
        case (_, 0): return all == 1 ? say("The only copy is not available") : say("None of \(all) copies available")
        case (1, _): return say("Available")
        default: return say("\(free) of \(all) copies available")
        }
    }
}

import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Patrons who are likely registered twice, both records of each side by side, for staff to merge.
enum DuplicatesPage: PageGroup {
    static let templates = [PageTemplate("duplicates", PackageResources.duplicates_mustache)]

    private static let path = "/desk/duplicates"
    private static let many: Int64 = 20
    /// So many parts are looked through for one page.
    private static let mostParts = 4

    static let pages = [Page.shown(path, .staff, view)]

    private static func view(_ call: PageCall) throws -> PageView {
        var found: [JSON] = []
        var next = call.query.text("after")
        let isFirst = next == nil
        for _ in 0..<mostParts where found.count < many {
            var members: JSONObject = ["limit": .integer(many - Int64(found.count))]
            if let next { members["after"] = .string(next) }
            let part = try call.record("/duplicates/patrons", members)
            found += part["found"]?.arrayValue ?? []
            next = part["next"]?.stringValue
            if next == nil { break }
        }
        var fields: [String: Any] = ["pairs": found.map { pair($0, call) }, "path": path, "isFirst": isFirst]
        fields["next"] = next.map { PercentEncoding.encoded($0) }
        return PageView(template: "duplicates", title: say("Possible duplicates"), fields: fields)
    }

    private static func pair(_ pair: JSON, _ call: PageCall) -> [String: Any] {
        let (later, other) = (pair["patron"] ?? .null, pair["other"] ?? .null)
        return [
            "why": words(pair["why"]?.stringValue ?? ""), "rows": [row(other, call), row(later, call)],
            "merge":
                "/desk/patrons/\(other["id"]?.integerValue ?? 0)/merge?other=\(later["id"]?.integerValue ?? 0)",
        ]
    }

    private static func row(_ patron: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "link": "/desk/patrons/\(patron["id"]?.integerValue ?? 0)", "name": PatronFields.name(patron),
            "username": PageWords.safe(patron["username"]) ?? "",
        ]
        fields["born"] = call.words.date(patron["birth_date"])
        fields["email"] = PageWords.safe(patron["email"])
        return fields
    }

    /// Why two records are likely one person, in the reader's language.
    static func words(_ why: String) -> String {
        switch LikelyDuplicate(rawValue: why) {
        case .sameEmail: say("The same e-mail address")
        case .sameNameAndBirthDate: say("The same name and date of birth")
        case .nearNameAndBirthDate: say("Nearly the same name, and the same date of birth")
        case .sameTitleAndAuthors, .sameISBN, nil: ""
        }
    }
}

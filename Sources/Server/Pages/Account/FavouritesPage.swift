import Circulation
import Languages
import Scripting
import TextFormats

/// A patron's favourite titles and offers.
enum FavouritesPage: PageGroup {
    static let templates = [PageTemplate("favourites", PackageResources.favourites_mustache)]

    static let pages = [
        Page.shown("/me/favourites", .holder) { call in
            let kept = try call.list("/patrons/me/favourites")
            return PageView(
                template: "favourites", title: say("Favourites"), fields: ["favourites": kept.map { row(of: $0, call) }]
            )
        },
        Page.form("/me/favourites/{favourite}/remove") { call in
            try call.act(.delete, "/patrons/me/favourites/\(call.value())", back: "/me/favourites") { favourite in
                say("\(PageWords.safe(favourite["name"]) ?? say("It")) was removed from your favourites.")
            }
        },
        Page.form("/titles/{title}/favourite") { call in
            try keep("title", back: "/titles/\(call.value())", call)
        },
        Page.form("/market/{listing}/favourite") { call in
            try keep("listing", back: "/market/\(call.value())", call)
        },
    ]

    /// What the button at a title or an offer needs: it keeps it, or takes it away where it is kept already.
    static func button(_ part: String, _ id: Int64?, path: String, _ call: PageCall) throws -> [String: Any] {
        var fields: [String: Any] = ["path": path]
        let kept = try call.list("/patrons/me/favourites").first { id != nil && $0[part]?.integerValue == id }
        fields["kept"] = kept?["id"]?.integerValue
        return fields
    }

    private static func keep(_ part: String, back: String, _ call: PageCall) throws -> PageOutcome {
        let value = call.values.first ?? ""
        let subject: JSON = Int64(value).map(JSON.integer) ?? .string(value)
        return try call.act(.post, "/patrons/me/favourites", [part: subject], back: back) { favourite in
            say("\(PageWords.safe(favourite["name"]) ?? say("It")) was added to your favourites.")
        }
    }

    private static func row(of favourite: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "id": favourite["id"]?.integerValue ?? 0, "name": PageWords.safe(favourite["name"]) ?? "",
            "isOffer": favourite["listing"] != nil,
        ]
        fields["link"] =
            favourite["listing"]?.integerValue.map { "/market/\($0)" }
            ?? TitleFields.link(favourite["title"]?.integerValue)
        fields["at"] = call.words.moment(favourite["added_at"])
        return fields
    }
}

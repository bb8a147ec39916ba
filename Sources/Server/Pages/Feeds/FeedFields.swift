import Circulation
import Languages
import Scripting
import TextFormats

/// Titles as feeds have them. The templates of feeds are filled in by Mustache, which escapes for XML as it does for HTML.
enum FeedFields {
    /// How many titles a feed has, or a page of one.
    static let many: Int64 = 50

    /// Text that may stand in XML.
    static func text(_ text: String) -> String {
        // U+FFFE and U+FFFF are no characters of XML; other ones that are none are left out before.
        String(
            String.UnicodeScalarView(
                PageWords.safe(text).unicodeScalars.filter { $0.value & 0xFFFE != 0xFFFE }))
    }

    static func text(_ json: JSON?) -> String? {
        json?.stringValue.flatMap { $0.isEmpty ? nil : text($0) }
    }

    /// What all feeds say of the library, and themselves.
    ///
    /// - Parameter path: the feed's own.
    static func feed(_ title: String, _ path: String, _ call: PageCall) -> [String: Any] {
        let url = call.services.settings.url
        return [
            "feed": title, "library": text(call.library.name), "url": url, "address": url + path,
            "now": "\(call.now)",
        ]
    }

    static func entry(_ title: JSON, _ call: PageCall) -> [String: Any] {
        let url = call.services.settings.url
        let link = url + TitleFields.link(title["id"]?.integerValue)
        var fields: [String: Any] = [
            "name": text(title["title"]) ?? say("Untitled"), "link": link,
            "key": title["isbn"]?.stringValue.map { "urn:isbn:" + $0 } ?? link,
            "people": texts(title["authors"]), "stock": TitleFields.stock(title),
            "subjects": Set(
                texts(title["genres"]).map { $0["name"] ?? "" }
                    + texts(title["subjects"]).map { $0["name"] ?? "" }
            )
            .sorted().map { ["name": $0] },
        ]
        fields["description"] = text(title["description"])
        fields["language"] = text(title["language"])
        fields["publisher"] = text(title["publisher"])
        if let year = title["year"]?.integerValue, (1...9_999).contains(year) {
            fields["year"] = String(repeating: "0", count: 4 - String(year).count) + String(year)
        }
        fields["cover"] = PicturePage.path(.titles, of: title).map { url + $0 }
        return fields
    }

    private static func texts(_ list: JSON?) -> [[String: String]] {
        (list?.arrayValue ?? []).compactMap { text($0).map { ["name": $0] } }
    }

    /// A feed out of a template; it changes with the catalogue, and may be kept for some minutes.
    static func answer(_ template: String, _ fields: [String: Any], _ type: String) -> WebResponse {
        var answer = WebResponse(
            200, text: PageTemplates.all(in: .spoken).text(template, fields), "\(type); charset=utf-8")
        answer.fields["Cache-Control"] = "public, max-age=300"
        answer.fields["Vary"] = "Accept-Language, Cookie"
        return answer
    }
}

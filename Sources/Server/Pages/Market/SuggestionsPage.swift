import Circulation
import Languages
import Scripting
import TextFormats

/// Titles that a patron suggests to the library.
enum SuggestionsPage: PageGroup {
    static let templates = [PageTemplate("suggestions", PackageResources.suggestions_mustache)]

    static let pages = [
        Page.shown("/me/suggestions", .holder) { call in try view(call) },
        Page.form("/me/suggestions", again: view) { call in
            var members = call.members(fields.map(\.name), of: .post, "/suggestions")
            members["patron"] = "me"
            return try call.act(.post, "/suggestions", members, back: "/me/suggestions") { suggestion in
                let name = PageWords.safe(suggestion["name"]) ?? say("It")
                return suggestion["state"] == "approved"
                    ? say("\(name) is now in the catalogue.")
                    : say("Thank you for suggesting \(name). You will get a message with the decision.")
            }
        },
    ]

    private static let fields = [
        PageField(name: "name", label: "Title", most: 500, isRequired: true),
        PageField(name: "authors", label: "Authors", most: 500, hint: "Separate several names with commas."),
        PageField(name: "isbn", label: "ISBN", most: 30), PageField(name: "courses", label: "Courses"),
        PageField(name: "college", label: "College", most: 200),
        PageField(name: "note", label: "Why the library should have it", kind: .lines, most: 2_000),
    ]

    private static func view(_ call: PageCall) throws -> PageView {
        PageView(
            template: "suggestions", title: say("Suggestions"),
            fields: [
                "suggestions": try call.list("/suggestions", ["patron": "me"]).reversed().map { shown($0, call) },
                "inputs": PageField.inputs(fields, call),
            ])
    }

    /// A suggestion as its patron and staff see it.
    static func shown(_ suggestion: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "id": suggestion["id"]?.integerValue ?? 0, "name": PageWords.safe(suggestion["name"]) ?? say("Untitled"),
            "state": ["review": say("Under review"), "approved": say("In the catalogue"), "rejected": say("Declined")][
                suggestion["state"]?.stringValue ?? ""] ?? "",
        ]
        let authors = TitleFields.texts(suggestion["authors"])
        fields["authors"] = authors.isEmpty ? nil : authors.joined(separator: ", ")
        fields["isbn"] = PageWords.safe(suggestion["isbn"])
        fields["note"] = PageWords.safe(suggestion["note"])
        fields["decision"] = PageWords.safe(suggestion["decision"])
        fields["link"] = suggestion["title"]?.integerValue.map { TitleFields.link($0) }
        fields["at"] = call.words.moment(suggestion["submitted_at"])
        return fields
    }
}

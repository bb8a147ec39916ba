import Circulation
import Languages
import Scripting
import TextFormats

/// The lists that members show to everyone, for staff to take down what should not stand there, and what was taken down.
enum DeskListsPage: PageGroup {
    static let templates = [PageTemplate("desk-lists", PackageResources.desk_lists_mustache)]

    private static let mostTakenDown: Int64 = 100

    static let pages = [
        Page.shown("/desk/lists", .staff) { call in
            var fields = try ListsPage.publicLists(at: "/desk/lists", call) { try row(of: $0, call) }
            fields["takenDown"] = try call.list("/lists/taken-down", ["limit": .integer(mostTakenDown)]).map { list in
                var row = try row(of: list, call)
                row["decision"] = PageWords.safe(list["decision"]) ?? ""
                row["at"] = call.words.moment(list["taken_down_at"])
                return row
            }
            return PageView(template: "desk-lists", title: say("Members' lists"), fields: fields)
        },
        Page.form("/desk/lists/{list}/take-down", .staff) { call in
            var members: JSONObject = ["reason": .string(call.form["reason"] ?? "")]
            members["key"] = call.form.text("key").map { .string($0) }
            return try call.act(.post, "/lists/\(call.value())/take-down", members, back: "/desk/lists") {
                say("The list \(PageWords.safe($0["name"]) ?? "") has been taken down. Its owner has been told why.")
            }
        },
        Page.form("/desk/lists/{list}/restore", .staff) { call in
            try call.act(.post, "/lists/\(call.value())/restore", back: "/desk/lists") {
                say("The list \(PageWords.safe($0["name"]) ?? "") may be shared again. Its owner has been told.")
            }
        },
    ]

    /// What staff can do with a list.
    static func forms(of list: JSON) -> [String: Any] {
        let id = list["id"]?.integerValue ?? 0
        return [
            "id": id, "name": PageWords.safe(list["name"]) ?? "", "isDown": list["taken_down_at"] != nil,
            "mostOfReason": Rating.longestReason,
        ]
    }

    private static func row(of list: JSON, _ call: PageCall) throws -> [String: Any] {
        let patron = list["patron"]?.integerValue
        var row = ListsPage.row(of: list).merging(forms(of: list)) { $1 }
        row["owner"] = PageWords.safe(try PatronFields.name(of: patron, call) ?? say("a former member"))
        row["ownerLink"] = patron.map { "/desk/patrons/\($0)" }
        return row
    }
}

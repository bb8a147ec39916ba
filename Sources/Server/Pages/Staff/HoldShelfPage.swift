import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// What lies on the hold shelf or travels to it, what is to be fetched from the open shelves, and the slips for both.
enum HoldShelfPage: PageGroup {
    static let templates = [
        PageTemplate("hold-shelf", PackageResources.hold_shelf_mustache),
        PageTemplate("pull-list", PackageResources.pull_list_mustache),
        PageTemplate("slip", PackageResources.slip_mustache),
    ]

    /// So many are listed.
    private static let most = 500

    static let pages = [
        Page.shown("/desk/holds", .staff) { call in
            let branch = try branch(call)
            let holds = try call.context.look { try $0.holds.setAside(at: branch, limit: most) }
            var fields = try choice(of: branch, call)
            for (name, state) in [("shelf", Hold.State.shelf), ("transit", .transit)] {
                fields[name] = try holds.filter { $0.state == state }.map { try row($0, call) }
                    .sorted { ($0["patronName"] as? String ?? "") < ($1["patronName"] as? String ?? "") }
            }
            return PageView(template: "hold-shelf", title: say("Hold shelf"), fields: fields)
        },
        Page.shown("/desk/holds/pull", .staff) { call in
            let branch = try branch(call)
            var members: JSONObject = ["limit": .integer(Int64(most))]
            if let branch { members["branch"] = .string(branch) }
            var fields = try choice(of: branch, call)
            // As one walks along the shelves.
            let way = ["branch", "location", "callNumber", "name"]
            fields["items"] = try call.list("/pull-list", members).map { item -> [String: Any] in
                var row: [String: Any] = [
                    "barcode": PageWords.safe(item["barcode"]) ?? "", "name": PageWords.safe(item["name"]) ?? "",
                    "link": "/desk/titles/\(item["title"]?.integerValue ?? 0)",
                    "branch": PageWords.safe(try call.branchName(item["branch"]?.stringValue) ?? ""),
                    "pickup": PageWords.safe(try call.branchName(item["pickup_branch"]?.stringValue) ?? ""),
                ]
                row["location"] = try call.locationName(of: item)
                row["callNumber"] = PageWords.safe(item["call_number"])
                row["authors"] = TitleFields.authors(item)
                return row
            }.sorted { left, right in
                way.map { left[$0] as? String ?? "" }.lexicographicallyPrecedes(way.map { right[$0] as? String ?? "" })
            }
            return PageView(template: "pull-list", title: say("Pull list"), fields: fields)
        },
        Page.shown("/desk/holds/{hold}/slip", .staff) { call in
            guard let id = Int64(call.values[0]), let hold = try call.recordIfAny("/holds/\(id)"),
                let held = try call.context.look({ try $0.holds.get(id) })?.hold
            else { throw Problem.notFound }
            let row = try row(held, call)
            let branch = PageWords.safe(try call.branchName(hold["pickup_branch"]?.stringValue) ?? "")
            var slip = Slip(
                heading: row["patronName"] as? String ?? "",
                about: hold["state"] == "shelf"
                    ? say("Hold shelf, \(branch)") : say("On hold: send to \(branch)"))
            slip.add(say("Title"), row["name"] as? String)
            slip.add(say("Call number"), row["callNumber"] as? String)
            slip.add(say("Barcode"), row["barcode"] as? String)
            slip.add(say("Patron"), held.patron.map { say("number \($0)") })
            slip.add(say("Keep until"), (row["until"] as? [String: Any])?["words"] as? String)
            return slip.view(title: say("Hold slip"), back: "/desk/holds", call)
        },
    ]

    /// The branch that the address names; otherwise that of the member of staff; nil: all of them.
    private static func branch(_ call: PageCall) throws -> String? {
        guard let named = call.query["branch"] else { return call.caller.branch }
        guard !named.isEmpty else { return nil }
        guard try call.context.look({ try $0.settings.branch(named) }) != nil else { throw Problem.notFound }
        return named
    }

    private static func choice(of branch: String?, _ call: PageCall) throws -> [String: Any] {
        [
            "branchName": PageWords.safe(try call.branchName(branch) ?? say("all branches")),
            "branches": ([(value: "", name: say("All branches"))] + (try RecordForm.codes("/branches", call))).map {
                ["code": $0.value, "name": $0.name, "isIt": $0.value == branch ?? ""] as [String: Any]
            },
            "printedAt": call.words.moment(.string(call.now.description)) ?? [:],
        ]
    }

    private static func row(_ hold: Hold, _ call: PageCall) throws -> [String: Any] {
        var row: [String: Any] = [
            "name": try call.titleName(hold.title).map(PageWords.safe) ?? say("A title removed from the catalogue"),
            "titleLink": "/desk/titles/\(hold.title ?? 0)",
            "patronName": try PatronFields.name(of: hold.patron, call) ?? say("A former patron"),
            "branch": PageWords.safe(try call.branchName(hold.pickupBranch) ?? ""),
            "slip": "/desk/holds/\(hold.id)/slip",
        ]
        row["patronLink"] = hold.patron.map { "/desk?id=\($0)" }
        let copy = try hold.heldCopy.flatMap { id in try call.context.look { try $0.catalogue.copy(id: id) } }
        row["barcode"] = copy?.barcode
        row["callNumber"] = copy?.callNumber.map(PageWords.safe)
        row["until"] = hold.shelfUntil.flatMap { call.words.moment(.string($0.description)) }
        row["isOver"] = hold.shelfUntil.map { $0 < call.now } ?? false
        return row
    }
}

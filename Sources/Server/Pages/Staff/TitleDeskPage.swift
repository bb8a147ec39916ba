import Circulation
import Desk
import Languages
import Pictures
import Scripting
import TextFormats

/// A title as staff see it: its copies, who waits for it, and what is done about both.
enum TitleDeskPage: PageGroup {
    static let templates = [
        PageTemplate("desk-title", PackageResources.desk_title_mustache),
        PageTemplate("desk-titles", PackageResources.desk_titles_mustache),
    ]

    private static let path = "/desk/titles/{title}"
    /// So many titles are found, and so many holds of a queue shown.
    private static let most: Int64 = 50
    private static let mostHolds: Int64 = 200

    static let pages =
        [
            Page.shown("/desk/titles", .staff, search),
            Page.shown(path, .staff, view),
            Page.form("\(path)/copies", .staff, again: view) { call in
                let id = try title(call)["id"]?.integerValue ?? 0
                var members = TitleRecordPages.newCopies.members(call)
                if members["barcodes"] != nil { members["count"] = nil }
                return try call.act(.post, "/titles/\(id)/copies", members, back: "/desk/titles/\(id)") { copies in
                    let barcodes = (copies.arrayValue ?? []).compactMap { PageWords.safe($0["barcode"]) }
                    let more = barcodes.count > 5 ? ", …" : ""
                    let count = PageWords.count(Int64(barcodes.count), "copy", "copies")
                    return say("\(count) added: \(barcodes.prefix(5).joined(separator: ", "))\(more).")
                }
            },
            Page.form("\(path)/hold", .staff, again: view) { call in
                let id = try title(call)["id"]?.integerValue ?? 0
                let back = "/desk/titles/\(id)"
                guard let patron = try call.form.text("patron").flatMap({ try PatronFields.named($0, call) }) else {
                    throw Problem.input("No patron has this username or number.", argument: "patron")
                }
                return try HoldDesk.place(on: ["title": .integer(id)], for: patron, back: back, call)
            },
            Page.form("\(path)/queue", .staff, again: view) { call in
                let id = try title(call)["id"]?.integerValue ?? 0
                return try HoldDesk.arrange(id, back: "/desk/titles/\(id)", call)
            },
            Page(
                verb: .post, path: "\(path)/cover", access: .staff,
                work: .working { call in
                    let id = try title(call)["id"]?.integerValue ?? 0
                    return try call.act(
                        .put, "/titles/\(id)/cover", try call.picture(), back: "/desk/titles/\(id)"
                    ) { _ in say("The cover has been saved.") }
                }, mostFileBytes: PictureLimits.mostBytes, again: view),
            Page.form("\(path)/cover/remove", .staff, again: view) { call in
                let id = try title(call)["id"]?.integerValue ?? 0
                return try call.act(.delete, "/titles/\(id)/cover", back: "/desk/titles/\(id)") { _ in
                    say("The cover has been removed.")
                }
            },
            Page(
                verb: .post, path: "\(path)/enrich", access: .staff,
                work: .working { call in
                    let id = try title(call)["id"]?.integerValue ?? 0
                    return try call.act(.post, "/titles/\(id)/enrich", [:], back: "/desk/titles/\(id)") { _ in
                        say("The title has been completed from the book data services.")
                    }
                }),
        ]
        + HoldForms.pages(below: "\(path)/holds", .staff, back: { "/desk/titles/\($0.value())" })
        + HoldDesk.pages(below: "\(path)/holds", back: { "/desk/titles/\($0.value())" })

    private static func title(_ call: PageCall) throws -> JSON {
        do {
            return try call.record("/titles/\(call.value())")
        } catch let problem as Problem where problem.status == 400 {
            throw Problem.notFound
        }
    }

    // MARK: - Finding

    private static func search(_ call: PageCall) throws -> PageView {
        let words = call.query.text("query")
        var fields: [String: Any] = ["words": PageWords.safe(words ?? "")]
        guard let words else { return PageView(template: "desk-titles", title: say("Titles"), fields: fields) }
        // What was scanned is what is wanted.
        if let item = try DeskItem(words, call) {
            return PageView(template: "desk-titles", title: say("Titles"), leadsTo: "/desk/titles/\(item.title)")
        }
        fields["isAsked"] = true
        fields["add"] = "/desk/titles/new" + ((try? ISBN(words)).map { "?isbn=\($0.digits13)" } ?? "")
        let found = try call.list("/titles", ["query": .string(words), "prefix": true, "limit": .integer(most)])
        fields["titles"] = found.map(row)
        fields["isMore"] = found.count == Int(most)
        return PageView(template: "desk-titles", title: say("Titles"), fields: fields)
    }

    private static func row(_ title: JSON) -> [String: Any] {
        var fields = TitleFields.short(title)
        fields["isbn"] = PageWords.safe(title["isbn"]) ?? ""
        return fields
    }

    // MARK: - The page

    private static func view(_ call: PageCall) throws -> PageView {
        let title = try title(call)
        let id = title["id"]?.integerValue ?? 0
        var fields = row(title)
        let form = call.request.method == "POST" ? call.request.path.split(separator: "/").last.map(String.init) : nil
        fields["copies"] = try copies(of: id, call)
        fields["copyInputs"] = try TitleRecordPages.newCopies.inputs(
            call, form: "copies", filled: ["branch": call.caller.branch ?? ""])
        fields["isAdding"] = form == "copies"
        fields["isCovering"] = form == "cover"
        fields["hasKeptCover"] = title["cover"]?.stringValue != nil
        fields["holdInputs"] = PageField.inputs(
            [
                PageField(name: "patron", label: "Patron: username or number", most: 200, isRequired: true),
                try HoldDesk.pickup(call),
            ], call, form: "hold")
        fields["queue"] = try call.list("/titles/\(id)/holds", ["limit": .integer(mostHolds)]).map { hold in
            try HoldDesk.queued(hold, below: "/desk/titles/\(id)/holds", call)
        }
        fields["line"] = line(fields["queue"] as? [[String: Any]] ?? [], call)
        fields["branches"] = try HoldDesk.branches(call)
        fields["hasISBN"] = title["isbn"]?.stringValue != nil
        fields["again"] = HoldDesk.again(call)
        return PageView(template: "desk-title", title: fields["name"] as? String ?? say("Title"), fields: fields)
    }

    /// Those who wait, to be put in another order; nothing where one waits alone, or not all are shown.
    private static func line(_ queue: [[String: Any]], _ call: PageCall) -> [String: Any]? {
        let waiting = queue.filter { $0["position"] != nil }
        guard waiting.count > 1, queue.count < Int(mostHolds) else { return nil }
        let isForm = call.request.method == "POST" && call.request.path.hasSuffix("/queue")
        return [
            "isOpen": isForm,
            "places": waiting.map { hold -> [String: Any] in
                let name = "place_\(hold["id"] ?? 0)"
                var place = ["name": name, "patronName": hold["patronName"] ?? "", "value": hold["position"] ?? 0]
                if isForm, let typed = call.form.text(name) { place["value"] = PageWords.safe(typed) }
                return place
            },
        ]
    }

    private static func copies(of title: Int64, _ call: PageCall) throws -> [[String: Any]] {
        let types = Dictionary(try RecordForm.codes("/item-types", call)) { first, _ in first }
        return try call.list("/titles/\(title)/copies", ["limit": 500]).map { copy in
            let barcode = copy["barcode"]?.stringValue ?? ""
            var fields: [String: Any] = [
                "barcode": PageWords.safe(barcode), "link": "/desk/copies/\(PageCall.segment(barcode))/edit",
                "branch": PageWords.safe(try call.branchName(copy["branch"]?.stringValue) ?? ""),
                "type": copy["item_type"]?.stringValue.flatMap { types[$0] } ?? "",
                "state": RecordForm.words(copy["status"]?.stringValue ?? ""),
                "isAvailable": copy["status"] == "available",
                "own": try OwnFields.shown(copy, .copy, call, withPatrons: true),
            ]
            fields["price"] = PageWords.money(copy["replacement_price"])
            fields["location"] = try call.locationName(of: copy)
            fields["callNumber"] = PageWords.safe(copy["call_number"])
            if copy["status"] == "on_loan" { fields["loan"] = try HoldDesk.holder(of: barcode, call) }
            return fields
        }
    }
}

import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Holds as staff place and move them.
enum HoldDesk {
    /// Places a hold for a patron; the refusals that staff may override are asked about.
    static func place(
        on wanted: JSONObject, for patron: Patron, back: String, _ call: PageCall
    ) throws -> PageOutcome {
        var members = DeskPage.override(call)
        for (name, value) in wanted.entries.map({ ($0.key, $0.value) }) { members[name] = value }
        members["patron"] = .integer(patron.id)
        if let branch = call.form.text("pickup_branch") { members["pickup_branch"] = .string(branch) }
        return try call.act(.post, "/holds", members, back: back) { hold in
            let name = try call.titleName(hold["title"]?.integerValue).map(PageWords.safe) ?? say("It")
            let who = PageWords.safe(patron.fullName)
            return hold["position"]?.integerValue.map {
                say("A hold on \(name) has been placed for \(who), number \($0) in the queue.")
            }
                ?? say("A hold on \(name) has been placed for \(who).")
        }
    }

    /// What is asked again where staff override a refusal of the form.
    static func again(_ call: PageCall) -> [String: Any]? {
        guard call.request.method == "POST" else { return nil }
        return [
            "path": call.request.path, "item": PageWords.safe(call.form["item"] ?? ""),
            "patron": PageWords.safe(call.form["patron"] ?? ""),
            "more": ["pickup_branch"].compactMap { name -> [String: Any]? in
                call.form.text(name).map { ["name": name, "value": PageWords.safe($0)] }
            },
        ]
    }

    /// The forms that move a hold: in its queue, and to another branch.
    static func pages(below path: String, back: @escaping @Sendable (PageCall) -> String) -> [Page] {
        /// The hold is the last that the path names.
        @Sendable func hold(_ call: PageCall) -> String { call.value(call.values.count - 1) }
        return [
            Page.form("\(path)/{hold}/move", .staff) { call in
                let members = call.members(["position"], of: .post, "/holds/{hold}/move")
                return try call.act(.post, "/holds/\(hold(call))/move", members, back: back(call)) {
                    say("The hold is now number \($0["position"]?.integerValue ?? 0) in the queue.")
                }
            },
            Page.form("\(path)/{hold}/pickup", .staff) { call in
                let members = call.members(["pickup_branch"], of: .post, "/holds/{hold}/pickup")
                return try call.act(.post, "/holds/\(hold(call))/pickup", members, back: back(call)) {
                    let branch = try call.branchName($0["pickup_branch"]?.stringValue) ?? ""
                    return say("The hold will be picked up at \(PageWords.safe(branch)).")
                }
            },
        ]
    }

    /// The form that puts all who wait for a title in an order: a place for each hold that it shows.
    static func arrange(_ title: Int64, back: String, _ call: PageCall) throws -> PageOutcome {
        let prefix = "place_"
        let places = try call.form.texts.keys.filter { $0.hasPrefix(prefix) }.sorted().map { name -> JSON in
            guard let hold = Int64(name.dropFirst(prefix.count)), let place = call.form.text(name).flatMap(Int64.init),
                place > 0
            else { throw Problem.input("A place is a number from 1.", argument: name) }
            return ["hold": .integer(hold), "position": .integer(place)]
        }
        return try call.act(.put, "/titles/\(title)/holds", ["places": .array(places)], back: back) { _ in
            say("The queue has been reordered.")
        }
    }

    /// A hold of a queue, with whose it is.
    static func queued(_ hold: JSON, below path: String, _ call: PageCall) throws -> [String: Any] {
        var fields = try HoldForms.shown(hold, below: path, call)
        let patron = hold["patron"]?.integerValue
        let name = try PatronFields.name(of: patron, call) ?? say("A former patron")
        fields["patronName"] = name
        // The forms of a hold name what they are about: here that is whose it is.
        fields["name"] = name
        fields["patronLink"] = patron.map { "/desk/patrons/\($0)" }
        fields["position"] = hold["position"]?.integerValue
        fields["placed"] = call.words.moment(hold["placed_at"])
        if hold["state"] == "shelf" { fields["slip"] = "/desk/holds/\(hold["id"]?.integerValue ?? 0)/slip" }
        return fields
    }

    /// Where a hold may be picked up; first of all where the member of staff works.
    static func pickup(_ call: PageCall) throws -> PageField {
        var field = PageField(name: "pickup_branch", label: "Pick up at")
        field.standard = call.caller.branch ?? ""
        field.choices = try RecordForm.codes("/branches", call)
        return field
    }

    static func branches(_ call: PageCall) throws -> [[String: Any]] {
        try RecordForm.codes("/branches", call).map { ["code": $0.value, "branchName": $0.name] }
    }

    /// Who has a copy, and until when.
    static func holder(of barcode: String, _ call: PageCall) throws -> [String: Any]? {
        guard let loan = try call.context.look({ try $0.loans.get(.barcode(barcode)) }), let patron = loan.patron else {
            return nil
        }
        var fields: [String: Any] = [
            "patronLink": "/desk?id=\(patron)", "patronName": try PatronFields.name(of: patron, call) ?? "",
        ]
        fields["due"] = loan.due.flatMap { call.words.moment(.string($0.instant.description)) }
        return fields
    }
}

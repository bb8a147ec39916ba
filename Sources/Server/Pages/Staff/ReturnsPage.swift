import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Checking copies in, one scan after another, without choosing a patron first.
enum ReturnsPage: PageGroup {
    static let templates = [PageTemplate("returns", PackageResources.returns_mustache)]

    static let pages = [
        Page.shown("/desk/returns", .staff) { call in try view(call) },
        Page.form("/desk/check-in", .staff, again: view) { call in
            let patron = call.form.text("patron").flatMap(Int64.init)
            let at = call.form.text("at")
            // The next one of a full book drop came back at the same time.
            let list = ReturnsList(call.form["list"])
            let query = [at.map { "at=\(PageCall.segment($0))" }, list.text.isEmpty ? nil : "list=\(list.text)"]
            let words = query.compactMap(\.self).joined(separator: "&")
            let back = patron.map { "/desk?id=\($0)" } ?? "/desk/returns" + (words.isEmpty ? "" : "?\(words)")
            guard let item = try DeskItem(call.form.text("item"), call) else {
                if let holder = try DeskPage.holder(ofCard: call.form.text("item"), call) {
                    if patron != nil { return DeskPage.next(holder) }
                    // The next scan is the next copy of the pile.
                    let name = PageWords.safe(holder.fullName)
                    return .done(to: back, saying: say("That is the library card of \(name). Nothing was checked in."))
                }
                return .refused(DeskItem.unknown, back: back)
            }
            var members = JSONObject()
            if let at { members["at"] = .string(at) }
            if let barcode = item.barcode {
                // Without a loan it is a scan: what is in transit arrives, and what is wanted is set aside.
                members["barcode"] = .string(barcode)
            } else if let loan = try item.loan(of: patron, call) {
                members["loan"] = .integer(loan.id)
            } else {
                return .refused(DeskItem.unclear, back: back)
            }
            switch try call.ask(.post, "/checkins", members) {
            case .value(let checkin):
                let name = try call.titleName(item.title)
                return .done(
                    to: back, saying: try Self.words(of: checkin, name, call),
                    details: try details(of: checkin, name, call))
            case .nothing, .notFound: throw Problem.notFound
            case .refused(let refusal): return .refused(refusal, back: back)
            }
        },
    ]

    private static let earlier = PageField(
        name: "at", label: "Returned on", kind: .moment,
        hint: "For items from the book drop, in the library's local time. Kept for the next scan. Leave empty for "
            + "the current time.")

    private static func view(_ call: PageCall) throws -> PageView {
        var fields: [String: Any] = ["inputs": PageField.inputs([earlier], call) { call.query[$0] }]
        let list = ReturnsList(call.form["list"] ?? call.query["list"]).adding(call.query["did"])
        fields["list"] = list.text
        fields["rows"] = try list.rows(call)
        fields["isEarlier"] = (call.form.text("at") ?? call.query.text("at")) != nil
        return PageView(template: "returns", title: say("Check in"), fields: fields)
    }

    /// What the list of the page keeps of a copy that was checked in.
    private static func details(of checkin: JSON, _ name: String?, _ call: PageCall) throws -> JSONObject {
        var details: JSONObject = ["name": .string(name ?? say("The copy"))]
        details["barcode"] = checkin["barcode"]
        details["patron"] = checkin["patron"]
        if let hold = checkin["hold"] {
            details["what"] = .string(try place(of: hold, call))
            details["place"] = hold["state"] == "shelf" ? "hold" : "transit"
            details["hold"] = hold["id"]
        } else {
            let copy = try checkin["barcode"]?.stringValue.flatMap {
                try call.recordIfAny("/copies/\(PageCall.segment($0))")
            }
            let home = copy?["branch"]?.stringValue
            let here = call.caller.branch
            let isElsewhere = home != nil && home != here
            let branch = PageWords.safe(try call.branchName(home) ?? say("its branch"))
            details["what"] = .string(isElsewhere ? say("Send it to \(branch).") : say("Shelve it."))
            details["place"] = isElsewhere ? "transit" : "shelf"
        }
        let owed = (checkin["posted"]?.arrayValue ?? []).compactMap { PageWords.money($0["amount"]) }
        if !owed.isEmpty { details["owed"] = .string(owed.joined(separator: ", ")) }
        return details
    }

    /// What staff do next with the copy, and what the patron has to know.
    private static func words(of checkin: JSON, _ name: String?, _ call: PageCall) throws -> String {
        let title = name.map(PageWords.safe) ?? say("The copy")
        let patron = try PatronFields.name(of: checkin["patron"]?.integerValue, call)
        let isReturned = checkin["returned_at"] != nil
        var words = [
            isReturned
                ? patron.map { say("\(title) has been checked in from \($0).") } ?? say("\(title) has been checked in.")
                : say("\(title) was not on loan.")
        ]
        if let hold = checkin["hold"] { words.append(try place(of: hold, call)) }
        for line in checkin["posted"]?.arrayValue ?? [] {
            words.append(
                "\(PageWords.safe(line["label"]) ?? say("Posted")): \(PageWords.money(line["amount"]) ?? "").")
        }
        if let suspension = checkin["suspension"] {
            let who = patron ?? say("The patron")
            let ends = call.words.date(suspension["ends"])?["words"] as? String
            words.append(
                ends.map {
                    say("\(who) has been suspended until \($0).")
                } ?? say("\(who) has been suspended."))
        }
        for failure in checkin["failures"]?.arrayValue ?? [] {
            words.append(say("The policy gave no answer: \(PageWords.safe(failure) ?? "")"))
        }
        return words.joined(separator: " ")
    }

    private static func place(of hold: JSON, _ call: PageCall) throws -> String {
        let patron = try PatronFields.name(of: hold["patron"]?.integerValue, call) ?? say("another patron")
        let branch = PageWords.safe(try call.branchName(hold["pickup_branch"]?.stringValue) ?? say("another branch"))
        guard hold["state"] == "shelf" else { return say("On hold for \(patron): send it to \(branch).") }
        guard let until = call.words.moment(hold["shelf_until"])?["words"] as? String else {
            return say("Put it on the hold shelf for \(patron), at \(branch).")
        }
        return say("Put it on the hold shelf for \(patron) until \(until), at \(branch).")
    }
}

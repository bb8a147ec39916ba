import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The desk: a patron's card is scanned, then one copy after another.
///
/// A scanner types and presses Enter: the field that is next has the focus when the page comes, and each form has one.
enum DeskPage: PageGroup {
    static let templates = [PageTemplate("desk", PackageResources.desk_mustache)]

    static let pages = [
        Page.shown("/desk", .staff) { call in try view(call) },
        Page.form("/desk/check-out", .staff, again: view) { call in
            guard let patron = call.form.text("patron").flatMap(Int64.init) else {
                throw Problem.input("Choose the patron first.")
            }
            let back = "/desk?id=\(patron)"
            guard let item = try DeskItem(call.form.text("item"), call) else {
                if let holder = try holder(ofCard: call.form.text("item"), call) { return next(holder) }
                return .refused(DeskItem.unknown, back: back)
            }
            var members = override(call)
            members["patron"] = .integer(patron)
            members["wanted_until"] = call.form.text("wanted_until").map { .string($0) }
            if let barcode = item.barcode {
                members["barcode"] = .string(barcode)
            } else {
                members["isbn"] = .integer(item.title)
            }
            return try call.act(.post, "/loans", members, back: back) { loan in
                let name = try PatronFields.name(of: patron, call) ?? say("the patron")
                // A copy that they have already is renewed.
                return (loan["renewals"]?.integerValue ?? 0) > 0
                    ? try renewed(loan, call)
                    : try checkedOut(loan, to: name, call)
            }
        },
        Page.form("/desk/renew", .staff, again: view) { call in
            let patron = call.form.text("patron").flatMap(Int64.init)
            let back = patron.map { "/desk?id=\($0)" } ?? "/desk/returns"
            guard let item = try DeskItem(call.form.text("item"), call) else {
                return .refused(DeskItem.unknown, back: back)
            }
            guard let loan = try item.loan(of: patron, call) else { return .refused(DeskItem.unclear, back: back) }
            return try call.act(.post, "/loans/\(loan.id)/renew", override(call), back: back) { loan in
                try renewed(loan, call)
            }
        },
    ]

    /// Whose card was scanned in the field for copies. Numbers alone are no card here, since a barcode misread looks so.
    static func holder(ofCard text: String?, _ call: PageCall) throws -> Patron? {
        guard let text else { return nil }
        return try call.context.look { try $0.patrons.get(.username(text)) }
    }

    /// Goes on with a patron whose card was scanned.
    static func next(_ patron: Patron) -> PageOutcome {
        .done(
            to: "/desk?id=\(patron.id)",
            saying: say(
                "That is the library card of \(PageWords.safe(patron.fullName)), who is now the patron at the desk."))
    }

    /// A copy in the field for patrons: where it is, and who has it.
    private static func scanned(_ text: String, _ call: PageCall) throws -> [String: Any]? {
        guard let item = try DeskItem(text, call) else { return nil }
        let name = try call.titleName(item.title).map(PageWords.safe) ?? say("The title")
        var fields: [String: Any] = ["titleName": name, "titleLink": "/desk/titles/\(item.title)"]
        guard let barcode = item.barcode, let copy = try call.recordIfAny("/copies/\(PageCall.segment(barcode))") else {
            return fields
        }
        fields["barcode"] = PageWords.safe(barcode)
        fields["state"] = RecordForm.words(copy["status"]?.stringValue ?? "").lowercased()
        fields["loan"] = try HoldDesk.holder(of: barcode, call)
        return fields
    }

    /// What staff said to go on in spite of a refusal.
    static func override(_ call: PageCall) -> JSONObject {
        guard call.form.text("override") != nil else { return [:] }
        return ["override": true, "reason": .string(call.form.text("reason") ?? "")]
    }

    // MARK: - Words

    /// The name of a loan's title.
    static func title(_ record: JSON, _ call: PageCall) throws -> String {
        try call.titleName(record["title"]?.integerValue).map(PageWords.safe) ?? say("The copy")
    }

    private static func renewed(_ loan: JSON, _ call: PageCall) throws -> String {
        let title = try title(loan, call)
        return until(loan, call).map {
            say("\(title) has been renewed until \($0).")
        } ?? say("\(title) has been renewed.")
    }

    private static func checkedOut(_ loan: JSON, to name: String, _ call: PageCall) throws -> String {
        let title = try title(loan, call)
        if let wanted = call.form.text("wanted_until"), let until = until(loan, call),
            let due = loan["due_at"]?.stringValue, due < wanted
        {
            return say("\(title) has been checked out to \(name) until \(until). The rules allow no longer loan.")
        }
        return until(loan, call).map { say("\(title) has been checked out to \(name) until \($0).") }
            ?? say("\(title) has been checked out to \(name).")
    }

    private static func until(_ loan: JSON, _ call: PageCall) -> String? {
        call.words.moment(loan["due_at"])?["words"] as? String
    }

    // MARK: - The page

    /// What is asked again where staff override a refusal.
    private static func again(_ call: PageCall) throws -> [String: Any] {
        let until = call.form.text("wanted_until").map(PageWords.safe)
        let item = try DeskItem(call.form.text("item"), call)
        return [
            "itemName": try (item?.title).flatMap { try call.titleName($0) }.map(PageWords.safe) ?? false,
            "path": call.request.path, "item": PageWords.safe(call.form["item"] ?? ""),
            "patron": call.form.text("patron") ?? "",
            "more": until.map { [["name": "wanted_until", "value": $0]] } ?? [],
        ]
    }

    private static let until = PageField(
        name: "wanted_until", label: "Until", kind: .date,
        hint: "Leave empty to rent for as long as the library's rules allow.",
        saysOptional: true)

    /// The desk with the patron whom the address or the form names; after a refusal with what was asked for, to be asked again.
    private static func view(_ call: PageCall) throws -> PageView {
        var fields: [String: Any] = [:]
        let words = call.query.text("patron")
        var patron = try (call.form.text("patron") ?? call.query.text("id")).flatMap(Int64.init).flatMap { id in
            try call.context.look { try $0.patrons.get(.id(id)) }
        }
        if patron == nil, let words { patron = try PatronFields.named(words, call) }
        if patron == nil, let words {
            fields["words"] = PageWords.safe(words)
            let found = try PatronFields.found(words, leadingTo: "/desk?id=", call)
            if found.count == 1, let id = found[0]["id"] as? Int64 {
                patron = try call.context.look { try $0.patrons.get(.id(id)) }
            } else {
                fields["found"] = found
                fields["scanned"] = found.isEmpty ? try scanned(words, call) : nil
                fields["isUnknown"] = found.isEmpty && fields["scanned"] == nil
            }
        }
        fields["untilInputs"] = PageField.inputs([until], call, form: "check-out")
        fields["noPolicy"] = try PolicyStart.notice(call)
        if let patron { fields["patron"] = try PatronFields.card(patron.id, call) }
        if call.request.method == "POST" {
            fields["again"] = try again(call)
        }
        return PageView(template: "desk", title: say("Desk"), fields: fields)
    }
}

import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// One patron with all that the library has about them, and what staff do about it.
enum PatronPage: PageGroup {
    static let templates = [
        PageTemplate("patron", PackageResources.patron_mustache),
        PageTemplate("patrons", PackageResources.patrons_mustache),
    ]

    static let pages =
        [
            Page.shown("/desk/patrons", .staff) { call in
                let words = call.query.text("query")
                var fields: [String: Any] = ["words": PageWords.safe(words ?? "")]
                if let words {
                    fields["found"] = try PatronFields.found(words, leadingTo: "/desk/patrons/", call)
                    fields["isAsked"] = true
                }
                return PageView(template: "patrons", title: say("Patrons"), fields: fields)
            },
            Page.shown("/desk/patrons/{patron}", .staff, view),
            form("charge") { call in
                let members = call.members(["amount", "label"], of: .post, "/patrons/{patron}/charges")
                return try act(.post, "charges", members, call) { say("\(sum($0)) charged.") }
            },
            form("pay") { call in
                let members = call.members(["amount", "note"], of: .post, "/patrons/{patron}/payments")
                return try act(.post, "payments", members, call) { say("\(sum($0)) paid.") }
            },
            form("waive") { call in
                try act(.post, "waivers", try relief(call), call) { say("\(sum($0)) waived.") }
            },
            form("refund") { call in
                try act(.post, "refunds", try relief(call), call) { say("\(sum($0)) to be refunded.") }
            },
            form("hold") { call in
                let id = try number(call)
                guard let patron = try call.context.look({ try $0.patrons.get(.id(id)) }) else {
                    throw Problem.notFound
                }
                guard let item = try DeskItem(call.form.text("item"), call) else {
                    return .refused(DeskItem.unknown, back: "/desk/patrons/\(id)")
                }
                return try HoldDesk.place(
                    on: ["title": .integer(item.title)], for: patron, back: "/desk/patrons/\(id)", call)
            },
            Page.form("/desk/patrons/{patron}/role", .admin, again: view) { call in
                let members = call.members(["role"], of: .patch, "/patrons/{patron}")
                if members["role"] == nil { throw Problem.input("Choose a role.", argument: "role") }
                return try act(.patch, "", members, call) {
                    say("The role is now: \($0["role"]?.stringValue ?? "").")
                }
            },
            form("renew-membership") { call in
                try act(.post, "renew-membership", [:], call) { membershipWords($0["expires_on"]) }
            },
            form("block") { call in
                guard let reason = call.form.text("reason") else {
                    throw Problem.input("Please give a reason. Other staff will see it.", argument: "reason")
                }
                var members: JSONObject = ["kind": "manual", "reason": .string(reason)]
                if let ends = call.form.text("ends") { members["ends"] = .string(ends) }
                return try act(.post, "blocks", members, call) { _ in say("The account has been restricted.") }
            },
            form("link") { try PatronLinks.add(try number($0), $0) },
            form("unlink") { try PatronLinks.remove(try number($0), $0) },
            form("unblock") { call in
                guard let block = call.form.text("block").flatMap(Int64.init) else { throw Problem.notFound }
                return try act(.post, "unblock", ["block": .integer(block)], call) { _ in
                    say("The restriction has been lifted.")
                }
            },
        ]
        + HoldForms.pages(below: "/desk/patrons/{patron}/holds", .staff) { "/desk/patrons/\($0.value())" }

    /// One of the page's forms, which shows the page again where it is refused.
    private static func form(_ name: String, _ body: @escaping @Sendable (PageCall) throws -> PageOutcome) -> Page {
        Page.form("/desk/patrons/{patron}/\(name)", .staff, again: view, body)
    }

    /// Until when a membership is renewed, as it is said once it is.
    private static func membershipWords(_ end: JSON?) -> String {
        guard let day = end?.stringValue.flatMap({ try? CivilDate(parsing: $0) }) else {
            return say("The membership has been renewed, with no end date.")
        }
        return say("The membership has been renewed until \(PageWords.words(day)).")
    }

    // MARK: - The forms

    private static func amount(_ standard: String = "") -> PageField {
        PageField(
            name: "amount", label: "Amount", most: 20, isRequired: true, isDecimal: true, standard: standard)
    }

    private static func why(_ hint: Phrase? = nil) -> PageField {
        PageField(name: "reason", label: "Reason", most: 500, hint: hint, isRequired: true)
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let id = try number(call)
        var fields = try PatronFields.card(id, call)
        let account = try account(id, call)
        let label = PageField(
            name: "label", label: "Description", most: 500, hint: "The patron can see this.", isRequired: true)
        let note = PageField(name: "note", label: "Payment method", most: 500, saysOptional: true)
        let ends = PageField(
            name: "ends", label: "Until", kind: .date,
            hint: "Leave empty to restrict the account until this is lifted.", saysOptional: true)
        fields["account"] = account
        fields["isStaffPage"] = true
        fields["chargeInputs"] = PageField.inputs([amount(), label], call, form: "charge")
        fields["payInputs"] = PageField.inputs([amount(account["sum"] as? String ?? ""), note], call, form: "pay")
        fields["waiveInputs"] = PageField.inputs([amount(), why()], call, form: "waive")
        fields["refundInputs"] = PageField.inputs([amount(), why()], call, form: "refund")
        fields["blockInputs"] = PageField.inputs(
            [why("The patron and staff can see this."), ends], call, form: "block")
        fields["renewal"] = try renewal(of: id, call)
        fields["links"] = try PatronLinks.shown(id, call)
        fields["linkInputs"] = PatronLinks.inputs(call)
        if call.caller.isAdmin {
            var role = PageField(
                name: "role", label: "Role",
                hint:
                    "Staff work at the desk. Administrators also change the policy, the settings and the accounts of staff."
            )
            role.choices = Patron.Role.allCases.map { ($0.rawValue, RecordForm.words($0.rawValue)) }
            let present = try call.context.look { try $0.patrons.get(.id(id))?.role.rawValue }
            fields["roleInputs"] = PageField.inputs([role], call, form: "role") { _ in present }
        }
        let item = PageField(name: "item", label: "ISBN or barcode", most: 100, isRequired: true)
        fields["holdInputs"] = PageField.inputs([item, try HoldDesk.pickup(call)], call, form: "hold")
        fields["again"] = HoldDesk.again(call)
        return PageView(template: "patron", title: fields["name"] as? String ?? say("Patron"), fields: fields)
    }

    /// The button that renews the membership, with the day until when; nil where the policy would not let it end later.
    private static func renewal(of id: Int64, _ call: PageCall) throws -> String? {
        let renewal = try call.context.look { try $0.patrons.membershipRenewal(of: .id(id)).value }
        guard let end = renewal else { return nil }
        guard let day = end.date else { return say("Renew membership, with no end date") }
        return say("Renew membership until \(PageWords.words(day))")
    }

    /// What is waived or given back: a whole line of the account, or an amount; and why.
    private static func relief(_ call: PageCall) throws -> JSONObject {
        guard let reason = call.form.text("reason") else {
            throw Problem.input("Please give a reason.", argument: "reason")
        }
        if let entry = call.form.text("entry").flatMap(Int64.init) {
            return ["reason": .string(reason), "entry": .integer(entry)]
        }
        var members = call.members(["amount"], of: .post, "/patrons/{patron}/waivers")
        members["reason"] = .string(reason)
        return members
    }

    /// The patron's number in the path.
    private static func number(_ call: PageCall) throws -> Int64 {
        guard let id = Int64(call.values[0]), id > 0 else { throw Problem.notFound }
        return id
    }

    private static func act(
        _ verb: Route.Verb, _ what: String, _ members: JSONObject, _ call: PageCall, saying: (JSON) -> String
    ) throws -> PageOutcome {
        let id = try number(call)
        var members = members
        // An amount as people write it, a comma for a point.
        if let amount = members["amount"]?.stringValue { members["amount"] = .string(amount.replacing(",", with: ".")) }
        return try call.act(
            verb, what.isEmpty ? "/patrons/\(id)" : "/patrons/\(id)/\(what)", members, back: "/desk/patrons/\(id)",
            saying: saying)
    }

    /// The amount of a line, whichever way it goes.
    private static func sum(_ line: JSON) -> String {
        let amount = line["amount"]?.stringValue ?? ""
        return PageWords.money(.string(amount.hasPrefix("-") ? String(amount.dropFirst()) : amount)) ?? ""
    }

    /// The account, its lines with a way to waive them or to give them back.
    private static func account(_ id: Int64, _ call: PageCall) throws -> [String: Any] {
        let lines = try call.list("/patrons/\(id)/ledger", ["latest": true])
        let owed = try call.record("/patrons/\(id)/fees").stringValue ?? ""
        let isCredit = owed.hasPrefix("-")
        let isNothing = !owed.contains { ("1"..."9").contains($0) }
        let amount = PageWords.money(.string(isCredit ? String(owed.dropFirst()) : owed)) ?? ""
        return [
            "words": isNothing
                ? say("The patron owes nothing.")
                : isCredit ? say("The library owes the patron \(amount).") : say("The patron owes \(amount)."),
            "owes": !isCredit && !isNothing,
            // Without the currency: the field takes what people write.
            "sum": isCredit || isNothing ? "" : owed.prefix { $0 != " " }.description,
            "hasPaid": lines.contains { $0["kind"] == "payment" },
            "lines": try lines.prefix(100).map { line -> [String: Any] in
                var fields: [String: Any] = [
                    "entry": line["id"]?.integerValue ?? 0, "label": try LedgerFields.words(line, call),
                    "amount": PageWords.money(line["amount"]) ?? "",
                ]
                fields["at"] = call.words.moment(line["at"])
                fields["isCharge"] = line["kind"] == "fine" || line["kind"] == "charge"
                fields["isPayment"] = line["kind"] == "payment"
                return fields
            },
        ]
    }
}

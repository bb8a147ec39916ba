import Circulation
import Desk
import Scripting
import TextFormats

/// One patron with all that the library has about them, and what staff do about it.
enum PatronPage {
    static let pages = [
        Page.shown("/desk/patrons", .staff) { call in
            let words = call.query.text("query")
            var fields: [String: Any] = ["words": PageWords.safe(words ?? "")]
            if let words {
                fields["found"] = try PatronFields.found(words, leadingTo: "/desk/patrons/", call)
                fields["isAsked"] = true
            }
            return PageView(template: "patrons", title: "Patrons", fields: fields)
        },
        Page.shown("/desk/patrons/{patron}", .staff) { call in
            let id = try number(call)
            var fields = try PatronFields.card(id, call)
            fields["account"] = try account(id, call)
            fields["isStaffPage"] = true
            return PageView(template: "patron", title: fields["name"] as? String ?? "Patron", fields: fields)
        },
        Page.form("/desk/patrons/{patron}/pay", .staff) { call in
            var members: JSONObject = ["amount": .string(try amount(call))]
            if let note = call.form.text("note") { members["note"] = .string(note) }
            return try act(.post, "payments", members, call) { "\(paid($0)) taken." }
        },
        Page.form("/desk/patrons/{patron}/waive", .staff) { call in
            guard let reason = call.form.text("reason") else { throw Problem.input("Say why it is waived.") }
            var members: JSONObject = ["reason": .string(reason)]
            if let entry = call.form.text("entry").flatMap(Int64.init) {
                members["entry"] = .integer(entry)
            } else {
                members["amount"] = .string(try amount(call))
            }
            return try act(.post, "waivers", members, call) { "\(paid($0)) waived." }
        },
        Page.form("/desk/patrons/{patron}/block", .staff) { call in
            guard let reason = call.form.text("reason") else {
                throw Problem.input("Say why, for the next at the desk.")
            }
            var members: JSONObject = ["kind": "manual", "reason": .string(reason)]
            if let ends = call.form.text("ends") { members["ends"] = .string(ends) }
            return try act(.post, "blocks", members, call) { _ in "The account is restricted." }
        },
        Page.form("/desk/patrons/{patron}/unblock", .staff) { call in
            guard let block = call.form.text("block").flatMap(Int64.init) else { throw Problem.notFound }
            return try act(.post, "unblock", ["block": .integer(block)], call) { _ in "The restriction is lifted." }
        },
        Page.form("/desk/patrons/{patron}/holds/{hold}/cancel", .staff) { call in
            let id = try number(call)
            return try call.act(.delete, "/holds/\(call.value(1))", back: "/desk/patrons/\(id)") { hold in
                "\(try DeskPage.title(hold, call)) is no longer kept for them."
            }
        },
    ]

    /// The patron's number in the path.
    private static func number(_ call: PageCall) throws -> Int64 {
        guard let id = Int64(call.values[0]), id > 0 else { throw Problem.notFound }
        return id
    }

    private static func act(
        _ verb: Route.Verb, _ what: String, _ members: JSONObject, _ call: PageCall, saying: (JSON) -> String
    ) throws -> PageOutcome {
        let id = try number(call)
        return try call.act(verb, "/patrons/\(id)/\(what)", members, back: "/desk/patrons/\(id)", saying: saying)
    }

    /// An amount as people write it, a comma for a point.
    private static func amount(_ call: PageCall) throws -> String {
        guard let text = call.form.text("amount") else { throw Problem.input("Say how much.") }
        return text.replacing(",", with: ".")
    }

    /// The amount of a line that lessens what is owed.
    private static func paid(_ line: JSON) -> String {
        let amount = line["amount"]?.stringValue ?? ""
        return PageWords.money(.string(amount.hasPrefix("-") ? String(amount.dropFirst()) : amount)) ?? ""
    }

    /// The account, its charges with a way to waive them.
    private static func account(_ id: Int64, _ call: PageCall) throws -> [String: Any]? {
        let lines = try call.list("/patrons/\(id)/ledger")
        guard !lines.isEmpty else { return nil }
        let owed = try call.record("/patrons/\(id)/fees").stringValue ?? ""
        let isCredit = owed.hasPrefix("-")
        let amount = PageWords.money(.string(isCredit ? String(owed.dropFirst()) : owed)) ?? ""
        return [
            "words": isCredit ? "The library owes them \(amount)." : "They owe \(amount).",
            "owes": !isCredit && owed.contains { ("1"..."9").contains($0) },
            // Without the currency: the field takes what people write.
            "sum": owed.prefix { $0 != " " }.description,
            "lines": lines.suffix(100).reversed().map { line -> [String: Any] in
                var fields: [String: Any] = [
                    "entry": line["id"]?.integerValue ?? 0, "label": PageWords.safe(line["label"]) ?? "",
                    "amount": PageWords.money(line["amount"]) ?? "",
                ]
                fields["at"] = call.words.moment(line["at"])
                fields["isCharge"] = line["kind"] == "fine" || line["kind"] == "charge"
                return fields
            },
        ]
    }
}

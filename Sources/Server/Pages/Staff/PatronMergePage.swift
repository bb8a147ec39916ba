import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Two records of one person become one: who it could be, both side by side, and then the merge.
enum PatronMergePage: PageGroup {
    static let templates = [PageTemplate("patron-merge", PackageResources.patron_merge_mustache)]

    private static let mostFound = 20

    static let pages = [
        Page.shown("/desk/patrons/{patron}/merge", .staff) { call in try view(call) },
        Page.form("/desk/patrons/{patron}/merge", .staff, again: view) { call in
            let patron = try stays(call)
            guard let other = call.form.text("other").flatMap(Int64.init) else {
                throw Problem.input("Choose the record to merge and delete.", argument: "other")
            }
            var members: JSONObject = ["from": .integer(other)]
            if let reason = call.form.text("reason") { members["reason"] = .string(reason) }
            let page = "/desk/patrons/\(patron.id)"
            return try call.act(.post, "/patrons/\(patron.id)/merge", members, back: page) { merge in
                let limits = merge["limits_exceeded"]?.arrayValue?.count ?? 0
                return limits > 0
                    ? say("The records have been merged. Together they exceed a limit of the policy.")
                    : say("The records have been merged.")
            }
        },
    ]

    private static func stays(_ call: PageCall) throws -> Patron {
        guard let id = Int64(call.values[0]), let patron = try call.context.look({ try $0.patrons.get(.id(id)) }) else {
            throw Problem.notFound
        }
        return patron
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let patron = try stays(call)
        let words = call.query.text("query")
        let chosen = try (call.form.text("other") ?? call.query.text("other")).flatMap(Int64.init).flatMap { id in
            try call.context.look { try $0.patrons.get(.id(id)) }
        }
        var fields: [String: Any] = [
            "path": "/desk/patrons/\(patron.id)/merge", "back": "/desk/patrons/\(patron.id)",
            "words": PageWords.safe(words ?? ""), "stays": try card(patron.id, call),
        ]
        if let chosen, chosen.id != patron.id {
            fields["goes"] = try card(chosen.id, call)
        } else {
            fields["isSame"] = chosen != nil
            fields["found"] = try candidates(words, patron, call)
            fields["isAsked"] = words != nil
        }
        return PageView(
            template: "patron-merge", title: say("Merge into \(PageWords.safe(patron.fullName))"), fields: fields)
    }

    private static func card(_ id: Int64, _ call: PageCall) throws -> [String: Any] {
        var card = try PatronFields.card(id, call)
        let (loans, holds) = (card["loans"] as? [Any], card["holds"] as? [Any])
        card["figures"] =
            PageWords.count(Int64(loans?.count ?? 0), "loan", "loans") + ", "
            + PageWords.count(Int64(holds?.count ?? 0), "hold", "holds")
        return card
    }

    /// Those who are found by words; without words, those who are likely the same person, and others of the same full name.
    private static func candidates(_ words: String?, _ patron: Patron, _ call: PageCall) throws -> [[String: Any]] {
        var found: [Patron] = []
        try call.context.look { session in
            if let words {
                found = try session.patrons.search(words, limit: mostFound)
            } else {
                found = try session.patrons.likelyDuplicates(of: patron).map(\.patron)
                found += try session.patrons.called(patron.fullName)
            }
        }
        var seen: Set<Int64> = [patron.id]
        return found.filter { seen.insert($0.id).inserted }.prefix(mostFound).map { other in
            [
                "id": other.id, "to": "/desk/patrons/\(patron.id)/merge?other=", "name": PageWords.safe(other.fullName),
                "username": PageWords.safe(other.username), "email": PageWords.safe(other.email ?? ""),
            ]
        }
    }
}

import Circulation
import Languages
import Scripting
import TextFormats

/// A patron's loans with due dates, holds, and fines and fees.
enum ProfilePage: PageGroup {
    static let templates = [
        PageTemplate("history", PackageResources.history_mustache),
        PageTemplate("profile", PackageResources.profile_mustache),
    ]

    static let pages =
        [
            Page.shown("/me", .holder) { call in
                let patron = try call.holder()
                var fields: [String: Any] = [
                    "loans": try call.list("/patrons/me/loans").map { try LoanFields.loan($0, call) },
                    "holds": try call.list("/patrons/me/holds").map {
                        try HoldForms.shown($0, below: "/me/holds", call)
                    },
                    "blocks": try call.list("/patrons/me/blocks").map { LoanFields.block($0, call) },
                    "username": PageWords.safe(patron.username),
                ]
                fields["expires"] = patron.expiresOn.flatMap { call.words.date(.string($0.description)) }
                fields["links"] = try PatronLinks.own(patron, call)
                fields["account"] = try account("me", call)
                let name = [patron.name, patron.surname].filter { !$0.isEmpty }.joined(separator: " ")
                return PageView(template: "profile", title: name.isEmpty ? patron.username : name, fields: fields)
            },
            Page.shown("/me/history", .holder) { call in
                let loans = try call.list("/patrons/me/history", ["limit": 200]).map { try LoanFields.loan($0, call) }
                return PageView(template: "history", title: say("Your borrowing history"), fields: ["loans": loans])
            },
            Page.form("/me/loans/{loan}/renew") { call in
                try call.act(.post, "/loans/\(call.value())/renew", back: "/me") { loan in
                    let name = try call.titleName(loan["title"]?.integerValue).map(PageWords.safe) ?? say("The loan")
                    let due = call.words.moment(loan["due_at"])?["words"] as? String
                    return due.map { say("\(name) has been renewed until \($0).") } ?? say("\(name) has been renewed.")
                }
            },
        ] + HoldForms.pages(below: "/me/holds", .holder) { _ in "/me" }

    /// What is owed, and how that came about.
    static func account(_ patron: String, _ call: PageCall) throws -> [String: Any]? {
        let lines = try call.list("/patrons/\(patron)/ledger", ["latest": true, "limit": 50])
        guard !lines.isEmpty else { return nil }
        let owed = try call.record("/patrons/\(patron)/fees").stringValue ?? ""
        let isCredit = owed.hasPrefix("-")
        let amount = PageWords.money(.string(isCredit ? String(owed.dropFirst()) : owed)) ?? ""
        let isNothing = !owed.contains { ("1"..."9").contains($0) }
        let words =
            switch (patron == "me", isNothing, isCredit) {
            case (true, true, _): say("You owe nothing.")
            case (false, true, _): say("The patron owes nothing.")
            case (true, _, true): say("The library owes you \(amount).")
            case (false, _, true): say("The library owes the patron \(amount).")
            case (true, _, _): say("You owe \(amount).")
            case (false, _, _): say("The patron owes \(amount).")
            }
        return [
            "words": words, "isOwing": !isNothing && !isCredit,
            "lines": try lines.map { line -> [String: Any] in
                var fields: [String: Any] = [
                    "label": try LedgerFields.words(line, call), "amount": PageWords.money(line["amount"]) ?? "",
                ]
                fields["at"] = call.words.moment(line["at"])
                return fields
            },
        ]
    }
}

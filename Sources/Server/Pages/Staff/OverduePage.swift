import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Loans past their due time, the longest first, each leading to its patron and its copy, with what is done about them.
enum OverduePage: PageGroup {
    static let templates = [PageTemplate("overdue", PackageResources.overdue_mustache)]

    private static let many: Int64 = 50
    private static let mostPages: Int64 = 20_000

    static let pages = [
        Page.shown("/desk/overdue", .staff) { call in
            let number = min(max(1, call.query.text("page").flatMap(Int64.init) ?? 1), mostPages)
            let members: JSONObject = ["limit": .integer(many + 1), "offset": .integer((number - 1) * many)]
            let loans = try call.list("/overdue", members)
            var fields: [String: Any] = [
                "number": number, "loans": try loans.prefix(Int(many)).map { try row($0, call) },
            ]
            if number > 1 { fields["previous"] = "/desk/overdue?page=\(number - 1)" }
            if loans.count > Int(many) { fields["next"] = "/desk/overdue?page=\(number + 1)" }
            return PageView(template: "overdue", title: say("Overdue"), fields: fields)
        },
        act("renew") { loan, call in
            (call.words.moment(loan["due_at"])?["words"] as? String).map { say("has been renewed until \($0).") }
                ?? say("has been renewed.")
        },
        act("lost") { _, _ in say("has been declared lost.") },
        act("claim") { _, _ in say("has been marked as claimed returned.") },
        act("found") { _, _ in say("has been marked as found.") },
        Page.form("/desk/loans/{loan}/remind", .staff) { call in
            guard let id = Int64(call.values[0]), let loan = try call.recordIfAny("/loans/\(id)") else {
                throw Problem.notFound
            }
            let back = loan["patron"]?.integerValue.map { "/desk/patrons/\($0)" } ?? "/desk/overdue"
            let members: JSONObject = call.form["again"] == nil ? [:] : ["again": true]
            return try call.act(.post, "/loans/\(id)/notices", members, back: back) { notice in
                say("A notice has been created: \(PageWords.safe(notice["subject"]) ?? "").")
            }
        },
    ]

    /// What is done about a loan; the browser goes back to its patron's page.
    private static func act(_ what: String, _ words: @escaping @Sendable (JSON, PageCall) -> String) -> Page {
        Page.form("/desk/loans/{loan}/\(what)", .staff) { call in
            guard let id = Int64(call.values[0]), let loan = try call.recordIfAny("/loans/\(id)") else {
                throw Problem.notFound
            }
            let back = loan["patron"]?.integerValue.map { "/desk/patrons/\($0)" } ?? "/desk/overdue"
            return try call.act(.post, "/loans/\(id)/\(what)", [:], back: back) {
                "\(try DeskPage.title($0, call)) \(words($0, call))"
            }
        }
    }

    private static func row(_ loan: JSON, _ call: PageCall) throws -> [String: Any] {
        var fields = try LoanFields.loan(loan, call)
        let patron = loan["patron"]?.integerValue
        let name = try PatronFields.name(of: patron, call)
        fields["patronName"] = name ?? say("A former patron")
        if name != nil { fields["patronLink"] = patron.map { "/desk/patrons/\($0)" } }
        fields["link"] = loan["title"]?.integerValue.map { "/desk/titles/\($0)" }
        fields["branch"] = PageWords.safe(try call.branchName(loan["branch"]?.stringValue) ?? "")
        if let copy = loan["copy"]?.integerValue {
            fields["barcode"] = try call.context.look { try $0.catalogue.copy(id: copy)?.barcode }
        }
        if let text = loan["due_at"]?.stringValue, let due = try? Instant(parsing: text) {
            let days = call.library.zone.date(of: call.now).days(since: call.library.zone.date(of: due))
            fields["days"] = PageWords.count(Int64(days), "day", "days")
        }
        return fields
    }
}

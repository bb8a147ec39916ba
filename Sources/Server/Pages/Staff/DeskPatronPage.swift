import Circulation
import Scripting
import TextFormats

/// One patron at the desk: what speaks against them, what they have, and lending to them copy by copy.
enum DeskPatronPage {
    static let pages = [
        Page.shown("/desk/patrons/{patron}", .staff) { call in try view(call) },
        Page.form("/desk/patrons/{patron}/check-out", .staff, again: view) { call in
            guard let barcode = call.form.text("barcode") else {
                throw Problem.input("Scan a copy, or type its barcode.")
            }
            var members: JSONObject = ["patron": .integer(try id(call)), "barcode": .string(barcode)]
            if call.form.text("override") != nil {
                members["override"] = true
                members["reason"] = .string(call.form.text("reason") ?? "")
            }
            return try call.act(.post, "/loans", members, back: try path(call)) { loan in
                let name = try call.titleName(loan["title"]?.integerValue).map(PageWords.safe) ?? "The copy"
                let due = call.words.moment(loan["due_at"])?["words"] as? String
                return "\(name) is lent\(due.map { " until \($0)" } ?? "")."
            }
        },
        Page.form("/desk/patrons/{patron}/renew", .staff, again: view) { call in
            try call.act(.post, "/loans/\(try loan(call))/renew", back: try path(call)) { loan in
                let name = try call.titleName(loan["title"]?.integerValue).map(PageWords.safe) ?? "The loan"
                let due = call.words.moment(loan["due_at"])?["words"] as? String
                return "\(name) is renewed\(due.map { " until \($0)" } ?? "")."
            }
        },
        Page.form("/desk/patrons/{patron}/check-in", .staff, again: view) { call in
            try call.act(.post, "/checkins", ["loan": .integer(try loan(call))], back: try path(call)) {
                try DeskPage.words(for: $0, call)
            }
        },
        Page.form("/desk/patrons/{patron}/pay", .staff, again: view) { call in
            let members = call.members(["amount", "note"], of: .post, "/patrons/{patron}/payments")
            return try call.act(.post, "/patrons/\(try id(call))/payments", members, back: try path(call)) { entry in
                "Taken: \(PageWords.money(entry["amount"])?.replacing("-", with: "") ?? "")."
            }
        },
    ]

    private static func id(_ call: PageCall) throws -> Int64 {
        guard let id = Int64(call.values[0]) else { throw Problem.notFound }
        return id
    }

    private static func path(_ call: PageCall) throws -> String { "/desk/patrons/\(try id(call))" }

    private static func loan(_ call: PageCall) throws -> Int64 {
        guard let loan = call.form.text("loan").flatMap(Int64.init) else { throw Problem.input("Which loan?") }
        return loan
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let id = try id(call)
        let patron = try call.record("/patrons/\(id)")
        var fields = DeskPage.fields(of: patron)
        fields["path"] = try path(call)
        fields["email"] = PageWords.safe(patron["email"])
        fields["phone"] = PageWords.safe(patron["phone"])
        fields["expires"] = call.words.date(patron["expires_on"])
        fields["isExpired"] = (patron["expires_on"]?.stringValue ?? "9999") < call.words.today
        fields["blocks"] = try call.list("/patrons/\(id)/blocks").map { ProfilePage.block($0, call) }
        fields["loans"] = try call.list("/patrons/\(id)/loans").map { try ProfilePage.loan($0, call) }
        fields["holds"] = try call.list("/patrons/\(id)/holds").map { try ProfilePage.hold($0, call) }
        fields["account"] = try ProfilePage.account(String(id), call)
        fields["barcode"] = PageWords.safe(call.form["barcode"] ?? "")
        fields["why"] = PageWords.safe(call.form["reason"] ?? "")
        return PageView(template: "desk-patron", title: fields["name"] as? String ?? "Patron", fields: fields)
    }
}

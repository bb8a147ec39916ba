import Circulation
import Desk
import Scripting
import TextFormats

/// What the library knows of somebody, to be changed by themselves.
enum DetailsPage {
    static let pages = [
        Page.shown("/me/details", .holder) { call in try view(call) },
        Page.form("/me/details") { call in
            // A field that was emptied is to be empty.
            var members = JSONObject()
            for (name, _, _, _) in fields {
                if let text = call.form[name] { members[name] = .string(text.trimmingSpaces()) }
            }
            if let branch = call.form.text("home_branch") { members["home_branch"] = .string(branch) }
            return try call.act(.patch, "/patrons/me", members, back: "/me/details") { _ in "Your details are changed."
            }
        },
        Page.entry("/me/password", .holder) { call in
            let patron = try call.holder()
            let (old, new) = (call.form["old"] ?? "", call.form["password"] ?? "")
            do {
                let answer = try call.ask(
                    .post, "/patrons/me/password", ["old": .string(old), "password": .string(new)])
                guard case .refused(let refusal) = answer else { return .seeOther("/me/details?set=yes") }
                return .view(try view(call, ["wrongNew": PageWords.safe(refusal["message"]) ?? "This will not do."]))
            } catch let problem as Problem where problem.code == "wrong_log_in" {
                // Whoever pressed the button twice has the new password by now.
                if try call.services.accounts.verify(patron.username, password: new) != nil {
                    return .seeOther("/me/details?set=yes")
                }
                return .view(try view(call, ["wrongOld": "This is not your password."]))
            }
        },
    ]

    private static let fields = [
        ("name", "First name", "given-name", "text"), ("surname", "Last name", "family-name", "text"),
        ("email", "E-mail", "email", "email"), ("phone", "Telephone", "tel", "tel"),
    ]

    private static func view(_ call: PageCall, _ wrong: [String: String] = [:]) throws -> PageView {
        let patron = try call.record("/patrons/me")
        var values: [String: Any] = [
            "username": PageWords.safe(patron["username"]) ?? "", "isSet": call.query["set"] != nil,
        ]
        values["inputs"] = fields.map { name, label, fill, kind in
            ["name": name, "label": label, "fill": fill, "kind": kind, "value": PageWords.safe(patron[name]) ?? ""]
        }
        values["branches"] = try call.list("/branches").map { branch in
            [
                "code": branch["code"]?.stringValue ?? "", "name": PageWords.safe(branch["name"]) ?? "",
                "isHome": branch["code"] == patron["home_branch"],
            ] as [String: Any]
        }
        for (name, words) in wrong { values[name] = words }
        return PageView(
            template: "details", title: "Your details", fields: values, status: wrong.isEmpty ? 200 : 422)
    }
}

import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// A patron's own details, which the patron can change.
enum DetailsPage: PageGroup {
    static let templates = [
        PageTemplate("confirm", PackageResources.confirm_mustache),
        PageTemplate("details", PackageResources.details_mustache),
    ]

    static let pages = [
        Page.shown("/me/details", .holder) { call in try view(call) },
        Page.form("/me/details", again: { call in try view(call) }) { call in
            // A field that was emptied is to be empty.
            var members = JSONObject()
            for field in fields {
                if let text = call.form[field.name] { members[field.name] = .string(text.trimmingSpaces()) }
            }
            if let branch = call.form.text("home_branch") { members["home_branch"] = .string(branch) }
            return try call.act(.patch, "/patrons/me", members, back: "/me/details") { _ in
                say("Your details have been saved.")
            }
        },
        Page.entry("/me/email", .holder) { call in
            let email = call.form["email"]?.trimmingSpaces() ?? ""
            let members: JSONObject = ["email": .string(email), "password": .string(call.form["password"] ?? "")]
            do {
                guard case .refused(let refusal) = try call.ask(.post, "/patrons/me/email", members) else {
                    return .seeOther("/me/details?email=\(email.isEmpty ? "none" : "asked")")
                }
                return .view(
                    try view(
                        call,
                        [
                            "wrongEmail": PageWords.sentence(refusal["message"])
                                ?? say("This cannot be accepted. Please check it and try again.")
                        ]))
            } catch let problem as Problem where problem.code == "wrong_log_in" {
                return .view(try view(call, ["wrongEmail": say("This is not your password.")]))
            }
        },
        Page.shown("/confirm") { call in
            PageView(
                template: "confirm", title: say("Your e-mail address"),
                fields: call.query["token"].map { ["token": PageWords.safe($0)] } ?? [:], isForVisitors: true)
        },
        Page.entry("/confirm") { call in
            let answer = try call.ask(.post, "/emails/confirm", ["token": .string(call.form["token"] ?? "")])
            guard case .refused(let refusal) = answer else {
                return .view(
                    PageView(template: "confirm", title: say("Your e-mail address"), fields: ["isDone": true]))
            }
            return .view(
                PageView(
                    template: "confirm", title: say("Your e-mail address"),
                    fields: [
                        "wrong": PageWords.sentence(refusal["message"])
                            ?? say("This cannot be accepted. Please check it and try again.")
                    ], status: 422))
        },
        Page.entry("/me/password", .holder) { call in
            let patron = try call.holder()
            let (old, new) = (call.form["old"] ?? "", call.form["password"] ?? "")
            do {
                let answer = try call.ask(
                    .post, "/patrons/me/password", ["old": .string(old), "password": .string(new)])
                guard case .refused(let refusal) = answer else { return .seeOther("/me/details?set=yes") }
                return .view(
                    try view(
                        call,
                        [
                            "wrongNew": PageWords.sentence(refusal["message"])
                                ?? say("This cannot be accepted. Please check it and try again.")
                        ]))
            } catch let problem as Problem where problem.code == "wrong_log_in" {
                // A second press of the button: the new password is already set.
                if try call.services.accounts.verify(patron.username, password: new, from: call.origin) != nil {
                    return .seeOther("/me/details?set=yes")
                }
                return .view(try view(call, ["wrongOld": say("This is not your password.")]))
            }
        },
    ]

    private static let fields = [
        PageField(name: "name", label: "First name", fill: "given-name"),
        PageField(name: "surname", label: "Last name", fill: "family-name"),
        PageField(
            name: "display_name", label: "Name shown to other members", most: DisplayName.lengths.upperBound,
            hint:
                "Shown on the market and wherever else members see each other. Leave empty to use your username, "
                + "unless that is an e-mail address.",
            fill: "nickname"),
        PageField(name: "phone", label: "Telephone", kind: .tel, most: 100, fill: "tel"),
    ]

    private static func view(_ call: PageCall, _ wrong: [String: String] = [:]) throws -> PageView {
        let patron = try call.record("/patrons/me")
        var branch = PageField(name: "home_branch", label: "Your branch")
        branch.choices = try call.list("/branches").map { branch in
            (branch["code"]?.stringValue ?? "", PageWords.safe(branch["name"]) ?? "")
        }
        var values: [String: Any] = [
            "username": PageWords.safe(patron["username"]) ?? "", "isSet": call.query["set"] != nil,
            "email": PageWords.safe(call.form["email"] ?? patron["email"]?.stringValue ?? ""),
            "isEmailAsked": call.query["email"] == "asked", "isEmailGone": call.query["email"] == "none",
            "inputs": PageField.inputs(fields + [branch], call) { patron[$0]?.stringValue },
        ]
        for (name, words) in wrong { values[name] = words }
        return PageView(
            template: "details", title: say("Your details"), fields: values, status: wrong.isEmpty ? 200 : 422)
    }
}

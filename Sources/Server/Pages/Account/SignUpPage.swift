import Circulation
import Desk
import Scripting
import TextFormats

/// Making an account for oneself.
enum SignUpPage {
    static let pages = [
        Page.shown("/sign-up") { call in view(call) },
        Page.entry("/sign-up") { call in try signUp(call) },
    ]

    /// Fields beside the password, with the words in front of them and what browsers may fill in.
    private static let fields: [(name: String, label: String, fill: String, kind: String, hint: String?)] = [
        ("name", "First name", "given-name", "text", nil), ("surname", "Last name", "family-name", "text", nil),
        ("email", "E-mail", "email", "email", "Where a forgotten password is asked for."),
        ("phone", "Telephone", "tel", "tel", nil),
    ]

    private static func signUp(_ call: PageCall) throws -> PageAnswer {
        guard call.services.settings.allowsSignUp else {
            throw Problem(403, "not_allowed", "Accounts are made by the library's staff.")
        }
        guard let username = call.form.text("username") else {
            return .view(view(call, wrong: ["username": "Choose a username."]))
        }
        let password = call.form["password"] ?? ""
        let path = "/accounts"
        var members = call.members(fields.map(\.name), of: .post, path)
        members["username"] = .string(username)
        members["password"] = .string(password)
        switch try answer(path, members, call) {
        case .refused(let refusal):
            // Whoever pressed the button twice has the account already, and knows its password.
            if refusal["code"] == "exists", let entry = try call.services.accounts.logIn(username, password: password) {
                return try LogInPage.enter(entry, call)
            }
            let field = refusal["code"] == "weak_password" ? "password" : "username"
            return .view(view(call, wrong: [field: PageWords.safe(refusal["message"]) ?? "This will not do."]))
        case .nothing, .notFound: throw Problem.notFound
        case .value:
            guard let entry = try call.services.accounts.logIn(username, password: password) else {
                return .seeOther("/log-in")
            }
            return try LogInPage.enter(entry, call)
        }
    }

    /// What is wrong with the fields is a refusal too.
    private static func answer(_ path: String, _ members: JSONObject, _ call: PageCall) throws -> Answer {
        do {
            switch try call.ask(.post, path, members) {
            case .value: return .value
            case .refused(let refusal): return .refused(refusal)
            case .nothing: return .nothing
            case .notFound: return .notFound
            }
        } catch let problem as Problem where problem.status == 400 {
            return .refused(["code": "input", "message": .string(problem.detail)])
        }
    }

    private enum Answer { case value, refused(JSONObject), nothing, notFound }

    private static func view(_ call: PageCall, wrong: [String: String] = [:]) -> PageView {
        var values: [String: Any] = ["isOpen": call.services.settings.allowsSignUp]
        values["username"] = PageWords.safe(call.form["username"] ?? "")
        values["wrongUsername"] = wrong["username"]
        values["wrongPassword"] = wrong["password"]
        values["next"] = OwnPath(call.form["next"] ?? call.query["next"])?.text
        values["inputs"] = fields.map { field -> [String: Any] in
            var input: [String: Any] = [
                "name": field.name, "label": field.label, "fill": field.fill, "kind": field.kind,
                "value": PageWords.safe(call.form[field.name] ?? ""),
            ]
            input["hint"] = field.hint
            return input
        }
        return PageView(
            template: "sign-up", title: "Sign up", fields: values, status: wrong.isEmpty ? 200 : 422,
            isForVisitors: true)
    }
}

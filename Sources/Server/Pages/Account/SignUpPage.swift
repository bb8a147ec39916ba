import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Making an account for oneself.
enum SignUpPage: PageGroup {
    static let templates = [PageTemplate("sign-up", PackageResources.sign_up_mustache)]

    static let pages = [
        Page.shown("/sign-up") { call in view(call) },
        Page.entry("/sign-up") { call in try signUp(call) },
    ]

    private static let fields = [
        PageField(name: "name", label: "First name", fill: "given-name", saysOptional: true),
        PageField(name: "surname", label: "Last name", fill: "family-name", saysOptional: true),
        PageField(
            name: "email", label: "E-mail", kind: .email, hint: "Used if you forget your password.",
            fill: "email", saysOptional: true),
        PageField(name: "phone", label: "Telephone", kind: .tel, most: 100, fill: "tel", saysOptional: true),
    ]

    private static func signUp(_ call: PageCall) throws -> PageResponse {
        guard call.services.settings.allowsSignUp else {
            throw Problem(403, "not_allowed", "Accounts can only be created by library staff.")
        }
        guard let username = call.form.text("username") else {
            return .view(view(call, wrong: ["username": say("Choose a username.")]))
        }
        let password = call.form["password"] ?? ""
        let path = "/accounts"
        var members = call.members(fields.map(\.name), of: .post, path)
        members["username"] = .string(username)
        members["password"] = .string(password)
        let answer: APIResponse
        do {
            answer = try call.ask(.post, path, members)
        } catch let problem as Problem where problem.status == 400 {
            return .view(view(call, wrong: [problem.argument ?? "username": PageField.sentence(problem)]))
        }
        switch answer {
        case .refused(let refusal):
            // A second press of the button: the account exists, and the password matches.
            if refusal["code"] == "exists",
                let entry = try call.services.accounts.logIn(
                    username, password: password, from: call.origin)
            {
                return try LogInPage.enter(entry, call)
            }
            let code = refusal["code"]?.stringValue ?? ""
            let field = ["weak_password": "password", "invalid_email": "email"][code] ?? "username"
            return .view(
                view(
                    call,
                    wrong: [
                        field: PageWords.sentence(refusal["message"])
                            ?? say("This cannot be accepted. Please check it and try again.")
                    ]))
        case .nothing, .notFound: throw Problem.notFound
        case .value:
            guard
                let entry = try call.services.accounts.logIn(
                    username, password: password, from: call.origin)
            else {
                return .seeOther("/log-in")
            }
            return try LogInPage.enter(entry, call)
        }
    }

    private static func view(_ call: PageCall, wrong: [String: String] = [:]) -> PageView {
        var values: [String: Any] = ["isOpen": call.services.settings.allowsSignUp]
        values["username"] = PageWords.safe(call.form["username"] ?? "")
        values["wrongUsername"] = wrong["username"]
        values["wrongPassword"] = wrong["password"]
        values["next"] = OwnPath(call.form["next"] ?? call.query["next"])?.text
        var call = call
        call.wrong = wrong
        values["inputs"] = PageField.inputs(fields, call)
        return PageView(
            template: "sign-up", title: say("Sign up"), fields: values, status: wrong.isEmpty ? 200 : 422,
            isForVisitors: true)
    }
}

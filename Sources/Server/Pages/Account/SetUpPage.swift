import Circulation
import Desk
import Languages
import Scripting
import Secrets
import TextFormats

/// The first page of a library in which there is nobody yet: its name and its first administrator. It opens by a link that the server
/// prints where it was started, as long as there is no account.
enum SetUpPage: PageGroup {
    static let templates = [PageTemplate("set-up", PackageResources.set_up_mustache)]

    private static let path = "/set-up"

    static let pages = [
        Page.shown(path) { call in
            try check(call.query["token"], call)
            return view(call)
        },
        Page.entry(path) { call in
            try check(call.form["token"], call)
            do {
                return try setUp(call)
            } catch let problem as Problem where problem.status == 400 {
                return .view(view(call, wrong: [problem.argument ?? "username": PageField.sentence(problem)]))
            }
        },
    ]

    /// - Throws: ``Problem`` as for a page that does not exist, unless the token is the server's and nobody has an account.
    private static func check(_ shown: String?, _ call: PageCall) throws {
        guard let token = call.services.settings.setUpToken, let shown = shown.flatMap({ SecretToken(shown: $0) }),
            // Digests take the same time to compare, whatever of the token was guessed.
            token.digest == shown.digest, try call.context.look({ try $0.patrons.count() }) == 0
        else { throw Problem.notFound }
    }

    private static func setUp(_ call: PageCall) throws -> PageResponse {
        guard let name = call.form.text("library") else {
            throw Problem.input("'library' must be the library's name.", argument: "library")
        }
        guard let zone = call.form.text("time_zone").flatMap({ Zone(identifier: $0) }) else {
            throw Problem.input("'time_zone' must be a time zone, such as Europe/Berlin.", argument: "time_zone")
        }
        guard let currency = call.form.text("currency").flatMap({ try? Currency(named: $0.uppercased()) }) else {
            throw Problem.input("'currency' must be a currency code, such as EUR.", argument: "currency")
        }
        guard let username = call.form.text("username") else {
            throw Problem.input("'username' is required.", argument: "username")
        }
        let (desk, accounts) = (call.services.desk, call.services.accounts)
        let (category, branch) = try desk.read { session in
            (try session.settings.categories().first?.code, try session.settings.branches().first?.code)
        }
        let patron = Patron(
            username: username, name: call.form.text("name") ?? "", email: call.form.text("email"),
            category: category ?? "patron", homeBranch: branch ?? "main", role: .admin)
        let password = call.form["password"] ?? ""
        switch try accounts.signUp(patron, password: password, from: call.origin) {
        case .refused(let refusal):
            let field = ["weak_password": "password", "invalid_email": "email"][refusal.code] ?? "username"
            return .view(view(call, wrong: [field: PageWords.sentence(refusal.message)]))
        case .done: break
        }
        _ = try desk.write { try $0.settings.setLibrary(name: name, zone: zone, currency: currency) }
        guard let entry = try accounts.logIn(username, password: password, from: call.origin) else {
            return .seeOther("/log-in")
        }
        return try LogInPage.enter(entry, call)
    }

    private static func view(_ call: PageCall, wrong: [String: String] = [:]) -> PageView {
        var call = call
        call.wrong = wrong
        let library = call.library
        let values = ["time_zone": library.zone.identifier, "currency": library.currency.code]
        let inputs = PageField.inputs(
            [
                PageField(name: "library", label: "Name of the library", isRequired: true),
                PageField(name: "time_zone", label: "Time zone", hint: "For example, Europe/Berlin.", isRequired: true),
                PageField(name: "currency", label: "Currency", most: 3, hint: "For example, EUR.", isRequired: true),
                PageField(name: "name", label: "Your name", fill: "name", saysOptional: true),
                PageField(name: "email", label: "Your e-mail", kind: .email, fill: "email", saysOptional: true),
                PageField(name: "username", label: "Your username", fill: "username", isRequired: true),
                PageField(
                    name: "password", label: "Your password", kind: .password, most: 1_000, fill: "new-password",
                    isRequired: true),
            ], call
        ) { values[$0] }
        return PageView(
            template: "set-up", title: say("Set up the library"),
            fields: ["inputs": inputs, "token": PageWords.safe(call.form["token"] ?? call.query["token"] ?? "")],
            status: wrong.isEmpty ? 200 : 422, isForVisitors: true)
    }
}

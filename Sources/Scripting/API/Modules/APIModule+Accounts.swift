package import Circulation
package import Desk
import LuaRuntime

extension APIModule {
    static let accounts = APIModule(
        "accounts", "How people come to an account and log in by themselves, as over HTTP.",
        [.accountsSignUp, .accountsLogIn, .accountsHolder], callers: .everyone)
}

extension APIParameter {
    /// The longest password.
    package static let password = APIType.text(maximum: 1024)
    /// The longest username.
    package static let username = APIType.text(maximum: 200)

    /// What someone says of themselves who signs up.
    package static let ofSignUp: [APIParameter] = [
        .required("username", username, "unique"),
        .required("password", password, "12 characters at least, unless the library asks for fewer"),
        .optional("name", .text(maximum: 500), ""), .optional("surname", .text(maximum: 500), ""),
        .optional("email", .text(maximum: 500), "where a forgotten password is asked for"),
        .optional("phone", .text(maximum: 100), ""), .optional("language", .text(maximum: 20), ""),
    ]
    /// What someone says who logs in.
    package static let ofLogIn: [APIParameter] = [
        .required("username", username, ""), .required("password", password, ""),
    ]
}

extension APIFunction {
    /// What a sign-up may be refused with.
    package static let signUpRefusals = [
        "exists", "reserved_username", "invalid_email", "weak_password", "policy_failed",
    ]

    fileprivate static let accountsSignUp = APIFunction(
        "sign_up", "Makes an account, where the library lets people make one.",
        details:
            "Tries are counted by the address of the request for which the script runs; too many end it. It opens "
            + "transactions of its own, and cannot be called within one.",
        [.required("account", .fields(APIParameter.ofSignUp), "")],
        returns: .written(.record("patron")), refusals: signUpRefusals + ["not_allowed"], needs: .patronsWrite,
        callers: .everyone,
        examples: [
            APIExample(
                "(pcall(store.transaction, function() "
                    + #"accounts.sign_up{ username = "grace", password = "two ducks, one pond" } end))"#,
                "false")
        ]
    ) { call in
        try call.outsideOfTransactions()
        return call.answer(
            try call.script.entranceInUse().signUp(call.arguments, in: call.script), APIRecord.patron.table)
    }

    fileprivate static let accountsLogIn = APIFunction(
        "log_in", "Logs a patron in: gives the token of a session.",
        details:
            "An unknown username is refused like a wrong password, and takes as long. Tries are counted by the address of the "
            + "request for which the script runs; too many end it. It opens transactions of its own, and "
            + "cannot be called within one.",
        [.required("account", .fields(APIParameter.ofLogIn), "")],
        returns: .written(.record("session")), refusals: ["wrong_log_in"], needs: .patronsWrite, callers: .everyone,
        examples: [
            APIExample(
                "(pcall(store.transaction, function() "
                    + #"accounts.log_in{ username = "bob", password = "a good password" } end))"#,
                "false")
        ]
    ) { call in
        try call.outsideOfTransactions()
        let entrance = try call.script.entranceInUse()
        let entry = try entrance.accounts.logIn(
            try call.arguments.need("username"), password: try call.arguments.need("password"), from: entrance.origin)
        let outcome: Outcome<AccountManager.Entry> =
            entry.map { .done($0) }
            ?? .refused(Refusal(code: "wrong_log_in", message: "The username or password is incorrect."))
        return call.answer(outcome, APIRecord<AccountManager.Entry>.session.table)
    }

    fileprivate static let accountsHolder = APIFunction(
        "holder", "Finds the patron to whom a token or a key belongs, while it is good.",
        [.required("token", .text(maximum: 1024), "")],
        returns: .found(.record("patron")), callers: .everyone,
        examples: [
            APIExample(#"accounts.holder("mss_unknown")"#, "nil")
        ]
    ) { call in
        let holder = try call.script.entranceInUse().accounts.holder(of: try call.arguments.need("token"))
        return call.found(holder?.patron, .patron)
    }
}

extension APICall {
    /// A hash takes longer than a transaction may.
    fileprivate func outsideOfTransactions() throws {
        guard script.session == nil else { throw fault("cannot be called within a transaction") }
    }
}

/// The way in for people who sign up and log in.
package struct AccountEntrance: Sendable {
    package var accounts: AccountManager
    /// By what is counted what is tried.
    package var origin: AttemptOrigin
    /// Whether people may make accounts for themselves.
    package var allowsSignUp: Bool
    /// The category of who signs up; nil: the first.
    package var category: String?

    package init(_ accounts: AccountManager, from origin: AttemptOrigin, allowsSignUp: Bool, category: String?) {
        self.accounts = accounts
        self.origin = origin
        self.allowsSignUp = allowsSignUp
        self.category = category
    }

    /// Makes an account: in the configured category, at the first branch.
    ///
    /// - Parameter arguments: those of ``APIParameter/ofSignUp``.
    package func signUp(_ arguments: APIArguments, in script: ScriptContext) throws -> Outcome<Patron> {
        guard allowsSignUp else {
            return .refused(Refusal(code: "not_allowed", message: "Accounts can only be created by library staff."))
        }
        let (first, branch) = try script.look { session in
            (try session.settings.categories().first?.code, try session.settings.branches().first?.code)
        }
        var patron = Patron(
            username: try arguments.need("username"), category: category ?? first ?? "patron",
            homeBranch: branch ?? "main")
        patron.name = arguments["name"] ?? ""
        patron.surname = arguments["surname"] ?? ""
        patron.email = arguments["email"]
        patron.phone = arguments["phone"]
        patron.language = arguments["language"]
        return try accounts.signUp(patron, password: try arguments.need("password"), from: origin)
    }
}

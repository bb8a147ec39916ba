import Circulation
import Desk
import Scripting
import Secrets
import TextFormats

/// What the routes of accounts do.
struct AccountRequests {
    private let call: RouteCall
    private var accounts: AccountManager { call.services.accounts }

    init(_ call: RouteCall) {
        self.call = call
    }

    func signUp(_ arguments: APIArguments) throws -> APIResponse {
        let outcome = try call.services.entrance(from: call.origin).signUp(arguments, in: call.context)
        return try answer(outcome) { try record(of: $0) }
    }

    func logIn(_ arguments: APIArguments) throws -> APIResponse {
        let entry = try accounts.logIn(
            try arguments.need("username"), password: try arguments.need("password"), from: call.origin)
        guard let entry else {
            throw Problem(401, "wrong_log_in", "The username or password is incorrect.")
        }
        return .value([
            "token": .string(entry.token.text), "expires_at": .string(entry.expiresAt.description),
            "patron": try record(of: entry.patron),
        ])
    }

    func tokens(_ kind: AccessToken.Kind) throws -> APIResponse {
        let holder = try call.holder()
        let tokens = try call.context.look { try $0.accounts.tokens(of: holder.id, kind) }
        return .value(
            .array(
                tokens.map { token in
                    var object: JSONObject = [
                        "id": .integer(token.id), "label": .string(token.label),
                        "created_at": .string(token.createdAt.description),
                    ]
                    if let ends = token.expiresAt { object["expires_at"] = .string(ends.description) }
                    object["scopes"] = .array(token.scope.words.map { .string($0) })
                    object["most_role"] = .string(token.mostRole.rawValue)
                    object["current"] = .bool(token.id == call.caller.token?.id)
                    return .object(object)
                }))
    }

    func revoke(_ id: Int64) throws -> APIResponse {
        let holder = try call.holder()
        return try answer(try inTransaction { try $0.accounts.revoke(id, of: holder.id) }, nil)
    }

    func issueKey(_ arguments: APIArguments) throws -> APIResponse {
        let holder = try call.holder()
        let label: String = try arguments.need("label")
        var ends: Instant? = arguments["expires_at"]
        if let date: CivilDate = arguments["expires_at"] { ends = Zone.utc.startOfDay(date) }
        let scopes: [String] = arguments["scopes"] ?? AccessScope.all.words
        guard !scopes.isEmpty, scopes.allSatisfy(RouteTable.scopes.contains) else {
            throw Problem.input(
                "'scopes' must be chosen from: \(RouteTable.scopes.joined(separator: ", ")).", argument: "scopes")
        }
        let order = AccountManager.KeyRequest(
            label: label, expiresAt: ends, scope: AccessScope(words: scopes),
            mostRole: (arguments["most_role"] as String?).flatMap(Patron.Role.init) ?? .admin)
        let outcome = try inTransaction { try accounts.issueKey(to: .id(holder.id), order, in: $0) }
        return try answer(outcome) { made in
            [
                "key": .string(made.secret.text), "label": .string(label),
                "expires_at": .string(made.token.expiresAt?.description ?? ""),
            ]
        }
    }

    func forgot(_ username: String) throws -> APIResponse {
        if let entry = try accounts.forgot(username, from: call.origin) {
            // Not behind a number sign, which would keep it out of logs, and from a page that has to do without
            // scripts.
            let link = "\(call.services.settings.url)/reset?token=\(entry.token.text)"
            call.services.teller.send(
                AccountMail(
                    kind: .reset(link: link, until: entry.expiresAt), to: entry.patron.email ?? "",
                    patron: entry.patron, library: try call.library()))
        }
        return .nothing
    }

    func reset(_ token: String, _ password: String) throws -> APIResponse {
        try answer(try accounts.reset(token, password: password, from: call.origin), nil)
    }

    func askEmail(_ arguments: APIArguments) throws -> APIResponse {
        let holder = try call.holder()
        let email: String = try arguments.need("email")
        let outcome = try accounts.askEmail(
            email.trimmingSpaces(), of: holder, password: try arguments.need("password"), from: call.origin)
        switch outcome {
        case .refused(let refusal) where refusal.code == "wrong_log_in":
            throw Problem(403, "wrong_log_in", "The password is missing or wrong.")
        case .refused(let refusal):
            return .refused(["code": .string(refusal.code), "message": .string(refusal.message)])
        case .done(.asked(let entry, let email)):
            let link = "\(call.services.settings.url)/confirm?token=\(entry.token.text)"
            call.services.teller.send(
                AccountMail(
                    kind: .confirmation(link: link, until: entry.expiresAt), to: email, patron: entry.patron,
                    library: try call.library()))
        case .done(.changed(let before, let after)): try call.tell(before, after)
        }
        return .nothing
    }

    func confirmEmail(_ token: String) throws -> APIResponse {
        switch try accounts.confirmEmail(token, from: call.origin) {
        case .refused(let refusal):
            return .refused(["code": .string(refusal.code), "message": .string(refusal.message)])
        case .done(let changed):
            try call.tell(changed.before, changed.after)
            return .nothing
        }
    }

    func setPassword(_ arguments: APIArguments) throws -> APIResponse {
        let holder = try call.holder()
        let key: PatronKey =
            switch try arguments.need("patron") as RecordKey {
            case .id(let id): .id(id)
            case .text(let username): .username(username)
            }
        let patron = try call.context.look { try $0.patrons.get(key) }
        guard let patron else { throw Problem.notFound }
        if patron.id == holder.id {
            guard let old: String = arguments["old"],
                try accounts.verify(holder.username, password: old, from: call.origin)?.id == holder.id
            else { throw Problem(403, "wrong_log_in", "The current password is missing or wrong.") }
        } else if patron.role != .patron && !call.caller.isAdmin {
            throw Problem.notAllowed
        }
        let kept = patron.id == holder.id ? call.caller.token?.id : nil
        return try answer(
            try accounts.acting(as: call.caller.actor).setPassword(
                try arguments.need("password"), of: .id(patron.id), keeping: kept), nil)
    }

    func leave(_ password: String) throws -> APIResponse {
        let holder = try call.holder()
        guard try accounts.verify(holder.username, password: password, from: call.origin)?.id == holder.id else {
            throw Problem(403, "wrong_log_in", "The password is missing or wrong.")
        }
        guard let removal = RouteTable.removal else { throw Problem.fault }
        return try call.context.inOneTransaction {
            try call.context.call(removal, APIMembers(path: ["patron": .integer(holder.id)]))
        }
    }

    /// Work that needs no hash runs in the caller's transaction, if there is one.
    private func inTransaction<Result>(_ body: (DeskSession) throws -> Result) throws -> Result {
        try call.context.inOneTransaction { try call.context.look(body) }
    }

    /// The record as every other route gives it.
    private func record(of patron: Patron) throws -> JSON {
        guard let function = LuaAPI.function("patrons.get"),
            case .value(let json) = try call.context.call(function, APIMembers(path: ["patron": .integer(patron.id)]))
        else { throw Problem.fault }
        return json
    }

    private func answer<Value>(_ outcome: Outcome<Value>, _ json: ((Value) throws -> JSON)?) throws -> APIResponse {
        switch outcome {
        case .done(let value): return try json.map { .value(try $0(value)) } ?? .nothing
        case .refused(let refusal):
            return .refused(["code": .string(refusal.code), "message": .string(refusal.message)])
        }
    }
}

import Circulation
import Desk
import LuaRuntime
package import Scripting
import TextFormats

// Signing up, logging in, passwords and keys. They stand for themselves: a hash takes longer than a transaction may.
extension RouteTable {
    static let accounts: [Route] =
        [
            signUp, logIn, sessions, logOut, endSession, forgotten, reset, setPassword, askEmail, confirmEmail, keys,
            issueKey,
            revokeKey, leave,
        ] + staff

    /// Kinds of records that only these routes give.
    package static let records: [APIRecordType] = [
        APIRecordType(
            name: "access_token", summary: "A session or a key, without its secret.",
            fields: [
                .required("id", .id, ""), .required("label", .text, "what its owner calls it"),
                .required("created_at", .instant, ""), .optional("expires_at", .instant, "when it ends by itself"),
                .required("current", .boolean, "whether it is the one with which this was asked"),
                .required("scopes", .list(.text(maximum: 100)), "what it lets ask for"),
                .required("most_role", .words(Patron.Role.self), "the highest role in which it acts"),
            ]),
        APIRecordType(
            name: "access_key", summary: "An API key.",
            fields: [
                .required("key", .text, "it is shown this once"), .required("label", .text, ""),
                .required("expires_at", .instant, ""),
            ]),
        CloudEvent.record, staffAccount, passwordLink,
    ]

    /// What keys can be for.
    package static let scopes: [String] = {
        let groups = Set(all.map(\.group)).subtracting(["accounts"]).sorted()
        return ["all", "read"] + groups.flatMap { [$0, "\($0):read"] }
    }()

    private static let password = APIParameter.password
    private static let username = APIParameter.username

    static func own(
        _ verb: Route.Verb, _ path: String, _ name: String, _ summary: String, _ fields: [APIParameter],
        _ result: APIResult, refusals: [String] = [], _ access: Route.Access, own: [String] = [],
        creates: Bool = false, perform: @escaping Route.Perform
    ) -> Route {
        let parameters = fields.isEmpty ? [] : [APIParameter.required("request", .fields(fields), "")]
        let function = APIFunction(
            name, summary, parameters, returns: result, refusals: refusals, examples: [], body: { _ in [] })
        return Route(
            APIRoute(verb, path, access, group: "accounts", own: own, creates: creates), function, perform: perform)
    }

    private static let signUp = own(
        .post, "/accounts", "sign_up", "Creates an account.", APIParameter.ofSignUp,
        .written(.record("patron")), refusals: APIFunction.signUpRefusals,
        .everyone,
        creates: true
    ) { call, arguments in
        try AccountRequests(call).signUp(arguments)
    }

    private static let logIn = own(
        .post, "/sessions", "log_in", "Logs a patron in.", APIParameter.ofLogIn,
        .value(.record("session")), .everyone, creates: true
    ) { call, arguments in
        try AccountRequests(call).logIn(arguments)
    }

    private static let sessions = own(
        .get, "/sessions", "sessions", "Lists the caller's sessions.", [],
        .value(.list(.record("access_token"))), .holder
    ) { call, _ in
        try AccountRequests(call).tokens(.session)
    }

    private static let logOut = own(
        .post, "/log-out", "log_out", "Ends the session whose token is sent.", [], .nothing, .holder
    ) { call, _ in
        guard let token = call.caller.token else { throw Problem.noToken }
        return try AccountRequests(call).revoke(token.id)
    }

    private static let endSession = own(
        .delete, "/sessions/{session}", "end_session", "Ends one of the caller's sessions.",
        [.required("session", .id, "")], .nothing, .holder
    ) { call, arguments in
        try AccountRequests(call).revoke(try arguments.need("session"))
    }

    private static let forgotten = own(
        .post, "/passwords/forgotten", "forgot_password",
        "E-mails a link for a new password; the answer is the same whether or not the account exists.",
        [.required("username", username, "")], .nothing, .everyone
    ) { call, arguments in
        try AccountRequests(call).forgot(try arguments.need("username"))
    }

    private static let reset = own(
        .post, "/passwords/reset", "reset_password",
        "Sets a password with the token from such a link, which works once.",
        [.required("token", .text(maximum: 200), ""), .required("password", password, "")],
        .nothing, refusals: ["invalid_token", "weak_password"], .everyone
    ) { call, arguments in
        try AccountRequests(call).reset(try arguments.need("token"), try arguments.need("password"))
    }

    private static let setPassword = own(
        .post, "/patrons/{patron}/password", "set_password",
        "Sets a password. Other sessions end; if the password is another patron's, so do their keys.",
        [
            .required("patron", .reference(.patron), ""), .required("password", password, "the new one"),
            .optional("old", password, "the current one; required for one's own password"),
        ],
        .nothing, refusals: ["weak_password"], .holder, own: ["patron"]
    ) { call, arguments in
        try AccountRequests(call).setPassword(arguments)
    }

    private static let askEmail = own(
        .post, "/patrons/me/email", "change_email",
        "Sends a link to the caller's new address, which takes effect once the link is opened; an empty address "
            + "takes effect at once.",
        [
            .required("email", .text(maximum: 500), "the new one; empty: none"),
            .required("password", password, "the caller's"),
        ],
        .nothing, refusals: ["invalid_email", "too_many_mails"], .holder
    ) { call, arguments in
        try AccountRequests(call).askEmail(arguments)
    }

    private static let confirmEmail = own(
        .post, "/emails/confirm", "confirm_email",
        "Confirms a new address with the token from such a link, which works once.",
        [.required("token", .text(maximum: 200), "")], .nothing, refusals: ["invalid_token"], .everyone
    ) { call, arguments in
        try AccountRequests(call).confirmEmail(try arguments.need("token"))
    }

    private static let leave = own(
        .post, "/patrons/me/leave", "leave",
        "Deletes the caller's account and everything known about them, unless something must be settled first.",
        [.required("password", password, "the caller's")],
        .written(.record("patron")), refusals: removal?.refusals ?? [], .holder
    ) { call, arguments in
        try AccountRequests(call).leave(try arguments.need("password"))
    }

    /// What is done to an account that ends.
    static let removal = LuaAPI.function("patrons.remove")

    private static let keys = own(
        .get, "/keys", "keys", "Lists the caller's API keys.", [],
        .value(.list(.record("access_token"))), .holder
    ) { call, _ in
        try AccountRequests(call).tokens(.key)
    }

    private static let issueKey = own(
        .post, "/keys", "issue_key",
        "Creates an API key that can do everything the caller can, or some of it. Cannot be called with a key.",
        [
            .required("label", .text(maximum: AccountService.longestLabel), "what it is for"),
            .optional("expires_at", .instant, "366 days from now at most; 90 if left out"),
            .optional(
                "scopes", .list(.text(maximum: 100)),
                "what it lets ask for: `all` if left out, `read`, groups of routes such as `loans`, or `loans:read`"),
            .optional(
                "most_role", .words(Patron.Role.self), "the highest role in which it acts; the caller's if left out"),
        ],
        .written(.record("access_key")), refusals: ["too_long", "too_many_keys"], .holder, creates: true
    ) { call, arguments in
        try AccountRequests(call).issueKey(arguments)
    }

    private static let revokeKey = own(
        .delete, "/keys/{key}", "revoke_key", "Revokes one of the caller's keys.", [.required("key", .id, "")],
        .nothing, .holder
    ) { call, arguments in
        try AccountRequests(call).revoke(try arguments.need("key"))
    }
}

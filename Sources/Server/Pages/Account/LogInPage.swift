import Circulation
import Desk
import Languages
import Scripting
import Secrets
import TextFormats

/// Logging in and out.
enum LogInPage: PageGroup {
    static let templates = [PageTemplate("log-in", PackageResources.log_in_mustache)]

    static let pages = [
        Page.shown("/log-in") { call in view(call) },
        Page.entry("/log-in") { call in
            let (username, password) = (call.form.text("username") ?? "", call.form["password"] ?? "")
            guard
                let entry = try call.services.accounts.logIn(
                    username, password: password, from: call.origin)
            else {
                return .view(view(call, say("The username or password is incorrect.")))
            }
            return try enter(entry, call)
        },
        Page(
            verb: .post, path: "/log-out", access: .holder,
            work: .entering { call in
                if let token = call.caller.token { try revoke(token, call) }
                return .seeOther("/", cookies: [.forgotten(.session)])
            }),
    ]

    /// Starts a session with a new token; the one that the browser had before becomes invalid.
    static func enter(_ entry: AccountManager.Entry, _ call: PageCall) throws -> PageResponse {
        if let former = call.caller.token { try revoke(former, call) }
        // Longer than the session, so that forms and the staff's pages can recognize an expired session.
        let seconds =
            max(1, entry.expiresAt.microseconds(since: call.now) / 1_000_000) + AccountService.daysRemembered * 86_400
        let path = OwnPath(call.form["next"])?.text ?? "/"
        return .seeOther(
            path, cookies: [PageCookie(kind: .session, value: entry.token.text, seconds: seconds)])
    }

    private static func revoke(_ token: AccessToken, _ call: PageCall) throws {
        let holder = try call.holder().id
        _ = try call.services.desk.acting(as: call.caller.actor).write { try $0.accounts.revoke(token.id, of: holder) }
    }

    private static func view(_ call: PageCall, _ wrong: String? = nil) -> PageView {
        var fields: [String: Any] = ["username": PageWords.safe(call.form["username"] ?? "")]
        fields["wrong"] = wrong
        fields["next"] = OwnPath(call.form["next"] ?? call.query["next"])?.text
        fields["isReset"] = call.query["set"] != nil
        fields["isEnded"] = call.query["ended"] != nil
        return PageView(
            template: "log-in", title: say("Log in"), fields: fields, status: wrong == nil ? 200 : 422,
            isForVisitors: true)
    }
}

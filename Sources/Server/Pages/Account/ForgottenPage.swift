import Circulation
import Desk
import Languages
import Scripting
import Secrets
import TextFormats

/// A forgotten password: asking for a link, and setting a new one by it.
///
/// The link has its token behind the question mark, where our access log does not look. It is moved into a cookie at
/// once and the browser sent on, so that the token appears in no visible address, browser history or referrer.
enum ForgottenPage: PageGroup {
    static let templates = [
        PageTemplate("forgotten", PackageResources.forgotten_mustache),
        PageTemplate("reset", PackageResources.reset_mustache),
    ]

    static let pages = [
        Page.shown("/forgotten") { call in
            PageView(
                template: "forgotten", title: say("Forgotten password"), fields: ["isSent": call.query["sent"] != nil],
                isForVisitors: true)
        },
        Page.entry("/forgotten") { call in
            _ = try call.ask(
                .post, "/passwords/forgotten", ["username": .string(call.form.text("username") ?? "")])
            return .seeOther("/forgotten?sent=yes")
        },
        Page(
            verb: .get, path: "/reset", access: .everyone,
            work: .entering { call in
                guard let token = call.query["token"] else { return .view(view(call)) }
                guard let token = SecretToken(shown: token) else { return .seeOther("/forgotten") }
                return .seeOther("/reset", cookies: [PageCookie(kind: .reset, value: token.text, seconds: 1_800)])
            }),
        Page.entry("/reset") { call in
            let token = PageCookie.shown(.reset, in: call.request, call.services.settings)
            guard let token else { return .view(view(call)) }
            switch try call.services.accounts.reset(
                token.text, password: call.form["password"] ?? "", from: call.origin)
            {
            case .done: return .seeOther("/log-in?set=yes", cookies: [.forgotten(.reset)])
            case .refused(let refusal) where refusal.code == "weak_password":
                return .view(view(call, PageWords.sentence(refusal.message)))
            case .refused(let refusal):
                var answer = PageResponse.view(view(call, isOver: PageWords.sentence(refusal.message)))
                answer.cookies = [.forgotten(.reset)]
                return answer
            }
        },
    ]

    private static func view(_ call: PageCall, _ wrong: String? = nil, isOver: String? = nil) -> PageView {
        var fields: [String: Any] = [:]
        let token = PageCookie.shown(.reset, in: call.request, call.services.settings)
        fields["wrong"] = wrong
        fields["over"] = isOver ?? (token == nil ? say("This link is no longer valid. Please request a new one.") : nil)
        return PageView(
            template: "reset", title: say("Set a new password"), fields: fields,
            status: wrong == nil && isOver == nil ? 200 : 422,
            isForVisitors: true)
    }
}

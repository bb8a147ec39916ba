import Circulation
import Desk
import Languages
import Market
import Plugins
import Scripting
import Secrets
import TextFormats

/// The frame of all pages: head, navigation, the last action's outcome, and the header fields that keep them
/// safe.
struct PageFrame: Sendable {
    private let settings: ServerSettings
    private let appearance: PageAppearance
    private let plugins: PluginPool

    init(_ services: Services, _ plugins: PluginPool) {
        settings = services.settings
        appearance = services.appearance
        self.plugins = plugins
    }

    /// What the head and the foot of every page have.
    private var standing: [String: Any] {
        var frame: [String: Any] = [
            "style": PageAssets.stylePath, "language": Language.spoken.code,
            "direction": Language.spoken.direction.rawValue, "languages": LanguagePage.choices(appearance.languages),
        ]
        frame["ownStyle"] = appearance.stylesheet?.path
        frame["logo"] = appearance.logo?.path
        return frame
    }

    /// What a browser may do with a page: load the stylesheet and pictures of this server, send forms to it, nothing
    /// else: no other server learns who reads a page.
    private static let contentPolicy =
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"

    /// The same for a page that one script of this program's, named by its digest, makes handier; it may ask this server.
    private static func contentPolicy(running script: String) -> String {
        "\(contentPolicy); script-src \(ReportResponse.source(ofText: script)); connect-src 'self'"
    }

    /// - Throws: what the store throws.
    func answer(_ answer: PageResponse, _ call: PageCall) throws -> WebResponse {
        var cookies = answer.cookies
        var web: WebResponse
        switch answer.kind {
        case .seeOther(let path): web = WebResponse(303, fields: ["Location": path])
        case .document(let document): web = document
        case .view(let view):
            var token = call.visitor.token
            if token == nil, view.isForVisitors {
                let made = SecretToken(kind: "msv")
                cookies.append(PageCookie(kind: .visit, value: made.text, seconds: nil))
                token = made
            }
            web = try page(view, token, call)
        }
        web.cookies = cookies.map { $0.text(settings) }
        return web
    }

    /// A page that describes a problem, the same for every visitor.
    func answer(_ problem: Problem) -> WebResponse {
        var fields: [String: Any] = ["detail": Self.sentence(of: problem), "status": problem.status]
        fields["frame"] = standing.merging([
            "title": Self.title(of: problem), "library": say("The library"), "isProblem": true,
        ]) { $1 }
        var web = Self.web(problem.status, PageTemplates.all(in: .spoken).text("problem", fields))
        for (name, value) in problem.fields where name != "WWW-Authenticate" { web.fields[name] = value }
        return web
    }

    private func page(_ view: PageView, _ token: SecretToken?, _ call: PageCall) throws -> WebResponse {
        var fields = view.fields
        var frame = standing.merging([
            "title": PageWords.safe(view.title), "library": PageWords.safe(call.library.name),
            "signUp": settings.allowsSignUp,
            "shortestPassword": call.services.accounts.shortestPassword,
        ]) { $1 }
        if let patron = call.caller.patron {
            frame["user"] = try user(patron, call)
            frame["said"] = try said(to: patron, call)
        } else {
            frame["isVisitor"] = true
        }
        if let token {
            frame["seal"] = CSRFToken(token).code
            frame["once"] = SecretToken(kind: "once").text
        }
        fields["frame"] = frame
        if !view.script.isEmpty { fields["script"] = view.script }
        var web = Self.web(view.status, PageTemplates.all(in: .spoken).text(view.template, fields))
        if !view.script.isEmpty { web.fields["Content-Security-Policy"] = Self.contentPolicy(running: view.script) }
        return web
    }

    /// What keeps pages safe. Not `no-referrer`, by which a browser would no longer say in `Origin` where a form comes
    /// from.
    static let safety = [
        "Content-Security-Policy": contentPolicy, "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    ]

    private static func web(_ status: Int, _ text: String) -> WebResponse {
        var web = WebResponse(status, text: text, "text/html; charset=utf-8")
        web.fields.merge(safety) { $1 }
        web.fields["Content-Language"] = Language.spoken.code
        return web
    }

    private func user(_ patron: Patron, _ call: PageCall) throws -> [String: Any] {
        let name = patron.name.isEmpty ? patron.username : patron.name
        // Each name has a value: a template looks for one that has none in the fields of the page.
        var user: [String: Any] = [
            "name": PageWords.safe(name), "isStaff": call.caller.isStaff, "isAdmin": call.caller.isAdmin,
            "workplace": false, "toLookAt": false, "pages": [[String: Any]](),
        ]
        let isStaff = call.caller.isStaff
        try call.context.look { session in
            user["inCart"] = Self.badge(Int(clamping: try session.carts.pieces(of: patron.id)))
            user["unreadNotices"] = Self.badge(try session.notices.unreadCount(of: patron.id, upTo: 100))
            user["waiting"] = Self.badge(try session.waitingCount(of: patron.id, upTo: 100))
            guard isStaff else { return }
            user["workplace"] = try WorkplacePage.choice(call, session) ?? false
            user["toLookAt"] = Self.badge(try session.suggestions.reviewCount(upTo: 100))
            user["pages"] = try plugins.active(in: session).flatMap { PluginPage.all(of: $0) }
                .filter { call.caller.isAdmin || !$0.isForAdministrators }
                .map { ["path": $0.path, "title": PageWords.safe($0.title)] }
        }
        return user
    }

    /// The text of a badge; false for none.
    private static func badge(_ count: Int) -> Any { count > 99 ? "99+" : count > 0 ? String(count) : false }

    /// The outcome of the form from which the browser was redirected.
    private func said(to patron: Patron, _ call: PageCall) throws -> [String: Any]? {
        guard let key = call.query["did"],
            case .done(_, let words, _)? = try IdempotentForm.said(key, to: patron.id, call),
            !words.isEmpty
        else { return nil }
        return ["words": PageWords.safe(words)]
    }

    private static func title(of problem: Problem) -> String {
        switch problem.status {
        case 403: say("Not allowed")
        case 404: say("Not found")
        case 405: say("Method not allowed")
        case 413: say("Too large")
        case 429: say("Too many requests")
        case 500: say("Something went wrong")
        case 503: say("Too busy")
        default: say("That did not work")
        }
    }

    private static func sentence(of problem: Problem) -> String {
        switch problem.status {
        case 404: say("This page does not exist, or you do not have permission to see it.")
        case 500: say("The problem is on our side and has been logged. Please try again later, or ask at the desk.")
        default: PageWords.sentence(problem.detail)
        }
    }
}

import Scripting
import TextFormats

/// One page, or the action of one of its forms: what a browser requests by a method and a path.
///
/// Pages contain no rules of the library: they read and act through the routes of the API (``PageCall/ask(_:_:_:)``),
/// and show the answers.
struct Page: Routed {
    /// Who may open a page. A visitor who has to log in first is redirected to the log-in page.
    enum Access: Hashable, Sendable {
        case everyone, holder, staff, admin

        /// Whether others do not even learn that it exists.
        var isHidden: Bool { self == .staff || self == .admin }

        /// Whether a caller may learn that it exists.
        func admits(_ caller: Caller) -> Bool { self == .admin ? caller.isAdmin : !isHidden || caller.isStaff }
    }

    /// The work behind the page.
    enum Work: Sendable {
        /// Shows data and changes nothing; all of it is read from one snapshot.
        case showing(@Sendable (PageCall) throws -> PageView)
        /// Changes data in one transaction, once, however often the form is sent.
        case acting(@Sendable (PageCall) throws -> PageOutcome)
        /// Changes data in transactions of its own; once, however often the form is sent one after the other.
        case working(@Sendable (PageCall) throws -> PageOutcome)
        /// Opens its own transactions, or sets cookies: hashing a password takes longer than a transaction
        /// may.
        case entering(@Sendable (PageCall) throws -> PageResponse)
        /// A picture, by its address on another server.
        case picturing(@Sendable (PageCall) throws -> String)
        /// An answer that is not a page, such as the stylesheet.
        case serving(@Sendable (PageCall) throws -> WebResponse)
    }

    let verb: Route.Verb
    let path: String
    let access: Access
    let work: Work
    /// The largest file that its form takes, in bytes; 0: none.
    var mostFileBytes = 0
    /// Whether it runs what takes long, such as tests.
    var mayTakeLong = false
    /// Shows the form again, as it was filled in, after a refusal; nil: a separate page shows the refusal.
    var again: (@Sendable (PageCall) throws -> PageView)?

    /// A page without side effects.
    static func shown(
        _ path: String, _ access: Access = .everyone, _ body: @escaping @Sendable (PageCall) throws -> PageView
    ) -> Page {
        Page(verb: .get, path: path, access: access, work: .showing(body))
    }

    /// What a form does for the patron who is logged in.
    static func form(
        _ path: String, _ access: Access = .holder, again: (@Sendable (PageCall) throws -> PageView)? = nil,
        _ body: @escaping @Sendable (PageCall) throws -> PageOutcome
    ) -> Page {
        Page(verb: .post, path: path, access: access, work: .acting(body), again: again)
    }

    /// The action of a form with a password.
    static func entry(
        _ path: String, _ access: Access = .everyone, _ body: @escaping @Sendable (PageCall) throws -> PageResponse
    ) -> Page {
        Page(verb: .post, path: path, access: access, work: .entering(body))
    }

    /// Whether the page itself shows errors in its input.
    var isRefusedByPage: Bool {
        switch work {
        case .acting, .working: true
        default: again != nil
        }
    }

    /// Whether it may take long: it is made by another process, a password is looked at, or tests are run.
    var isLong: Bool { if case .entering = work { true } else { mayTakeLong } }

    /// The name under which metrics count its requests.
    var name: String { "page:\(verb.rawValue) \(path)" }
}

/// What a page shows: the name of a template and its values.
struct PageView {
    var template: String
    /// The heading, and the beginning of the window's title.
    var title: String
    var fields: [String: Any] = [:]
    var status = 200
    /// A script of this program's that the template puts in; the page does all that it does without it too.
    var script = ""
    /// Whether it has forms for visitors who are not logged in.
    var isForVisitors = false
    /// The page of the one thing that was looked for, to which the browser is sent instead.
    var leadsTo: String?
}

/// The outcome of a form.
enum PageOutcome {
    /// Done; the browser is redirected to a page that shows the words.
    case done(to: String, saying: String, details: JSONObject = [:])
    /// Refused, with all reasons.
    case refused(JSONObject, back: String)
}

/// An answer that may change cookies.
struct PageResponse {
    enum Kind {
        case view(PageView)
        /// A redirect to a page of this server.
        case seeOther(String)
        /// A document without the frame of the pages.
        case document(WebResponse)
    }

    var kind: Kind
    var cookies: [PageCookie] = []

    static func view(_ view: PageView) -> PageResponse { PageResponse(kind: .view(view)) }
    static func seeOther(_ path: String, cookies: [PageCookie] = []) -> PageResponse {
        PageResponse(kind: .seeOther(path), cookies: cookies)
    }
}

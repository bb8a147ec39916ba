import TextFormats

/// One page, or what one of its forms does: something that a browser asks for by a method and a path.
///
/// Pages know no rules of the library: they ask and act through the routes of the API (``PageCall/ask(_:_:_:)``), and show what
/// those answer.
struct Page: Routed {
    /// Who may ask. Whoever has to be logged in first is sent to do so.
    enum Access: Hashable, Sendable { case everyone, holder, staff }

    /// What is done when it is asked for.
    enum Work: Sendable {
        /// Shows something and changes nothing; all of it is read at one moment.
        case showing(@Sendable (PageCall) throws -> PageView)
        /// Changes something, once however often the form is sent, in one transaction.
        case acting(@Sendable (PageCall) throws -> PageOutcome)
        /// Has transactions of its own, or answers with cookies: a hash of a password takes longer than a transaction may.
        case entering(@Sendable (PageCall) throws -> PageAnswer)
        /// A picture: the address on another server at which it is to be had.
        case picturing(@Sendable (PageCall) throws -> String)
        /// Something that is no page, such as the stylesheet.
        case serving(@Sendable (PageCall) throws -> WebAnswer)
    }

    let verb: Route.Verb
    let path: String
    let access: Access
    let work: Work
    /// The form once more, as it was filled in, for where the library says no; nil: a page of its own says why.
    var again: (@Sendable (PageCall) throws -> PageView)?

    /// A page that is looked at.
    static func shown(
        _ path: String, _ access: Access = .everyone, _ body: @escaping @Sendable (PageCall) throws -> PageView
    ) -> Page {
        Page(verb: .get, path: path, access: access, work: .showing(body))
    }

    /// What a form does for whoever is logged in.
    static func form(
        _ path: String, _ access: Access = .holder, again: (@Sendable (PageCall) throws -> PageView)? = nil,
        _ body: @escaping @Sendable (PageCall) throws -> PageOutcome
    ) -> Page {
        Page(verb: .post, path: path, access: access, work: .acting(body), again: again)
    }

    /// What a form with a password in it does.
    static func entry(
        _ path: String, _ access: Access = .everyone, _ body: @escaping @Sendable (PageCall) throws -> PageAnswer
    ) -> Page {
        Page(verb: .post, path: path, access: access, work: .entering(body))
    }

    /// Whether it says itself why something makes no sense.
    var isRefusedByPage: Bool {
        if case .acting = work { true } else { again != nil }
    }

    /// Under which requests are counted.
    var name: String { "page:\(verb.rawValue) \(path)" }
}

/// What a page shows: the name of a template, and what is filled in.
struct PageView {
    var template: String
    /// The heading, and the first words of the window's title.
    var title: String
    var fields: [String: Any] = [:]
    var status = 200
    /// Whether it has forms for those who have not logged in.
    var isForVisitors = false
}

/// What came of a form.
enum PageOutcome {
    /// Done; the browser goes on to a page of ours, which says the words.
    case done(to: String, saying: String, details: JSONObject = [:])
    /// The library said no, with all its reasons.
    case refused(JSONObject, back: String)
}

/// What a browser is answered where cookies change.
struct PageAnswer {
    enum Kind {
        case view(PageView)
        /// Go on to a page of ours.
        case seeOther(String)
        /// A document of its own, without our frame.
        case document(WebAnswer)
    }

    var kind: Kind
    var cookies: [PageCookie] = []

    static func view(_ view: PageView) -> PageAnswer { PageAnswer(kind: .view(view)) }
    static func seeOther(_ path: String, cookies: [PageCookie] = []) -> PageAnswer {
        PageAnswer(kind: .seeOther(path), cookies: cookies)
    }
}

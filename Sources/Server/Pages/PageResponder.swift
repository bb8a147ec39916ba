import Circulation
import Desk
import Languages
import Scripting
import Secrets
import TextFormats

/// Answers browsers: pages at the root of the server, beside the API.
struct PageResponder: Sendable {
    private let services: Services
    private let routes: RouteMatch
    private let plugins: PluginResponder
    private let pages = PathMatch(PageTable.all)
    private let frame: PageFrame

    init(_ services: Services, routes: RouteMatch, plugins: PluginResponder) {
        self.services = services
        self.routes = routes
        self.plugins = plugins
        frame = PageFrame(services, plugins.pool)
    }

    /// Whether one of the library's own pages has a path.
    func has(_ segments: [String]) -> Bool { pages.find(segments) != nil }

    /// The page of a path.
    ///
    /// - Throws: ``Problem`` if no page has the path, or not with this method.
    func find(_ segments: [String], _ method: String) throws(Problem) -> (page: Page, values: [String]) {
        guard let found = pages.find(segments) else { throw Problem.notFound }
        // For staff pages, others do not even learn that the path exists.
        if found.ways.values.allSatisfy(\.access.isHidden), (try? found.way(by: method)) == nil {
            throw Problem.notFound
        }
        return (try found.way(by: method), found.values)
    }

    /// Answers with a page.
    ///
    /// - Throws: ``Problem``, what the desk throws.
    func answer(_ request: WebRequest, _ page: Page, _ values: [String]) async throws -> WebResponse {
        if case .picturing(let address) = page.work {
            let url = try await services.lane(of: request).run { try address(call(request, page, values)) }
            return try PicturePage.answer(await services.pictures.picture(at: url))
        }
        return try await services.lane(of: request, isLong: page.isLong).run { try perform(request, page, values) }
    }

    /// Answers with a page of a plugin, on a thread for plugins.
    ///
    /// - Throws: as for the library's own.
    func answer(_ request: WebRequest, _ plugin: PluginPage) async throws -> WebResponse {
        let (shown, sent) = (plugin.page(.get, plugins.pool), plugin.page(.post, plugins.pool))
        let found = ["GET", "HEAD"].contains(request.method) ? shown : request.method == "POST" ? sent : nil
        guard let page = found else {
            let methods = "GET, HEAD" + (sent == nil ? "" : ", POST")
            if shown?.access != .everyone, shown?.access != .holder { throw Problem.notFound }
            throw Problem(405, "method", "Only \(methods) can be used here.", fields: ["Allow": methods])
        }
        return try await plugins.run { try perform(request, page, []) }
    }

    /// A problem as a page; it is the same for every visitor who reads the language, and reads nothing from the store.
    func answer(_ problem: Problem, to request: WebRequest) -> WebResponse {
        Language.$spoken.withValue(LanguagePage.language(of: request, services)) { frame.answer(problem) }
    }

    // MARK: - On a thread of the desk

    private func call(_ request: WebRequest, _ page: Page, _ values: [String]) throws -> PageCall {
        try PageCall(
            request, page, values, visitor: try PageVisitor(request, services), form: try PageForm(query: nil),
            services: services, routes: routes)
    }

    private func perform(_ request: WebRequest, _ page: Page, _ values: [String]) throws -> WebResponse {
        let visitor = try PageVisitor(request, services)
        let language = LanguagePage.language(of: request, patron: visitor.caller.patron?.language, services)
        return try Language.$spoken.withValue(language) { try perform(request, page, values, visitor) }
    }

    private func perform(
        _ request: WebRequest, _ page: Page, _ values: [String], _ visitor: PageVisitor
    ) throws -> WebResponse {
        // Staff pages answer all others like missing ones.
        if !page.access.admits(visitor.caller), !visitor.wasStaff || visitor.caller.isStaff { throw Problem.notFound }
        let form = page.verb == .post ? try PageForm(body: request) : try PageForm(query: nil)
        if page.verb == .post { try visitor.check(form, request, services.settings) }
        if page.access != .everyone, visitor.caller.patron == nil { return logInFirst(request, page) }
        let call = try PageCall(
            request, page, values, visitor: visitor, form: form, services: services, routes: routes)
        switch page.work {
        case .serving(let body): return try body(call)
        case .picturing: throw Problem.notFound
        case .showing(let body):
            do {
                return try call.context.inOneTransaction {
                    let view = try body(call)
                    return try frame.answer(PageResponse(kind: view.leadsTo.map { .seeOther($0) } ?? .view(view)), call)
                }
            } catch let problem as Problem where problem.status == 401 && visitor.caller.patron == nil {
                // A public page was asked for personal data.
                return logInFirst(request, page)
            }
        case .entering(let body):
            return try orAgain(page, call) { try frame.answer(try body(call), call) }
        case .working(let body):
            return try orAgain(page, call) { try answer(try IdempotentForm(call: call).performApart(body), page, call) }
        case .acting(let body):
            return try orAgain(page, call) { try answer(try IdempotentForm(call: call).perform(body), page, call) }
        }
    }

    /// After invalid input the form is shown again, or a page with the reason.
    private func orAgain(_ page: Page, _ call: PageCall, _ body: () throws -> WebResponse) throws -> WebResponse {
        do {
            return try body()
        } catch let problem as Problem where [400, 422].contains(problem.status) && page.isRefusedByPage {
            var call = call
            if let name = problem.argument { call.wrong[name] = PageField.sentence(problem) }
            return try frame.answer(.view(try again(RefusedPage.view(problem, call), page, call)), call)
        }
    }

    private func answer(_ result: (outcome: PageOutcome, key: String), _ page: Page, _ call: PageCall) throws
        -> WebResponse
    {
        switch result.outcome {
        case .done(let path, _, _):
            let mark = path.contains("?") ? "&" : "?"
            return try frame.answer(.seeOther("\(path)\(mark)did=\(result.key)"), call)
        case .refused(let refusal, let back):
            let problem = Problem.refusal(refusal)
            // Staff see which record is unknown; for others, another patron's record answers like a missing one.
            guard problem.status != 404 || call.caller.isStaff else { throw Problem.notFound }
            let refused = try RefusedPage.view(refusal, back: back, call)
            var call = call
            // What is refused for one field's sake stands at that field, as invalid input does.
            if let reasons = refusal["details"]?["reasons"]?.arrayValue, reasons.count == 1,
                let name = reasons[0]["figures"]?["field"]?.stringValue
            {
                call.wrong[name] = PageWords.sentence(refusal["message"])
            }
            return try frame.answer(.view(try again(refused, page, call)), call)
        }
    }

    /// The form that was refused, with the reasons above it, where the page can show it again.
    private func again(_ refused: PageView, _ page: Page, _ call: PageCall) throws -> PageView {
        guard var view = try page.again?(call) else { return refused }
        view.fields["reasons"] = PageField.reasons(in: view) ?? refused.fields["reasons"]
        for (name, value) in refused.fields where view.fields[name] == nil { view.fields[name] = value }
        view.status = refused.status
        return view
    }

    // MARK: - Logging in first

    /// Redirects to the log-in page, and from there back to the requested page or to the form's page.
    private func logInFirst(_ request: WebRequest, _ page: Page) -> WebResponse {
        let asked = OwnPath(request.path + (request.query.map { "?\($0)" } ?? ""))
        let next = page.verb == .get ? asked : pageBefore(request)
        var members = next.map { ["next=\(PercentEncoding.encoded($0.text))"] } ?? []
        if page.verb == .post { members.append("ended=yes") }
        return WebResponse(
            303, fields: ["Location": "/log-in" + (members.isEmpty ? "" : "?") + members.joined(separator: "&")])
    }

    /// The page from which a form came, if the browser names it; otherwise the page whose path the form's begins with.
    private func pageBefore(_ request: WebRequest) -> OwnPath? {
        let told = request.referrer.flatMap { isShown($0) ? $0 : nil }
        if let told { return told }
        var parts = request.path.split(separator: "/")
        while !parts.isEmpty {
            if let path = OwnPath("/" + parts.joined(separator: "/")), isShown(path) { return path }
            parts.removeLast()
        }
        return nil
    }

    /// Whether a page without side effects has this path.
    private func isShown(_ path: OwnPath) -> Bool {
        guard let segments = try? WebRequest("GET", String(path.text.prefix { $0 != "?" })).segments() else {
            return false
        }
        return pages.find(segments)?.ways[.get] != nil
    }
}

import Circulation
import Desk
import Pictures
import Plugins
import Scripting
import Storage
import Synchronization
import TextFormats
import Workbench

/// The desk over HTTP, without the network.
package final class WebResponder: Sendable {
    let services: Services
    private let matches: RouteMatch
    private let pages: PageResponder
    private let plugins: PluginResponder
    private let metrics = WebMetrics()
    private let floodgate: RateLimiter
    let streams: StreamSlots

    package init(_ services: Services) {
        self.services = services
        matches = RouteMatch(RouteTable.all)
        plugins = PluginResponder(services)
        pages = PageResponder(services, routes: matches, plugins: plugins)
        floodgate = RateLimiter(
            .init(burst: Double(services.settings.burst), perSecond: services.settings.perSecond))
        streams = StreamSlots(most: services.settings.mostStreams)
    }

    /// Answers a request. Whatever goes wrong becomes an answer.
    package func answer(_ request: WebRequest) async -> WebResponse { await answer(request, RequestName.next()) }

    /// The same with a time limit; work beyond it continues without an answer.
    ///
    /// - Parameters:
    ///   - executor: where the answer is put together.
    ///   - alarm: has what it is given done once the time is over, unless what it returns is called before.
    package func answer(
        _ request: WebRequest, on executor: any TaskExecutor,
        alarm: (@escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) async -> WebResponse {
        let id = RequestName.next()
        return await withCheckedContinuation { continuation in
            let first = FirstAnswer(continuation)
            let cancel = alarm { first.answer(Self.dressed(self.answer(Problem.busy, to: request), id)) }
            Task(executorPreference: executor) {
                let answer = await self.answer(request, id)
                cancel()
                first.answer(answer)
            }
        }
    }

    /// The answer to a request that is not carried out: a page for browsers, a problem for programs.
    func answer(_ problem: Problem, to request: WebRequest) -> WebResponse {
        isForPages(request) ? pages.answer(problem, to: request) : WebResponse(problem)
    }

    /// Whether a path is neither the API's nor a plugin's route.
    private func isForPages(_ request: WebRequest) -> Bool {
        guard let segments = try? request.segments() else { return !request.path.hasPrefix("/api/") }
        guard !["api", "health", "metrics"].contains(segments.first) else { return false }
        return pages.has(segments) || !plugins.hasRoute(at: segments)
    }

    private func answer(_ request: WebRequest, _ id: String) async -> WebResponse {
        let started = ContinuousClock.now
        begin()
        var request = request
        var (answer, route) = await find(&request, id)
        answer = Self.dressed(answer, id)
        end(request, answer, route, id, since: started)
        if request.method == "HEAD" {
            answer.fields["Content-Length"] = String(answer.body.count)
            answer.body = []
        }
        return answer
    }

    /// Counts a request that is being answered.
    func begin() { metrics.begin() }

    /// Counts the answer and logs it.
    func end(
        _ request: WebRequest, _ answer: WebResponse, _ route: String, _ id: String,
        since started: ContinuousClock.Instant
    ) {
        let took = ContinuousClock.now - started
        metrics.end(route, status: answer.status, took: took)
        log(request, answer, id, took)
    }

    /// The answer with the header fields that every answer has.
    static func dressed(_ answer: WebResponse, _ id: String) -> WebResponse {
        var answer = answer
        answer.fields["X-Request-ID"] = id
        for (name, value) in headerOfAll where answer.fields[name] == nil { answer.fields[name] = value }
        return answer
    }

    private static let headerOfAll = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
        "X-Frame-Options": "DENY",
    ]

    // MARK: - Ways

    private func find(_ request: inout WebRequest, _ id: String) async -> (WebResponse, route: String) {
        var name = "none"
        do {
            try checkRate(of: request)
            let most = mostBytes(of: request)
            guard request.body.count <= most else {
                throw Problem(413, "too_large", "What you sent is too large: at most \(most) bytes are allowed.")
            }
            let segments = try request.segments()
            if let own = try await ownPage(segments, request) { return own }
            if !segments.starts(with: ["api", "v1"]), !pages.has(segments),
                let found = try await plugins.find(segments, for: request)
            {
                switch found {
                case .route(let found):
                    name = found.name(by: request.method)
                    request.secretPlaces = found.secretPlaces
                    return (try await plugins.answer(request, found), name)
                case .page(let page):
                    name = page.name(by: request.method)
                    return (try await pages.answer(request, page), name)
                }
            }
            if segments.first != "api" {
                let (page, values) = try pages.find(segments, request.method)
                name = page.name
                return (try await pages.answer(request, page, values), name)
            }
            let work = try apiRequest(request)
            name = work.route.name
            let lane = services.lane(of: request, isLong: work.route.isLong)
            return (try await lane.run { try work.perform() }, name)
        } catch {
            return (answer(to: request, of: error, id), name)
        }
    }

    /// The largest body of a request: where pictures or other files are taken, one of them with what a form has around it.
    func mostBytes(of request: WebRequest) -> Int {
        let usual = services.settings.mostBytes
        guard ["POST", "PUT"].contains(request.method), let segments = try? request.segments() else { return usual }
        let most: Int
        if segments.starts(with: ["api", "v1"]) {
            let way = try? matches.find(segments.dropFirst(2))?.way(by: request.method)
            most = way?.pictureArgument == nil ? 0 : PictureLimits.mostBytes
        } else {
            most = (try? pages.find(segments, request.method).page.mostFileBytes) ?? 0
        }
        // In JSON it is a third longer.
        return most == 0 ? usual : max(usual, most * 4 / 3 + 64 << 10)
    }

    /// - Throws: ``Problem`` if the address has asked too often.
    func checkRate(of request: WebRequest) throws(Problem) {
        if let seconds = floodgate.take(request.origin.key) { throw Problem.tooOften(seconds) }
    }

    /// - Throws: ``Problem`` for what is no route of the API.
    func apiRequest(_ request: WebRequest) throws -> APIRequest {
        let segments = try request.segments()
        guard segments.starts(with: ["api", "v1"]), let found = matches.find(segments.dropFirst(2)) else {
            throw Problem.notFound
        }
        let route = try found.way(by: request.method)
        return APIRequest(request: request, route: route, found: found, matches: matches, services: services)
    }

    /// The answer to a request that failed.
    func answer(to request: WebRequest, of error: any Error, _ id: String) -> WebResponse {
        answer(error as? Problem ?? problem(of: error, id), to: request)
    }

    /// Answers outside of the API.
    private func ownPage(_ segments: [String], _ request: WebRequest) async throws -> (WebResponse, route: String)? {
        switch segments {
        case ["health"]:
            try Self.onlyReading(request)
            let isSound = try await services.lanes.desk.run { [desk = services.desk] in
                try desk.read { try $0.settings.branches().isEmpty == false }
            }
            return (WebResponse(isSound ? 200 : 503, json: ["ok": .bool(isSound)]), "health")
        case ["metrics"]:
            try Self.onlyReading(request)
            guard try await mayReadMetrics(request) else { throw Problem.metricsNotAllowed }
            let others = try await services.lanes.desk.run { [desk = services.desk] in
                try desk.read {
                    PluginStanding.metrics(try PluginStanding.all(in: $0))
                        + (try ShadowReport($0, limit: 0)?.metrics ?? [])
                }
            }
            let text = metrics.text(waiting: services.lanes, and: others)
            return (WebResponse(200, text: text, "text/plain; version=0.0.4; charset=utf-8"), "metrics")
        case ["api", "v1", "openapi.json"]:
            try Self.onlyReading(request)
            let routes = try await plugins.routes()
            // It is long: the event loop would stand still for everyone meanwhile.
            let answer = try await services.lanes.reading.run { [services] in
                let fields = try services.desk.read { try $0.settings.customFields() }
                let document = OpenAPIDocument(url: services.settings.url, api: LibraryAPI(fields), plugins: routes)
                return WebResponse(200, json: document.json)
            }
            return (answer, "openapi")
        default: return nil
        }
    }

    /// Programs on this machine may, and administrators. Requests that a proxy forwards do not count as local.
    private func mayReadMetrics(_ request: WebRequest) async throws -> Bool {
        if request.isFromThisMachine { return true }
        let caller = try await services.lanes.reading.run { [services] in try Authentication(services).caller(request) }
        return caller.isAdmin
    }

    private static func onlyReading(_ request: WebRequest) throws(Problem) {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Problem(
                405, "method", "Only GET and HEAD can be used here.", fields: ["Allow": "GET, HEAD"])
        }
    }

    // MARK: - Faults

    private func problem(of error: any Error, _ id: String) -> Problem {
        if error is WorkerPool.Busy { return Problem.busy }
        if let error = error as? AttemptBudget.Exhausted { return Problem.tooOften(error.seconds) }
        if let error = error as? StoreError, error.code == .locked || error.isUndoneByAnother { return Problem.busy }
        if let error = error as? DeskError, error.code == .input { return Problem.input(error.message) }
        services.teller.fault("\(id): \(SafeText.line(String(describing: error)))")
        if let error = error as? StoreError, error.code == .unreachable {
            return Problem(
                503, "unreachable",
                "The library's data cannot be reached at the moment. Please try again later.")
        }
        return Problem.fault
    }

    private func log(_ request: WebRequest, _ answer: WebResponse, _ id: String, _ took: Duration) {
        let moment = services.clock.now()
        let milliseconds = Int((took / .milliseconds(1)).rounded())
        let path = SafeText.line(String(request.maskedPath.prefix(200)))
        let method = SafeText.line(String(request.method.prefix(20)))
        // As a trusted proxy wrote it, which copies what it was sent.
        let address = SafeText.line(String(request.address.prefix(64)))
        services.teller.access(
            "\(moment) \(id) \(address) \(method) \(path) \(answer.status) \(answer.body.count) \(milliseconds)ms"
        )
    }
}

/// Names of requests, for logs and those who ask about one.
enum RequestName {
    static func next() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }
}

/// Of two answers to one who waits the first.
private final class FirstAnswer: Sendable {
    private let asker: Mutex<CheckedContinuation<WebResponse, Never>?>

    init(_ asker: CheckedContinuation<WebResponse, Never>) {
        self.asker = Mutex(asker)
    }

    func answer(_ answer: WebResponse) {
        asker.withLock { asker in
            defer { asker = nil }
            return asker
        }?.resume(returning: answer)
    }
}

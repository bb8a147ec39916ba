import Circulation
import Desk
import Plugins
import Scripting
import Storage
import Synchronization
import TextFormats

/// Answers requests to what plugins in force add, each by the version that is in force when it comes.
///
/// The work is done on threads of its own, half as many as the desk has: a plugin that loops takes none of the desk's.
final class PluginResponder: Sendable {
    /// What is at a path.
    enum Found: Sendable {
        case route(PathMatch<PluginRoute>.Found)
        case page(PluginPage)
    }

    private struct Paths: Sendable {
        var versions: [Version] = []
        var routes = PathMatch<PluginRoute>([])
        var pages: [String: PluginPage] = [:]

        func find(_ segments: [String]) -> Found? {
            if let page = pages["/" + segments.joined(separator: "/")] { return .page(page) }
            return routes.find(segments).map { .route($0) }
        }
    }

    /// What the paths of a plugin depend on.
    private struct Version: Hashable, Sendable {
        let name: String
        let sha256: String
        let rights: [String]
        let settings: JSONObject
    }

    let pool: PluginPool
    private let services: Services
    private let paths = Mutex(Paths())
    /// Made when the first request comes.
    private let workers = Mutex<WorkerPool?>(nil)

    private static let mostWaiting = 1_000

    init(_ services: Services) {
        self.services = services
        pool = PluginPool(desk: services.desk, clock: services.clock) { [teller = services.teller] in
            PluginNotes(teller)
        }
    }

    /// Whether a plugin had a route at a path when that was last looked at: what is said before it is known whose the path is
    /// is worded by that.
    func hasRoute(at segments: [String]) -> Bool {
        if case .route? = paths.withLock({ $0 }).find(segments) { true } else { false }
    }

    /// What plugins in force have at the path of a request; nil: nothing.
    func find(_ segments: [String], for request: WebRequest) async throws -> Found? {
        try await services.lane(of: request).run { [self] in try present().find(segments) }
    }

    /// The routes of plugins in force.
    func routes() async throws -> [PluginRoute] {
        try await services.lanes.reading.run { [self] in
            PluginRoute.all(of: try services.desk.read { try pool.active(in: $0) })
        }
    }

    private func present() throws -> Paths {
        let active = try services.desk.read { try pool.active(in: $0) }
        let versions = active.map { entry in
            let plugin = entry.plugin
            return Version(
                name: plugin.name, sha256: plugin.sha256, rights: plugin.rights, settings: plugin.settings)
        }
        let known = paths.withLock { $0 }
        if known.versions == versions { return known }
        let pages = active.flatMap { PluginPage.all(of: $0) }
        let made = Paths(
            versions: versions, routes: PathMatch(PluginRoute.all(of: active)),
            pages: Dictionary(pages.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }))
        paths.withLock { $0 = made }
        return made
    }

    /// Runs the body on one of the threads for plugins.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let workers = self.workers.withLock { workers -> WorkerPool in
            if let workers { return workers }
            let made = WorkerPool(
                threads: max(1, services.lanes.desk.threads / 2), mostWaiting: Self.mostWaiting, name: "plugins",
                givesWay: true)
            workers = made
            return made
        }
        return try await workers.run(body)
    }

    /// Answers a request to a route.
    func answer(
        _ request: WebRequest, _ found: PathMatch<PluginRoute>.Found
    ) async throws -> WebResponse {
        try await run { [services, pool] in
            try PluginRouteRequest(request: request, found: found, services: services, pool: pool).perform()
        }
    }
}

/// Says what plugins print and log.
final class PluginNotes: ScriptOutput {
    let showsLines = true
    private let teller: any ServerTeller

    init(_ teller: any ServerTeller) {
        self.teller = teller
    }

    func print(_ line: String) { teller.fault("plugin: \(SafeText.line(line))") }
    func log(_ level: ScriptLogLevel, _ line: String) {
        teller.fault("plugin: \(level.rawValue): \(SafeText.line(line))")
    }
    func progress(_ done: Int64, of total: Int64?) {}
}

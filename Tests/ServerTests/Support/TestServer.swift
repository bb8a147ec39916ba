import Circulation
import Desk
import DeskSupport
import Foundation
import Market
import Plugins
import Scripting
import Secrets
import Server
import Storage
import Synchronization
import Testing
import TextFormats
import Workbench

/// A desk over HTTP without a network: a textbook office with a patron, another one, and an administrator.
final class TestServer: Sendable {
    let desk: Desk
    let web: WebResponder
    let clock: ManualClock
    let teller = RecordedTeller()
    let accounts: AccountManager
    let settings: ServerSettings
    let lanes: WorkerLanes
    /// What has passed on the clock that is never set back: nothing, unless a test says so, however long it waits for a processor.
    private let passed = Passed()
    private let known = Mutex<[String: String]>([:])

    static let password = "correct horse"
    static let start = "2026-03-02T09:00:00Z"

    /// - Parameters:
    ///   - bookData: the services for book data; nil: none.
    ///   - writer: who reads pictures that people give; nil: nobody does.
    ///   - pictures: who fetches pictures; nil: there are none.
    ///   - store: an empty one; nil: one in memory.
    ///   - threads: how many work at the desk.
    ///   - isEmpty: whether there is nobody and nothing yet.
    init(
        settings: ServerSettings = ServerSettings(burst: 100_000), cost: PasswordCost = .least,
        bookData: (any BookDataSource)? = nil, writer: (any PictureWriter)? = nil,
        pictures: (any PictureSource)? = nil, store: (any Store)? = nil,
        servers: (any RequestSender)? = nil, appearance: PageAppearance = PageAppearance(), threads: Int = 4,
        isEmpty: Bool = false
    ) throws {
        let store = try store ?? SQLiteStore.open(.memory, create: true)
        clock = ManualClock(try Instant(parsing: Self.start))
        desk = Desk(
            store: store, policies: LuaPolicyLoader(), clock: clock, actor: .desk, extensions: [MarketExtension()],
            outside: ExternalServices(
                bookData: { bookData }, pictures: { writer }, web: { servers },
                budget: AttemptBudget(now: { [passed] in passed.now })))
        try desk.prepare()
        accounts = try AccountManager(desk, terms: AccountTerms(shortestPassword: 8), cost: cost)
        lanes = WorkerLanes(threads: threads, readers: threads, mostWaiting: 10_000)
        self.settings = settings
        let services = Services(
            desk: desk, accounts: accounts, clock: clock, settings: settings, lanes: lanes, teller: teller,
            reports: ReportAtHand(desk: desk, clock: clock, appearance: appearance), appearance: appearance,
            pictures: pictures,
            monotonic: { [passed] in passed.now })
        web = WebResponder(services)
        if !isEmpty { try fill() }
    }

    deinit { lanes.stop() }

    private final class Passed: Sendable {
        private let start = ContinuousClock.now
        private let time = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + time.withLock { $0 } }

        func add(_ more: Duration) { time.withLock { $0 += more } }
    }

    /// So much passes on the clock by which pictures are kept and tries at passwords come back.
    func pass(_ time: Duration) { passed.add(time) }

    private func fill() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../policies/textbooks.lua")
        let policy = try ParsedPolicy(file: path.standardizedFileURL.path(percentEncoded: false))
        try desk.write { session in
            for code in ["undergraduate", "staff"] {
                _ = try #require(session.settings.addCategory(Category(code: code, name: code)).value)
            }
            for code in ["reference", "desk_copy", "equipment"] {
                _ = try #require(session.settings.addItemType(ItemType(code: code, name: code)).value)
            }
            _ = try #require(session.policies.activate(policy.bundle).value)
            for (index, name) in ["Dune", "Emma", "Ulysses"].enumerated() {
                let isbn = ["9780441013593", "9780141439587", "9780141182803"][index]
                let title = try #require(
                    session.catalogue.add(Title(isbn: ISBN(isbn), title: name, authors: ["A. \(name)"])).value)
                _ = try #require(session.catalogue.addCopies(of: .id(title.id), count: index + 1).value)
            }
        }
        for (name, role) in [("ann", Patron.Role.patron), ("bob", .patron), ("staff", .staff), ("root", .admin)] {
            let patron = Patron(
                username: name, name: name, surname: "Smith", email: "\(name)@example.org", category: "undergraduate",
                homeBranch: "main", role: role)
            _ = try #require(try accounts.signUp(patron, password: Self.password).value)
        }
    }

    /// Puts a plugin that comes along into force.
    @discardableResult
    func use(plugin name: String) throws -> Plugin {
        let folder = URL(filePath: #filePath).appending(path: "../../../../plugins/\(name)").standardizedFileURL
        return try use(try PluginFolder(path: folder.path(percentEncoded: false)).bundle)
    }

    /// Puts a plugin into force with all the rights that it needs.
    @discardableResult
    func use(_ bundle: PolicyBundle, settings: JSONObject = [:]) throws -> Plugin {
        let check = PluginCheck(bundle, taken: ServedPaths.taken)
        try #require(check.isOK, "\(check.report.text)")
        let needs = check.manifest.needs.map(\.rawValue)
        let candidate = PluginCandidate(
            bundle: bundle, name: check.manifest.name, version: check.manifest.version, needs: needs,
            settings: settings)
        return try #require(try desk.write { try $0.plugins.use(candidate, allowing: Set(needs)).value })
    }

    /// Puts another policy in force.
    ///
    /// - Parameter parts: what it consists of beside its name, in Lua; else loans for two weeks, one renewal, fines of
    ///   one a day and holds.
    func activatePolicy(
        _ parts: String = """
        limits = { { max = 3 } },
        rules = { { loan = days(14), renewals = 1, fine = money "1.00", per = days(1), holds = 5, hold_shelf = days(7) } },
        """
    ) throws {
        let policy = try ParsedPolicy(name: "other.lua", source: "return policy { api = 1, name = 'other', \(parts) }")
        let activated = try desk.write { try $0.policies.activate(policy.bundle).value }
        _ = try #require(activated)
    }

    /// A request to the API with a token; nil: without.
    func ask(
        _ verb: Route.Verb, _ path: String, _ body: JSON? = nil, as name: String? = nil,
        fields: [(name: String, value: String)] = []
    ) async throws -> WebResponse {
        let parts = path.split(separator: "?", maxSplits: 1)
        var request = WebRequest(
            verb.rawValue.uppercased(), RouteTable.root + String(parts[0]),
            query: parts.count > 1 ? String(parts[1]) : nil, fields: fields, body: Array((body?.text() ?? "").utf8))
        if body != nil { request.fields.append(("content-type", "application/json")) }
        if let name { request.fields.append(("authorization", "Bearer \(try token(of: name))")) }
        return await web.answer(request)
    }

    /// The token of a user's session.
    func token(of name: String) throws -> String {
        if let token = known.withLock({ $0[name] }) { return token }
        let token = try freshToken(of: name)
        known.withLock { $0[name] = token }
        return token
    }

    /// The token of another session of a user.
    func freshToken(of name: String) throws -> String {
        try #require(try accounts.logIn(name, password: Self.password)).token.text
    }

    func id(of name: String) throws -> Int64 {
        try #require(try desk.read { try $0.patrons.get(.username(name))?.id })
    }
}

extension WebResponse {
    /// The body as JSON; null where it is none.
    var json: JSON { (try? JSONParser.parse(body)) ?? .null }

    /// The `code` of a problem.
    var code: String? { json["code"]?.stringValue }
}

/// Keeps what a server reports.
final class RecordedTeller: ServerTeller {
    struct Told: Sendable {
        var lines: [String] = []
        var faults: [String] = []
        var links: [String] = []
        var mails: [AccountMail] = []
    }

    private let told = Mutex(Told())

    var all: Told { told.withLock { $0 } }

    func access(_ line: String) { told.withLock { $0.lines.append(line) } }
    func fault(_ line: String) { told.withLock { $0.faults.append(line) } }
    func send(_ mail: AccountMail) {
        told.withLock { told in
            told.mails.append(mail)
            switch mail.kind {
            case .reset(let link, _), .confirmation(let link, _): told.links.append(link)
            case .addressChanged: break
            }
        }
    }
}

/// Makes reports in the process of the tests; how the server has them made, its command's tests look at.
private struct ReportAtHand: ReportMaker {
    let desk: Desk
    let clock: ManualClock
    let appearance: PageAppearance

    func make(_ order: ReportRequest) throws -> ReportReply? {
        try order.made(at: desk, clock: clock) { [appearance] in appearance }
    }
}

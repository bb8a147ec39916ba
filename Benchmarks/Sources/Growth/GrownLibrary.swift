import Circulation
import Desk
import Foundation
import Market
import Scripting
import Secrets
import Server
import Storage
import TestSupport

/// A library of so many titles, with twenty past loans for each open one, and all ways to it: functions, routes, pages,
/// reports.
///
/// Its rows are made by SQL in the tables of one version and brought to the program's by the migrations, so that
/// what later versions derive from them is there as well. There are no events of what became of the records.
final class GrownLibrary: Sendable {
    /// The version in whose tables the rows are made.
    private static let version: Int64 = 23
    private static let password = "correct horse battery"

    let desk: Desk
    let clock = FixedClock(SampleLibrary.now)
    let web: WebResponder
    let recorder = StatementRecorder()
    /// Where its store is.
    let path: String
    /// The session of a member of staff.
    let token: String
    /// The session of an administrator.
    let administratorToken: String
    /// What its pages are asked for.
    let pages: GrownPages
    /// What counts where the store is PostgreSQL.
    let counter: BlockCounter?
    private let store: any Store
    private let lanes: WorkerLanes

    /// Makes the library, or takes what an earlier run made.
    ///
    /// - Parameters:
    ///   - folder: where it is, or is to be.
    ///   - server: where a copy of it is made to be asked instead; nil: the file itself is.
    init(titles: Int, folder: URL, on server: PostgresServer? = nil) throws {
        path = try Self.file(titles: titles, folder: folder)
        if let server {
            // With its branches and its staff.
            try GrownLibrary(titles: titles, folder: folder).close()
            let database = try server.database()
            try MeasuredStore.copy(path, to: server.url(database))
            counter = try BlockCounter(server, database)
            store = try PostgresStore.open(server.url(database), recorder: recorder)
        } else {
            counter = nil
            store = try SQLiteStore.open(.file(path), create: true, recorder: recorder)
        }
        let clock = clock
        desk = Desk(
            store: store, policies: LuaPolicyLoader(), clock: clock,
            actor: Actor(
                name: "desk", role: .staff, channel: .desk, branch: SampleLibrary.branches[0], isOperator: true),
            extensions: [MarketExtension()])
        let accounts = try AccountManager(desk, cost: .least)
        if try desk.read({ try $0.settings.branch(SampleLibrary.branches[0]) }) == nil { try Self.furnish(desk) }
        (token, administratorToken) = (
            try Self.token(of: "staff", .staff, accounts), try Self.token(of: "administrator", .admin, accounts)
        )
        pages = try GrownPages(desk)
        lanes = WorkerLanes(threads: 1, readers: 1, mostWaiting: 10)
        web = WebResponder(
            Services(
                desk: desk, accounts: accounts, clock: clock,
                settings: ServerSettings(
                    burst: 1_000_000, perSecond: 1_000_000,
                    scripts: Bench.package.appendingPathComponent("scripts").path),
                lanes: lanes, teller: SilentTeller(), reports: NoReports()))
        _ = recorder.take()
    }

    func close() throws {
        lanes.stop()
        try store.close()
    }

    /// What the functions of the API are called in.
    func context() throws -> ScriptContext {
        try ScriptContext(
            desk: desk, clock: { [clock] in clock.now() }, output: RecordedOutput(),
            permissions: .interactive(granted: []),
            machine: nil)
    }

    // MARK: - Making

    private static func file(titles: Int, folder: URL) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let digest = GrownRows(titles: titles).digest.prefix(8)
        let path = folder.appendingPathComponent("grown-\(titles)-\(digest).db").path
        if FileManager.default.fileExists(atPath: path) { return path }
        FileHandle.standardError.write(Data("Making a library of \(titles) titles, once ...\n".utf8))
        let new = path + ".new"
        try SampleStore.remove(new)
        try SQLiteStore.make(at: new, version: version).close()
        try fill(new, GrownRows(titles: titles))
        try SQLiteStore.open(.file(new), create: true).close()
        try FileManager.default.moveItem(atPath: new, toPath: path)
        return path
    }

    /// Indexes are made after the rows.
    private static func fill(_ path: String, _ rows: GrownRows) throws {
        let store = try FloorStore(
            path: path,
            settings: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
        let indexes = "FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        let making = try store.text("SELECT group_concat(sql, '; ') \(indexes)")
        let dropping = try store.text("SELECT group_concat('DROP INDEX ' || name, '; ') \(indexes)")
        try store.execute("BEGIN; " + dropping)
        for statement in rows.statements { try store.execute(statement) }
        try store.execute(making)
        try store.execute("COMMIT; PRAGMA journal_mode = WAL")
    }

    private static func furnish(_ desk: Desk) throws {
        let policy = try ParsedPolicy(file: Bench.package.appendingPathComponent("policies/university.lua").path).bundle
        try desk.prepare()
        try desk.write { session in
            _ = try session.policies.activate(policy)
            try SampleLibrary.addSettings(session)
        }
    }

    /// A session of somebody who works there; they are registered if they are not yet.
    private static func token(of name: String, _ role: Patron.Role, _ accounts: AccountManager) throws -> String {
        if let entry = try accounts.logIn(name, password: password, from: .console) { return entry.token.text }
        let patron = Patron(
            username: name, name: "Staff", surname: "Staff", category: "staff", homeBranch: SampleLibrary.branches[0],
            role: role)
        if let refusal = try accounts.signUp(patron, password: password, from: .console).refusal {
            throw BenchFailure("the grown library has no \(name): \(refusal.message)")
        }
        guard let entry = try accounts.logIn(name, password: password, from: .console) else {
            throw BenchFailure("\(name) cannot log in to the grown library")
        }
        return entry.token.text
    }
}

/// Tells nobody.
private struct SilentTeller: ServerTeller {
    func access(_ line: String) {}
    func fault(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
    func send(_ mail: AccountMail) {}
}

/// Reports are measured without a page around them.
private struct NoReports: ReportMaker {
    func make(_ order: ReportRequest) throws -> ReportReply? { nil }
}

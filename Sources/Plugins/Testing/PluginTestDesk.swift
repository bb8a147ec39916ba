import Circulation
import Desk
import Foundation
import Interchange
import LuaRuntime
import Scripting
import Secrets
import Storage
import TextFormats
import Workbench

/// A library in memory for one test, with the plugin in force.
final class PluginTestDesk {
    let store: PolicyTestStore
    let state: PluginState
    let plugin: LoadedPlugin
    /// The plugin's routes.
    let routes: [PluginRoute]
    private let bundle: PolicyBundle
    private let probes: PolicyProbes
    private let output: RecordedOutput
    private let lua: LuaState
    private var entranceInUse: AccountEntrance?
    /// What servers answer.
    let replies = ServerReplies()
    private let worker: PluginWorker

    /// Loans of two weeks for everybody: a library needs rules.
    private static let policy = """
        return policy {
            api = 1,
            name = "plain",
            description = "Two weeks for everything",
            rules = { { loan = days(14), fine = money "0.20" } },
            notices = { { stage = "overdue", after = days(1), channel = "inbox", subject = "Overdue", body = "Please." } },
        }
        """

    /// - Parameter setting: the table given to `desk`; `settings` in it are the plugin's.
    init(
        _ setting: LuaTable, _ bundle: PolicyBundle, _ manifest: PluginManifest, state lua: LuaState,
        probes: PolicyProbes, timeLimit: Duration
    ) throws {
        var setting = setting
        let values = try Self.settings(setting["settings"], manifest)
        setting["settings"] = .nil
        let policy = try ParsedPolicy(name: "policy.lua", source: Self.policy).bundle
        let needs = manifest.needs.map(\.rawValue)
        let candidate = PluginCandidate(
            bundle: bundle, name: manifest.name, version: manifest.version, needs: needs, settings: values,
            fields: manifest.fields)
        let replies = replies
        store = try PolicyTestStore(
            setting, policy: policy, loader: LuaPolicyLoader(), state: lua, plugin: candidate,
            outside: ExternalServices(web: { replies }))
        let plugin = try store.desk.read { try $0.plugins.get(manifest.name) }
        routes = plugin.map { PluginRoute.all(of: $0, manifest) } ?? []
        output = RecordedOutput()
        (self.bundle, self.probes, self.lua) = (bundle, probes, lua)
        var limits = LoadedPlugin.limits
        limits.deadline = min(limits.deadline ?? timeLimit, timeLimit)
        self.plugin = try LoadedPlugin(
            bundle, rights: needs, settings: values, desk: store.desk, clock: store.clock, output: output,
            limits: limits, probes: probes)
        worker = PluginWorker(
            desk: store.desk, clock: store.clock,
            identity: .init(owner: "test", machine: store.clock) { _ in .present }, output: output, limits: limits,
            probes: probes)
        state = PluginState(of: manifest.name, in: store.context)
    }

    private static func settings(_ value: LuaValue, _ manifest: PluginManifest) throws -> JSONObject {
        guard !value.isNil else { return [:] }
        guard case .object(let given)? = JSON(plain: value) else {
            throw LuaHostError("desk: settings is a table of the plugin's settings")
        }
        for entry in given {
            guard let setting = manifest.settings.first(where: { $0.name == entry.key }) else {
                throw LuaHostError("desk: the plugin has no setting '\(SafeText.line(entry.key))'")
            }
            do {
                try setting.check(entry.value)
            } catch {
                throw LuaHostError("desk: \(error.message)")
            }
        }
        return given
    }

    /// The way in for who signs up and logs in by a route; hashes are as cheap as can be.
    func entrance() throws -> AccountEntrance {
        if let entranceInUse { return entranceInUse }
        let accounts = try AccountManager(store.desk, cost: .least)
        let made = AccountEntrance(accounts, from: .script, allowsSignUp: true, category: nil)
        entranceInUse = made
        return made
    }

    /// Hands the plugin what has happened since. What it prints is the test's.
    ///
    /// - Throws: `LuaHostError` with the error of a handler.
    func settle() throws {
        let done = try worker.work()
        for line in output.takePrinted() { lua.print([line]) }
        if let problem = done.problems.first { throw LuaHostError(problem) }
    }

    /// Hands the plugin a made-up event.
    ///
    /// - Returns: whether the plugin wanted it.
    func emit(_ name: String, _ fields: LuaTable) throws -> Bool {
        let event = try store.context.madeUpEvent(name, fields)
        guard plugin.manifest.handler(of: name) != nil else {
            throw LuaHostError("emit: the plugin does not handle '\(name)'")
        }
        guard plugin.wants(event) else { return false }
        do {
            try plugin.handle(event, request: nil) { _ in }
        } catch {
            _ = plugin.state.takeChanges()
            throw LuaHostError(PluginFault(error).description)
        }
        try settle()
        return true
    }

    /// Runs a job of the plugin, as the schedule does when its time comes.
    ///
    /// - Returns: what it did.
    func runJob(_ name: String) throws -> [LuaValue] {
        try finished(plugin.run(part(name, of: .jobs, "run_job")))
    }

    /// Runs a command of the plugin: its name, and the words behind it.
    func runCommand(_ given: ScriptTestArguments) throws -> [LuaValue] {
        guard let name = given.words.first else { throw LuaHostError("run_command: takes the name of a command") }
        let entry = try part(name, of: .commands, "run_command")
        return try finished(
            plugin.run(command: entry, Array(given.words.dropFirst()), opensFiles: { try given.source(of: $0) }))
    }

    /// Runs a report of the plugin: its name, and the words behind it.
    func runReport(_ given: ScriptTestArguments) throws -> [LuaValue] {
        guard let name = given.words.first else { throw LuaHostError("run_report: takes the name of a report") }
        let entry = try part(name, of: .reports, "run_report") { PluginReport.name(of: $0.name) }
        var options = ScriptOptions(arguments: Array(given.words.dropFirst()), limits: LoadedPlugin.limits)
        options.opensFiles = { try given.source(of: $0) }
        return try finished(run(report: entry.name, at: store.desk, options))
    }

    /// Runs a report script of the plugin's folder.
    ///
    /// - Parameter onlyShows: as for a page.
    func run(
        report file: String, at desk: Desk, _ options: ScriptOptions, onlyShows: Bool = false
    ) throws -> ScriptResult {
        let found = try store.desk.read { try $0.plugins.get(plugin.name) }.flatMap {
            PluginReport(file, of: $0, plugin.manifest, in: bundle, onlyShows: onlyShows)
        }
        guard let found else { throw LuaHostError("there is no file '\(SafeText.line(file))' in the plugin") }
        return found.run(at: desk, clock: store.clock.now, output: output, options: options, probes: probes)
    }

    /// Sends what waits by the channels of the plugin, as `notices deliver` does.
    ///
    /// - Returns: how many were `sent`, `put_off`, `given_up` and are `waiting`, and the `problems`.
    func deliver() throws -> LuaValue {
        let entries = plugin.manifest.contributions(of: .channels)
        let names = entries.map { PluginPart(plugin: plugin.name, name: $0.name).description }
        let delivery = PluginDelivery(
            InboxAlone(), added: Dictionary(zip(names, entries)) { first, _ in first }
        ) { [plugin] part, notice in
            try entries.first { $0.name == part.name }.map {
                try plugin.call($0, ContributionKind.run, [plugin.context.completed(notice, patronUnder: "patron")])
            }
        }
        let report = try store.desk.deliver(by: delivery, control: DeliveryControl(chance: { 0 }))
        try settle()
        let problems = report.problems.map { LuaValue.string($0.fault.words) }
        return .table(
            LuaTable(fields: [
                ("sent", .integer(report.sent)), ("put_off", .integer(report.putOff)),
                ("given_up", .integer(report.givenUp)), ("waiting", .integer(report.waiting)),
                ("problems", .table(LuaTable(array: problems))),
            ]))
    }

    /// Has the plugin bring over what a version before it left, as when it comes into force over that one.
    func migrate(from version: String) throws {
        do {
            try store.desk.write { try plugin.migrate(from: version, in: $0) }
        } catch let fault as PluginFault {
            throw LuaHostError(fault.description)
        }
        try settle()
    }

    /// What the plugin adds of a kind under a name.
    ///
    /// - Parameter called: the name by which it is asked for.
    func part(
        _ name: String, of kind: ContributionKind, _ word: String,
        called: (Contribution) -> String = { $0.name }
    ) throws -> Contribution {
        let entries = plugin.manifest.contributions(of: kind)
        if let entry = entries.first(where: { called($0) == name }) { return entry }
        let hint = NameSuggestion.nearest(to: name, among: entries.map(called)).map { "; did you mean '\($0)'?" }
        throw LuaHostError("\(word): the plugin has no '\(SafeText.line(name))' among its \(kind.key)\(hint ?? "")")
    }

    /// What a run came to; then the plugin is handed what has happened.
    func finished(_ result: ScriptResult) throws -> [LuaValue] {
        if let failure = result.failure { throw LuaHostError(failure.description) }
        let printed = output.takePrinted()
        try settle()
        return [ScriptTestAnswer.table(of: result, printed: printed)]
    }

    private var exchange: PluginExchange {
        PluginExchange(desk: store.desk, clock: store.clock, output: output, probes: probes)
    }

    /// Imports a file of a name and a text by the plugin.
    ///
    /// - Returns: what the import says.
    /// - Throws: `LuaHostError` where it ended before the file did.
    func bring(_ name: String, _ text: [UInt8]) throws -> JSON {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: (name as NSString).lastPathComponent)
        try Data(text).write(to: file)
        let importer = Importer(
            desk: store.desk, options: ImportOptions(translator: plugin.name), tally: try RowCounter(),
            translators: try exchange.translators())
        var report: ImportReport
        do {
            report = try importer.run(paths: [file.path(percentEncoded: false)])
        } catch let problem as ImportProblem {
            throw LuaHostError("import: \(problem.found(in: name))")
        }
        try settle()
        report.problems = report.problems.map { $0.found(in: name) }
        for index in report.files.indices { report.files[index].file = name }
        return report.json
    }

    /// What the plugin writes into a file of its exports.
    func export(_ name: String) throws -> String {
        guard let exporter = try exchange.exporter(of: plugin.name),
            let file = exporter.files.first(where: { $0.name == name })
        else { throw LuaHostError("export: the plugin writes no file '\(SafeText.line(name))'") }
        do {
            defer { for line in output.takePrinted() { lua.print([line]) } }
            return try store.desk.read { session in
                var text: [UInt8] = []
                _ = try exporter.export(file, in: session) { text += $0 }
                return String(decoding: text, as: UTF8.self)
            }
        } catch let fault as PluginFault {
            throw LuaHostError("export: \(fault.description)")
        }
    }

    /// Sets what the plugin keeps, as a test says.
    func set(_ arguments: LuaArguments) throws {
        try state.set(arguments)
        let changes = state.takeChanges()
        try store.desk.write { try $0.plugins.keep(changes, of: plugin.name) }
    }

    /// The messages that the plugin has sent, by whatever way, the first one first, then what it sends to servers. What a route sends it
    /// sends in the name of the person who asks.
    func outbox() throws -> [LuaValue] {
        try store.desk.read { session in
            var sent: [LuaValue] = []
            try session.events.each(EventQuery(kind: EventKind<[Notice]>.noticeRecorded.name)) { event in
                let isOfPerson = ActorName.patronID(event.actor) != nil
                guard isOfPerson || ActorName.plugin(of: event.actor) == plugin.name,
                    let notices: [Notice] = try event.body().content()
                else { return true }
                for notice in notices where !isOfPerson || notice.kind == "message" {
                    if let notice = try session.notices.get(notice.id) { sent.append(.notice(notice)) }
                }
                return true
            }
            let requests = try session.outbox.list(.queued, of: plugin.web.owner, limit: .max)
            return sent
                + requests.reversed().map { request in
                    let call = WebCall(
                        method: request.method, url: request.url, type: request.type, headers: request.headers,
                        body: request.body)
                    var table = Self.table(call)
                    table["id"] = .string(request.message)
                    if let patron = request.patron { table["patron"] = .integer(patron) }
                    return .table(table)
                }
        }
    }

    /// What servers were asked, the first one first.
    func requests() -> LuaValue { .table(LuaTable(array: replies.asked.map { .table(Self.table($0)) })) }

    private static func table(_ call: WebCall) -> LuaTable {
        let headers = call.headers.map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return (String(parts[0]), LuaValue.string(parts.count > 1 ? String(parts[1]) : ""))
        }
        let body = call.body ?? ""
        return LuaTable(fields: [
            ("method", .string(call.method)), ("url", .string(call.url)), ("type", .string(call.type)),
            ("headers", .table(LuaTable(fields: headers))), ("body", .string(body)),
            ("json", (try? JSONParser.parse(body)).map { .json($0) } ?? .nil),
        ])
    }

    /// What the plugin has set aside.
    func failures() throws -> [LuaValue] {
        try store.desk.read { session in
            try session.plugins.failures(of: plugin.name).filter { !$0.isCall }.map { failure in
                .table(
                    LuaTable(fields: [
                        ("event", .integer(failure.event)), ("kind", .string(failure.kind)),
                        ("tries", .integer(failure.tries)), ("message", .string(failure.fault.description)),
                    ]))
            }
        }
    }
}

/// Sends nothing: the library of a test has no channel but the inbox and those of the plugin.
private struct InboxAlone: Delivery {
    let channels: Set<String> = []
    let timeLimit = Duration.seconds(60)
    func messagesAMinute(by channel: String) -> Int? { nil }
    func deliver(_ consignment: Consignment) -> DeliveryOutcome { .stopped }
}

extension ImportProblem {
    /// The problem with the file as a test calls it.
    fileprivate func found(in name: String) -> ImportProblem {
        var problem = self
        problem.file = name
        return problem
    }
}

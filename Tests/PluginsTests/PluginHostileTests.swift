import Circulation
import Desk
import Foundation
import LuaRuntime
import Plugins
import Scripting
import TestSupport
import Testing
import TextFormats

@Suite("Hostile plugins", .serialized)
struct PluginHostileTests {
    /// Where a script may stand in a plugin.
    enum Place: String, CaseIterable {
        case top, handler, route, problem, page, job, command, recognition, row, export, channel, migration
    }

    private static let limits = LuaLimits(memory: 8 << 20, deadline: .milliseconds(30))
    /// All that there are with `MOONSHELF_HOSTILE_PLUGINS` set, which takes minutes.
    private static let scripts: [HostileScript] = {
        if ProcessInfo.processInfo.environment["MOONSHELF_HOSTILE_PLUGINS"] != nil {
            return HostileScript.files + HostileScript.own
        }
        return HostileScript.files.filter { script in
            ["01_loop", "03_xpcall", "31_concat"].contains { script.name.hasPrefix($0) }
        }
    }()

    private let library: PluginLibrary
    private let pool: PluginPool
    private let worker: PluginWorker

    init() throws {
        let library = try PluginLibrary()
        self.library = library
        pool = PluginPool(desk: library.desk, clock: library.clock, limits: Self.limits) { RecordedOutput() }
        worker = library.worker(limits: Self.limits)
    }

    /// A plugin in which a script stands at one place, and nothing but good at the others.
    private static func plugin(_ source: String, at place: Place, version: Int) -> String {
        func body(_ here: Place, _ otherwise: String) -> String { here == place ? "return harm()" : otherwise }
        return """
            local function harm(...)
            \(source)
            end
            \(place == .top ? "harm()" : "")
            return plugin { api = 1, name = "bad", version = "\(version)",
                on = { ["ledger.posted"] = function(event) \(body(.handler, "state.set('n', event.sequence)")) end },
                jobs = { { name = "list", cron = "0 7 * * *", run = function() \(body(.job, "return 1")) end } },
                commands = { { name = "list", run = function() \(body(.command, "return 1")) end } },
                routes = { ["GET /bad"] = { role = "everyone",
                    run = function(request) \(body(.route, "error { code = 'no', message = 'No.', status = 403 }")) end,
                    problem = function(problem) \(body(.problem, "return { text = problem.detail }")) end } },
                pages = { { path = "/page", title = "Bad", role = "patron",
                    run = function(request) \(body(.page, "report.text('good')")) end } },
                imports = { { name = "list", columns = { a = "text" }, has = { "a" },
                    is = function(head) \(body(.recognition, "return true")) end,
                    record = function(row) \(body(.row, "return { patron = { username = row.a } }")) end } },
                exports = { { name = "list.csv", columns = { "a" },
                    write = function(out) \(body(.export, "out.put { a = 'good' }")) end } },
                channels = { pager = { run = function(notice) \(body(.channel, "return true")) end } },
                migrate = function(from) \(body(.migration, "state.set('from', from)")) end,
            }
            """
    }

    @Test(
        "wherever it stands, what means harm is ended in time and memory, and the desk goes on",
        arguments: Place.allCases)
    func harm(place: Place) throws {
        try LuaThread.run {
            try use("return", at: place, version: 0)
            let start = ProcessorTime.now()
            var calls = 0
            let growth = PeakMemory.growth {
                for (number, script) in Self.scripts.enumerated() {
                    // What is no plugin, or does not load, does not come into force.
                    guard (try? use(script.source, at: place, version: number + 1)) != nil else { continue }
                    calls += 1
                    try? strike(place, number)
                }
            }
            let used = ProcessorTime.now() - start
            #expect(
                place == .top || place == .migration || calls >= Self.scripts.count / 2,
                "\(place): \(calls) came into force")
            let bound = Duration.milliseconds(150) * Self.scripts.count
            #expect(ProcessorTime.isWithin(bound, used), "\(place): \(used) for \(Self.scripts.count) scripts")
            #expect(growth < 64 << 20 || !PeakMemory.isTheProgramsOwn, "\(place): \(growth >> 20) MiB")
            try use("return", at: .top, version: 1_000)
            for place in Place.allCases { try strike(place, 1_000) }
            #expect(try library.value("n", of: "bad") != nil && library.plugin("bad")?.version == "1000")
            #expect(try library.desk.examine().broken.isEmpty)
        }
    }

    private func use(_ source: String, at place: Place, version: Int) throws {
        let bundle = try PluginLibrary.bundle(Self.plugin(source, at: place, version: version))
        let candidate = PluginCandidate(
            bundle: bundle, name: "bad", version: "\(version)", needs: [], settings: [:])
        let changing = PluginChanging(
            library.desk, clock: library.clock, output: RecordedOutput(), limits: Self.limits)
        _ = try changing.use(candidate, allowing: []).value
    }

    /// Has what stands at a place called, as the program does.
    private func strike(_ place: Place, _ number: Int) throws {
        let plugin = try #require(try library.plugin("bad"))
        func entry(_ kind: ContributionKind, _ loaded: LoadedPlugin) throws -> Contribution {
            try #require(loaded.manifest.contributions(of: kind).first)
        }
        let exchange = PluginExchange(
            desk: library.desk, clock: library.clock, output: RecordedOutput(), limits: Self.limits,
            exportLimits: Self.limits)
        switch place {
        case .top, .migration: return
        case .handler:
            try library.charge()
            library.clock.set(try library.clock.now().adding(hours: 1))
            _ = try worker.work()
        case .route, .problem:
            try pool.with(plugin) { _ = try $0.answer(entry(.routes, $0), PluginRequest("GET", "/bad")) }
        case .page: try pool.with(plugin) { _ = try $0.document(entry(.pages, $0), PluginRequest("GET", "/page")) }
        case .job, .command:
            let result = try pool.with(plugin) { $0.run(try entry(place == .job ? .jobs : .commands, $0)) }
            if let failure = result.failure { throw failure }
        case .recognition, .row:
            let translator = try #require(try exchange.translators().first)
            if place == .row { _ = try translator.records(of: ["a": "x"], in: translator.tables[0]) }
            if place == .recognition { _ = try translator.recognises(["a": "x"], as: translator.tables[0]) }
        case .export:
            let exporter = try #require(try exchange.exporter(of: "bad"))
            _ = try library.desk.read { try exporter.export(exporter.files[0], in: $0) { _ in } }
        case .channel:
            _ = try library.desk.write { session in
                try session.notices.send(
                    to: .username("ada"), channel: "bad:pager", subject: "s", body: "b", key: "\(number)")
            }
            let delivery = try PluginDelivery(PluginChannelTests.NoDelivery(), of: pool, at: library.desk)
            _ = try library.desk.deliver(by: delivery, control: DeliveryControl(chance: { 0.5 }))
        }
    }
}

import Circulation
import Desk
import LuaRuntime
import Market
import Plugins
import Scripting
import Storage
import TextFormats

/// A library in memory, or in a file, with plugins that are written out in a test.
final class PluginLibrary {
    let store: any Store
    let desk: Desk
    let clock = ManualClock(Instant(microseconds: 1_770_000_000_000_000))
    let output = RecordedOutput()

    init(at location: StoreLocation = .memory, outside: ExternalServices = ExternalServices()) throws {
        store = try SQLiteStore.open(location, mode: .readWrite, create: true)
        desk = Desk(
            store: store, policies: LuaPolicyLoader(), clock: clock, actor: .desk, extensions: [MarketExtension()],
            outside: outside)
        try desk.prepare()
        try desk.write { session in
            let policy = try ParsedPolicy(
                name: "policy.lua", source: "return policy { api = 1, name = \"p\", rules = { { loan = days(14) } } }")
            _ = try session.policies.activate(policy.bundle)
            for name in ["ada", "bob"] {
                _ = try session.patrons.add(
                    Patron(
                        username: name, name: name, surname: name, email: "\(name)@example.org", category: "patron",
                        homeBranch: "main"))
            }
        }
    }

    /// The bundle of a plugin that is written out.
    static func bundle(_ source: String, name: String = "plugin.lua") throws -> PolicyBundle {
        try ParsedPolicy(name: name, source: source).bundle
    }

    @discardableResult
    func use(
        _ source: String, allowing: [String]? = nil, settings: JSONObject = [:]
    ) throws -> Outcome<Plugin> {
        let bundle = try Self.bundle(source)
        let manifest = PluginCheck(bundle).manifest
        let needs = manifest.needs.map(\.rawValue)
        let candidate = PluginCandidate(
            bundle: bundle, name: manifest.name, version: manifest.version, needs: needs, settings: settings,
            fields: manifest.fields)
        return try desk.write { try $0.plugins.use(candidate, allowing: Set(allowing ?? needs)) }
    }

    func worker(_ owner: String = "one", limits: LuaLimits = LoadedPlugin.limits) -> PluginWorker {
        PluginWorker(
            desk: desk, clock: clock, identity: .init(owner: owner, machine: clock) { _ in .unknown }, output: output,
            limits: limits)
    }

    /// Does something of which the log tells: a charge to a patron.
    func charge(_ patron: String = "ada", times: Int = 1) throws {
        for _ in 0..<times {
            number += 1
            try desk.write { session in
                _ = try session.fees.charge(
                    .username(patron), amount: Money(minorUnits: 100, currency: .eur), label: "x", key: "k\(number)")
            }
        }
    }

    private var number = 0

    func value(_ key: String, of plugin: String = "counter") throws -> JSON? {
        try desk.read { try $0.plugins.value(key, of: plugin)?.value }
    }

    func plugin(_ name: String = "counter") throws -> Plugin? { try desk.read { try $0.plugins.get(name) } }

    func failures(_ name: String = "counter") throws -> [PluginFailure] {
        try desk.read { try $0.plugins.failures(of: name) }
    }

    /// A plugin that handles charges by a body.
    static func plugin(
        _ body: String, name: String = "counter", needs: String = "", event: String = "ledger.posted",
        version: String = "1.0.0", own: Bool = false
    ) -> String {
        """
        return plugin {
            api = 1, name = "\(name)", version = "\(version)", needs = { \(needs) },
            on = { ["\(event)"] = { own = \(own), run = function(event)
        \(body)
            end } },
        }
        """
    }

    static let counting = plugin("state.set(\"n\", (state.get(\"n\") or 0) + 1)")
}

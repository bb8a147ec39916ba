package import Circulation
package import Desk
package import LuaRuntime
import Market
package import Scripting
import Storage
import TextFormats

/// A library in memory for one test: a branch, patrons, copies, a clock that the test moves, and the policy in force.
package final class PolicyTestStore {
    /// It stands still unless the test moves it.
    package let clock: ManualClock
    /// The API as the test calls it.
    package let context: ScriptContext
    /// The zone, the currency and the hours of the library.
    package let zone: Zone
    package let currency: Currency
    package let calendar: OpeningCalendar
    /// The desk that everything happens at.
    package let desk: Desk

    /// - Parameters:
    ///   - setting: the table given to `desk`.
    ///   - plugin: put into force here; it declares the fields of the library's own.
    ///   - outside: what the desk has beside its store.
    /// - Throws: `LuaHostError` for what is wrong with it; what the store throws.
    package init(
        _ setting: LuaTable, policy: PolicyBundle, loader: any PolicyLoader, state: LuaState,
        plugin: PluginCandidate?, outside: ExternalServices = ExternalServices()
    ) throws {
        let plan = try PolicyTestLibrary(setting, fields: CustomFields(plugin?.fields ?? []))
        clock = ManualClock(plan.now)
        (zone, currency, calendar) = (plan.zone, plan.currency, plan.calendar)
        let store = try SQLiteStore.open(.memory, mode: .readWrite, create: true)
        desk = Desk(
            store: store, policies: loader, clock: clock, actor: .desk, extensions: [MarketExtension()],
            outside: outside)
        try desk.prepare()
        try desk.write { session in
            try plan.fill(session)
            if let plugin { _ = try session.plugins.use(plugin, allowing: Set(plugin.needs)).orRaise() }
            _ = try session.policies.activate(policy, note: "under test").orRaise()
        }
        let clock = clock
        context = try ScriptContext(
            desk: desk, clock: clock.now, output: RecordedOutput(),
            permissions: .interactive(granted: Set(Capability.grantable)),
            machine: ScriptContext.Machine(state: state, environment: try state.makeEnvironment()))
    }

    /// Runs a script here with all that it needs.
    func run(
        _ script: ScriptSource, _ given: ScriptTestArguments, limits: LuaLimits, _ output: any ScriptOutput
    ) -> ScriptResult {
        var options = ScriptOptions(
            granted: Set(Capability.grantable), arguments: given.words, limits: limits)
        options.opensFiles = { try given.source(of: $0) }
        return ScriptRunner(desk: desk, clock: clock.now, output: output).run(script, options: options)
    }

    /// Moves the clock: by a period, or to a moment.
    ///
    /// - Throws: `LuaHostError` for a value that is not a time, and for a time in the past.
    package func go(_ value: LuaValue) throws {
        // A test may have closed days since.
        let calendar = try desk.read { try $0.settings.branches().first?.calendar } ?? calendar
        let now = clock.now()
        let target: Instant
        if let period = value.periodValue {
            target = try period.added(to: now, in: zone, calendar: calendar)
        } else if let instant = value.instantValue {
            target = instant
        } else {
            let text = value.dateValue.map(\.description) ?? value.stringValue
            guard let text, let moment = PolicyTestLibrary.moment(text, in: zone) else {
                throw LuaHostError("go: takes a period such as days(3), a date, or a time such as \"2026-02-20T10:00\"")
            }
            target = moment
        }
        guard target >= now else { throw LuaHostError("go: it is \(now) already; a desk does not go back") }
        clock.set(target)
    }
}

extension Outcome {
    /// What was done; a refusal is an error of the test.
    func orRaise() throws -> Value {
        switch self {
        case .done(let value): return value
        case .refused(let refusal): throw LuaHostError("desk: \(refusal.message)")
        }
    }
}

extension PluginCandidate {
    /// What stands for the plugins of a library that declare its fields; nil: there are none.
    static func declaring(_ fields: CustomFields) -> PluginCandidate? {
        if fields.isEmpty { return nil }
        let files = [PolicyBundle.File(name: "plugin.lua", source: "")]
        return PluginCandidate(
            bundle: PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files), name: "fields", version: "1",
            needs: [], settings: [:], fields: fields.all)
    }
}

package import Circulation
package import Desk
package import LuaRuntime
package import Scripting

extension ContributionKind {
    /// Brings over what another version left: `migrate = function(from) ... end`, called with that version's `version`.
    package static let migrate = ContributionKind("migrate", "a migration", .function)
}

/// Brings versions of plugins into force over others, with what they do about what those left. A path belongs to one plugin.
///
/// A version's `migrate` is called once, in the transaction in which it comes into force in place of other files, whether
/// by use or by rollback. An error in it undoes all.
package struct PluginChanging {
    private let desk: Desk
    private let clock: any Clock
    private let output: any ScriptOutput
    private let limits: LuaLimits

    /// - Parameters:
    ///   - desk: of who changes it.
    ///   - output: takes what migrations print and log.
    ///   - limits: what a migration may use up.
    package init(
        _ desk: Desk, clock: any Clock, output: any ScriptOutput, limits: LuaLimits = LoadedPlugin.limits
    ) {
        self.limits = limits
        self.desk = desk
        self.clock = clock
        self.output = output
    }

    /// Puts a candidate into force, as ``PluginService/use(_:allowing:note:)``. It is loaded as it will be first: what only
    /// shows when its file runs is found before anything changes.
    ///
    /// - Throws: ``PluginFault``; what the store throws.
    package func use(
        _ candidate: PluginCandidate, allowing allowed: Set<String>, note: String = ""
    ) throws -> Outcome<Plugin> {
        let loaded = try LoadedPlugin(
            candidate.bundle, rights: candidate.needs, settings: candidate.settings, desk: desk, clock: clock,
            output: output, limits: limits)
        return try change(candidate.name, by: loaded) {
            try $0.plugins.use(candidate, allowing: allowed, note: note)
        }
    }

    /// Brings the version before back, as ``PluginService/rollback(_:note:)``.
    ///
    /// - Throws: ``PluginFault``; what the store throws.
    package func rollback(_ name: String, note: String = "") throws -> Outcome<Plugin> {
        let former = try desk.read { session -> (PluginChange, PolicyBundle)? in
            guard let change = try session.plugins.former(name) else { return nil }
            return try session.plugins.bundle(change.sha256).map { (change, $0) }
        }
        let loaded = try former.map { change, bundle in
            try LoadedPlugin(
                bundle, rights: change.rights, settings: change.settings, desk: desk, clock: clock, output: output,
                limits: limits)
        }
        return try change(name, by: loaded) { try $0.plugins.rollback(name, note: note) }
    }

    /// Switches it on again, as ``PluginService/enable(_:note:)``.
    ///
    /// - Throws: ``PluginFault``; what the store throws.
    package func enable(_ name: String, note: String = "") throws -> Outcome<Plugin> {
        try change(name, by: nil) { try $0.plugins.enable(name, note: note) }
    }

    private func change(
        _ name: String, by loaded: LoadedPlugin?, _ body: (DeskSession) throws -> Outcome<Plugin>
    ) throws -> Outcome<Plugin> {
        try desk.write { session in
            let before = try session.plugins.get(name)
            let outcome = try body(session)
            guard case .done(let plugin) = outcome else { return outcome }
            if plugin.state == .active, let taken = try PluginPaths.taken(from: plugin, in: session) {
                throw PluginFault(code: "path_taken", message: taken)
            }
            guard let before, before.sha256 != plugin.sha256 else { return outcome }
            guard let loaded, loaded.sha256 == plugin.sha256 else {
                throw PluginFault(code: "changed", message: "the plugin was changed meanwhile")
            }
            try loaded.migrate(from: before.version, in: session)
            return outcome
        }
    }
}

extension LoadedPlugin {
    /// Calls `migrate`, as the plugin, within a transaction of another's.
    ///
    /// - Throws: ``PluginFault``; what the store throws.
    func migrate(from version: String, in session: DeskSession) throws {
        guard let entry = manifest.contributions(of: .migrate).first else { return }
        try translating {
            try session.acting(as: desk.actor) {
                _ = state.takeChanges()
                try context.working(in: session) {
                    _ = try invoke(entry, ContributionKind.run, [.string(version)], limits: nil)
                }
                try session.plugins.keep(state.takeChanges(), of: name)
            }
        }
    }
}

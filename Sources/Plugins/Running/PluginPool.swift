package import Circulation
package import Desk
package import LuaRuntime
package import Scripting
import Synchronization
import TextFormats

/// Loaded versions of plugins for those who call the functions that plugins add: a server's requests, jobs, imports. Each is in the hands
/// of one thread at a time, and kept for the next call. A change of a plugin holds from the next call on.
package final class PluginPool: Sendable {
    /// A plugin that is in force, and what its version says of itself.
    package struct Entry: Sendable {
        package let plugin: Plugin
        package let manifest: PluginManifest
    }

    private struct Kept: @unchecked Sendable {
        let key: LoadedPlugin.Key
        /// Used by no thread while it is kept.
        let plugin: LoadedPlugin
    }

    private struct State {
        var kept: [Kept] = []
        var manifests: [String: PluginManifest] = [:]
    }

    private let desk: Desk
    private let clock: any Clock
    private let output: @Sendable () -> any ScriptOutput
    private let limits: LuaLimits
    private let state = Mutex(State())

    /// How many loaded versions are kept.
    private static let mostKept = 32

    /// - Parameters:
    ///   - output: makes what takes the words of one loaded version.
    ///   - limits: what one call may use up where the caller says nothing else.
    package init(
        desk: Desk, clock: any Clock, limits: LuaLimits = LoadedPlugin.limits,
        output: @escaping @Sendable () -> any ScriptOutput
    ) {
        self.desk = desk
        self.clock = clock
        self.limits = limits
        self.output = output
    }

    /// The plugins that are in force and neither switched off nor paused, by name. Manifests are read once a version.
    package func active(in session: DeskSession) throws -> [Entry] {
        let plugins = try session.plugins.list().filter { $0.state == .active }
        return try plugins.map { plugin in
            if let known = state.withLock({ $0.manifests[plugin.sha256] }) {
                return Entry(plugin: plugin, manifest: known)
            }
            let manifest = try PluginManifest(of: plugin.sha256, in: session)
            state.withLock { state in
                if state.manifests.count >= 1_000 { state.manifests = [:] }
                state.manifests[plugin.sha256] = manifest
            }
            return Entry(plugin: plugin, manifest: manifest)
        }
    }

    /// Hands a loaded version of a plugin to the body.
    ///
    /// - Throws: ``PluginFault`` where it cannot be loaded; what the store and the body throw.
    package func with<Result>(_ plugin: Plugin, _ body: (LoadedPlugin) throws -> Result) throws -> Result {
        let key = try LoadedPlugin.Key(plugin, at: desk)
        let taken = state.withLock { state -> Kept? in
            // What is in force no longer is dropped.
            state.kept.removeAll { $0.key.name == key.name && $0.key != key }
            guard let place = state.kept.lastIndex(where: { $0.key == key }) else { return nil }
            return state.kept.remove(at: place)
        }
        let loaded =
            try taken?.plugin
            ?? LoadedPlugin(plugin, desk: desk, clock: clock, output: output(), limits: limits)
        defer {
            let kept = Kept(key: key, plugin: loaded)
            state.withLock { state in
                // The one that was used least lately makes room.
                if state.kept.count >= Self.mostKept { state.kept.removeFirst() }
                state.kept.append(kept)
            }
        }
        return try body(loaded)
    }
}

extension LoadedPlugin {
    /// What a loaded version depends on.
    package struct Key: Hashable, Sendable {
        let name: String
        let sha256: String
        let rights: [String]
        let settings: JSONObject
        let library: LibrarySettings
        let branches: [Branch]
        let fields: CustomFields

        /// - Throws: what the store throws.
        package init(_ plugin: Plugin, at desk: Desk) throws {
            (name, sha256, rights, settings) = (plugin.name, plugin.sha256, plugin.rights, plugin.settings)
            (library, branches, fields) = try desk.read {
                (try $0.settings.library(), try $0.settings.branches(), try $0.settings.customFields())
            }
        }
    }

    /// The version of a plugin that is in force.
    ///
    /// - Throws: ``PluginFault`` where its files cannot be loaded; what the store throws.
    package convenience init(
        _ plugin: Plugin, desk: Desk, clock: any Clock, output: any ScriptOutput, limits: LuaLimits,
        probes: PolicyProbes? = nil
    ) throws {
        guard let bundle = try desk.read({ try $0.plugins.bundle(plugin.sha256) }) else {
            throw PluginFault(code: "missing", message: "the version \(plugin.sha256.prefix(12)) is not in the store")
        }
        try self.init(
            bundle, rights: plugin.rights, settings: plugin.settings, desk: desk, clock: clock, output: output,
            limits: limits, probes: probes)
    }
}

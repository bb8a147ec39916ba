package import Circulation
package import Desk
package import LuaRuntime
package import Scripting
import TextFormats

/// What plugins in force read and write for others. What they run with may read the library and change nothing of it.
package struct PluginExchange {
    private let desk: Desk
    private let clock: any Clock
    private let output: any ScriptOutput
    private let limits: LuaLimits
    private let exportLimits: LuaLimits
    private let probes: PolicyProbes?

    /// - Parameters:
    ///   - limits: what one call may use up, such as that for a row.
    ///   - exportLimits: what the writing of a file may use up.
    ///   - probes: counts what runs, in a test.
    package init(
        desk: Desk, clock: any Clock, output: any ScriptOutput, limits: LuaLimits = LoadedPlugin.limits,
        exportLimits: LuaLimits = .script, probes: PolicyProbes? = nil
    ) {
        self.probes = probes
        self.limits = limits
        self.exportLimits = exportLimits
        self.desk = desk
        self.clock = clock
        self.output = output
    }

    /// The imports of all plugins in force, by the plugins' names.
    ///
    /// - Throws: what the store throws.
    package func translators() throws -> [PluginTranslator] {
        let (plugins, currency) = try desk.read {
            (try active(with: .imports, in: $0), try $0.settings.library().currency)
        }
        return plugins.map { plugin, manifest in
            PluginTranslator(manifest, settings: plugin.settings, currency: currency) { try load(plugin) }
        }
    }

    /// The imports of plugins that come with the program and are not in force: to find one that reads a file.
    ///
    /// - Throws: what the store throws.
    package func translators(of shipped: [ShippedPlugin]) throws -> [PluginTranslator] {
        let (known, currency) = try desk.read {
            (Set(try $0.plugins.list().map(\.name)), try $0.settings.library().currency)
        }
        return shipped.filter { plugin in
            !known.contains(plugin.manifest.name) && !plugin.manifest.contributions(of: .imports).isEmpty
        }.map { plugin in
            PluginTranslator(plugin.manifest, settings: [:], currency: currency) {
                try LoadedPlugin(
                    plugin.bundle, rights: [], settings: [:], desk: desk, clock: clock, output: output, limits: limits,
                    probes: probes)
            }
        }
    }

    /// The names of the plugins in force that write tables.
    ///
    /// - Throws: what the store throws.
    package func exporters() throws -> [String] {
        try desk.read { try active(with: .exports, in: $0).map(\.plugin.name) }
    }

    /// What writes the tables of a plugin in force; nil: there is none of the name that writes any.
    ///
    /// - Throws: ``PluginFault`` where the plugin cannot be loaded; what the store throws.
    package func exporter(of name: String) throws -> PluginExporter? {
        let found = try desk.read { try active(with: .exports, in: $0) }.first { $0.plugin.name == name }
        return try found.map { PluginExporter(try load($0.plugin), exportLimits) }
    }

    private func active(
        with kind: ContributionKind, in session: DeskSession
    ) throws -> [(plugin: Plugin, manifest: PluginManifest)] {
        try session.plugins.list().filter { $0.state == .active }.compactMap { plugin in
            let manifest = try PluginManifest(of: plugin.sha256, in: session)
            return manifest.contributions(of: kind).isEmpty ? nil : (plugin, manifest)
        }
    }

    private func load(_ plugin: Plugin) throws -> LoadedPlugin {
        var readingOnly = plugin
        readingOnly.rights = plugin.rights.filter { Capability(rawValue: $0)?.writes == false }
        return try LoadedPlugin(readingOnly, desk: desk, clock: clock, output: output, limits: limits, probes: probes)
    }
}

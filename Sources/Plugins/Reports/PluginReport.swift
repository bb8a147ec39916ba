package import Circulation
package import Desk
package import LuaRuntime
import LuaSyntax
package import Scripting
import TextFormats

/// A report of a plugin in force: a script with the plugin's files, settings, state and rights.
package struct PluginReport: Sendable {
    /// The name by which it is asked for.
    package let part: PluginPart
    package let source: ScriptSource
    private let rights: Set<Capability>
    private let settings: [PluginSetting]
    private let values: JSONObject
    /// Whether nothing is changed, as by a page.
    private let onlyShows: Bool

    static func name(of file: String) -> String {
        let file = file.split(separator: "/").last.map(String.init) ?? ""
        return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
    }

    /// - Parameters:
    ///   - file: of the plugin's folder.
    ///   - onlyShows: whether it can change nothing, whatever the plugin may.
    /// - Returns: nil where the plugin's files do not have it.
    package init?(
        _ file: String, of plugin: Plugin, _ manifest: PluginManifest, in bundle: PolicyBundle, onlyShows: Bool = false
    ) {
        guard let text = bundle.text(of: file) else { return nil }
        part = PluginPart(plugin: plugin.name, name: Self.name(of: file))
        let files = Dictionary(bundle.pluginSources.map { ($0.name, $0.source) }) { first, _ in first }
        source = ScriptSource(text: text, name: file, folder: ScriptFolder(files: files))
        rights = Set(plugin.rights.compactMap { Capability(rawValue: $0) }.filter { !onlyShows || !$0.writes })
        (settings, values) = (manifest.settings, plugin.settings)
        self.onlyShows = onlyShows
    }

    /// Whether it needs nothing but to read.
    package var onlyReads: Bool { (try? ScriptRunner.needs(of: source))?.contains(where: \.writes) == false }

    /// Runs it at a desk, within the rights of the plugin. Never throws: whatever goes wrong is the result's failure.
    ///
    /// - Parameters:
    ///   - options: how; what is granted is the plugin's.
    ///   - willRun: is handed the way to end it from another thread, before it begins.
    ///   - probes: counts what runs, in a test.
    package func run(
        at desk: Desk, clock: @escaping () -> Instant, output: any ScriptOutput, options: ScriptOptions,
        willRun: ((LuaInterruption) -> Void)? = nil, probes: PolicyProbes? = nil
    ) -> ScriptResult {
        var (options, source) = (options, source)
        if let probes, let chunk = try? LuaParser.parse(source.text, chunk: source.name) {
            source.marked = probes.marked(chunk)
        }
        options.granted = rights
        var kept: PluginState?
        options.prepare = { context in
            let state = PluginState(of: part.plugin, in: context, keepsAtOnce: true)
            kept = state
            try probes?.define(in: context.state)
            try state.define(of: context.state)
            if onlyShows {
                context.keepsValues = false
                try context.state.define("state.set") { _ in throw LuaHostError("state.set: a page changes nothing") }
            }
            try context.state.define("settings", value: settings.table(values, context.currency))
        }
        let runner = ScriptRunner(desk: desk, clock: clock, output: output)
        defer { withExtendedLifetime(kept) {} }
        return runner.run(source, options: options, willRun: willRun)
    }
}

extension PluginPool {
    /// The reports of the plugins in force.
    ///
    /// - Throws: what the store throws.
    package func reports(in session: DeskSession) throws -> [PluginReport] {
        try active(in: session).flatMap { plugin -> [PluginReport] in
            let entries = plugin.manifest.contributions(of: .reports)
            guard !entries.isEmpty, let bundle = try session.plugins.bundle(plugin.plugin.sha256) else { return [] }
            return entries.compactMap { PluginReport($0.name, of: plugin.plugin, plugin.manifest, in: bundle) }
        }
    }
}

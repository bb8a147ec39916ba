package import Circulation
package import Desk
package import LuaRuntime
package import Scripting
import TextFormats

/// A report of a plugin in force: a script with the plugin's files, settings, state and rights.
package struct PluginReport: Sendable {
    /// The name by which it is asked for.
    package let part: PluginPart
    package let source: ScriptSource
    private let rights: Set<Capability>
    private let settings: JSONObject

    static func name(of entry: Contribution) -> String {
        let file = entry.name.split(separator: "/").last.map(String.init) ?? ""
        return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
    }

    /// - Returns: nil where the plugin's files do not have it.
    init?(_ entry: Contribution, of plugin: PluginPool.Entry, in bundle: PolicyBundle) {
        guard let text = bundle.text(of: entry.name) else { return nil }
        part = PluginPart(plugin: plugin.plugin.name, name: Self.name(of: entry))
        let files = Dictionary(bundle.pluginSources.map { ($0.name, $0.source) }) { first, _ in first }
        source = ScriptSource(text: text, name: entry.name, folder: ScriptFolder(files: files))
        rights = Set(plugin.plugin.rights.compactMap { Capability(rawValue: $0) })
        settings = plugin.manifest.settings.complete(plugin.plugin.settings)
    }

    /// Whether it needs nothing but to read.
    package var onlyReads: Bool { (try? ScriptRunner.needs(of: source))?.contains(where: \.writes) == false }

    /// Runs it at a desk, within the rights of the plugin. Never throws: whatever goes wrong is the result's failure.
    ///
    /// - Parameters:
    ///   - options: how; what is granted is the plugin's.
    ///   - willRun: is handed the way to end it from another thread, before it begins.
    package func run(
        at desk: Desk, clock: @escaping () -> Instant, output: any ScriptOutput, options: ScriptOptions,
        willRun: ((LuaInterruption) -> Void)? = nil
    ) -> ScriptResult {
        var options = options
        options.granted = rights
        var kept: PluginState?
        options.prepare = { context in
            let state = PluginState(of: part.plugin, in: context, keepsAtOnce: true)
            kept = state
            try state.define(of: context.state)
            try context.state.define("settings", value: .json(.object(settings)))
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
            return entries.compactMap { PluginReport($0, of: plugin, in: bundle) }
        }
    }
}

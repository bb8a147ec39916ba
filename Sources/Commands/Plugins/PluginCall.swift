import Circulation
import Desk
import LuaRuntime
import Plugins
import Scripting
import TextFormats

/// One call of what a plugin in force adds, by a command: run as a script is, and shown as one.
struct PluginCall {
    let settings: AnswerSettings
    let workplace: Workplace

    /// The desk at which the plugin works.
    func desk() throws -> Desk {
        try workplace.refuseTrial(whenKept: !settings.dryRun)
        return try workplace.desk(.writing, branch: settings.branch, onTrial: true)
    }

    /// Loads the plugin, has the body run what it adds, and shows what came of it. An error of the plugin's is kept.
    ///
    /// - Throws: ``CommandFailure``, also where the plugin cannot be loaded.
    func run(
        _ plugin: Plugin, _ entry: Contribution, of name: String, at desk: Desk, _ body: (LoadedPlugin) -> ScriptResult
    ) throws -> ExitStatus {
        let answer = try ScriptAnswer(settings, workplace, of: name)
        let loaded: LoadedPlugin
        do {
            loaded = try LoadedPlugin(
                plugin, desk: desk, clock: try workplace.clock(), output: answer.output, limits: settings.limits())
        } catch let fault as PluginFault {
            throw CommandFailure(fault)
        }
        let interruption = try loaded.interruption
        return try answer.show { watch in
            watch(interruption)
            let result = body(loaded)
            if !settings.dryRun { PluginFault(result)?.keep(of: plugin, entry, at: desk) }
            return result
        }
    }

    /// What plugins in force add of a kind, by the names that the library knows it by.
    static func parts(
        of kind: ContributionKind, _ workplace: Workplace, _ desk: Desk
    ) throws -> [(part: PluginPart, plugin: Plugin, entry: Contribution)] {
        let plugins = try workplace.plugins(desk)
        return try desk.read { try plugins.active(in: $0) }.flatMap { active in
            active.manifest.contributions(of: kind).map { entry in
                (PluginPart(plugin: active.plugin.name, name: entry.name), active.plugin, entry)
            }
        }
    }
}

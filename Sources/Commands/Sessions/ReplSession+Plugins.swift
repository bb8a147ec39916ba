import Circulation
import Desk
import LuaRuntime
import Plugins
import Scripting
import Terminal
import TextFormats

/// `:emit`
extension ReplSession {
    /// Hands a made-up event to the plugins that are in force, in the trial if one is under way, says what each would do, and
    /// undoes it.
    func emit(_ words: SessionWords, _ repl: Repl) -> ScriptFailure? {
        guard let name = words.words.first else { return Self.failure("':emit' takes the name of an event.") }
        guard granted.writes else {
            return Self.failure("What would be done is tried out, and undone: start the session with --write.")
        }
        if case .lock? = trial {
            return Self.failure("This trial is one transaction; ':rollback' ends it.")
        }
        let text = String(words.text.dropFirst(name.count))
        do {
            let event = try madeUp(name, text)
            let plugins = try desk.read { try $0.plugins.list() }.filter { $0.state == .active }
            var hasTold = false
            for plugin in plugins { if try tell(plugin, event) { hasTold = true } }
            if !hasTold { workplace.console.print("No plugin in force does anything about \(name).") }
            return nil
        } catch let error as PluginFault {
            return Self.failure(error.description)
        } catch {
            return ScriptFailure(error)
        }
    }

    private func madeUp(_ name: String, _ text: String) throws -> PublicEvent {
        var fields = LuaTable()
        if text.contains(where: { $0 != " " }) {
            switch evaluator.evaluate("return" + text) {
            case .values(let values):
                guard let table = values.first?.tableValue else {
                    throw LuaHostError("The fields of an event are a table: { patron = 'ada' }")
                }
                fields = table
            case .incomplete: throw LuaHostError("The table of fields ends too early.")
            case .failed(let failure): throw LuaHostError(failure.message)
            }
        }
        return try evaluator.context.madeUpEvent(name, fields)
    }

    /// - Returns: whether the plugin wants the event.
    private func tell(_ plugin: Plugin, _ event: PublicEvent) throws -> Bool {
        guard let bundle = try desk.read({ try $0.plugins.bundle(plugin.sha256) }) else { return false }
        let console = workplace.console
        do {
            let rehearsal = try PluginRehearsal(
                bundle, rights: plugin.rights, settings: plugin.settings, desk: desk, clock: clock)
            let outcome = try rehearsal.run(event)
            guard outcome.isWanted else { return false }
            console.print(SafeText.line("\(plugin.name) \(plugin.version)"))
            for line in outcome.lines { console.print("    \(SafeText.lines(line))") }
        } catch let fault as PluginFault {
            console.print(SafeText.line("\(plugin.name) \(plugin.version)"))
            console.print(SafeText.line("    fails: \(fault)"))
        }
        return true
    }
}

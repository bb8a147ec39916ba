import Circulation
import Desk
import LuaRuntime
import Scripting
import Storage

/// One event in the hands of a plugin, from the log to what it wrote.
struct EventHandling {
    let plugin: LoadedPlugin
    let event: Event
    /// Written in the transaction in which the event is done with: the step of the cursor.
    let step: (DeskSession) throws -> Void

    /// Handles the event: what the handler writes, what it keeps and the step are one transaction, or nothing of it
    /// happens.
    ///
    /// The handler is called outside of any transaction first, where it may do all but write. Only if it would write it is
    /// called again within one: what computes or loops before its first write keeps no writer waiting.
    ///
    /// - Throws: ``PluginFault`` where the plugin is at fault; ``PluginLost``; what the store throws.
    func run() throws {
        try Self.translating {
            let (context, state, desk) = (plugin.context, plugin.state, plugin.desk)
            _ = state.takeChanges()
            plugin.output.drop()
            defer { plugin.output.release() }
            if PluginCause(of: event) != nil { try desk.read { try checkDepth($0) } }
            let seen = try PublicEvent(event)
            if try context.looking({ try plugin.handle(seen) }) != nil {
                let changes = state.takeChanges()
                return try desk.write { session in
                    try session.plugins.keep(changes, of: plugin.name)
                    try step(session)
                }
            }
            plugin.output.drop()
            let cause = PluginCause(plugin: plugin.name, event: event.sequence)
            try desk.write(request: cause.request) { session in
                _ = state.takeChanges()
                // Before the handler runs: what it would do must not wait for what is another's by now.
                try step(session)
                try context.working(in: session) { try plugin.handle(seen) }
                try session.plugins.keep(state.takeChanges(), of: plugin.name)
            }
        }
    }

    /// Says what the handler would do, and undoes it.
    ///
    /// - Throws: as ``run()``.
    static func rehearse<Result>(
        _ seen: PublicEvent, by plugin: LoadedPlugin, _ look: (DeskSession) throws -> Result
    ) throws -> Result {
        try translating {
            let (context, state) = (plugin.context, plugin.state)
            defer { plugin.output.release() }
            return try plugin.desk.rehearse { session in
                _ = state.takeChanges()
                try context.working(in: session) { try plugin.handle(seen) }
                try session.plugins.keep(state.takeChanges(), of: plugin.name)
                return try look(session)
            }
        }
    }

    private static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PluginLost {
            throw error
        } catch let error as StoreError where error.code != .constraint && error.code != .readOnly {
            // A store that fails is no fault of the plugin.
            throw error
        } catch let error as DeskError where error.code == .repeatedRequest {
            throw error
        } catch {
            throw PluginFault(error)
        }
    }

    private func checkDepth(_ session: DeskSession) throws {
        let causes = try session.plugins.causes(of: event)
        guard causes.count >= PluginService.mostDepth else { return }
        let chain = causes.map { "\($0.cause.plugin), because of \($0.event.kind) (event \($0.event.sequence))" }
        throw PluginFault(
            code: PluginFault.chain,
            message:
                "\(event.kind) (event \(event.sequence)) stands at the end of a chain of \(causes.count) causes, and"
                + " no plugin goes on from there: done by \(chain.joined(separator: "; done by "))")
    }
}

extension PluginFault {
    /// The code of a chain of causes that is too long.
    static let chain = "chain"
}

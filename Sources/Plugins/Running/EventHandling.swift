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

    /// Handles the event, as ``LoadedPlugin/handle(_:request:_:)`` does.
    ///
    /// - Throws: ``PluginFault`` where the plugin is at fault; ``PluginLost``; what the store throws.
    func run() throws {
        try Self.translating {
            if PluginCause(of: event) != nil { try plugin.desk.read { try checkDepth($0) } }
            let cause = PluginCause(plugin: plugin.name, event: event.sequence)
            try plugin.handle(PublicEvent(event), request: cause.request, step)
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
            plugin.web.isTrial = true
            defer {
                plugin.web.isTrial = false
                plugin.output.release()
            }
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

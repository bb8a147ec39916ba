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
            try checkDepth()
            try plugin.handle(PublicEvent(event), request: request, step)
        }
    }

    /// As ``LoadedPlugin/look(_:)``.
    ///
    /// - Throws: as ``run()``.
    func look() throws -> Bool {
        try Self.translating {
            try checkDepth()
            return try plugin.look(PublicEvent(event))
        }
    }

    /// Handles an event at which was looked.
    ///
    /// - Throws: as ``run()``.
    func write() throws { try Self.translating { try plugin.write(PublicEvent(event), request: request, step) } }

    private var request: String { PluginCause(plugin: plugin.name, event: event.sequence).request }

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

    /// Runs the body, so that an error that is the plugin's is a ``PluginFault``.
    static func translating<Result>(_ body: () throws -> Result) throws -> Result {
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

    private func checkDepth() throws {
        guard PluginCause(of: event) != nil else { return }
        let causes = try plugin.desk.read { try $0.plugins.causes(of: event) }
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

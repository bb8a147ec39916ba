package import Circulation
package import Desk
import Scripting
package import TextFormats

/// Calls the handler of a plugin with an event of the past, says what it would do, and undoes it.
package struct PluginRehearsal {
    /// What a handler would write, event by event.
    package struct Outcome: Sendable {
        /// Whether the plugin handles the event: its kind, its conditions.
        package var isWanted: Bool
        package var events: [PublicEvent]
        /// What it would send to servers.
        package var requests: [OutgoingRequest] = []
        package var printed: [String]

        /// What it prints and would do, a line each.
        package var lines: [String] {
            guard isWanted else { return [] }
            return printed + (events.isEmpty && requests.isEmpty ? ["It would change nothing."] : [])
                + requests.map { SafeText.line("would: \($0.method) \($0.url) \($0.body)") }
                + events.map { SafeText.line("would: \($0.name) \($0.json(withPersonal: true).text())") }
        }
    }

    private let plugin: LoadedPlugin
    private let output: RecordedOutput

    /// - Parameters:
    ///   - rights: what it was granted, or asks for.
    ///   - settings: the values that are set.
    /// - Throws: ``PluginFault`` where it cannot be loaded; what the store throws.
    package init(
        _ bundle: PolicyBundle, rights: [String], settings: JSONObject, desk: Desk, clock: any Clock
    ) throws {
        output = RecordedOutput()
        plugin = try LoadedPlugin(
            bundle, rights: rights, settings: settings, desk: desk, clock: clock, output: output)
    }

    /// Calls the handler with an event of the log.
    ///
    /// - Throws: as for a made-up one.
    package func run(_ event: Event) throws -> Outcome { try run(PublicEvent(event)) }

    /// Calls the handler with an event of the log, or a made-up one.
    ///
    /// - Throws: ``PluginFault`` with the handler's error; what the store throws.
    package func run(_ event: PublicEvent) throws -> Outcome {
        guard plugin.wants(event) else { return Outcome(isWanted: false, events: [], printed: []) }
        let owner = plugin.web.owner
        let (last, waiting) = try plugin.desk.read {
            (try $0.events.last(), try $0.outbox.count(.queued, of: owner))
        }
        var outcome = try EventHandling.rehearse(event, by: plugin) { session in
            let added = try session.outbox.count(.queued, of: owner) - waiting
            return Outcome(
                isWanted: true, events: try session.events.list(EventQuery(since: last)).map { try PublicEvent($0) },
                requests: try session.outbox.list(.queued, of: owner, limit: added).reversed(), printed: [])
        }
        outcome.printed = output.takePrinted()
        return outcome
    }
}

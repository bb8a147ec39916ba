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
        package var printed: [String]

        /// What it prints and would do, a line each.
        package var lines: [String] {
            guard isWanted else { return [] }
            return printed + (events.isEmpty ? ["It would change nothing."] : [])
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
        let last = try plugin.desk.read { try $0.events.last() }
        let events = try EventHandling.rehearse(event, by: plugin) { session in
            try session.events.list(EventQuery(since: last)).map { try PublicEvent($0) }
        }
        return Outcome(isWanted: true, events: events, printed: output.takePrinted())
    }
}

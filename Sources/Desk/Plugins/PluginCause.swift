import Circulation

/// What made a plugin do something: the plugin, and the event that it handled.
///
/// It stands in the id of the request, and with it in every event that the plugin causes.
package struct PluginCause: Hashable, Sendable {
    package let plugin: String
    /// The sequence of the event that was handled.
    package let event: Int64

    package init(plugin: String, event: Int64) {
        self.plugin = plugin
        self.event = event
    }

    /// The id of the request in which the plugin handles the event.
    package var request: String { "plugin:\(plugin):\(event)" }

    /// The cause of an event; nil if no plugin did it.
    package init?(of event: Event) {
        guard let plugin = ActorName.plugin(of: event.actor) else { return nil }
        let prefix = "plugin:\(plugin):"
        guard event.request.hasPrefix(prefix), let cause = Int64(event.request.dropFirst(prefix.count)) else {
            return nil
        }
        self.init(plugin: plugin, event: cause)
    }
}

extension PluginService {
    /// What led to an event, the nearest cause first, with the event that began it last; empty if no plugin did it.
    ///
    /// - Parameter most: no more than so many are looked for.
    package func causes(
        of event: Event, most: Int = PluginService.mostDepth
    ) throws -> [(cause: PluginCause, event: Event)] {
        var causes: [(cause: PluginCause, event: Event)] = []
        var event = event
        while causes.count < most, let cause = PluginCause(of: event), let before = try self.event(cause.event) {
            causes.append((cause, before))
            event = before
        }
        return causes
    }

    /// The event of a sequence.
    package func event(_ sequence: Int64) throws -> Event? {
        guard let event = try session.events.list(EventQuery(since: sequence - 1, limit: 1)).first,
            event.sequence == sequence
        else { return nil }
        return event
    }
}

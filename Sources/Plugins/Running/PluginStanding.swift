package import Circulation
package import Desk

/// How a plugin stands: what its version says of itself, and how far behind it is.
package struct PluginStanding: Sendable {
    /// More events than this are not counted.
    package static let mostCounted = 1_000

    package let plugin: Plugin
    package let manifest: PluginManifest
    /// Events that wait for it, ``mostCounted`` at most.
    package let behind: Int
    /// Events that it has set aside.
    package let failures: Int64
    /// Requests to servers that were given up.
    package let unsent: Int64

    /// - Throws: what the store throws.
    package init(_ plugin: Plugin, in session: DeskSession) throws {
        self.plugin = plugin
        manifest = try PluginManifest(of: plugin.sha256, in: session)
        let waiting = EventQuery(
            since: plugin.progress.position, kinds: manifest.events, limit: Self.mostCounted)
        behind = try session.events.list(waiting).count
        failures = try session.plugins.failureCount(of: plugin.name)
        unsent = try session.outbox.count(.failed, of: OutgoingRequest.owner(plugin: plugin.name))
    }

    /// Of all plugins, by name.
    ///
    /// - Throws: what the store throws.
    package static func all(in session: DeskSession) throws -> [PluginStanding] {
        try session.plugins.list().map { try PluginStanding($0, in: session) }
    }

    /// What it handles and adds, by kind: `("events", ["loan.made"])`, `("jobs", ["list"])`.
    package static func does(_ manifest: PluginManifest) -> [(kind: String, names: [String])] {
        var does: [(kind: String, names: [String])] = [("events", manifest.handlers.map(\.event))]
        for kind in ContributionKind.all { does.append((kind.key, manifest.contributions(of: kind).map(\.name))) }
        return does.filter { !$0.names.isEmpty }
    }

    /// Figures of all plugins in the text format of Prometheus.
    package static func metrics(_ all: [PluginStanding]) -> [String] {
        guard !all.isEmpty else { return [] }
        let figures: [(name: String, kind: String, help: String, value: (PluginStanding) -> Int64)] = [
            ("events_handled_total", "counter", "Events that a plugin has handled.", { $0.plugin.progress.handled }),
            (
                "event_failed_tries", "gauge", "How often the event failed at which a plugin is.",
                { $0.plugin.progress.tries }
            ),
            ("events_set_aside", "gauge", "Events that a plugin could not handle.", { $0.failures }),
            (
                "events_behind", "gauge", "Events that wait for a plugin, \(mostCounted) at most.",
                { Int64($0.behind) }
            ),
            (
                "active", "gauge", "Whether a plugin is switched on and not paused.",
                { $0.plugin.state == .active ? 1 : 0 }
            ),
        ]
        return figures.flatMap { figure in
            let name = "moonshelf_plugin_\(figure.name)"
            return ["# HELP \(name) \(figure.help)", "# TYPE \(name) \(figure.kind)"]
                + all.map { "\(name){plugin=\"\($0.plugin.name)\"} \(figure.value($0))" }
        }
    }
}

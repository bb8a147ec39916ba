import Circulation
import Storage

extension EventKinds {
    static let plugins: [any AnyEventKind] = [EventKind.pluginChanged]
}

extension EventKind where Content == ChangedPlugin {
    package static var pluginChanged: Self {
        EventKind(
            noting: "plugin.changed",
            "A plugin was put into force, rolled back, set up, switched off or on, or removed.")
    }
}

/// What the log keeps of a change of a plugin. Who changed it is who did the event; the values of settings stay out.
package struct ChangedPlugin: EventContent {
    package var plugin: String
    /// ``PluginChange/Action``.
    package var change: String
    package var version: String
    package var sha256: String
    package var rights: [String]

    package static let blank = ChangedPlugin(plugin: "", change: "", version: "", sha256: "", rights: [])
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("plugin", \.plugin, "the plugin's name"),
        EventMember("change", \.change, "`used rolled_back configured disabled enabled paused removed`"),
        EventMember("version", \.version, "the plugin's own version"),
        EventMember("sha256", \.sha256, "the SHA-256 of its files"),
        EventMember("rights", \.rights, "what it may do"),
    ]
}

extension ChangedPlugin {
    init(_ change: PluginChange) {
        self.init(
            plugin: change.plugin, change: change.action.rawValue, version: change.version, sha256: change.sha256,
            rights: change.rights)
    }
}

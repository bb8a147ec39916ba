package import LuaSyntax
package import Scripting
package import TextFormats

/// What a plugin says of itself, read from its text before anything of it runs.
package struct PluginManifest: Sendable {
    package var name = ""
    package var version = ""
    package var description = ""
    package var needs: [Capability] = []
    package var settings: [PluginSetting] = []
    package var handlers: [Handler] = []

    /// Of a plugin that says nothing.
    package init() {}

    /// An event that the plugin handles.
    package struct Handler: Sendable {
        package var event: String
        /// Where the event's name stands.
        package var range: SourceRange
        /// nil where the function is not written out.
        package var body: FunctionBody?
        /// Fields that the event must have so, by their names.
        package var conditions: [Condition] = []
        /// Whether it wants to see what the plugin itself did.
        package var seesOwn = false

        package init(event: String, range: SourceRange, body: FunctionBody? = nil) {
            self.event = event
            self.range = range
            self.body = body
        }
    }

    /// A field, and the value that it must have; of several, one.
    package struct Condition: Hashable, Sendable {
        package var field: String
        package var values: [JSON]
    }

    /// The events that it handles, by name.
    package var events: Set<String> { Set(handlers.map(\.event)) }

    /// What it does about an event; nil: nothing.
    package func handler(of event: String) -> Handler? { handlers.first { $0.event == event } }

    /// The version of the interface that plugins are written for.
    package static let interface: Int64 = 1
    /// The keys of a plugin.
    package static let keys = ["api", "name", "version", "description", "needs", "settings", "on"]
    /// What plugins will have one day; it is refused, so that nothing is ignored.
    package static let laterKeys = [
        "fields", "jobs", "routes", "pages", "imports", "exports", "channels", "reports", "migrate", "commands",
    ]
    /// The keys of a handler that is written as a table.
    package static let handlerKeys = ["run", "where", "own"]
    /// The keys of a setting.
    package static let settingKeys = ["type", "default", "min", "max", "help", "required"]
}

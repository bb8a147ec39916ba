import Circulation
package import Desk
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
    /// What it adds to the library, in the order in which it stands.
    package var contributions: [Contribution] = []

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

    /// The functions of handlers and of what it adds, as far as they are written out.
    var called: [FunctionBody] {
        handlers.compactMap(\.body) + contributions.flatMap { $0.functions.values.compactMap(\.self) }
    }

    /// What it adds of a kind.
    package func contributions(of kind: ContributionKind) -> [Contribution] {
        contributions.filter { $0.kind == kind.key }
    }

    /// The files of its folder that it names, beside those that it requires.
    package var namedFiles: [(name: String, range: SourceRange)] {
        ContributionKind.all.flatMap { kind in
            contributions(of: kind).flatMap { entry in
                if case .files = kind.form { return [(entry.name, entry.range)] }
                return kind.fields.compactMap { field in
                    guard case .file = field.value, let name = entry.values[field.name]?.stringValue else { return nil }
                    return (name, entry.range)
                }
            }
        }
    }

    /// The version of the interface that plugins are written for.
    package static let interface: Int64 = 1
    /// The keys of a plugin.
    package static let keys =
        ["api", "name", "version", "description", "needs", "settings", "on"] + ContributionKind.all.map(\.key)
    /// The keys of a handler that is written as a table.
    package static let handlerKeys = ["run", "where", "own"]
    /// The keys of a setting.
    package static let settingKeys = ["type", "default", "values", "min", "max", "help", "required", "signs"]
}

extension PluginManifest {
    /// What a stored version says of itself; of a version that the store never had, nothing.
    ///
    /// - Throws: what the store throws.
    package init(of sha256: String, in session: DeskSession) throws {
        self.init()
        guard let main = try session.plugins.bundle(sha256)?.files.first else { return }
        guard
            let chunk = try? LuaParser.parse(main.source, chunk: main.name, maximumSize: PolicyBundle.maximumFileSize)
        else { return }
        self = PluginManifestReader(chunk).manifest
    }
}

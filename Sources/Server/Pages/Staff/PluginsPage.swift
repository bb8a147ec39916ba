import Circulation
import Desk
import Languages
import Plugins
import Scripting
import TextFormats

/// The plugins, for administrators: what each does, may do and has done, how far behind it is, what it could not handle, and
/// what was changed of it.
enum PluginsPage: PageGroup {
    static let templates = [
        PageTemplate("plugins", PackageResources.plugins_mustache),
        PageTemplate("plugin", PackageResources.plugin_mustache),
        PageTemplate("plugin-use", PackageResources.plugin_use_mustache),
        PageTemplate("shipped-plugin", PackageResources.shipped_plugin_mustache),
    ]

    static let path = "/desk/plugins"
    /// So many failures are shown.
    private static let mostFailures: Int64 = 50
    private static let mostChanges = 50

    static let pages = [
        Page.shown(path, .admin, list),
        Page.shown(path + "/{plugin}", .admin, view),
        Page.form(path + "/{plugin}/retry", .admin) { call in
            let event = try call.form.text("event").map { text throws(Problem) in
                guard let event = Int64(text) else {
                    throw Problem.input("An event must be a whole number.", argument: "event")
                }
                return event
            }
            return try change(call) { session, name, _ in
                try session.plugins.retry(name, event: event).map {
                    say("\(.count(Int64($0), "event will be", "events will be")) tried again.")
                }
            }
        },
        Page.form(path + "/{plugin}/disable", .admin) { call in
            try change(call) { session, name, note in
                try session.plugins.disable(name, note: note).map { _ in say("\(name) has been switched off.") }
            }
        },
        Page(
            verb: .post, path: path + "/{plugin}/enable", access: .admin,
            work: .working { call in
                try changing(call) {
                    try $0.enable(call.values[0], note: note(call))
                } saying: {
                    say("\(PageWords.safe($0.name)) has been switched on.")
                }
            }, again: view),
        Page.form(path + "/{plugin}/settings", .admin, again: view) { call in
            let fields = try call.context.look { session in
                guard let plugin = try session.plugins.get(call.values[0]) else { throw Problem.notFound }
                let settings = try PluginManifest(of: plugin.sha256, in: session).settings
                return PluginSettingFields(settings: settings, kept: plugin.settings)
            }
            let values = try fields.values(sentBy: call.form)
            return try change(call) { session, name, note in
                try session.plugins.configure(name, values, note: note).map { _ in say("The settings have been saved.")
                }
            }
        },
        // A version is loaded, and migrates, outside of the page's own transaction.
        Page(
            verb: .post, path: path + "/{plugin}/rollback", access: .admin,
            work: .working { call in
                try changing(call) {
                    try $0.rollback(call.values[0], note: note(call))
                } saying: {
                    say("Version \(PageWords.safe($0.version)) of \(PageWords.safe($0.name)) is in force again.")
                }
            }, mayTakeLong: true, again: view),
        Page.form(path + "/{plugin}/remove", .admin, again: view) { call in
            let isPurged = call.form["purge"] != nil
            return try change(call, back: path) { session, name, note in
                try session.plugins.remove(name, purging: isPurged, note: note).map { _ in
                    isPurged
                        ? say("\(PageWords.safe(name)) is out of force, and all that it kept is gone.")
                        : say("\(PageWords.safe(name)) is out of force.")
                }
            }
        },
    ]

    // MARK: - Showing

    private static func list(_ call: PageCall) throws -> PageView {
        let all = try call.context.look { try PluginStanding.all(in: $0) }
        let shipped = call.services.shippedPlugins.all()
        let known = Set(all.map(\.plugin.name))
        return PageView(
            template: "plugins", title: say("Plugins"),
            fields: [
                "plugins": all.map { standing in
                    var fields = summary(standing, call)
                    let newer = shipped.first { $0.manifest.name == standing.plugin.name }
                    if let newer, newer.isNewer(than: standing.plugin.version) {
                        fields["newer"] = PageWords.safe(newer.manifest.version)
                    }
                    return fields
                },
                "shipped": shipped.filter { !known.contains($0.manifest.name) }.map { ShippedPluginFields($0).summary },
            ])
    }

    /// The page of a plugin: one in force, otherwise one that comes with the program.
    ///
    /// - Throws: ``Problem`` where there is neither; what the store throws.
    static func view(_ call: PageCall) throws -> PageView {
        let name = call.values[0]
        let shipped = call.services.shippedPlugins.plugin(name)
        guard let plugin = try call.context.look({ try $0.plugins.get(name) }) else {
            guard let shipped else { throw Problem.notFound }
            return try ShippedPluginFields(shipped).view(call)
        }
        var view = try call.context.look { try self.view(of: plugin, $0, call) }
        if let shipped, shipped.changes(plugin) {
            view.fields.merge(try ShippedPluginFields(shipped, over: plugin).use(call)) { $1 }
        }
        return view
    }

    /// The page of one that is in force.
    private static func view(of plugin: Plugin, _ session: DeskSession, _ call: PageCall) throws -> PageView {
        let standing = try PluginStanding(plugin, in: session)
        var fields = summary(standing, call)
        fields["failures"] = try session.plugins.failures(of: plugin.name, limit: mostFailures)
            .map { failure($0, call) }
        fields["changes"] = try session.plugins.history(of: plugin.name).prefix(mostChanges)
            .map { try change($0, session, call) }
        fields["former"] = try session.plugins.former(plugin.name).map { former in
            var fields: [String: Any] = ["version": PageWords.safe(former.version)]
            fields["at"] = call.words.moment(.string(former.at.description))
            return fields
        }
        let settings = PluginSettingFields(settings: standing.manifest.settings, kept: plugin.settings)
        let note = PageField(name: "note", label: "Reason (kept in the history)", most: 200)
        return PageView(
            template: "plugin", title: say("Plugin \(plugin.name)"),
            fields: [
                "plugin": fields, "settingsInputs": settings.inputs(call, form: "settings"),
                "settingsNote": PageField.inputs([note], call, form: "settings"),
                "removals": settings.removals(form: "settings"),
            ])
    }

    // MARK: - Changing

    private static func note(_ call: PageCall) -> String { call.form.text("note") ?? "" }

    /// Changes something within the transaction of the form.
    ///
    /// - Parameter back: where it leads; nil: to the plugin's page.
    private static func change(
        _ call: PageCall, back: String? = nil,
        _ change: (DeskSession, _ name: String, _ note: String) throws -> Outcome<String>
    ) throws -> PageOutcome {
        let name = call.values[0]
        guard try call.context.look({ try $0.plugins.get(name) }) != nil else { throw Problem.notFound }
        let outcome = try call.context.write { try change($0, name, note(call)) }
        return answer(outcome, back: back, call) { $0 }
    }

    /// Changes which version is in force, in transactions of its own.
    private static func changing(
        _ call: PageCall, _ change: (PluginChanging) throws -> Outcome<Plugin>, saying: (Plugin) -> String
    ) throws -> PageOutcome {
        guard try call.context.look({ try $0.plugins.get(call.values[0]) }) != nil else { throw Problem.notFound }
        return answer(try PluginUsePage.changing(call, change), call, saying: saying)
    }

    private static func answer<Value>(
        _ outcome: Outcome<Value>, back: String? = nil, _ call: PageCall, saying: (Value) -> String
    ) -> PageOutcome {
        let own = "\(path)/\(call.value())"
        switch outcome {
        case .done(let value): return .done(to: back ?? own, saying: saying(value))
        case .refused(let refusal):
            return .refused(["code": .string(refusal.code), "message": .string(refusal.message)], back: own)
        }
    }

    // MARK: - Fields

    private static func summary(_ standing: PluginStanding, _ call: PageCall) -> [String: Any] {
        let (plugin, progress) = (standing.plugin, standing.plugin.progress)
        var fields: [String: Any] = [
            "plugin": PageWords.safe(plugin.name), "link": "\(path)/\(PageCall.segment(plugin.name))",
            "version": PageWords.safe(plugin.version), "short": String(plugin.sha256.prefix(12)),
            "does": does(standing.manifest), "isActive": plugin.state == .active,
            "isDisabled": plugin.state == .disabled, "isPaused": plugin.state == .paused,
            "handled": "\(progress.handled)", "behind": behind(standing.behind),
        ]
        // An empty text would count as one.
        fields["description"] = PageWords.safe(.string(standing.manifest.description))
        fields["may"] = PageWords.safe(.string(plugin.rights.joined(separator: ", ")))
        if standing.failures > 0 { fields["setAside"] = "\(standing.failures)" }
        fields["last"] = progress.lastHandledAt.flatMap { call.words.moment(.string($0.description)) }
        fields["again"] = progress.retryAt.flatMap { call.words.moment(.string($0.description)) }
        return fields
    }

    /// What a plugin handles and adds, by kind.
    ///
    /// - Parameter most: how many names of each kind are listed; nil: all.
    static func does(_ manifest: PluginManifest, most: Int? = nil) -> [[String: Any]] {
        PluginStanding.does(manifest).map { kind, names in
            let shown = PageWords.safe(names.prefix(most ?? .max).joined(separator: ", "))
            let more = names.count - min(names.count, most ?? .max)
            return [
                "kind": kind.prefix(1).uppercased() + kind.dropFirst(),
                "names": more > 0 ? say("\(shown) and \(more) more") : shown,
            ]
        }
    }

    /// How many events wait, which are counted up to a number.
    private static func behind(_ count: Int) -> String {
        count == PluginStanding.mostCounted ? say("\(count) or more") : "\(count)"
    }

    private static func failure(_ failure: PluginFailure, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "event": "\(failure.event)", "kind": PageWords.safe(failure.kind), "isCall": failure.isCall,
            "tries": "\(failure.tries)", "isAsked": failure.isAsked,
            "error": PageWords.safe(failure.fault.description),
        ]
        fields["trace"] = failure.fault.trace.map(PageWords.safe)
        fields["at"] = call.words.moment(.string(failure.failedAt.description))
        return fields
    }

    private static func change(_ change: PluginChange, _ session: DeskSession, _ call: PageCall) throws -> [String: Any]
    {
        var fields: [String: Any] = [
            "action": change.action.rawValue.replacing("_", with: " "), "version": PageWords.safe(change.version),
            "short": String(change.sha256.prefix(12)), "note": PageWords.safe(change.note),
            "who": PageWords.safe(try session.events.person(ofActor: change.actor)),
        ]
        fields["at"] = call.words.moment(.string(change.at.description))
        return fields
    }
}

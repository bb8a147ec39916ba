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
    ]

    private static let path = "/desk/plugins"
    /// So many failures are shown.
    private static let mostFailures: Int64 = 50
    private static let mostChanges = 50

    static let pages = [
        Page.shown(path, .admin) { call in
            let all = try call.context.look { try PluginStanding.all(in: $0) }
            return PageView(
                template: "plugins", title: say("Plugins"), fields: ["plugins": all.map { summary($0, call) }])
        },
        Page.shown(path + "/{plugin}", .admin) { call in
            let name = call.values[0]
            return try call.context.look { session in
                guard let plugin = try session.plugins.get(name) else { throw Problem.notFound }
                let standing = try PluginStanding(plugin, in: session)
                var fields = summary(standing, call)
                fields["settings"] = standing.manifest.settings.shown(plugin.settings).map { entry -> [String: Any] in
                    ["setting": PageWords.safe(entry.key), "value": PageWords.safe(entry.value.text())]
                }
                fields["failures"] = try session.plugins.failures(of: name, limit: mostFailures)
                    .map { failure($0, call) }
                fields["changes"] = try session.plugins.history(of: name).prefix(mostChanges)
                    .map { try change($0, session, call) }
                return PageView(template: "plugin", title: say("Plugin \(name)"), fields: ["plugin": fields])
            }
        },
        Page.form(path + "/{plugin}/retry", .admin) { call in
            let event = try call.form.text("event").map { text throws(Problem) in
                guard let event = Int64(text) else {
                    throw Problem.input("An event is a whole number.", argument: "event")
                }
                return event
            }
            return try change(call) { session, name, _ in
                try session.plugins.retry(name, event: event).map {
                    say("\(.count(Int64($0), "event is", "events are")) tried again.")
                }
            }
        },
        Page.form(path + "/{plugin}/disable", .admin) { call in
            try change(call) { session, name, note in
                try session.plugins.disable(name, note: note).map { _ in say("\(name) is switched off.") }
            }
        },
        Page.form(path + "/{plugin}/enable", .admin) { call in
            try change(call) { session, name, note in
                try session.plugins.enable(name, note: note).map { _ in say("\(name) is switched on.") }
            }
        },
    ]

    private static func change(
        _ call: PageCall, _ change: (DeskSession, _ name: String, _ note: String) throws -> Outcome<String>
    ) throws -> PageOutcome {
        let name = call.values[0]
        let back = "\(path)/\(call.value())"
        guard try call.context.look({ try $0.plugins.get(name) }) != nil else { throw Problem.notFound }
        switch try call.context.write({ try change($0, name, call.form.text("note") ?? "") }) {
        case .done(let words): return .done(to: back, saying: words)
        case .refused(let refusal):
            return .refused(["code": .string(refusal.code), "message": .string(refusal.message)], back: back)
        }
    }

    // MARK: - Fields

    private static func summary(_ standing: PluginStanding, _ call: PageCall) -> [String: Any] {
        let (plugin, progress) = (standing.plugin, standing.plugin.progress)
        let does = PluginStanding.does(standing.manifest).map { kind, names -> [String: Any] in
            [
                "kind": kind.prefix(1).uppercased() + kind.dropFirst(),
                "names": PageWords.safe(names.joined(separator: ", ")),
            ]
        }
        var fields: [String: Any] = [
            "plugin": PageWords.safe(plugin.name), "link": "\(path)/\(PageCall.segment(plugin.name))",
            "version": PageWords.safe(plugin.version), "short": String(plugin.sha256.prefix(12)),
            "description": PageWords.safe(standing.manifest.description), "does": does,
            "may": plugin.rights.joined(separator: ", "), "isActive": plugin.state == .active,
            "isDisabled": plugin.state == .disabled, "isPaused": plugin.state == .paused,
            "handled": "\(progress.handled)", "behind": behind(standing.behind),
            "setAside": standing.failures > 0 ? "\(standing.failures)" : "",
        ]
        fields["last"] = progress.lastHandledAt.flatMap { call.words.moment(.string($0.description)) }
        fields["again"] = progress.retryAt.flatMap { call.words.moment(.string($0.description)) }
        return fields
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

import Circulation
import Storage

// What administrators are told of plugins that fail: one message a day and plugin, and one when it is paused. It names no
// words of the error, which may be about a person.
extension PluginService {
    /// So many administrators are written to.
    private static let mostTold: Int64 = 20

    /// An event was set aside, or a call failed.
    func tellSetAside(_ failure: PluginFailure) throws {
        let today = try session.settings.library().zone.date(of: session.now)
        let (subject, words) =
            failure.isCall
            ? ("Plugin \(failure.plugin) has failed", "Its \(failure.kind) came to no end")
            : (
                "Plugin \(failure.plugin) has set an event aside",
                "It could not handle event \(failure.event), \(failure.kind)"
            )
        try tell(
            key: "plugin:\(failure.plugin):\(today)", subject,
            "\(words)\(Self.place(of: failure)). No message tells of further ones today."
                + Self.whereToLook(failure.plugin))
    }

    /// A plugin was paused.
    func tellPaused(_ failure: PluginFailure) throws {
        try tell(
            key: "plugin:\(failure.plugin):paused:\(failure.event)", "Plugin \(failure.plugin) is paused",
            "All of its last \(Self.mostFailuresInRow) events failed, the last one\(Self.place(of: failure)). It handles"
                + " nothing until it is switched on again, or another version comes into force."
                + Self.whereToLook(failure.plugin))
    }

    private static func place(of failure: PluginFailure) -> String {
        guard let file = failure.fault.file else { return " (\(failure.fault.code))" }
        return " (\(failure.fault.code), \(file)\(failure.fault.line.map { ":\($0)" } ?? ""))"
    }

    private static func whereToLook(_ plugin: String) -> String {
        "\n\nThe page /desk/plugins and 'moonshelf plugin failures \(plugin)' show the errors; 'moonshelf plugin retry \(plugin)'"
            + " has the events tried again."
    }

    private func tell(key: String, _ subject: String, _ body: String) throws {
        let administrators = try session.transaction.patrons.of(role: .admin, limit: Self.mostTold)
        _ = try session.notices.record(
            administrators.map { patron in
                NoticeService.message(
                    to: patron.id, key, channel: (patron.email == nil ? NoticeChannel.inbox : .email).name,
                    subject: subject, body: body, at: session.now)
            })
    }
}

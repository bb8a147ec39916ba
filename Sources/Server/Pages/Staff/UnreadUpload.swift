import Circulation
import Desk
import Interchange
import Languages
import Plugins
import Scripting
import Storage

/// A file that was sent and that nothing in force reads, and the plugin that comes with the program and would.
struct UnreadUpload: Error {
    let problem: ImportProblem
    let plugin: String

    /// - Returns: nil: no plugin that comes along reads it either.
    /// - Throws: what the store throws.
    init?(_ problem: ImportProblem, at path: String, _ options: ImportOptions, _ call: PageCall) throws {
        let exchange = PluginExchange(
            desk: call.services.desk.acting(as: call.caller.actor), clock: call.services.clock,
            output: PluginNotes(call.services.teller))
        let others = try exchange.translators(of: call.services.shippedPlugins.all())
        let fields = try call.context.look { try $0.settings.customFields() }
        guard
            let name = UnreadFile.reader(
                of: path, problem, options, among: others, tally: try RowCounter(), fields: fields)
        else { return nil }
        (self.problem, plugin) = (problem, name)
    }

    /// What the page says in place of the problem's own words, which name a command.
    var words: String { say("Nothing that is in force reads this file.") }

    /// The plugin with its page.
    var reader: [String: Any] {
        ["plugin": PageWords.safe(plugin), "link": "\(PluginsPage.path)/\(PageCall.segment(plugin))"]
    }
}

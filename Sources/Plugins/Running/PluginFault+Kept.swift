package import Circulation
package import Desk
package import Scripting

extension Contribution {
    /// What it is and its name: `route GET /courier`.
    package var label: String {
        let what = ContributionKind.all.first { $0.key == kind }?.what.split(separator: " ").last
        return "\(what ?? "") \(name)"
    }
}

extension PluginFault {
    /// What a script failed by; nil: it is not the script's own fault, or no more than a wrong argument.
    package init?(_ result: ScriptResult) {
        guard let failure = result.failure, failure.status == .failed, failure.code != "interrupted" else { return nil }
        self.init(
            code: failure.code, message: failure.message, file: failure.file, line: failure.line.map { Int64($0) },
            trace: failure.traceback)
    }

    /// Keeps the error among the plugin's failures, in a transaction of its own. Where the store fails, it is said where
    /// it happened, and nowhere else.
    package func keep(of plugin: Plugin, _ entry: Contribution, at desk: Desk) {
        let label = entry.label
        let isKept = try? desk.read { try $0.plugins.isKept(self, label, of: plugin.name) }
        if isKept == false { try? desk.write { try $0.plugins.callFailed(label, of: plugin, self) } }
    }
}

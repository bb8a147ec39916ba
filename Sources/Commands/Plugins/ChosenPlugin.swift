import Circulation
import Desk
import Foundation
import Plugins
import Scripting
import TextFormats

/// A plugin that a command tries out: one in a folder, with the settings of the one of its name that is in force, or one
/// that is in force.
struct ChosenPlugin {
    let candidate: PluginReplay.Candidate

    /// - Parameter set: values of settings as the command line gives them.
    /// - Throws: ``PolicyFailure`` for a folder that cannot be read; ``CommandFailure``.
    init(_ name: String, set: [String], _ desk: Desk, _ workplace: Workplace) throws {
        var chosen: PluginReplay.Candidate
        if FileManager.default.fileExists(atPath: "\(name)/\(PluginFolder.mainName)") {
            let given = try GivenPlugin(folder: name, workplace)
            try given.requireNoFaults(workplace.console)
            // As `use` would have it: what is set of the one in force stays.
            let kept = try desk.read { try $0.plugins.get(given.manifest.name)?.settings } ?? [:]
            chosen = .init(
                bundle: given.bundle, manifest: given.manifest, rights: given.manifest.needs.map(\.rawValue),
                settings: kept)
        } else {
            let found = try desk.read { try InForce(name, $0).parts }
            chosen = .init(
                bundle: found.bundle, manifest: found.manifest, rights: found.plugin.rights,
                settings: found.plugin.settings)
        }
        chosen.settings = try PluginWords.values(of: chosen.manifest, keeping: chosen.settings, given: set)
        candidate = chosen
    }
}

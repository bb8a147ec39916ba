import Circulation
import Desk
import Foundation
import Interchange
import LuaRuntime
import Plugins
import Scripting
import TextFormats

extension ImportBench {
    /// A bench with plugins in force that come with the program.
    convenience init(shipped names: [String], settings: JSONObject = [:]) throws {
        try self.init()
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        for name in names {
            let folder = root.appending(path: "plugins/\(name)").path(percentEncoded: false)
            try use(PluginFolder(path: folder).bundle, settings: settings)
        }
    }

    /// A bench with a plugin in force whose main file is given.
    convenience init(source: String) throws {
        try self.init()
        try use(ParsedPolicy(name: PluginFolder.mainName, source: source).bundle)
    }

    /// Puts a plugin into force, or another version of it.
    func use(_ bundle: PolicyBundle, settings: JSONObject = [:]) throws {
        let manifest = PluginCheck(bundle).manifest
        let candidate = PluginCandidate(
            bundle: bundle, name: manifest.name, version: manifest.version, needs: [], settings: settings)
        if let refusal = try desk.write({ try $0.plugins.use(candidate, allowing: []).refusal }) {
            throw DeskError.input(nil, refusal.message)
        }
        translators = try exchange.translators()
    }

    var exchange: PluginExchange {
        PluginExchange(desk: desk, clock: FixedClock(Self.now), output: RecordedOutput(), limits: limits)
    }
}

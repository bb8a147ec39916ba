import LuaSyntax
import Scripting

/// The words that plugins and their tests find beside those of scripts.
package enum PluginWord {
    /// What a plugin finds beside the API: the word it is made by, its settings, and what it keeps.
    package static let ofPlugins = ["plugin", "state.get", "state.set", "state.each"]

    /// What the tests of a plugin find beside the words of policies' tests.
    package static let ofTests = ["emit", "outbox", "travel", "failures", "state.get", "state.set", "state.each"]

    static func known(settings: [PluginSetting]) -> KnownNames {
        var known = KnownNames.script
        for path in ofPlugins { known.add(path) }
        known.members["needs"] = nil
        known.members["args"] = nil
        known.members["settings"] = KnownNames(
            Dictionary(settings.map { ($0.name, KnownNames.leaf) }, uniquingKeysWith: { first, _ in first }))
        return known
    }
}

extension KnownNames {
    /// Adds `state.get` and the like.
    fileprivate mutating func add(_ path: String) {
        let parts = path.split(separator: ".").map(String.init)
        if parts.count == 1 {
            members[path] = .leaf
        } else {
            members[parts[0], default: .leaf].members[parts[1]] = .leaf
        }
    }
}

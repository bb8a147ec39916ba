import LuaSyntax
import Scripting

extension PluginWord {
    /// All names that a plugin with such settings may use, or a report of it.
    static func known(settings: [PluginSetting], isReport: Bool = false) -> KnownNames {
        var known = KnownNames.script
        for path in ofPlugins where !isReport || path != "plugin" { known.add(path) }
        if !isReport {
            known.members["needs"] = nil
            known.members["args"] = nil
        }
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

/// The name of something that a plugin adds, as the whole library knows it: `courier:list`. No two plugins have the same,
/// and nothing else of the library has a name of that form.
package struct PluginPart: Hashable, Sendable, CustomStringConvertible {
    /// The plugin's name.
    package let plugin: String
    /// What the plugin calls it.
    package let name: String

    package init(plugin: String, name: String) {
        self.plugin = plugin
        self.name = name
    }

    /// Reads `courier:list`; nil for what has not that form.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(Self.isName) else { return nil }
        self.init(plugin: parts[0], name: parts[1])
    }

    package var description: String { "\(plugin):\(name)" }

    /// Whether a text is a name of its own form: at most 40 lower-case letters, digits, `-` and `_`, a letter first.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first &- 0x61 < 26, text.utf8.count <= 40, !text.hasSuffix("-") else {
            return false
        }
        return text.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x5F }
    }
}

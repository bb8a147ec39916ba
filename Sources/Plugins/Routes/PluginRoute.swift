package import Circulation
package import Scripting
import TextFormats

/// A route that a plugin in force adds.
package struct PluginRoute: Routed {
    /// A method of HTTP.
    package enum Verb: String, Hashable, Sendable, CaseIterable {
        case get, post, put, patch, delete, options
        /// Every method that nothing else at the path answers by.
        case others = "*"
    }

    /// The plugin as it is in force.
    package let plugin: Plugin
    package let entry: Contribution
    package let verb: Verb
    package let path: String
    package let access: APIRoute.Access

    package static var rest: Verb? { .others }

    /// Where its requests have the caller's token: the name of a part of the path, or `none`; nil: in the header.
    private var token: String? { entry.values["token"]?.stringValue }
    /// Whether no token is looked at: callers are anonymous.
    package var knowsNobody: Bool { token == Self.none }
    /// The name of the part of its path that is the caller's token.
    package var tokenName: String? { knowsNobody ? nil : token }
    /// The group of functions of which a key has to be good that lets callers in; nil: keys for everything alone.
    package var scope: String? { entry.values["scope"]?.stringValue }
    /// The name under which its requests are counted.
    package var name: String { "plugin:\(plugin.name) \(verb == .others ? "other" : verb.rawValue) \(path)" }

    /// The names in the path.
    package var pathNames: [String] { Self.names(in: path) }

    private static let none = "none"
    private static let longestPath = 200

    /// - Returns: nil for an entry that the check would refuse.
    init?(_ entry: Contribution, of plugin: Plugin) {
        guard Self.problem(of: entry) == nil, let (verb, path) = Self.parts(of: entry.name),
            let role = entry.values["role"]?.stringValue.flatMap(PluginRole.init)
        else { return nil }
        self.plugin = plugin
        self.entry = entry
        self.verb = verb
        self.path = path
        access = role.access
    }

    /// The routes of a plugin.
    package static func all(of plugin: Plugin, _ manifest: PluginManifest) -> [PluginRoute] {
        manifest.contributions(of: .routes).compactMap { PluginRoute($0, of: plugin) }
    }

    /// Those of all plugins that are in force; of two with one path, the one that came first is there.
    package static func all(of plugins: [PluginPool.Entry]) -> [PluginRoute] {
        var owners: [PathPattern: String] = [:]
        return plugins.sorted { $0.plugin.id < $1.plugin.id }.flatMap { entry in
            all(of: entry.plugin, entry.manifest).filter { route in
                let owner = owners[PathPattern(route.path)] ?? entry.plugin.name
                owners[PathPattern(route.path)] = owner
                return owner == entry.plugin.name
            }
        }
    }

    // MARK: - How it is written

    static func parts(of name: String) -> (verb: Verb, path: String)? {
        let words = name.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard words.count == 2, words[0] == words[0].uppercased(),
            let verb = Verb(rawValue: words[0].lowercased())
        else { return nil }
        return (verb, words[1])
    }

    static func names(in path: String) -> [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// What is wrong with a route as it is written; nil: nothing.
    static func problem(of entry: Contribution) -> String? {
        guard let (_, path) = parts(of: entry.name) else {
            let verbs = Verb.allCases.map { $0.rawValue.uppercased() }.joined(separator: ", ")
            return "a route is named by one of \(verbs) and a path, such as \"GET /courier/{branch}\""
        }
        if let problem = problem(ofPath: path) { return problem }
        guard let token = entry.values["token"]?.stringValue, token != none else { return nil }
        guard !names(in: path).contains(token) else { return nil }
        return "'token' is a name in the path, or \"none\""
    }

    /// What is wrong with a path as it is written; nil: nothing.
    static func problem(ofPath path: String) -> String? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isWord = { (text: Substring) in
            !text.isEmpty && text != "." && text != ".."
                && text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "-_.~".utf8.contains($0) }
        }
        let isSound = segments.allSatisfy { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}") ? isWord(segment.dropFirst().dropLast()) : isWord(segment)
        }
        guard path.hasPrefix("/"), !segments.isEmpty, isSound, path.utf8.count <= longestPath else {
            return "a path is /words of letters, digits, - and _, and names in braces, such as \"/courier/{branch}\""
        }
        let names = names(in: path)
        return Set(names).count == names.count ? nil : "a name stands twice in the path"
    }
}

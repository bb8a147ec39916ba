package import Circulation
package import Desk
import LuaSyntax
import Scripting
import TextFormats

/// A path at which something answers already.
package struct TakenPath: Sendable {
    let pattern: PathPattern
    /// Whether all that is below it is taken as well.
    let isWhole: Bool
    /// The plugin that answers there; nil: the library. Of plugins' paths that fit a request the one with more words
    /// answers, so that they are in each other's way only where they are the same.
    let plugin: String?
    /// What has it, in the middle of a sentence.
    let owner: String

    /// - Parameter isWhole: whether all that is below it is taken as well.
    package init(_ path: String, by owner: String, isWhole: Bool = false) {
        pattern = PathPattern(path)
        self.isWhole = isWhole
        self.owner = owner
        plugin = nil
    }

    fileprivate init(_ path: String, of plugin: String) {
        pattern = PathPattern(path)
        isWhole = false
        owner = "answered at by the plugin '\(plugin)'"
        self.plugin = plugin
    }

    /// Whether nothing but its owner could ever answer at a path.
    func covers(_ path: PathPattern) -> Bool {
        if plugin != nil { return pattern == path }
        return pattern.covers(path) || isWhole && path.segments.starts(with: pattern.segments)
    }
}

/// Whose a path is. What the library itself answers at comes first; of plugins each path is one's.
package enum PluginPaths {
    /// Finds routes and pages that the library would answer at itself, or that stand at one path twice.
    static func findings(in manifest: PluginManifest, taken: [TakenPath], file: String) -> [Finding] {
        var findings: [Finding] = []
        var seen: [String: Contribution] = [:]
        let pages = Set(manifest.contributions(of: .pages).map { PathPattern($0.name) })
        for (entry, path) in entries(of: manifest) {
            let pattern = PathPattern(path)
            func report(_ message: String) {
                findings.append(Finding(code: "path_taken", file: file, range: entry.range, message: message))
            }
            let others = taken.lazy.filter { $0.plugin == nil || $0.plugin != manifest.name }
            if let taken = others.first(where: { $0.covers(pattern) }) {
                report("\(SafeText.line(path)) is \(taken.owner)")
            }
            // At its path a page answers alone, whatever the method.
            if entry.kind == ContributionKind.routes.key, pages.contains(pattern) {
                report("'\(SafeText.line(entry.name))' stands where the page '\(SafeText.line(path))' does")
                continue
            }
            let key = PluginRoute.parts(of: entry.name).map { "\($0.verb)" } ?? "get"
            let place = "\(key) \(pattern.segments.map { $0 ?? "{}" }.joined(separator: "/"))"
            if let other = seen[place] {
                report("'\(SafeText.line(entry.name))' stands where '\(SafeText.line(other.name))' does")
            }
            seen[place] = entry
        }
        return findings
    }

    /// The paths of all plugins in force.
    ///
    /// - Throws: what the store throws.
    package static func taken(in session: DeskSession) throws -> [TakenPath] {
        try session.plugins.list().filter { $0.state == .active }.flatMap { plugin in
            try entries(of: PluginManifest(of: plugin.sha256, in: session)).map { TakenPath($0.path, of: plugin.name) }
        }
    }

    /// What another plugin in force has of the paths of a plugin, in words; nil: nothing.
    ///
    /// - Throws: what the store throws.
    package static func taken(from plugin: Plugin, in session: DeskSession) throws -> String? {
        let own = try Set(entries(of: PluginManifest(of: plugin.sha256, in: session)).map { PathPattern($0.path) })
        guard !own.isEmpty else { return nil }
        for other in try session.plugins.list() where other.name != plugin.name && other.state == .active {
            for (_, path) in try entries(of: PluginManifest(of: other.sha256, in: session))
            where own.contains(PathPattern(path)) {
                return "\(path) is answered at by the plugin '\(other.name)'"
            }
        }
        return nil
    }

    private static func entries(of manifest: PluginManifest) -> [(entry: Contribution, path: String)] {
        manifest.contributions.compactMap { entry -> (entry: Contribution, path: String)? in
            switch entry.kind {
            case ContributionKind.routes.key: PluginRoute.parts(of: entry.name).map { (entry: entry, path: $0.path) }
            case ContributionKind.pages.key: (entry, entry.name)
            default: nil
            }
        }
    }
}

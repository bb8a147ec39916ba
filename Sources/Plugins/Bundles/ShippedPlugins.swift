package import Circulation
import Foundation
import LuaSyntax
import Scripting
import Synchronization

/// A plugin that comes with the program, and what its file says of itself.
package struct ShippedPlugin: Sendable {
    package let bundle: PolicyBundle
    package let manifest: PluginManifest

    /// Whether its version comes after another one, by the numbers in both: 1.10.0 after 1.9.3.
    package func isNewer(than version: String) -> Bool {
        manifest.version.compare(version, options: .numeric) == .orderedDescending
    }
}

/// The plugins that come with the program: the folders of one folder. Each is read when it is first asked for, and again once a
/// file of it has changed.
package final class ShippedPlugins: Sendable {
    private struct Known: Sendable {
        let state: [FileState]
        /// nil: it is no plugin, or cannot be read.
        let plugin: ShippedPlugin?
    }

    private struct FileState: Hashable, Sendable {
        let name: String
        let changed: Date?
        let size: Int?
    }

    private let folder: URL?
    private let known = Mutex<[String: Known]>([:])

    /// - Parameter folder: nil: none come along.
    package init(folder: String?) {
        self.folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory).standardizedFileURL }
    }

    /// All of them, by name. What is no plugin, or cannot be read, is left out.
    package func all() -> [ShippedPlugin] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { !$0.hasPrefix(".") }.compactMap { plugin(in: folder.appending(path: $0)) }
            .sorted { $0.manifest.name < $1.manifest.name }
    }

    /// The plugin of a name; nil: none of that name comes along.
    package func plugin(_ name: String) -> ShippedPlugin? { all().first { $0.manifest.name == name } }

    private func plugin(in place: URL) -> ShippedPlugin? {
        let path = place.path(percentEncoded: false)
        let state = Self.state(of: place)
        return known.withLock { known in
            if let kept = known[path], kept.state == state { return kept.plugin }
            let plugin = Self.read(path)
            known[path] = Known(state: state, plugin: plugin)
            return plugin
        }
    }

    private static func read(_ path: String) -> ShippedPlugin? {
        guard let bundle = try? PluginFolder(path: path).bundle, let main = bundle.files.first,
            let chunk = try? LuaParser.parse(main.source, chunk: main.name, maximumSize: PolicyBundle.maximumFileSize)
        else { return nil }
        let manifest = PluginManifestReader(chunk).manifest
        return manifest.name.isEmpty ? nil : ShippedPlugin(bundle: bundle, manifest: manifest)
    }

    /// What tells that a file was changed.
    private static func state(of place: URL) -> [FileState] {
        let keys: [URLResourceKey] = [.contentModificationDateKey, .fileSizeKey]
        let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: keys)
        let states = (files?.allObjects as? [URL] ?? []).map { file in
            let values = try? file.resourceValues(forKeys: Set(keys))
            return FileState(
                name: file.path(percentEncoded: false), changed: values?.contentModificationDate, size: values?.fileSize
            )
        }
        return states.sorted { $0.name < $1.name }
    }
}

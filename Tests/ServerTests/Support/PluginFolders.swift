import Foundation

/// A folder of plugins as it comes with a program, which a test writes.
final class PluginFolders: Sendable {
    let path: String

    /// The folder that the repository has, and the one of its policies.
    static let shipped = repository("plugins")
    static let policies = repository("policies")

    private static func repository(_ name: String) -> String {
        URL(filePath: #filePath).appending(path: "../../../../\(name)").standardizedFileURL.path(percentEncoded: false)
    }

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plugins-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a plugin's files.
    ///
    /// - Parameters:
    ///   - parts: what its table has beside api, name and version, in Lua.
    ///   - tests: the text of its tests; nil: it has none.
    func write(_ name: String, version: String = "1.0.0", _ parts: String, tests: String? = nil) throws {
        let folder = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = "return plugin { api = 1, name = \"\(name)\", version = \"\(version)\", \(parts) }\n"
        try Data(source.utf8).write(to: folder.appending(path: "plugin.lua"))
        let file = folder.appending(path: "plugin_test.lua")
        if let tests { try Data(tests.utf8).write(to: file) } else { try? FileManager.default.removeItem(at: file) }
    }
}

import Circulation
import Foundation
import Plugins
import Testing

@Suite("Plugins that come with the program")
struct ShippedPluginTests {
    private func write(_ name: String, _ text: String, in folder: URL) throws {
        let place = folder.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place.appending(path: "plugin.lua"))
    }

    private func plugin(_ name: String, _ version: String) -> String {
        "return plugin { api = 1, name = \"\(name)\", version = \"\(version)\" }"
    }

    @Test("they are found by their own names, and read again once a file has changed")
    func found() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shipped-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("b", plugin("beta", "1"), in: folder)
        try write("a", plugin("alpha", "1"), in: folder)
        try write("c", "return 1", in: folder)
        try write("d", "on = ", in: folder)
        try Data().write(to: folder.appending(path: "README"))
        let shipped = ShippedPlugins(folder: folder.path(percentEncoded: false))
        #expect(shipped.all().map(\.manifest.name) == ["alpha", "beta"])
        #expect(shipped.plugin("a") == nil && shipped.plugin("../b") == nil)
        let before = try #require(shipped.plugin("beta"))
        try write("b", plugin("beta", "1.10"), in: folder)
        let after = try #require(shipped.plugin("beta"))
        #expect(after.manifest.version == "1.10" && after.bundle.sha256 != before.bundle.sha256)
        try FileManager.default.removeItem(at: folder.appending(path: "b"))
        #expect(shipped.all().map(\.manifest.name) == ["alpha"])
        #expect(ShippedPlugins(folder: nil).all().isEmpty)
        #expect(ShippedPlugins(folder: folder.path(percentEncoded: false) + "/none").all().isEmpty)
    }

    @Test(
        "versions are compared by their numbers",
        arguments: [
            ("1.10.0", "1.9.3", true), ("1.9.3", "1.10.0", false), ("2", "1.9", true), ("1.0.0", "1.0.0", false),
            ("1.0.1", "1.0", true),
        ])
    func versions(own: String, other: String, isNewer: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shipped-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("a", plugin("alpha", own), in: folder)
        let found = try #require(ShippedPlugins(folder: folder.path(percentEncoded: false)).plugin("alpha"))
        #expect(found.isNewer(than: other) == isNewer)
    }
}

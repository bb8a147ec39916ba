import Foundation

/// A script that breaks a careless host. It must end in time, in bounds, as an error or a result.
package struct HostileScript: Sendable, CustomStringConvertible {
    package let name: String
    package let source: String

    package var description: String { name }

    package init(_ name: String, _ source: String) {
        self.name = name
        self.source = source
    }
}

extension HostileScript {
    /// Ours, by what they attack.
    package static let own = time + memory + depth + coroutines + patterns + metatables + loading

    /// The files of `Tests/Data/hostile`: other people's, each a few lines.
    package static let files: [HostileScript] = {
        let folder = PackageFolder.url.appending(path: "Tests/Data/hostile")
        let urls = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (urls ?? []).filter { $0.pathExtension == "lua" }.sorted { $0.path < $1.path }.map { url in
            HostileScript(url.lastPathComponent, (try? String(contentsOf: url, encoding: .utf8)) ?? "")
        }
    }()
}

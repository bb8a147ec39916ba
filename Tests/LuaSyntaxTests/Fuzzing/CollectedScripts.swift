import Foundation
import TestSupport

/// Lua scripts of this package and of ``SharedData``, where that is.
enum CollectedScripts {
    struct Script {
        var name: String
        var source: [UInt8]
    }

    /// All `.lua` files in the folders of interest, by name.
    static func all() throws -> [Script] {
        let own = ["Tests/Data/hostile", "policies", "scripts"].map { PackageFolder.url.appending(path: $0) }
        let shared = ["workload", "sketches"].map { SharedData.folder.appending(path: $0) }
        return try (own + shared).flatMap(scripts)
    }

    private static func scripts(in folder: URL) throws -> [Script] {
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        let urls = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "lua" }
        return try urls.sorted { $0.path < $1.path }.map { url in
            Script(name: url.lastPathComponent, source: Array(try Data(contentsOf: url)))
        }
    }

    /// A source in stretches of twelve lines, for mutants that are quick to judge.
    static func windows(of source: [UInt8]) -> [[UInt8]] {
        let lines = source.split(separator: 0x0A, omittingEmptySubsequences: false)
        return stride(from: 0, to: lines.count, by: 12).map { start in
            Array(lines[start..<min(start + 12, lines.count)].joined(separator: [0x0A]))
        }
    }
}

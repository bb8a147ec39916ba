package import Foundation

/// The folder of the package itself, whose data tests may rely on.
package enum PackageFolder {
    // Tests/Support/ lies two folders below it.
    package static let url = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
}

/// The collection of published test data that lies beside a development tree: `MOONSHELF_SHARED`, or `../shared`.
package enum SharedData {
    package static let isMissing: Bool = !FileManager.default.fileExists(atPath: folder.appending(path: "data").path)

    /// Why a test is skipped that needs it.
    package static let reason = "the shared test data is not there; set MOONSHELF_SHARED"

    package static let folder: URL = {
        let package = PackageFolder.url
        if let path = ProcessInfo.processInfo.environment["MOONSHELF_SHARED"] {
            return URL(filePath: path, relativeTo: package).absoluteURL
        }
        return package.deletingLastPathComponent().appending(path: "shared")
    }()

    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The names of the files of a folder that begin with `prefix`, in order; none if the data is missing.
    package static func files(in path: String, prefix: String = "", suffix: String = "") -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
        return (names ?? []).filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }.sorted()
    }

    package static func path(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    /// The paths of the files of a folder whose names end so, in order; none if the data is missing.
    package static func paths(in folder: String, suffix: String = "") -> [String] {
        files(in: folder, suffix: suffix).map { path("\(folder)/\($0)") }
    }
}

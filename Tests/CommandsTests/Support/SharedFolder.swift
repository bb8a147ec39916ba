import Foundation

/// The collection of published data and cases that lies beside a development tree: `MOONSHELF_SHARED`, or `../shared`.
enum SharedFolder {
    static let url: URL = {
        guard let path = ProcessInfo.processInfo.environment["MOONSHELF_SHARED"] else {
            return BuiltCommand.root.deletingLastPathComponent().appending(path: "shared")
        }
        return URL(filePath: path, relativeTo: BuiltCommand.root).absoluteURL
    }()

    static let isThere = FileManager.default.fileExists(atPath: path("data"))

    /// Why a test is skipped that needs it.
    static let reason = "the shared data is not here; set MOONSHELF_SHARED"

    static func path(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }

    /// The paths of the files of a folder, by name; none if it is missing.
    static func files(in folder: String, suffix: String = "") -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { path("\(folder)/\($0)") }
    }
}

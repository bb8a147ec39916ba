import Foundation

/// Folders that come with the program: `data`, `plugins`, `policies`, `scripts`.
enum ShippedFolders {
    /// Where a folder may be: beside the program or above it, as where it was built, and below `share/moonshelf` there, as where
    /// it was installed; the nearest first.
    static func places(of name: String) -> [URL] {
        var place = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
        if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            place = URL(filePath: program)
        }
        return (0..<5).flatMap { _ in
            place.deleteLastPathComponent()
            return [place.appending(path: name), place.appending(path: "share/moonshelf/\(name)")]
        }
    }

    /// The first place at which a folder is, which is told by a file of it.
    ///
    /// - Parameter first: where it is looked for before that.
    static func find(_ name: String, first: [URL] = [], by file: (URL) -> URL) -> String? {
        (first + places(of: name)).first {
            FileManager.default.fileExists(atPath: file($0).path(percentEncoded: false))
        }?.path(percentEncoded: false)
    }
}

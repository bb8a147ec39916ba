import Foundation

/// Folders that come with the program: `data`, `policies`, `scripts`.
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
}

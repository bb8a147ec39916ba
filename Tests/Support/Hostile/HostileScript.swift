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

    /// Those of the shared cases; none if they are missing.
    package static let shared = SharedData.paths(in: "cases/hostile", suffix: ".lua").map { path in
        HostileScript(
            URL(filePath: path).lastPathComponent, (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }
}

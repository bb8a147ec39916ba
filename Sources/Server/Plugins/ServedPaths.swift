package import Plugins

/// What the server answers at by itself: no plugin has a route there.
package enum ServedPaths {
    package static let taken: [TakenPath] =
        [
            TakenPath(RouteTable.root, by: "the library's API's", isWhole: true),
            TakenPath("/health", by: "the server's own"), TakenPath("/metrics", by: "the server's own"),
        ] + PageTable.all.map { TakenPath($0.path, by: "the library's page \($0.path)") }
}

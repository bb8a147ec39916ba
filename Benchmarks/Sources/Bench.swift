package import Foundation
package import TestSupport

/// What all measurements of one run go by.
package struct Bench {
    package var size: SampleLibrary.Size
    /// How many checkouts and decisions to measure.
    package var rounds: Int
    /// Where stores are kept between runs and copied to.
    package var folder: URL
    /// A server for what others do, nil where there is none. It waits for the disk, as a store does.
    package var server: () throws -> PostgresServer? = { PostgresServer.isMissing ? nil : try PostgresServer() }

    package init(size: SampleLibrary.Size, rounds: Int, folder: URL) {
        self.size = size
        self.rounds = rounds
        self.folder = folder
    }

    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let buildFolder = package.appendingPathComponent(".build/benchmarks")
}

/// Why nothing could be measured.
struct BenchFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

import ArgumentParser
import Storage

/// Where the records of a library that is measured are.
package enum MeasuredStore: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    case sqlite, postgres

    /// Copies a store's file into a database of a server, all of it.
    static func copy(_ path: String, to url: String) throws {
        let source = try SQLiteStore.openToCopy(path)
        let target = try PostgresStore.open(url, create: true)
        _ = try StoreCopy(from: source, to: target, isReplaceable: { _ in true }).run()
        try target.close()
        try source.close()
    }
}

import ArgumentParser
import Circulation
import Desk
import Foundation
import Storage
import TestSupport

/// What one checkout takes in libraries of several sizes, by itself: no floor runs beside it, so that a profiler sees it alone.
struct Checkouts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkouts",
        abstract: "Measure checkouts, each durable when it returns, in libraries of several sizes.")

    @Option(help: "The sizes, as powers of ten, by commas.")
    var decades = "4,5"

    @Option(help: "Where the libraries are: \(MeasuredStore.allCases.map(\.rawValue).joined(separator: ", ")).")
    var store = MeasuredStore.sqlite

    @Option(help: "How many checkouts are measured in each.")
    var rounds = 1_000

    /// So many go before, which fill the caches.
    private static let warmUp = 50

    func run() throws {
        let server = store == .postgres ? try PostgresServer() : nil
        defer { server?.stop() }
        print("titles   processor   clock  (microseconds a checkout)   pages of log")
        for titles in try Growth.sizes(decades) {
            let (cost, pages) = try measure(titles, server)
            let figures = [String(titles), Self.text(cost.cpu / 1000), Self.text(cost.wall / 1000)]
            print(figures.joined(separator: "   "), pages.map(Self.text) ?? "", separator: "   ")
        }
    }

    private static func text(_ figure: Double) -> String { "\((figure * 10).rounded() / 10)" }

    private func measure(_ titles: Int, _ server: PostgresServer?) throws -> (cost: Cost, pages: Double?) {
        let library = try GrownLibrary(titles: titles, folder: Bench.buildFolder)
        let path = library.path
        let requests = try CheckoutRequests(grown: titles).allowed(Self.warmUp + rounds, by: library.desk)
        try library.close()
        let (store, log) = try opened(path, server)
        defer { try? SampleStore.remove(Self.copy.path) }
        let desk = SampleStore.desk(over: store)
        for request in requests.prefix(Self.warmUp) { try CheckoutBenchmark.lend(request, desk) }
        let clock = try server.map { try ServerClock($0, clients: 1) }
        _ = log?.takeCount()
        let cost = try Cost.measure(units: rounds, elsewhere: { clock?.time() ?? 0 }) {
            for request in requests.dropFirst(Self.warmUp) {
                try CheckoutBenchmark.lend(request, desk)
                log?.look()
            }
        }
        try store.close()
        return (cost, log.map { Double($0.takeCount()) / Double(rounds) })
    }

    private static let copy = Bench.buildFolder.appendingPathComponent("checkouts.db")

    private func opened(_ path: String, _ server: PostgresServer?) throws -> (any Store, LogWatch?) {
        if let server {
            let database = try server.database()
            try MeasuredStore.copy(path, to: server.url(database))
            _ = try server.execute("ANALYZE", in: database)
            return (try PostgresStore.open(server.url(database)), nil)
        }
        try SampleStore.remove(Self.copy.path)
        try FileManager.default.copyItem(atPath: path, toPath: Self.copy.path)
        sync()
        let store = try SQLiteStore.open(.file(Self.copy.path))
        return (store, try LogWatch(of: Self.copy.path))
    }
}

/// Counts the pages that come into the log of a store, by the index of that log.
private final class LogWatch {
    /// Never closed: with any descriptor of the file a process would lose its locks on it.
    private let index: Int32
    private var last: UInt32 = 0
    private var count = 0

    init(of path: String) throws {
        index = open(path + "-shm", O_RDONLY | O_CLOEXEC)
        guard index >= 0 else { throw BenchFailure("\(path) has no log") }
        look()
    }

    /// To be called after each commit: of a log that was begun anew all is new.
    func look() {
        var now: UInt32 = 0
        // `mxFrame`, in SQLite's "WAL-Index File Format".
        guard pread(index, &now, 4, 16) == 4 else { return }
        count += Int(now >= last ? now - last : now)
        last = now
    }

    func takeCount() -> Int {
        look()
        defer { count = 0 }
        return count
    }
}

import Floors

/// Somebody else's way to do the bare workload, on the rows of a ``BareLibrary``.
protocol BareDesk: AnyObject {
    /// What lends here, for a person.
    static var name: String { get }

    /// CPU time, in nanoseconds, that another process has spent for it so far.
    func elsewhere() -> UInt64
    /// Decides each request and writes the loan, durable before the next one.
    ///
    /// - Returns: how many were granted, and the sum of their due days.
    func lend(_ requests: ArraySlice<floor_request>) throws -> floor_outcome
    /// Writes a notice for each loan that is overdue.
    ///
    /// - Returns: how many, and the sum of their fees.
    func remind() throws -> floor_outcome
}

extension BareDesk {
    func elsewhere() -> UInt64 { 0 }
}

extension floor_outcome {
    static func + (left: Self, right: Self) -> Self {
        floor_outcome(count: left.count + right.count, sum: left.sum + right.sum)
    }
}

/// C on bare tables of SQLite, as durable as ours.
final class SQLiteBareDesk: BareDesk {
    static let name = "C on bare tables of SQLite"

    /// As the workload's own program sets them.
    private static let settings =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456"

    private let bare: OpaquePointer

    init(path: String) throws {
        guard let bare = floor_bare_open(path, Self.settings) else {
            throw BenchFailure("the bare desk cannot open \(path)")
        }
        self.bare = bare
    }

    deinit {
        floor_bare_close(bare)
    }

    func decide(_ requests: ArraySlice<floor_request>) throws -> floor_outcome {
        try ask(requests, floor_bare_decide)
    }

    func lend(_ requests: ArraySlice<floor_request>) throws -> floor_outcome { try ask(requests, floor_bare_lend) }

    func remind() throws -> floor_outcome {
        var outcome = floor_outcome()
        guard floor_bare_overdue(bare, &outcome) else { throw BenchFailure("the bare overdue run failed") }
        return outcome
    }

    private func ask(
        _ requests: ArraySlice<floor_request>,
        _ work:
            (OpaquePointer?, UnsafePointer<floor_request>?, Int64, UnsafeMutablePointer<floor_outcome>?) -> Bool
    ) throws -> floor_outcome {
        var outcome = floor_outcome()
        let isDone = requests.withUnsafeBufferPointer { work(bare, $0.baseAddress, Int64($0.count), &outcome) }
        guard isDone else { throw BenchFailure("the bare desk failed") }
        return outcome
    }
}

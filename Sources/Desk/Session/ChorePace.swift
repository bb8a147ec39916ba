import Glibc

/// How a chore that goes through many records shares the store with those who lend.
///
/// Each page is a transaction of its own. It has as many records as are done in the time for which others may be kept
/// waiting, and before the next page is a pause in which those who wait get their turn.
package struct ChorePace {
    /// For how long a page may keep others waiting.
    static let pageTime = Duration.milliseconds(10)
    /// How many records the first page has.
    static let firstSize: Int64 = 32
    /// How many records a page has at most, however quickly they are done.
    static let most: Int64 = 500

    /// How many records the next page has.
    private(set) var size: Int64
    private let isFixed: Bool
    private var pause = Duration.zero

    /// - Parameter size: how many records each page has; nil: as many as are done in ``pageTime``.
    package init(size: Int64? = nil) {
        self.size = size.map { max(1, $0) } ?? Self.firstSize
        isFixed = size != nil
    }

    /// Does the next page.
    ///
    /// - Parameter body: does as many records as it is told.
    mutating func page<Result>(of desk: Desk, _ body: (DeskSession, Int64) throws -> Result) throws -> Result {
        try transaction(of: desk) { [size] session in try body(session, size) }
    }

    /// Does the next page of what cannot be measured by records, each of which takes its own time.
    ///
    /// - Parameter body: ends soon after the moment that it is told.
    package mutating func turn<Result>(
        of desk: Desk, _ body: (DeskSession, ContinuousClock.Instant) throws -> Result
    ) throws -> Result {
        try transaction(of: desk) { session in try body(session, .now + Self.pageTime) }
    }

    private mutating func transaction<Result>(of desk: Desk, _ body: (DeskSession) throws -> Result) throws -> Result {
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        // Measured within the transaction: until it has its turn, the chore itself waits.
        let (result, taken) = try desk.write(isLong: true) { session in
            let start = ContinuousClock.now
            let result = try body(session)
            return (result, ContinuousClock.now - start)
        }
        adapt(to: taken)
        return result
    }

    /// Makes the next page as long as the last one suggests, at most four times as long and at least a quarter.
    mutating func adapt(to taken: Duration) {
        if !isFixed {
            let wanted = Double(size) * (Self.pageTime / max(taken, .microseconds(1)))
            size = min(Self.most, max(1, size / 4, Int64(min(wanted, 4 * Double(size)))))
        }
        // A process that waits for another one looks every half millisecond whether the store is free.
        pause = min(taken, Self.pageTime) / 5
    }
}

import Glibc

/// How a chore that goes through many records shares the store with those who lend.
///
/// Each page is a transaction of its own. It has as many records as are done in the time for which others may be kept
/// waiting, and before the next page is a pause in which those who wait get their turn.
struct ChorePace {
    /// For how long a page may keep others waiting.
    static let pageTime = Duration.milliseconds(20)
    /// How many records the first page has.
    static let firstSize: Int64 = 32
    /// How many records a page has at most, however quickly they are done.
    static let most: Int64 = 500

    /// How many records the next page has.
    private(set) var size: Int64
    private let isFixed: Bool
    private var pause = Duration.zero

    /// - Parameter size: how many records each page has; nil: as many as are done in ``pageTime``.
    init(size: Int64? = nil) {
        self.size = size.map { max(1, $0) } ?? Self.firstSize
        isFixed = size != nil
    }

    /// Does the next page.
    ///
    /// - Parameter body: does as many records as it is told.
    mutating func page<Result>(of desk: Desk, _ body: (DeskSession, Int64) throws -> Result) throws -> Result {
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        // Measured within the transaction: until it has its turn, the chore itself waits.
        let (result, taken) = try desk.write(isLong: true) { [size] session in
            let start = ContinuousClock.now
            let result = try body(session, size)
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
        // A process that waits for another one looks every few milliseconds whether the store is free.
        pause = min(taken, Self.pageTime) / 4
    }
}

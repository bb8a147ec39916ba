import Synchronization

/// Where the time comes from. Only the command line reads the calendar clock; everything below is given one of these.
package protocol Clock: Sendable {
    /// The moment it is.
    func now() -> Instant
}

/// A clock that stands still: `--now`, a replay, a policy's test.
package struct FixedClock: Clock, Hashable {
    private let instant: Instant

    package init(_ instant: Instant) {
        self.instant = instant
    }

    package func now() -> Instant { instant }
}

/// A clock that is moved by hand, from any thread.
package final class ManualClock: Clock {
    private let instant: Mutex<Instant>

    package init(_ instant: Instant) {
        self.instant = Mutex(instant)
    }

    package func now() -> Instant { instant.withLock { $0 } }

    /// Moves the clock to `instant`, also back.
    package func set(_ instant: Instant) {
        self.instant.withLock { $0 = instant }
    }

    /// Moves the clock forward by so many microseconds.
    ///
    /// - Throws: ``TimeError/Code/outOfRange``; the clock then stands where it stood.
    package func advance(microseconds: Int64) throws(TimeError) {
        let result = instant.withLock { instant in
            Result { () throws(TimeError) in
                let moved = try instant.adding(microseconds: microseconds)
                instant = moved
            }
        }
        try result.get()
    }
}

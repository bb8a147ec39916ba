import Glibc

/// Processor time of the calling thread: what work costs, however much else the machine does meanwhile.
///
/// Bounds were set on one machine. Where one is passed, a fixed piece of work says how many times slower this machine is at
/// that moment, and the bound is moved by as much.
package enum ProcessorTime {
    package static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// What `body` took of this thread.
    package static func spent(_ body: () throws -> Void) rethrows -> Duration {
        let start = now()
        try body()
        return now() - start
    }

    /// Whether so much is within the bound, on a machine as slow as this one is now.
    package static func isWithin(_ bound: Duration, _ spent: Duration) -> Bool {
        spent < bound || spent < bound * slowness()
    }

    /// How many times longer the fixed piece of work takes than it did where the bounds were set; from 1 to 10.
    package static func slowness() -> Double {
        let taken = (0..<5).map { _ in spent { fixedWork() } }.max() ?? usual
        return min(10, max(1, taken / usual))
    }

    /// What the fixed piece of work takes without optimization on a quiet machine of 2026.
    private static let usual = Duration.milliseconds(20)

    private static func fixedWork() {
        var counts: [Int: Int] = [:]
        var texts: [String] = []
        for number in 0..<150_000 {
            counts[number % 701, default: 0] += number
            if number % 3 == 0 { texts.append(String(number)) }
        }
        precondition(counts.count == 701 && texts.count == 50_000)
    }
}

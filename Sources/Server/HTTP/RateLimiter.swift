import Synchronization

/// Counts what somebody does, and says when it was too much: a bucket that fills again at a steady rate.
///
/// Whoever is told to wait is let on as soon as the bucket holds something again; nobody is locked out.
final class RateLimiter: Sendable {
    struct Rate: Hashable, Sendable {
        /// How much goes at once.
        var burst: Double
        /// How much comes back each second.
        var perSecond: Double
    }

    private struct Bucket {
        var level: Double
        var at: ContinuousClock.Instant
    }

    private let rate: Rate
    private let mostKnown: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    init(_ rate: Rate, mostKnown: Int = 100_000) {
        self.rate = rate
        self.mostKnown = mostKnown
    }

    /// Takes one out of somebody's bucket.
    ///
    /// - Returns: nil if there was one; else the seconds until there is.
    func take(_ key: String, now: ContinuousClock.Instant = .now) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= mostKnown, buckets[key] == nil { forget(&buckets, now) }
            var level = Self.level(buckets[key], rate, now)
            guard level >= 1 else { return Int(((1 - level) / rate.perSecond).rounded(.up)) }
            level -= 1
            buckets[key] = Bucket(level: level, at: now)
            return nil
        }
    }

    /// Gives back what was taken for something that turned out well.
    func giveBack(_ key: String, now: ContinuousClock.Instant = .now) {
        buckets.withLock { buckets in
            guard buckets[key] != nil else { return }
            buckets[key] = Bucket(level: min(rate.burst, Self.level(buckets[key], rate, now) + 1), at: now)
        }
    }

    private static func level(_ bucket: Bucket?, _ rate: Rate, _ now: ContinuousClock.Instant) -> Double {
        guard let bucket else { return rate.burst }
        let passed = (now - bucket.at) / .seconds(1)
        return min(rate.burst, bucket.level + passed * rate.perSecond)
    }

    /// Lets go of whose buckets are full; of all where none is, so that memory has an end.
    private func forget(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
        buckets = buckets.filter { Self.level($0.value, rate, now) < rate.burst }
        if buckets.count >= mostKnown { buckets = [:] }
    }
}

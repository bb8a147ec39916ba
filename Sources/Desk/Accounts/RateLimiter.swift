import Synchronization

/// Limits the rate of requests by a key: a bucket that fills again at a steady rate.
///
/// A refused client may go on as soon as the bucket holds something again; no client is locked out.
package final class RateLimiter: Sendable {
    package struct Rate: Hashable, Sendable {
        /// How much goes at once.
        package var burst: Double
        /// How much comes back each second.
        package var perSecond: Double

        package init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }

        package init(atOnce burst: Double, perHour: Double) {
            self.init(burst: burst, perSecond: perHour / 3_600)
        }
    }

    private struct Bucket {
        var level: Double
        var at: ContinuousClock.Instant
    }

    private struct State {
        var buckets: [String: Bucket] = [:]
        /// When full buckets were last let go of.
        var tidied: ContinuousClock.Instant?
    }

    private let rate: Rate
    private let mostKnown: Int
    private let state = Mutex(State())

    /// Those for whom there is no room share this many buckets.
    private static let shared = 1_024

    /// - Parameter mostKnown: how many have a bucket of their own. For more there is no room: they share buckets, so
    ///   that memory has an end, and still no client is forgotten too early.
    package init(_ rate: Rate, mostKnown: Int = 100_000) {
        self.rate = rate
        self.mostKnown = mostKnown
    }

    /// Takes one out of a client's bucket.
    ///
    /// - Returns: nil if there was one; else the seconds until there is.
    package func take(_ key: String, now: ContinuousClock.Instant = .now) -> Int? {
        state.withLock { state in
            let key = place(of: key, &state, now)
            let level = Self.level(state.buckets[key], rate, now)
            guard level >= 1 else { return Int(((1 - level) / rate.perSecond).rounded(.up)) }
            state.buckets[key] = Bucket(level: level - 1, at: now)
            return nil
        }
    }

    /// Gives back what was taken for something that turned out well.
    package func giveBack(_ key: String, now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            let key = state.buckets[key] == nil ? Self.sharedPlace(of: key) : key
            guard let bucket = state.buckets[key] else { return }
            state.buckets[key] = Bucket(level: min(rate.burst, Self.level(bucket, rate, now) + 1), at: now)
        }
    }

    /// How many buckets there are.
    package var count: Int { state.withLock { $0.buckets.count } }

    private static func level(_ bucket: Bucket?, _ rate: Rate, _ now: ContinuousClock.Instant) -> Double {
        guard let bucket else { return rate.burst }
        let passed = max(0, (now - bucket.at) / .seconds(1))
        return min(rate.burst, bucket.level + passed * rate.perSecond)
    }

    /// The key under which a client is counted. Buckets that are full again are let go of where room is wanted, once a
    /// second at most.
    private func place(of key: String, _ state: inout State, _ now: ContinuousClock.Instant) -> String {
        guard state.buckets.count >= mostKnown, state.buckets[key] == nil else { return key }
        if state.tidied.map({ now - $0 >= .seconds(1) }) ?? true {
            state.buckets = state.buckets.filter { Self.level($0.value, rate, now) < rate.burst }
            state.tidied = now
        }
        return state.buckets.count < mostKnown ? key : Self.sharedPlace(of: key)
    }

    /// The shared bucket of a client; it cannot be chosen, as hashes differ from run to run.
    private static func sharedPlace(of key: String) -> String {
        "shared \(UInt(bitPattern: key.hashValue) % UInt(shared))"
    }
}

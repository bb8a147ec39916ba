/// Slows down those who try passwords, or do anything else too often. It locks nobody out: the longest wait is short, and
/// what is told is forgiven one by one.
package struct AttemptBrake: Sendable {
    package struct Settings: Hashable, Sendable {
        /// How many are free before each one waits.
        package var free: Int
        /// The first wait; it doubles with each that follows.
        package var first: Duration
        package var longest: Duration
        /// After which one is forgiven.
        package var forgiveness: Duration
        /// Those who would queue for longer are sent away at once.
        package var longestQueue: Duration

        package init(
            free: Int = 5, first: Duration = .milliseconds(500), longest: Duration = .seconds(5),
            forgiveness: Duration = .seconds(30), longestQueue: Duration = .seconds(30)
        ) {
            self.free = free
            self.first = first
            self.longest = longest
            self.forgiveness = forgiveness
            self.longestQueue = longestQueue
        }
    }

    private struct Entry {
        var count: Int
        /// Up to when forgiveness is reckoned.
        var since: ContinuousClock.Instant
        /// When the next one of the queue may go on.
        var turn: ContinuousClock.Instant
    }

    private let settings: Settings
    private var entries: [String: Entry] = [:]

    /// The most that are remembered. Beyond them the forgiven go first, and if there are none all do.
    private static let mostEntries = 10_000

    package init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// How long an attempt has to wait.
    ///
    /// - Parameters:
    ///   - key: whose.
    ///   - takesTurns: each waits until the one before has waited, so that many connections gain nothing.
    /// - Returns: nil: the queue is too long.
    package mutating func wait(
        _ key: String, takesTurns: Bool, at now: ContinuousClock.Instant
    ) -> Duration? {
        forgive(key, at: now)
        guard var entry = entries[key], entry.count >= settings.free else { return .zero }
        let delay = delay(entry.count - settings.free)
        guard takesTurns else { return delay }
        let turn = max(now, entry.turn) + delay
        guard now.duration(to: turn) <= settings.longestQueue else { return nil }
        entry.turn = turn
        entries[key] = entry
        return now.duration(to: turn)
    }

    /// Takes note of an attempt that counts.
    package mutating func count(_ key: String, at now: ContinuousClock.Instant) {
        forgive(key, at: now)
        if entries[key] == nil, entries.count >= Self.mostEntries { makeRoom(at: now) }
        entries[key, default: Entry(count: 0, since: now, turn: now)].count += 1
    }

    private func delay(_ excess: Int) -> Duration {
        excess >= 16 ? settings.longest : min(settings.longest, settings.first * (1 << excess))
    }

    private mutating func forgive(_ key: String, at now: ContinuousClock.Instant) {
        guard var entry = entries[key] else { return }
        let forgiven = Int(min(Double(entry.count), entry.since.duration(to: now) / settings.forgiveness))
        guard forgiven > 0 else { return }
        entry.count -= forgiven
        entry.since += settings.forgiveness * forgiven
        entries[key] = entry.count > 0 ? entry : nil
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        for key in Array(entries.keys) { forgive(key, at: now) }
        if entries.count >= Self.mostEntries { entries.removeAll() }
    }
}

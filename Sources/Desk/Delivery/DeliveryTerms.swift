import Circulation

/// How patiently messages are tried.
package struct DeliveryTerms: Hashable, Sendable {
    /// After so many tries in vain a message is given up.
    package var tries: Int64
    /// The pause after the first try in vain; each further one is four times as long, up to the longest.
    package var firstPause: Duration
    package var longestPause: Duration

    package init(tries: Int64 = 8, firstPause: Duration = .seconds(60), longestPause: Duration = .seconds(6 * 3_600)) {
        self.tries = tries
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The pause after so many tries in vain.
    ///
    /// - Parameter chance: from 0 to 1; makes the pause up to a fifth shorter or longer, so that what failed together is not
    ///   tried again together.
    package func pause(after tries: Int64, chance: Double) -> Duration {
        var pause = firstPause
        for _ in 0..<max(0, min(tries - 1, 60)) where pause < longestPause { pause = min(pause * 4, longestPause) }
        let swing = chance.isFinite ? Int(400 * min(max(chance, 0), 1)) : 200
        return pause / 1_000 * (800 + swing)
    }
}

extension Instant {
    /// The instant so much later; the last there is where none is.
    func later(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooMuch, let later = try? adding(microseconds: whole) else { return seconds < 0 ? .earliest : .latest }
        return (try? later.adding(microseconds: attoseconds / 1_000_000_000_000)) ?? .latest
    }
}

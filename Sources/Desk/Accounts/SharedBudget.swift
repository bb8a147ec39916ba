import Circulation
import Storage
import TextFormats

/// A budget that all processes share which serve one library, and that outlasts each of them.
struct SharedBudget: Hashable, Sendable {
    /// In 24 bits: no name can be told from them, however often it is guessed at, and the rows of a store have an end.
    let key: Int64
    let rate: RateLimiter.Rate

    /// - Parameter words: what is tried, and whose it is.
    init(_ words: String, _ rate: RateLimiter.Rate) {
        key = Int64(SHA256.hexadecimal(of: Array("budget \(words)".utf8)).prefix(6), radix: 16) ?? 0
        self.rate = rate
    }

    /// The time in which one comes back.
    fileprivate var interval: Int64 { Int64(1_000_000 / rate.perSecond) }
    /// The time in which an empty budget fills.
    fileprivate var span: Int64 { Int64(rate.burst) * interval }
}

// What was taken out of a budget is kept as the moment at which it will be full again.
extension AccountService {
    private var budgets: SpentBudgetRepository { session.transaction.spentBudgets }

    /// Takes one out of a budget.
    ///
    /// - Returns: nil if there was one; else the seconds until there is.
    func take(_ budget: SharedBudget) throws -> Int? {
        let missing = try missing(of: budget)
        guard missing + budget.interval <= budget.span else {
            // Where the clock was set back, the time counts from now on; else nothing is written.
            if missing == budget.span { try set(missing, of: budget) }
            return Int((missing + budget.interval - budget.span + 999_999) / 1_000_000)
        }
        try set(missing + budget.interval, of: budget)
        return nil
    }

    /// Gives back what was taken for something that turned out well.
    func giveBack(_ budget: SharedBudget) throws {
        let missing = try missing(of: budget)
        if missing > 0 { try set(max(0, missing - budget.interval), of: budget) }
    }

    /// How long a budget will take to be full; of a clock that was set back no longer than an empty one takes.
    private func missing(of budget: SharedBudget) throws -> Int64 {
        guard let end = try budgets.end(of: budget.key) else { return 0 }
        return max(0, min(budget.span, end.microseconds - session.now.microseconds))
    }

    private func set(_ missing: Int64, of budget: SharedBudget) throws {
        let now = session.now
        try budgets.set(end: Instant(microseconds: now.microseconds + missing), of: budget.key, now: now)
    }
}

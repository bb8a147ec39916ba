import Circulation
import Storage
import TextFormats

/// A budget that all processes share which serve one library, and that outlasts each of them.
struct SharedBudget: Hashable, Sendable {
    let key: Int64
    let rate: RateLimiter.Rate

    /// What those may guess at an account who were never there. In 24 bits: no name can be told from them, however often it is
    /// guessed at, and the rows of a store have an end. Two names may have one budget; that helps no attacker, since the budget of a
    /// name is spent more easily by the name itself.
    init(guessesAt account: String, _ rate: RateLimiter.Rate) {
        key = Self.number(of: "guess \(account)", digits: 6)
        self.rate = rate
    }

    /// What belongs to one person, such as a place of theirs or a mailbox. In so many bits that no attacker finds something of their
    /// own that has the same number, and could spend it for the other; and above all numbers of the kind before.
    ///
    /// - Parameter words: whose it is; nothing that the store does not hold anyway.
    init(_ words: String, _ rate: RateLimiter.Rate) {
        key = Self.number(of: words, digits: 14) | 1 << 56
        self.rate = rate
    }

    private static func number(of words: String, digits: Int) -> Int64 {
        Int64(SHA256.hexadecimal(of: Array("budget \(words)".utf8)).prefix(digits), radix: 16) ?? 0
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

import Circulation

/// The origin of an attempt with a password.
package enum AttemptOrigin: Hashable, Sendable {
    /// Who works at the machine itself, and could open the store as well: nothing is counted.
    case console
    /// A script.
    case script
    case address(ClientAddress)

    /// What tries are counted by; nil: they are not.
    var key: String? {
        switch self {
        case .console: nil
        case .script: "script"
        case .address(let address): address.key
        }
    }
}

/// How often passwords may be tried, accounts made and mails asked for: one budget for every way in, since every way in
/// asks
/// ``AccountManager``.
///
/// What is tried is counted before it is looked at, so that many who try at once are counted as well. A password that
/// was right gives back what it took; accounts that were made and mails that were asked for do not. An account cannot
/// be guessed at more often than ``Settings/mostGuessesInAnHour``, from however many addresses; its owner is not locked
/// out by that, since an address from which they logged in before has a part of its own.
///
/// What is counted by an address is kept in memory, for each process. What is counted by an account or a mailbox is
/// kept in the store as well (``SharedBudget``): another process counts on, and so does this one when it starts anew.
/// Memory comes first, so that one who is turned away costs the store nothing.
package final class AttemptBudget: Sendable {
    package typealias Rate = RateLimiter.Rate

    package struct Settings: Hashable, Sendable {
        /// Passwords from one address.
        package var tries = Rate(atOnce: 20, perHour: 1_800)
        /// Passwords for one account, from all addresses that it does not know.
        package var guesses = Rate(atOnce: 20, perHour: 40)
        /// Passwords for one account from each address that it knows.
        package var guessesFromKnown = Rate(atOnce: 5, perHour: 5)
        /// Accounts from one address.
        package var signUps = Rate(atOnce: 20, perHour: 120)
        /// Mails to one mailbox that were requested without a log-in.
        package var mails = Rate(atOnce: 3, perHour: 1)
        /// Log-ins that failed, and those of one account, that stand in the log.
        package var failuresWritten = Rate(atOnce: 100, perHour: 600)
        package var logInsWritten = Rate(atOnce: 20, perHour: 60)

        package init() {}

        /// All that anybody can try at one account within an hour.
        package var mostGuessesInAnHour: Double {
            guesses.burst + guesses.perSecond * 3_600
                + Double(AccountService.mostKnownPlaces) * (guessesFromKnown.burst + guessesFromKnown.perSecond * 3_600)
        }
    }

    /// That something was tried too often.
    package struct Exhausted: Error, Hashable, CustomStringConvertible {
        /// After how many it may be tried again.
        package let seconds: Int

        package var description: String { "Too many attempts; try again in \(seconds) seconds." }
    }

    /// What a guess took.
    struct Guess: Sendable {
        fileprivate let account: String
        fileprivate let isKnown: Bool
        /// The same for all processes.
        let shared: SharedBudget
    }

    private let tries: RateLimiter
    private let guesses: RateLimiter
    private let guessesFromKnown: RateLimiter
    private let signUps: RateLimiter
    private let mails: RateLimiter
    private let failuresWritten: RateLimiter
    private let logInsWritten: RateLimiter
    private let rates: Settings
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: the moment; a clock that is never set back.
    package init(
        _ settings: Settings = Settings(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        tries = RateLimiter(settings.tries)
        guesses = RateLimiter(settings.guesses)
        guessesFromKnown = RateLimiter(settings.guessesFromKnown)
        signUps = RateLimiter(settings.signUps)
        mails = RateLimiter(settings.mails)
        failuresWritten = RateLimiter(settings.failuresWritten)
        logInsWritten = RateLimiter(settings.logInsWritten)
        rates = settings
        self.now = now
    }

    /// Counts an attempt, whatever it is for. Scripts ask for many people from one place, so that theirs are counted
    /// by the account alone.
    func take(from origin: AttemptOrigin) throws(Exhausted) {
        if origin != .script, let key = origin.key { try Self.take(key, of: tries, now()) }
    }

    /// Counts a try at an account, which ``take(from:)`` has counted already; the store counts it next.
    ///
    /// - Parameters:
    ///   - username: as it was typed; the same account is one however its name is written.
    ///   - known: from where its owner logged in before, if it was from there.
    func guess(
        at username: String, from origin: AttemptOrigin, known: (patron: Int64, place: Int64)?
    ) throws(Exhausted) -> Guess? {
        guard let key = origin.key else { return nil }
        var account = Self.account(username)
        var shared = SharedBudget(guessesAt: account, rates.guesses)
        if let known {
            account += " \(key)"
            shared = SharedBudget("known \(known.patron) \(known.place)", rates.guessesFromKnown)
        }
        let guess = Guess(account: account, isKnown: known != nil, shared: shared)
        try Self.take(guess.account, of: known != nil ? guessesFromKnown : guesses, now())
        return guess
    }

    /// Gives back what a password took that was right.
    func giveBack(_ guess: Guess?, from origin: AttemptOrigin) {
        guard let guess, let key = origin.key else { return }
        tries.giveBack(key, now: now())
        (guess.isKnown ? guessesFromKnown : guesses).giveBack(guess.account, now: now())
    }

    /// Counts the making of an account.
    func signUp(from origin: AttemptOrigin) throws(Exhausted) {
        if let key = origin.key { try Self.take(key, of: signUps, now()) }
    }

    /// Whether another mail may go to a mailbox; it is counted.
    func mayMail(_ address: String, in session: DeskSession) throws -> Bool {
        let address = Self.account(address)
        guard mails.take(address, now: now()) == nil else { return false }
        return try session.accounts.take(SharedBudget("mail \(address)", rates.mails)) == nil
    }

    /// Whether a log-in that failed is to stand in the log.
    func isFailureWritten() -> Bool { failuresWritten.take("", now: now()) == nil }

    /// Whether a log-in is to stand in the log.
    func isLogInWritten(of patron: Int64) -> Bool { logInsWritten.take(String(patron), now: now()) == nil }

    private static func take(
        _ key: String, of limiter: RateLimiter, _ now: ContinuousClock.Instant
    ) throws(Exhausted) {
        if let seconds = limiter.take(key, now: now) { throw Exhausted(seconds: seconds) }
    }

    private static func account(_ username: String) -> String { String(Username.folded(username).prefix(200)) }
}

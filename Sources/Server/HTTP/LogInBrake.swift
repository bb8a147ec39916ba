import TextFormats

/// Slows down whoever guesses passwords, and nobody for good.
///
/// From one address only so many tries go in a time. Tries at one account from many addresses are not turned away, which
/// would lock its owner out; beyond some, each waits for a moment before it is looked at.
final class LogInBrake: Sendable {
    private let byAddress: RateLimiter
    private let byAccount = RateLimiter(.init(burst: 10, perSecond: 0.2))
    private let pause: Duration

    init(_ settings: ServerSettings, pause: Duration = .seconds(1)) {
        byAddress = RateLimiter(.init(burst: settings.logInBurst, perSecond: settings.logInsPerSecond))
        self.pause = pause
    }

    /// The account that a program names in its request.
    static func account(of request: WebRequest) -> String? {
        (try? JSONParser.parse(request.body, maximumDepth: 4))?["username"]?.stringValue
    }

    /// - Parameter account: the account that is tried.
    /// - Throws: ``Problem`` where it was tried too often; what the body throws.
    func guarding(
        _ request: WebRequest, account: String?, _ body: () async throws -> WebAnswer
    ) async throws -> WebAnswer {
        if let seconds = byAddress.take(request.address) { throw Problem.tooOften(seconds) }
        if let account, byAccount.take(String(account.prefix(200))) != nil { try await Task.sleep(for: pause) }
        let answer = try await body()
        if answer.status < 400 {
            byAddress.giveBack(request.address)
            if let account { byAccount.giveBack(account) }
        }
        return answer
    }
}

import Circulation
package import Desk
import LuaRuntime
package import TextFormats

/// How a script reaches servers: which it may reach, what it puts into the outbox, and what it was answered.
///
/// A handler of a plugin is called once where nothing can be changed and, if it would change something, again in a
/// transaction, where nothing may wait for a network. What it was answered the first time it is given again then.
package final class WebAccess {
    /// Whose requests they are.
    package let owner: String
    /// What has to be done so that a server can be reached, in words behind "it may not reach ...: ".
    private let advice: String
    /// Scheme, host and port of the servers that may be reached.
    private let origins: () throws -> Set<String>
    private let sender: () throws -> (any RequestSender)?
    /// Called before a request is put into the outbox.
    private let beforeAdding: (DeskSession) throws -> Void

    /// What was asked since ``begin()``, with what came.
    private var remembered: [(call: WebCall, outcome: Outcome<WebAnswer>)] = []
    /// How many of those were asked for again.
    private var repeated = 0
    private var waited = Duration.zero
    /// Nothing is asked: what is done is only tried.
    package var isTrial = false

    /// The code with which a test's network says that the test gives no answer.
    package static let noReply = "no_reply"
    /// For how long one call may wait for servers in all.
    private static let patience = Duration.seconds(30)

    /// - Parameters:
    ///   - origins: such as `https://example.org:443`.
    ///   - sender: nil: there is no network.
    package init(
        owner: String, advice: String, origins: @escaping () throws -> Set<String>,
        sender: @escaping () throws -> (any RequestSender)?,
        beforeAdding: @escaping (DeskSession) throws -> Void = { _ in }
    ) {
        self.owner = owner
        self.advice = advice
        self.origins = origins
        self.sender = sender
        self.beforeAdding = beforeAdding
    }

    /// Forgets what was answered: another call begins.
    package func begin() { (remembered, repeated, waited) = ([], 0, .zero) }

    /// The same call begins once more, now in a transaction.
    package func beginAgain() { repeated = 0 }

    /// The parts of a URL that may be reached.
    ///
    /// - Throws: `LuaHostError`.
    func address(_ url: String) throws -> WebAddress {
        let address: WebAddress
        do throws(WebAddress.Fault) {
            address = try WebAddress(url)
        } catch {
            throw LuaHostError("'url' \(error.words)")
        }
        guard try origins().contains(address.origin) else {
            throw LuaHostError("it may not reach \(APIText.quotable(address.origin)): \(advice)")
        }
        if let fault = try sender()?.fault(of: address, for: .plugin) { throw LuaHostError("'url' \(fault)") }
        return address
    }

    /// Puts a request into the outbox.
    func add(
        _ call: WebCall, to address: WebAddress, key: String?, patron: Int64?, in session: DeskSession
    ) throws -> OutgoingRequest {
        try beforeAdding(session)
        do {
            return try session.outbox.add(call, to: address, of: owner, key: key, patron: patron)
        } catch let full as OutboxFull {
            throw LuaHostError("\(full)")
        }
    }

    /// What a server answers to a request now.
    ///
    /// - Parameter isInTransaction: only what was answered before is to be had.
    func ask(_ call: WebCall, isInTransaction: Bool) throws -> Outcome<WebAnswer> {
        if isTrial { return .refused(Refusal(code: "not_asked", message: "Nothing is asked in a trial.")) }
        if isInTransaction {
            guard repeated < remembered.count, remembered[repeated].call == call else {
                throw LuaHostError(
                    "a transaction is open, in which nothing waits for a server: ask before store.transaction and before "
                        + "the first change, or leave 'now' out")
            }
            defer { repeated += 1 }
            return remembered[repeated].outcome
        }
        guard waited < Self.patience else { throw LuaHostError("servers have kept the script waiting for too long") }
        guard let sender = try sender() else { throw LuaHostError("there is no network here") }
        let began = ContinuousClock.now
        let outcome: Outcome<WebAnswer> =
            switch sender.send(call, for: .plugin) {
            case .failure(let fault) where fault.code == Self.noReply: throw LuaHostError(fault.words)
            case .success(let answer): .done(answer)
            case .failure(let fault): .refused(Refusal(code: fault.code, message: fault.words))
            }
        waited += ContinuousClock.now - began
        remembered.append((call, outcome))
        return outcome
    }
}

extension WebAddress {
    /// Scheme, host and port: what a server is known by.
    package var origin: String { "\(scheme)://\(place)" }
}

extension ScriptContext {
    /// How the script reaches servers: where nothing else is said, those that the configuration names for scripts.
    func webAccess() -> WebAccess {
        if let web { return web }
        let web = desk.outside.web
        let made = WebAccess(
            owner: "script", advice: "'hosts' in [http] of moonshelf.toml names the hosts that scripts may reach",
            origins: { try web()?.hostsOfScripts ?? [] }, sender: web)
        self.web = made
        return made
    }
}

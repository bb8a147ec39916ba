import Desk
import Synchronization

/// Answers commands on the threads of the desk, and slows down those who try passwords.
final class LineConversation: Sendable {
    typealias Visitor = LineDesk.Visitor

    private let desk: LineDesk
    private let workers: WorkerPool
    private let logIns: Mutex<AttemptBrake>
    private let signUps: Mutex<AttemptBrake>
    private let report: @Sendable (LineFault) -> Void

    init(
        desk: LineDesk, workers: WorkerPool, settings: LineProtocolSettings,
        report: @escaping @Sendable (LineFault) -> Void
    ) {
        self.desk = desk
        self.workers = workers
        self.report = report
        logIns = Mutex(AttemptBrake(settings.logIns))
        signUps = Mutex(AttemptBrake(settings.signUps))
    }

    /// Answers one command.
    ///
    /// - Parameters:
    ///   - bytes: the command without its end.
    ///   - address: whose attempts are counted.
    ///   - visitor: who logged in on the connection.
    /// - Returns: the answer, and who is logged in from now on.
    func answer(_ bytes: [UInt8], from address: String, _ visitor: Visitor?) async -> (LineReply, Visitor?) {
        guard let command = LineCommand(bytes) else { return (LineReply(LineWords.unknown), visitor) }
        do {
            switch command.verb {
            case .logIn: return try await logIn(command.arguments, from: address, instead: visitor)
            case .addUser: return (LineReply(try await signUp(command.arguments, from: address)), visitor)
            default: return (try await workers.run { [desk] in try desk.answer(command, for: visitor) }, visitor)
            }
        } catch {
            report(LineFault(verb: command.verb.rawValue, error: error))
            return (LineReply(LineDesk.fault(of: command.verb)), command.verb == .logIn ? nil : visitor)
        }
    }

    /// The rest of an answer; nil: it cannot be had, so that the connection must not go on as if it were whole.
    func rest(of reply: @escaping @Sendable () throws -> LineReply) async -> LineReply? {
        do {
            return try await workers.run { try reply() }
        } catch {
            report(LineFault(verb: LineCommand.Verb.books.rawValue, error: error))
            return nil
        }
    }

    /// Ends the log-in of a connection. What cannot be ended now runs out by itself.
    func leave(_ visitor: Visitor) async {
        try? await workers.run { [desk] in try desk.logOut(visitor) }
    }

    // MARK: - Passwords

    /// As at BitBooks a log-in that failed leaves nobody logged in.
    private func logIn(
        _ arguments: [String], from address: String, instead former: Visitor?
    ) async throws -> (LineReply, Visitor?) {
        if let former { await leave(former) }
        guard arguments.count >= 2 else { return (LineReply(LineWords.notLoggedIn), nil) }
        let (username, password) = (arguments[0], arguments[1])
        let account = "account \(username)"
        // An address's tries take turns; an account's do not, or others could keep its owner waiting.
        let delay = logIns.withLock { brake -> Duration? in
            let now = ContinuousClock.now
            guard let queue = brake.wait(address, takesTurns: true, at: now) else { return nil }
            return max(queue, brake.wait(account, takesTurns: false, at: now) ?? .zero)
        }
        guard let delay else { return (LineReply(LineWords.slower), nil) }
        if delay > .zero { try await Task.sleep(for: delay) }
        if let visitor = try await workers.run({ [desk] in try desk.logIn(username, password: password) }) {
            return (LineReply(LineWords.loggedIn), visitor)
        }
        logIns.withLock { brake in
            brake.count(address, at: .now)
            brake.count(account, at: .now)
        }
        return (LineReply(LineWords.notLoggedIn), nil)
    }

    private func signUp(_ arguments: [String], from address: String) async throws -> String {
        guard let delay = signUps.withLock({ $0.wait(address, takesTurns: true, at: .now) }) else {
            return LineWords.slower
        }
        if delay > .zero { try await Task.sleep(for: delay) }
        switch try await workers.run({ [desk] in try desk.signUp(arguments) }) {
        case .done:
            signUps.withLock { $0.count(address, at: .now) }
            return LineWords.added
        case .refused(let words): return words
        }
    }
}

/// That a command could not be carried out, for the log of whoever runs the server. It holds nothing that a client sent.
package struct LineFault: Error, CustomStringConvertible {
    package let verb: String
    package let error: any Error

    package var description: String { "\(verb): \(error)" }
}

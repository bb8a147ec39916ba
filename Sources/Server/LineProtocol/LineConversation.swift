import Desk

/// Answers commands on the threads of the desk.
final class LineConversation: Sendable {
    typealias Visitor = LineCommands.Visitor

    private let desk: LineCommands
    private let lanes: WorkerLanes
    private let report: @Sendable (LineFault) -> Void

    init(
        desk: LineCommands, lanes: WorkerLanes, report: @escaping @Sendable (LineFault) -> Void
    ) {
        self.desk = desk
        self.lanes = lanes
        self.report = report
    }

    /// Answers one command.
    ///
    /// - Parameters:
    ///   - bytes: the command without its end.
    ///   - address: whose attempts are counted.
    ///   - visitor: who logged in on the connection.
    /// - Returns: the answer, and who is logged in from now on.
    func answer(_ bytes: [UInt8], from address: ClientAddress, _ visitor: Visitor?) async -> (LineReply, Visitor?) {
        guard let command = LineCommand(bytes) else { return (LineReply(LineWords.unknown), visitor) }
        do {
            switch command.verb {
            case .logIn: return try await logIn(command.arguments, from: address, instead: visitor)
            case .addUser: return (LineReply(try await signUp(command.arguments, from: address)), visitor)
            case .lend, .loans, .notifications, .book, .books:
                let lane = visitor != nil && command.verb.changes ? lanes.desk : lanes.reading
                return (try await lane.run { [desk] in try desk.answer(command, for: visitor) }, visitor)
            }
        } catch is AttemptBudget.Exhausted {
            return (LineReply(LineWords.slower), command.verb == .logIn ? nil : visitor)
        } catch {
            report(LineFault(verb: command.verb.rawValue, error: error))
            return (LineReply(LineCommands.fault(of: command.verb)), command.verb == .logIn ? nil : visitor)
        }
    }

    /// The rest of an answer; nil: it cannot be had, so that the connection must not go on as if it were whole.
    func rest(of reply: @escaping @Sendable () throws -> LineReply) async -> LineReply? {
        do {
            return try await lanes.reading.run { try reply() }
        } catch {
            report(LineFault(verb: LineCommand.Verb.books.rawValue, error: error))
            return nil
        }
    }

    /// Ends the log-in of a connection. What cannot be ended now runs out by itself.
    func leave(_ visitor: Visitor) async {
        try? await lanes.desk.run { [desk] in try desk.logOut(visitor) }
    }

    // MARK: - Passwords

    /// As in BitBooks, a failed log-in logs the connection out.
    private func logIn(
        _ arguments: [String], from address: ClientAddress, instead former: Visitor?
    ) async throws -> (LineReply, Visitor?) {
        if let former { await leave(former) }
        guard arguments.count >= 2 else { return (LineReply(LineWords.notLoggedIn), nil) }
        let visitor = try await lanes.long.run { [desk] in
            try desk.logIn(arguments[0], password: arguments[1], from: .address(address))
        }
        return (LineReply(visitor == nil ? LineWords.notLoggedIn : LineWords.loggedIn), visitor)
    }

    private func signUp(_ arguments: [String], from address: ClientAddress) async throws -> String {
        switch try await lanes.long.run({ [desk] in try desk.signUp(arguments, from: .address(address)) }) {
        case .done: LineWords.added
        case .refused(let words): words
        }
    }
}

/// A command that could not be carried out, for the server's log. It holds nothing that a client sent.
package struct LineFault: Error, CustomStringConvertible {
    package let verb: String
    package let error: any Error

    package var description: String { "\(verb): \(error)" }
}

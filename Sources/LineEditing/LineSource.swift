/// Where a session's lines come from: a person at a terminal, a file, a pipe.
package protocol LineSource: AnyObject {
    /// The next line without its end; at a terminal, a whole statement.
    ///
    /// - Parameters:
    ///   - prompt: what a person sees in front of it.
    ///   - idleLimit: how long to wait for input, in milliseconds; nil: for ever.
    func next(prompt: String, idleLimit: Int32?) -> LineInput
    /// Keeps a whole statement for later runs; does nothing without a terminal.
    func remember(_ statement: String)
    /// The last statements that were kept, the latest last; empty without a terminal.
    func statements(last count: Int) -> [String]
    /// Does something that needs the terminal for itself, as it was before the session: an editor, a question.
    func lend<Result>(_ body: () throws -> Result) rethrows -> Result
    /// Lets a person leaf through lines.
    ///
    /// - Returns: false without a terminal, or where they all fit on the screen.
    func page(_ lines: [String]) -> Bool
    /// What the next call of ``next(prompt:idleLimit:)`` begins with, to be continued; nothing without a terminal.
    func propose(_ statement: String)
    /// Forgets what was typed ahead, as a terminal does when Ctrl-C ends what runs.
    func forgetTypedAhead()
}

extension LineSource {
    package func remember(_ statement: String) {}
    package func statements(last count: Int) -> [String] { [] }
    package func lend<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
    package func page(_ lines: [String]) -> Bool { false }
    package func propose(_ statement: String) {}
    package func forgetTypedAhead() {}
}

/// What came of asking for a line.
package enum LineInput: Hashable, Sendable {
    case line(String)
    /// Ctrl-C: what was typed so far is dropped.
    case interrupted
    /// Nothing was typed for too long; what was typed before is dropped.
    case idle
    case end
}

/// The lines of a file or pipe, or of a terminal that can do nothing but show them.
package final class PlainLineSource: LineSource {
    private let ask: ((String) -> Void)?
    private let read: () -> String?

    /// - Parameters:
    ///   - ask: shows a prompt; nil: none is shown.
    ///   - read: the next line without its end, nil at the end.
    package init(ask: ((String) -> Void)? = nil, read: @escaping () -> String?) {
        self.ask = ask
        self.read = read
    }

    /// The lines of standard input.
    ///
    /// - Parameter ask: as above.
    package static func standardInput(ask: ((String) -> Void)? = nil) -> PlainLineSource {
        PlainLineSource(ask: ask) { readLine(strippingNewline: true) }
    }

    package func next(prompt: String, idleLimit: Int32?) -> LineInput {
        ask?(prompt)
        return read().map { .line($0) } ?? .end
    }
}

/// Where a session's lines come from: a person at a terminal, a file, a pipe.
package protocol LineSource: AnyObject {
    /// The next line without its end; where somebody types, a whole statement.
    ///
    /// - Parameters:
    ///   - prompt: what a person sees in front of it.
    ///   - idleLimit: how long somebody may type nothing, in milliseconds; nil: for ever.
    func next(prompt: String, idleLimit: Int32?) -> LineInput
    /// Keeps a whole statement for later runs; nothing where nobody types.
    func remember(_ statement: String)
    /// The last statements that were kept, the latest last; none where nobody types.
    func statements(last count: Int) -> [String]
    /// Does something that needs the terminal for itself, as it was before the session: an editor, a question.
    func lend<Result>(_ body: () throws -> Result) rethrows -> Result
    /// Lets a person leaf through lines.
    ///
    /// - Returns: false where nobody can, or where they all fit on the screen.
    func page(_ lines: [String]) -> Bool
    /// What the next call of ``next(prompt:idleLimit:)`` begins with, to be gone on with; nothing where nobody types.
    func propose(_ statement: String)
}

extension LineSource {
    package func remember(_ statement: String) {}
    package func statements(last count: Int) -> [String] { [] }
    package func lend<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
    package func page(_ lines: [String]) -> Bool { false }
    package func propose(_ statement: String) {}
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

/// The lines of a file or pipe, without a prompt.
package final class PlainLineSource: LineSource {
    private let read: () -> String?

    /// - Parameter read: the next line without its end, nil at the end.
    package init(read: @escaping () -> String?) {
        self.read = read
    }

    /// The lines of standard input.
    package static var standardInput: PlainLineSource { PlainLineSource { readLine(strippingNewline: true) } }

    package func next(prompt: String, idleLimit: Int32?) -> LineInput {
        read().map { .line($0) } ?? .end
    }
}

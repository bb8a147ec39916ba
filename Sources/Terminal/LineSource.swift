/// Where a session's lines come from: a person at a terminal, a file, a pipe.
package protocol LineSource: AnyObject {
    /// The next line without its end.
    ///
    /// - Parameter prompt: what a person sees in front of it.
    func next(prompt: String) -> LineInput
    /// Keeps a whole statement for later runs; nothing where nobody types.
    func remember(_ statement: String)
    /// The last statements that were kept, the latest last; none where nobody types.
    func statements(last count: Int) -> [String]
}

/// What came of asking for a line.
package enum LineInput: Hashable, Sendable {
    case line(String)
    /// Ctrl-C: what was typed so far is dropped.
    case interrupted
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

    package func next(prompt: String) -> LineInput {
        read().map { .line($0) } ?? .end
    }

    package func remember(_ statement: String) {}

    package func statements(last count: Int) -> [String] { [] }
}

/// A text that was evaluated in a session.
struct ReplSource: Hashable {
    let text: String
    /// The line of the session's input on which it began, from 1; nil if it came from a file.
    let line: Int?
}

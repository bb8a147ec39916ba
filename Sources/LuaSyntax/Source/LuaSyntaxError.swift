/// Why a text is not Lua, in the words Lua itself uses.
package struct LuaSyntaxError: Error, Hashable, Sendable {
    /// Lua's wording without its position prefix, such as `'=' expected near 'x'`.
    package let message: String

    /// Where to look. For an error at a token, the token; for a bad escape, the escape; for a jump, the jump.
    package let position: SourcePosition

    /// Whether the text only stopped too early, so that a prompt should ask for another line.
    package var isIncomplete: Bool = false

    /// What may have been meant, for people who know another language better; not part of the message.
    package internal(set) var hint: String?

    /// The message with the hint behind it.
    package var explained: String { hint.map { "\(message); \($0)" } ?? message }
}

extension LuaSyntaxError {
    package static func == (left: LuaSyntaxError, right: LuaSyntaxError) -> Bool {
        (left.message, left.position, left.isIncomplete) == (right.message, right.position, right.isIncomplete)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(position)
        hasher.combine(isIncomplete)
    }
}

extension LuaSyntaxError: CustomStringConvertible {
    package var description: String { "\(position): \(message)" }
}

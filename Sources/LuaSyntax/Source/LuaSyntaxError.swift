/// Why a text is not Lua, in the words Lua itself uses.
package struct LuaSyntaxError: Error, Hashable, Sendable {
    /// Lua's wording without its position prefix, such as `'=' expected near 'x'`.
    package let message: String

    /// Where to look. For an error at a token, the token; for a bad escape, the escape; for a jump, the jump.
    package let position: SourcePosition

    /// Whether the text only stopped too early, so that a prompt should ask for another line.
    package let isIncomplete: Bool

    package init(message: String, position: SourcePosition, isIncomplete: Bool = false) {
        self.message = message
        self.position = position
        self.isIncomplete = isIncomplete
    }
}

extension LuaSyntaxError: CustomStringConvertible {
    package var description: String { "\(position): \(message)" }
}

/// What a callback throws to raise a plain Lua error. The message gets the position of the caller, as `error` does.
package struct LuaHostError: Error, Sendable, CustomStringConvertible {
    package var message: String
    /// The argument at fault, where it is known and the message does not begin with it.
    package var argument: String?

    package init(_ message: String, argument: String? = nil) {
        self.message = message
        self.argument = argument
    }

    package init(message: String) {
        self.message = message
    }

    package var description: String { message }
}

/// What a callback throws to raise a plain Lua error. The message gets the position of the caller, as `error` does.
package struct LuaHostError: Error, Sendable, CustomStringConvertible {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }

    package init(message: String) {
        self.message = message
    }

    package var description: String { message }
}

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

/// An error of a host function that keeps its own type and learns which line of Lua called the function.
package protocol LuaPlaceableError: Error {
    /// The error with the place where it happened.
    ///
    /// - Parameters:
    ///   - chunk: the name of the chunk, such as `report.lua`; nil outside of Lua.
    ///   - line: counted from 1.
    func placed(chunk: String?, line: Int?, traceback: String?) -> any Error
}

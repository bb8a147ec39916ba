/// A fault of a script: what went wrong, and where.
package struct LuaError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        case syntax
        case runtime
        /// The memory limit was reached.
        case memory
        /// The deadline passed.
        case timeLimit
        /// The instruction budget is used up.
        case instructionLimit
        /// Calls or stacks are nested too deeply.
        case depth
        /// The call was cancelled.
        case interrupted
        /// Not the script's fault: no state could be made.
        case unavailable

        /// The code that policies, scripts and commands give for it.
        package var word: String {
            switch self {
            case .syntax: "syntax"
            case .memory: "memory_limit"
            case .timeLimit: "time_limit"
            case .instructionLimit: "instruction_limit"
            case .interrupted: "interrupted"
            case .runtime, .depth, .unavailable: "lua_error"
            }
        }
    }

    package var code: Code
    /// Without the position, which stands in ``chunk`` and ``line``.
    package var message: String
    /// The chunk's name as given to `load`, for example `policies/university.lua`.
    package var chunk: String?
    package var line: Int?
    package var traceback: String?
    /// A syntax error at the end of the source: more text could complete it.
    package var isIncomplete: Bool
    /// A copy of the error object, if it was a table. Functions in it are replaced by nil.
    package var value: LuaValue? { carried.value }

    private var carried: CarriedValue

    package init(
        code: Code, message: String, chunk: String? = nil, line: Int? = nil, traceback: String? = nil,
        isIncomplete: Bool = false, value: LuaValue? = nil
    ) {
        self.code = code
        self.message = message
        self.chunk = chunk
        self.line = line
        self.traceback = traceback
        self.isIncomplete = isIncomplete
        self.carried = CarriedValue(value: value?.withoutFunctions)
    }

    /// `chunk:line: message`
    package var description: String {
        guard let chunk else { return message }
        guard let line else { return "\(chunk): \(message)" }
        return "\(chunk):\(line): \(message)"
    }

    /// Safe to send: `withoutFunctions` leaves only values without reference to a state.
    private struct CarriedValue: @unchecked Sendable {
        let value: LuaValue?
    }
}

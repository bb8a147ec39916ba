internal import CLuaGuard

extension guard_status {
    /// As C functions return it.
    var code: Int32 { Int32(bitPattern: rawValue) }
}

extension LuaState {
    var errorMessage: String { text(guard_error_message) }

    /// The last fault as an error.
    func currentError(_ status: Int32) -> LuaError {
        let code = code(of: status)
        let line = guard_error_line(machine)
        var message = errorMessage
        if message.isEmpty { message = Self.standardMessage(code) }
        return LuaError(
            code: code, message: message, chunk: nonEmpty(guard_error_chunk),
            line: line > 0 ? Int(line) : nil, traceback: nonEmpty(guard_error_traceback),
            isIncomplete: guard_error_incomplete(machine), value: errorValue)
    }

    /// The error that a host function threw, or the last fault.
    func thrownError(_ status: Int32) -> any Error {
        if status == GUARD_HOST.code, let kept = host.takeError(guard_error_host_id(machine)) {
            guard let placeable = kept as? any LuaPlaceableError else { return kept }
            let line = guard_error_line(machine)
            return placeable.placed(
                chunk: nonEmpty(guard_error_chunk), line: line > 0 ? Int(line) : nil,
                traceback: nonEmpty(guard_error_traceback))
        }
        return currentError(status)
    }

    static let foreign = LuaError(code: .runtime, message: "this function or environment belongs to another Lua state")

    private var errorValue: LuaValue? {
        var count = 0
        guard let bytes = guard_error_value(machine, &count), count > 0 else { return nil }
        var reader = TapeReader(bytes: UnsafeRawBufferPointer(start: bytes, count: count), state: self)
        return reader.next()
    }

    private func code(of status: Int32) -> LuaError.Code {
        switch guard_status(rawValue: UInt32(bitPattern: status)) {
        case GUARD_SYNTAX: .syntax
        case GUARD_MEMORY: .memory
        case GUARD_TIME: .timeLimit
        case GUARD_INSTRUCTIONS: .instructionLimit
        case GUARD_DEPTH: .depth
        case GUARD_INTERRUPTED: .interrupted
        case GUARD_UNAVAILABLE: .unavailable
        default: .runtime
        }
    }

    private static func standardMessage(_ code: LuaError.Code) -> String {
        switch code {
        case .memory: "the memory limit was reached"
        case .timeLimit: "the time limit was reached"
        case .instructionLimit: "the instruction budget is used up"
        case .depth: "calls are nested too deeply"
        case .interrupted: "interrupted"
        case .unavailable: "Lua is not available"
        case .syntax, .runtime: "error"
        }
    }

    private func text(_ read: (OpaquePointer, UnsafeMutablePointer<Int>) -> UnsafePointer<CChar>?) -> String {
        var count = 0
        guard let bytes = read(machine, &count), count > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private func nonEmpty(
        _ read: (OpaquePointer, UnsafeMutablePointer<Int>) -> UnsafePointer<CChar>?
    ) -> String? {
        let found = text(read)
        return found.isEmpty ? nil : found
    }
}

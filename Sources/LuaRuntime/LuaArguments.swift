internal import CLuaGuard

/// The arguments of a callback, decoded as they are asked for. Good only while the callback runs: later reads are nil.
package struct LuaArguments {
    /// nil where the host itself calls.
    package let state: LuaState?
    package let count: Int
    private let serial: UInt64

    init(state: LuaState, count: Int) {
        self.state = state
        self.count = count
        serial = guard_host_serial(state.machine)
    }

    private init() {
        state = nil
        count = 0
        serial = 0
    }

    /// No arguments, for a callback that the host itself calls.
    package static var none: LuaArguments { LuaArguments() }

    /// Zero-based. `.nil` beyond the last one. A table that cannot be copied (too deep, or with a coroutine in it) is
    /// `.nil` here; ``value(at:)`` throws instead.
    package subscript(index: Int) -> LuaValue {
        (try? value(at: index)) ?? .nil
    }

    /// Throws ``LuaHostError`` for a value that cannot be copied.
    package func value(at index: Int) throws -> LuaValue {
        guard let state, isCurrent, index >= 0, index < count else { return .nil }
        let place = Int32(index + 1)
        switch kind(at: index) {
        case .nil: return .nil
        case .boolean: return .boolean(guard_argument_boolean(state.machine, place))
        case .integer: return .integer(guard_argument_integer(state.machine, place))
        case .number: return .number(guard_argument_number(state.machine, place))
        case .string:
            var size = 0
            let bytes = guard_argument_string(state.machine, place, &size)
            if size > LuaArguments.small { try state.charge(2 * size) }
            return LuaValue.text(UnsafeRawBufferPointer(start: bytes, count: size))
        case .value:
            var type: Int32 = 0
            var (a, b) = (Int64(0), Int64(0))
            guard guard_argument_value(state.machine, place, &type, &a, &b) else { return .nil }
            return .value(LuaSmallValue(type: .init(rawValue: type), a: a, b: b))
        case .table, .function, .other:
            guard guard_argument_encode(state.machine, place) == GUARD_OK.code else {
                throw LuaHostError(state.errorMessage)
            }
            try state.chargeForCopy()
            let value = state.decodeResults(whileTimeIsLeft: true).first ?? .nil
            guard_forget_results(state.machine)
            try state.charge(0)
            return value
        }
    }

    package func kind(at index: Int) -> LuaKind {
        guard let state, isCurrent, index >= 0, index < count else { return .nil }
        return LuaKind(guard_argument_kind(state.machine, Int32(index + 1)))
    }

    /// Texts of as many bytes cost nothing worth counting.
    private static let small = 4_096

    /// All of them.
    package var values: [LuaValue] { (0..<count).map { self[$0] } }

    private var isCurrent: Bool { state.map { guard_host_serial($0.machine) == serial } ?? false }
}

/// What a Lua value is, before it is copied.
package enum LuaKind: Int32, Sendable, Hashable {
    case `nil`, boolean, integer, number, string, table, function, value, other

    init(_ code: Int32) {
        self = LuaKind(rawValue: code) ?? .other
    }
}

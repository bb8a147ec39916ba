internal import CLuaGuard

/// The results of a call, still on Lua's side: read in place, without copying what is not asked for.
///
/// Fields are read as they stand in the table, past any metatable, so that reading runs no Lua code.
package struct LuaResults: ~Copyable {
    private let state: LuaState
    private let mark: Int32
    /// The number of results.
    package let count: Int

    init(state: LuaState, mark: Int32, count: Int) {
        self.state = state
        self.mark = mark
        self.count = count
    }

    private func result(_ index: Int) -> guard_read { guard_answer_result(state.machine, mark, Int32(clamping: index)) }
    private func field(_ key: LuaKey, _ index: Int) -> guard_read {
        guard_answer_field(state.machine, mark, Int32(clamping: index), key.number)
    }

    package func kind(_ index: Int = 0) -> LuaKind { LuaKind(result(index).kind) }
    package func boolean(_ index: Int = 0) -> Bool? { result(index).boolean }
    package func integer(_ index: Int = 0) -> Int64? { result(index).integer }
    package func number(_ index: Int = 0) -> Double? { result(index).float }
    package func value(_ index: Int = 0) -> LuaSmallValue? { result(index).small }
    package func string(_ index: Int = 0) -> String? { result(index).string }

    /// Of a field of result `index`, which is `.nil` if the result is not a table.
    package func kind(_ key: LuaKey, of index: Int = 0) -> LuaKind { LuaKind(field(key, index).kind) }
    package func boolean(_ key: LuaKey, of index: Int = 0) -> Bool? { field(key, index).boolean }
    package func integer(_ key: LuaKey, of index: Int = 0) -> Int64? { field(key, index).integer }
    package func number(_ key: LuaKey, of index: Int = 0) -> Double? { field(key, index).float }
    package func value(_ key: LuaKey, of index: Int = 0) -> LuaSmallValue? { field(key, index).small }
    package func string(_ key: LuaKey, of index: Int = 0) -> String? { field(key, index).string }

    /// The bytes of a string field, without a copy; `nil` if it is not a string.
    package func withUTF8<R>(_ key: LuaKey, of index: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows
        -> R?
    {
        guard let bytes = field(key, index).text else { return nil }
        return try body(bytes)
    }

    /// A copy of result `index`. Throws when it cannot be copied.
    package func toValue(_ index: Int = 0) throws(LuaError) -> LuaValue {
        guard index >= 0, index < count else { return .nil }
        return try copy(guard_answer_encode(state.machine, mark, Int32(clamping: index)))
    }

    /// A copy of a field of result `index`.
    package func toValue(_ key: LuaKey, of index: Int = 0) throws(LuaError) -> LuaValue {
        try copy(guard_answer_encode_field(state.machine, mark, Int32(clamping: index), key.number))
    }

    private func copy(_ status: Int32) throws(LuaError) -> LuaValue {
        guard status == GUARD_OK.code else { throw state.currentError(status) }
        return state.decodeResults().first ?? .nil
    }
}

extension guard_read {
    fileprivate var boolean: Bool? { LuaKind(kind) == .boolean ? a != 0 : nil }
    fileprivate var integer: Int64? {
        switch LuaKind(kind) {
        case .integer: a
        case .number: Int64(exactly: number)
        default: nil
        }
    }
    fileprivate var float: Double? {
        switch LuaKind(kind) {
        case .integer: Double(a)
        case .number: number
        default: nil
        }
    }
    fileprivate var small: LuaSmallValue? {
        LuaKind(kind) == .value ? LuaSmallValue(type: .init(rawValue: type), a: a, b: b) : nil
    }
    fileprivate var text: UnsafeRawBufferPointer? {
        LuaKind(kind) == .string ? UnsafeRawBufferPointer(start: bytes, count: Int(b)) : nil
    }
    fileprivate var string: String? { text.map { String(decoding: $0, as: UTF8.self) } }
}

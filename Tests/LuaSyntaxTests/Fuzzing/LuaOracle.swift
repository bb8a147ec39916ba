import CLua

/// Asks the Lua library itself whether a text is Lua, without ever running it.
final class LuaOracle {
    private var state: OpaquePointer?
    private var loads = 0

    deinit {
        if let state { lua_close(state) }
    }

    /// What Lua says against `source`, or nil where Lua accepts it.
    ///
    /// `luaL_loadbufferx` catches every error of the compiler, so none unwinds through this frame.
    func complaint(about source: [UInt8]) -> String? {
        withState { state in
            let status = source.withUnsafeBytes { bytes in
                luaL_loadbufferx(state, bytes.baseAddress, bytes.count, "=x", "t")
            }
            guard status != LUA_OK else { return nil }
            var length = 0
            guard let text = lua_tolstring(state, -1, &length) else { return "" }
            return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
        }
    }

    /// Runs `body` with an empty stack; nil if memory for a state is lacking.
    func withState<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let state = freshState() else { return nil }
        defer { lua_settop(state, 0) }
        return body(state)
    }

    /// Now and then a new state, so that what was compiled before is freed.
    private func freshState() -> OpaquePointer? {
        loads += 1
        if let state, loads % 5000 != 0 { return state }
        if let state { lua_close(state) }
        state = luaL_newstate()
        return state
    }
}

import CLua
import LuaSyntax

extension LuaOracle {
    /// The number Lua reads from a text, with `lua_stringtonumber`, which raises nothing; nil where it is none.
    func number(_ text: String) -> Expression.Kind? {
        withState { state in
            guard lua_stringtonumber(state, text) != 0 else { return nil }
            if lua_isinteger(state, -1) != 0 { return .integer(lua_tointegerx(state, -1, nil)) }
            return .number(lua_tonumberx(state, -1, nil))
        }
    }

    /// The bytes of a string literal: `return` of it, run under `pcall` in a state without libraries.
    func string(ofLiteral literal: String) -> [UInt8]? {
        withState { state in
            let source = "return " + literal
            guard luaL_loadbufferx(state, source, source.utf8.count, "=x", "t") == LUA_OK,
                lua_pcallk(state, 0, 1, 0, 0, nil) == LUA_OK, lua_type(state, -1) == LUA_TSTRING
            else { return nil }
            var length = 0
            guard let text = lua_tolstring(state, -1, &length) else { return nil }
            return Array(UnsafeRawBufferPointer(start: text, count: length))
        }
    }
}

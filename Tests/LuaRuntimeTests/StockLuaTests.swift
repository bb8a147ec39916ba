import CLua
import LuaRuntime
import Testing

/// Assertions by the sections of the reference manual, each put to stock Lua as well: what the guard does otherwise is
/// named in docs/lua.md, and nothing else.
@Suite("Scripts work as in stock Lua")
struct StockLuaTests {
    /// The text of what a chunk gives in stock Lua; nil where it fails.
    private func stock(_ source: String) throws -> String? {
        let state = try #require(luaL_newstate())
        defer { lua_close(state) }
        luaL_openlibs(state)
        guard luaL_loadbufferx(state, source, source.utf8.count, "=x", "t") == LUA_OK,
            lua_pcallk(state, 0, 1, 0, 0, nil) == LUA_OK
        else { return nil }
        return lua_tolstring(state, -1, nil).map { String(cString: $0) }
    }

    /// What an expression gives, written so that kinds can be distinguished.
    private static func shown(_ expression: String) -> String {
        """
        local function show(...)
            local t = table.pack(...)
            for i = 1, t.n do t[i] = (math.type(t[i]) or type(t[i])) .. ' ' .. tostring(t[i]) end
            return table.concat(t, ', ')
        end
        return show(pcall(function() return \(expression) end))
        """
    }

    /// One on each line; lines that begin with dashes say what those below are about.
    static let expressions = ##"""
        -- 3.4.3 Coercions
        "10" + 1
        "10" * "2"
        "0x10" - 1
        -"2"
        "7" // 2
        "7" % "4"
        "2" ^ "3"
        "3" / 2
        "1e1" + 0
        " 10 " + 1
        "3.0" + 1
        "9223372036854775807" + 1
        10 .. 20
        "a" + 1 == 0
        1 + "b" == 0
        {} + 1 == 0
        "10" < "9"
        "5" | 1
        "0x7" & 3
        "1.5" | 1 == 0
        ~"1"
        math.tointeger("8")
        math.tointeger(3.0)
        #"abc" + "1"
        1 // 0.0
        -7 // 2
        -7 % 3
        7 % -3.5
        1 << 64
        1 << 63
        3 | 2.0
        2^53 == 2^53 + 1
        math.maxinteger + 1 == math.mininteger
        -- 6.1 Basic functions
        getmetatable(4)
        getmetatable(nil)
        getmetatable(print)
        getmetatable({})
        tonumber("0x1p4")
        tonumber("10", 2)
        tonumber("zz", 36)
        tonumber("8", 8)
        tonumber("")
        tonumber("1e")
        tonumber("  12  ")
        tonumber("0x")
        select("#", nil, nil)
        select(-1, 1, 2, 3)
        select(2, 1)
        rawequal("a", "a")
        type(nil)
        tostring(1e15)
        tostring(-0.0)
        tostring(2^63)
        tostring(1/0)
        tostring(3.14)
        next({})
        next({}, nil)
        assert(1, 2, 3)
        pcall(error)
        pcall(error, nil)
        pcall(error, "x", 0)
        (assert(pcall(pcall, error)))
        -- 6.4 Strings
        string.byte("hi", -3)
        string.byte("hi", -2)
        string.byte("hi", 0)
        string.byte("hi", 3)
        string.byte("hi", 1, -1)
        string.byte("hi", -3, 1)
        string.byte("hi", 0, 9)
        string.byte("", 1)
        string.byte("hello", 2, 3)
        string.byte("hi", math.mininteger)
        string.byte("hi", math.maxinteger)
        string.sub("hello", -3)
        string.sub("hello", 2, -2)
        string.sub("hello", 0)
        string.sub("hello", 9)
        string.sub("hello", math.mininteger, math.maxinteger)
        string.rep("ab", 3, ",")
        string.rep("x", -1)
        string.reverse("abc")
        string.upper("aéz")
        string.len("a\0b")
        string.char(72, 105)
        string.char()
        ("x"):rep(3)
        string.format("%5.2f|%-5d|%+d|%x|%g", 3.14159, 42, 7, 255, 1e20)
        string.format("%q", "a\nb\"c\0d")
        string.format("%q", "\0\0001\1\0012\31\x7f\1279\r\t\\ é")
        string.format("%d%%%q|%s|%q", 1, "a\0", "b\n", "")
        string.format("%q %q %q", true, 7, "7")
        string.format("%5q", "a")
        string.format("%q %s %s", "a", "b")
        string.format("%q%q", "a")
        string.format("%q")
        string.format("%q", {})
        #string.format("%q", ("a\1"):rep(50000))
        load("return " .. string.format("%q", ("\0a9\0019"):rep(3000)))() == ("\0a9\0019"):rep(3000)
        string.format("%q", 1/3)
        string.format("%s %s", 1, true)
        string.format("%10.3s|", "abcdef")
        string.format("%c%c", 76, 117)
        string.format("%i", 3.0)
        string.format("%a", 1)
        string.format("%%")
        string.format("%5s|%-5s|", "a", "b")
        -- 6.4.1 Patterns
        ("a\0b"):find("%z")
        ("a\0b"):find("[%z]")
        ("a\0b"):find("%Z", 2)
        ("aB"):find("%u")
        ("aB"):find("%U")
        ("aB"):match("[%u]")
        ("aB"):match("[^%u]")
        ("hello world"):match("^(%w+)")
        ("key = value"):match("(%w+)%s*=%s*(%w+)")
        ("THE (quick) fox"):find("%((%a+)%)")
        ("abc"):gsub("%w", "%0%0")
        ("abc"):gsub("", "-")
        ("hello"):gsub("l", { l = "L" })
        ("hello"):gsub("l", function() return nil end)
        ("abc"):gsub("b", false)
        ("f(a(b)c)d"):match("%b()")
        ("THE (quick) fox"):gsub("%f[%a]%a+", "x")
        ("aaa"):find("a-", 2)
        ("aaab"):find("a*b")
        ("a.b"):find(".", 1, true)
        ("abc"):find("b", -1)
        ("abc"):find("", 10)
        ("abc"):find("", 4)
        ("abc"):match("()b()")
        ("a-b"):match("[a%-]+")
        ("]"):match("[]]")
        ("a^b"):match("[b^]")
        ("x"):gsub("x", "%%")
        ("x"):match("%")
        ("x"):match("[a")
        ("x"):match("(x")
        ("x"):match("x)")
        ("xx"):match("(x)%1")
        ("x"):gsub("x", "%2")
        ("abc"):gsub("%w", "x", 2)
        ("abc"):gsub("^a", "x")
        -- 6.4.2 Packing
        string.pack("<i4", 7):byte(1, -1)
        string.unpack("<i2", "\1\2")
        string.packsize("i4i8")
        string.unpack("z", "ab\0c")
        -- 6.5 UTF-8
        utf8.char(228, 8364)
        utf8.len("äö")
        utf8.len("\xff")
        utf8.codepoint("äö", 1, -1)
        utf8.offset("äö", 2)
        -- 6.6 Tables
        table.concat({ 1, 2, 3 }, ", ")
        table.concat({}, "x")
        table.concat({ 1, 2, 3 }, "-", 2, 3)
        table.unpack({ 1, 2, 3 }, 2)
        table.unpack({ 1, nil, 3 }, 1, 3)
        table.pack(1, nil).n
        table.remove({})
        table.remove({ 1, 2 })
        table.remove({ 1, 2 }, 1)
        table.concat(table.move({ 1, 2, 3 }, 2, 3, 1), ",")
        #table.pack()
        (function() local t = { 3, 1, 2 } table.sort(t) return table.concat(t, ",") end)()
        (function() local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) return table.concat(t, ",") end)()
        (function() local t = { 1, 3 } table.insert(t, 2, 2) return table.concat(t, ",") end)()
        -- 6.7 Mathematics
        math.floor(-3.5)
        math.ceil(3.2)
        math.fmod(-7, 3)
        math.fmod(7, -3.5)
        math.modf(-3.7)
        math.max(1, 2.5)
        math.min(3)
        math.type(1)
        math.type(1.0)
        math.type("1")
        math.ult(1, -1)
        math.abs(math.mininteger)
        math.huge
        math.pi
        math.sqrt(2)
        math.log(8, 2)
        math.exp(0)
        -- 3.3 Statements
        (function() for i = 3, 1 do return i end return "none" end)()
        (function() for i = math.maxinteger - 1, math.maxinteger do end return 1 end)()
        (function() local t = {} for i = 1, 3 do t[i] = function() return i end end return t[1]() + t[3]() end)()
        (function() goto done do return 1 end ::done:: return 2 end)()
        (function(...) return select("#", ...) end)(nil, nil)
        (function() for i = 1, 3, 0 do end end)()
        (function() local a <const> = 1 return a end)()
        (function() repeat local x = 1 until x == 1 return "ok" end)()
        """##.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("--") }

    @Test("an expression gives what it gives there", arguments: expressions)
    func same(expression: String) throws {
        let source = Self.shown(expression)
        let state = try LuaState(profile: .script, limits: .none)
        let ours = try state.call(state.load(source, chunk: "x", environment: state.makeEnvironment())).first
        let lua = try #require(try stock(source))
        let outcome = ours?.stringValue ?? ""
        // Messages name functions and values in words of their own; that it fails is the same.
        if lua.hasPrefix("boolean false") {
            #expect(outcome.hasPrefix("boolean false"), "\(outcome)")
        } else {
            #expect(outcome == lua)
        }
    }
}

import LuaRuntime
import Testing

@Suite("Libraries")
struct LibraryTests {
    static let policyNames = [
        "assert", "error", "ipairs", "math", "next", "pairs", "pcall", "print", "require", "select", "string", "table",
        "tonumber", "tostring", "type", "utf8", "xpcall",
    ]
    static let scriptNames = ["_G", "coroutine", "getmetatable", "load", "rawequal", "setmetatable"]
    static let absentNames = [
        "collectgarbage", "debug", "dofile", "io", "loadfile", "loadstring", "os", "package", "rawget", "rawlen",
        "rawset",
        "warn",
    ]

    func exists(_ name: String, _ state: LuaState) -> Bool {
        (try? state.run("local _ = \(name)")) != nil
    }

    @Test("a policy has these names, and no others")
    func policyNames() throws {
        let state = try makeState(.policy)
        for name in Self.policyNames { #expect(exists(name, state), "\(name)") }
        for name in Self.scriptNames + Self.absentNames { #expect(!exists(name, state), "\(name)") }
    }

    @Test("a script has some more")
    func scriptNames() throws {
        let state = try makeState(.script)
        for name in Self.policyNames + Self.scriptNames { #expect(exists(name, state), "\(name)") }
        for name in Self.absentNames { #expect(!exists(name, state), "\(name)") }
    }

    @Test(
        "the libraries have these functions, and no others",
        arguments: [
            ("string", "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper"),
            ("table", "concat insert move pack remove sort unpack"),
            ("utf8", "char charpattern codepoint codes len offset"),
            (
                "math",
                "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad sin sqrt tan tointeger type ult"
            ),
        ])
    func functions(library: String, names: String) throws {
        let source = "local s = {} for k in pairs(\(library)) do s[#s + 1] = k end return table.concat(s, ' ')"
        #expect(try makeState(.policy).run(source) == [.string(names)])
    }

    @Test(
        "what a policy or script may not do is an error",
        arguments: [
            "string.rep = print", "table.sort = nil", "math.pi = 3", "getmetatable('').x = 1", "('x').y = 1",
            "setmetatable(string, {})", "setmetatable({}, { __gc = print })", "setmetatable({}, { __mode = 'k' })",
            "setmetatable({}, { __concat = print })", "setmetatable({}, { __close = print })",
            "setmetatable({}, { __metatable = 1 })", "setmetatable(_G, {})", "local _ENV = {}",
            "local x <close> = setmetatable({}, { __close = print })", "string.format('%p', {})",
            "setmetatable({}, { __call = {} })", "math.random = nil",
        ], [LuaProfile.policy, .script])
    func refused(source: String, profile: LuaProfile) throws {
        #expect(throws: LuaError.self) { try makeState(profile).run(source) }
    }

    @Test(
        "bytecode and _ENV are refused when loaded, words that only contain it are not",
        arguments: [
            ("return load('\\27Lua')", false), ("return load('return _ENV')", false),
            ("return load('local a = { _ENV = 1 }')", false),
            ("return load('return \"_ENV\"')", true), ("return load('-- _ENV\\nreturn 1')", true),
            ("return load('local my_ENV, _ENVx = 1 return [[ _ENV ]], [==[ ]] _ENV ]==] --[[ _ENV ]]')", true),
        ])
    func loading(source: String, accepted: Bool) throws {
        let result = try makeState().run(source)
        #expect((result.first?.functionValue != nil) == accepted)
    }

    @Test(
        "metatables work as far as they are allowed",
        arguments: [
            "local C = {} C.__index = C function C.new() return setmetatable({}, C) end function C:hi() return 'hi' end return C.new():hi()",
            "local m = { __tostring = function() return 'hi' end } return tostring(setmetatable({}, m))",
            "local m = { __call = function(self, x) return x end } return setmetatable({}, m)('hi')",
            "local m = { __add = function(a, b) return 'hi' end } return setmetatable({}, m) + 1",
            "local m = {} return getmetatable(setmetatable({}, m)) == m and 'hi'",
            "local t = setmetatable({}, { __index = function(t, k) return k end }) return t.hi",
            "local t = setmetatable({}, { __newindex = function(t, k, v) print(k) end }) t.x = 1 return t.x == nil and 'hi'",
            "local t = setmetatable({}, { __pairs = function() return function(_, k) if not k then return 'hi' end end end }) for k in pairs(t) do return k end",
            "return getmetatable('') == false and 'hi'",
        ])
    func metatables(source: String) throws {
        #expect(try makeState().run(source) == ["hi"])
    }

    @Test("coroutines pass values, errors and yields through pcall")
    func coroutines() throws {
        let source = """
            local log = {}
            local c = coroutine.create(function(a)
              log[#log + 1] = a
              local ok, b = pcall(function() local b = coroutine.yield('first') error('inner ' .. b, 0) end)
              log[#log + 1] = b
              return 'last'
            end)
            local _, first = coroutine.resume(c, 'in')
            local _, last = coroutine.resume(c, 'back')
            local ok, dead = coroutine.resume(c)
            local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
            return first, last, log[1], log[2], ok, dead, gen() + gen() + gen(), coroutine.status(c)
            """
        #expect(
            try makeState().run(source)
                == ["first", "last", "in", "inner back", false, "cannot resume dead coroutine", 6, "dead"])
    }

    @Test("require runs a file once, gives its result, and refuses cycles")
    func require() throws {
        let state = try makeState()
        var asked: [String] = []
        state.require = { name in
            asked.append(name)
            guard name != "missing" else { throw LuaHostError("no file 'missing.lua'") }
            if name == "loop" { return ("return require 'loop'", "loop.lua") }
            return ("local name = ... return { name = name }", "\(name).lua")
        }
        #expect(try state.run("local a, b = require 'x', require 'x' return a == b, a.name") == [true, "x"])
        #expect(asked == ["x"])
        #expect(try state.failure("require 'loop'").message.contains("requires itself"))
        let missing = try state.failure("\nrequire 'missing'")
        #expect(missing.message == "no file 'missing.lua'")
    }

    @Test("a frozen environment requires nothing new, and its modules are frozen")
    func frozenRequire() throws {
        let state = try makeState(.policy)
        state.require = { name in ("return { count = 0 }", "\(name).lua") }
        let environment = try state.makeEnvironment()
        let load = try state.load(
            "require 'counter' return function(what) local m = require(what) m.count = m.count + 1 end", chunk: "p",
            environment: environment)
        let function = try #require(try state.call(load).first?.functionValue)
        try state.freeze(function)
        for what in ["counter", "other"] {
            let error = try #require(throws: LuaError.self) { try state.call(function, [.string(what)]) }
            #expect(error.message.hasPrefix("stateful: "), "\(error)")
        }
    }

    @Test("an error in a required file names its own place")
    func requiredError() throws {
        let state = try makeState()
        state.require = { _ in ("\n\nerror('broken')", "lib/tools.lua") }
        let error = try state.failure("require 'tools'")
        #expect(error.description == "lib/tools.lua:3: broken")
    }

    @Test("frozen tables are seen through")
    func frozenTables() throws {
        let state = try makeState(.policy)
        try state.define("list", value: [3, 1, 2])
        try state.define("map", value: ["b": 1, "a": 2])
        let source = """
            local s = {}
            for k, v in pairs(map) do s[#s + 1] = k .. v end
            for i, v in ipairs(list) do s[#s + 1] = i .. '=' .. v end
            for k, v in next, list do s[#s + 1] = v end
            return table.concat(s, ' '), #list, table.concat(list, '-'), select('#', table.unpack(list)), next(map), list == list
            """
        #expect(try state.run(source) == ["a2 b1 1=3 2=1 3=2 3 1 2", 3, "3-1-2", 3, "a", true])
        for write in [
            "table.insert(list, 1)", "table.remove(list)", "table.sort(list)", "table.move(list, 1, 2, 2)",
            "map.a = nil",
        ] {
            #expect(throws: LuaError.self) { try state.run(write) }
        }
        #expect(try state.run("return list[1], list[2], list[3], map.a") == [3, 1, 2, 2])
    }

    @Test("the sort is stable, and knows numbers, text and functions")
    func sorting() throws {
        let source = """
            local words = { 'b', 'a', 'C', 'a' } table.sort(words)
            local numbers = { 3, 1.5, 2, -1, 2.0 } table.sort(numbers)
            local rows = {} for i = 1, 100 do rows[i] = { i % 3, i } end
            table.sort(rows, function(a, b) return a[1] < b[1] end)
            local stable = true
            for i = 2, 100 do if rows[i][1] == rows[i - 1][1] and rows[i][2] < rows[i - 1][2] then stable = false end end
            return table.concat(words, ' '), table.concat(numbers, ' '), stable, pcall(table.sort, { 1, 'x' })
            """
        let result = try makeState().run(source)
        #expect(result.prefix(4) == ["C a a b", "-1 1.5 2 2.0 3", true, false])
    }

    @Test("what goes wrong in a host function reaches pcall as text")
    func softened() throws {
        struct Broken: Error, CustomStringConvertible { var description: String { "printer on fire" } }
        let state = try makeState()
        try state.define("fail") { _ in throw Broken() }
        let results = try state.run(
            """
            local _, a = pcall(fail)
            local _, b = xpcall(fail, function(m) return 'handled ' .. m end)
            local _, c = coroutine.resume(coroutine.create(fail))
            return a, b, c
            """)
        #expect(results.map { $0.stringValue?.contains("printer on fire") } == [true, true, true])
        #expect(throws: Broken.self) { try state.run("coroutine.wrap(fail)()") }
    }

    @Test("type names records, host values and the rest")
    func types() throws {
        let state = try makeState()
        try state.register(RecordTests.type())
        try state.define("money") { _ in [.value(LuaSmallValue(type: RecordTests.money, a: 1))] }
        #expect(
            try state.run("return type(money()), type(1), type({}), type(print), type(nil)") == [
                "money", "number", "table", "function", "nil",
            ])
    }

    @Test("a long source is refused, and so is a very long chain of fields")
    func sourceLimits() throws {
        let long = String(repeating: "local x = 1 ", count: 6000)
        #expect(try makeState(.policy).failure(long).code == .syntax)
        let chain = "return x" + String(repeating: ".y", count: 10_000)
        #expect(try makeState(.policy).failure(chain).message.contains("too many field accesses"))
        #expect(try makeState(.policy).failure("x = 1\nlocal _ENV = 1").line == 2)
        let fine = "local t = {} t.t = t " + String(repeating: "t.t.t.t.t.x = 1 t.t[1] = t.t.t:f() ", count: 1000)
        let state = try makeState(.policy)
        #expect(throws: Never.self) {
            _ = try state.load(fine, chunk: "fine", environment: state.makeEnvironment())
        }
    }

    @Test("functions and environments of another state are refused")
    func otherState() throws {
        let (first, second) = (try makeState(), try makeState())
        let environment = try first.makeEnvironment()
        let function = try first.load("return 1", chunk: "x", environment: environment)
        #expect(throws: LuaError.self) { try second.call(function) }
        #expect(throws: LuaError.self) {
            try second.call(
                second.load("return ...", chunk: "y", environment: second.makeEnvironment()), [.function(function)])
        }
        #expect(throws: LuaError.self) { _ = try second.load("return 1", chunk: "x", environment: environment) }
    }
}

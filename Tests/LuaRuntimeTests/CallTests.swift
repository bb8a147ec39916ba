import LuaRuntime
import Testing

@Suite("Calls, values, errors")
struct CallTests {
    @Test("values cross in both directions and come back equal")
    func roundTrip() throws {
        let state = try makeState()
        let function = try state.load("return ...", chunk: "echo", environment: state.makeEnvironment())
        let values: [LuaValue] = [
            1, 2.5, true, "text", nil, .bytes([0xff, 0]), [1, 2, "three"], ["key": ["nested": true]], .integer(.min),
        ]
        #expect(try state.call(function, values) == values)
    }

    @Test("a host function sees its arguments and gives its results")
    func callback() throws {
        let state = try makeState()
        try state.define("desk.add") { arguments in
            guard let a = arguments[0].integerValue, let b = arguments[1].integerValue else {
                throw LuaHostError("two integers were expected")
            }
            return [.integer(a + b), .string("sum")]
        }
        #expect(try state.run("return desk.add(2, 3)") == [5, "sum"])
        let error = try state.failure("\n\nreturn desk.add(2)")
        #expect(error.description == "test.lua:3: two integers were expected")
    }

    struct Trouble: Error, Equatable { var number: Int }

    @Test("a Swift error that no Lua code catches comes out as it went in")
    func swiftError() throws {
        let state = try makeState()
        try state.define("fail") { _ in throw Trouble(number: 7) }
        #expect(throws: Trouble(number: 7)) { try state.run("fail()") }
        #expect(throws: Trouble(number: 7)) { try state.run("local t = {} t.x = 1 fail()") }
        let caught = try state.run("local ok, e = pcall(fail) return ok, type(e)")
        #expect(caught.first == false)
    }

    @Test("a callback may call back into the same state")
    func reentrant() throws {
        let state = try makeState()
        try state.define("twice") { arguments in
            guard let function = arguments[0].functionValue else { throw LuaHostError("a function was expected") }
            let first = try #require(arguments.state).call(function, [1])
            let second = try #require(arguments.state).call(function, [2])
            return first + second
        }
        #expect(try state.run("local sum = 0 return twice(function(n) sum = sum + n return sum end)") == [1, 3])
        #expect(throws: Trouble(number: 1)) {
            try state.define("fail") { _ in throw Trouble(number: 1) }
            try state.run("twice(function() fail() end)")
        }
    }

    @Test("an error carries message, chunk, line and traceback")
    func errorParts() throws {
        let state = try makeState()
        let error = try state.failure("local function deep()\n  error('broken')\nend\ndeep()")
        #expect(error.code == .runtime)
        #expect(error.message == "broken")
        #expect(error.chunk == "test.lua")
        #expect(error.line == 2)
        #expect(error.traceback?.contains("test.lua:4") == true)
    }

    @Test("a chunk name longer than Lua's own limit is kept whole")
    func longChunkName() throws {
        let state = try makeState()
        let name = "policies/" + String(repeating: "long", count: 30) + ".lua"
        let function = try state.load("\nerror('x')", chunk: name, environment: state.makeEnvironment())
        #expect {
            try state.call(function)
        } throws: { error in
            guard let error = error as? LuaError else { return false }
            return error.chunk == name && error.line == 2 && error.message == "x"
        }
        #expect {
            _ = try state.load("x = = 1", chunk: name, environment: state.makeEnvironment())
        } throws: { error in
            guard let error = error as? LuaError else { return false }
            return error.chunk == name && error.line == 1 && error.code == .syntax
        }
    }

    @Test(
        "a syntax error at the end of the text is incomplete, others are not",
        arguments: [("for i = 1, 2 do", true), ("x = {", true), ("x = = 1", false), ("return 'abc", false)])
    func incomplete(source: String, expected: Bool) throws {
        let error = try makeState().failure(source)
        #expect(error.code == .syntax)
        #expect(error.isIncomplete == expected)
    }

    @Test("an error object that is a table is described and copied")
    func errorTable() throws {
        let error = try makeState().failure("error { message = 'no copies', code = 12, f = print }")
        #expect(error.message == "no copies")
        #expect(error.value?.tableValue?["code"] == 12)
        #expect(error.value?.tableValue?["f"] == .nil)
    }

    @Test("a function knows where it was defined")
    func definedAt() throws {
        let state = try makeState()
        let function = try #require(try state.run("\nreturn function() end").first?.functionValue)
        let place = try #require(function.definedAt)
        #expect(place.chunk == "test.lua")
        #expect(place.line == 2)
    }

    @Test("an unknown global is an error in the host's words")
    func unknownGlobal() throws {
        let state = try makeState()
        state.unknownGlobal = { "no \($0) here" }
        let error = try state.failure("return patrn")
        #expect(error.message == "no patrn here")
        #expect(error.line == 1)
    }

    @Test("environments do not see each other's globals")
    func environments() throws {
        let state = try makeState()
        try state.run("shared = 1")
        #expect(try state.failure("return shared").message.contains("shared"))
    }

    @Test(
        "what the host defines is read-only to scripts", arguments: ["limits.x = 1", "limits.a = 1", "string.rep = 1"])
    func readOnly(source: String) throws {
        let state = try makeState()
        try state.define("limits", value: ["a": 5, "nested": ["b": 1]])
        #expect(try state.failure(source).message.contains("read-only"))
        #expect(try state.failure("limits.nested.b = 2").message.contains("read-only"))
        #expect(try state.run("return limits.a, limits.nested.b") == [5, 1])
    }

    @Test("a frozen function's tables refuse writes, and read as before")
    func freeze() throws {
        let state = try makeState(.policy)
        let environment = try state.makeEnvironment()
        let chunk = try state.load(
            """
            local seen = { count = 0, list = { 1, 2, 3 } }
            rows = { { a = 1 } }
            return function(what)
              if what == "write" then seen.count = seen.count + 1 end
              if what == "nested" then seen.list[4] = 4 end
              if what == "global" then rows[1].a = 2 end
              if what == "new" then fresh = 1 end
              local sum = 0
              for _, v in ipairs(seen.list) do sum = sum + v end
              return #seen.list, sum, seen.count, rows[1].a
            end
            """, chunk: "policy.lua", environment: environment)
        let function = try #require(try state.call(chunk).first?.functionValue)
        try state.freeze(function)
        #expect(try state.call(function) == [3, 6, 0, 1])
        for what in ["write", "nested", "global", "new"] {
            #expect {
                try state.call(function, [.string(what)])
            } throws: { error in
                (error as? LuaError)?.message.hasPrefix("stateful: ") == true
            }
        }
        #expect(try state.call(function) == [3, 6, 0, 1])
    }

    @Test("print goes where the host says")
    func printing() throws {
        let state = try makeState()
        var lines: [String] = []
        state.print = { lines.append($0.joined(separator: "\t")) }
        try state.run("print('a', 1, nil, true)")
        #expect(lines == ["a\t1\tnil\ttrue"])
    }

    @Test("functions let go by Swift are freed in Lua")
    func released() throws {
        let state = try makeState()
        let environment = try state.makeEnvironment()
        let maker = try state.load(
            "local big = ('x'):rep(100000) return function() return big end", chunk: "m", environment: environment)
        state.collectGarbage()
        let before = state.usedMemory
        for _ in 0..<50 { _ = try state.call(maker) }
        state.collectGarbage()
        #expect(state.usedMemory < before + 20_000)
    }
}

import LuaRuntime
import TestSupport
import Testing

/// What crosses from Lua to Swift and back, and what Lua does before and after a call, has the limits of a call.
@Suite("Limits around calls", .serialized)
struct CopyTests {
    /// 65 times one table of 30,000 fields: small in Lua, two million values when it is copied.
    static let shared = """
        local big = {} for i = 1, 30000 do big["k" .. (i * 7919) % 30011] = true end
        local graph = {} for i = 1, 65 do graph["x" .. i] = big end
        """
    static let limits = LuaLimits(memory: 32 << 20, deadline: .milliseconds(100))

    private func used(_ body: () throws -> Void) rethrows -> Duration {
        let start = ProcessorTime.now()
        try body()
        return ProcessorTime.now() - start
    }

    @Test("a graph that shares its nodes is copied within the limits: result, argument, error value and answer")
    func graphs() throws {
        let state = try makeState(limits: Self.limits)
        try state.define("give") { arguments in [arguments[0]] }
        for ending in ["return graph", "give(graph)", "error(graph)", "pcall(give, graph) return 1"] {
            let time = used {
                do {
                    try state.run("\(Self.shared) \(ending)")
                } catch let error as LuaError {
                    #expect([.timeLimit, .runtime, .memory].contains(error.code))
                } catch { Issue.record(error) }
            }
            #expect(ProcessorTime.isWithin(.milliseconds(250), time), "\(ending): \(time)")
        }
    }

    @Test("an answer is read within the limits of the call that gave it")
    func answers() throws {
        let state = try makeState(.policy, limits: Self.limits)
        let type = LuaRecordType(name: "patron", fields: ["id"])
        let source = "\(Self.shared) return function(p) return { despite = graph } end"
        let made = try state.run(source)
        guard case .function(let decide) = try #require(made.first) else { return }
        let key = try state.key("despite")
        for _ in 0..<2 {
            let frame = try LuaFrame(state)
            frame.begin()
            let patron = try frame.record(type)
            let time = used {
                #expect(throws: LuaError.self) {
                    try state.call(decide, frame: frame, records: patron) { try $0.toValue(key) }
                }
            }
            #expect(ProcessorTime.isWithin(.milliseconds(250), time))
            frame.end()
        }
        #expect(try state.run("return 1") == [1])
    }

    @Test("copies weigh as much as the memory that a script may have")
    func weight() throws {
        let state = try makeState(limits: LuaLimits(memory: 16 << 20))
        let error = try state.failure(
            "local s = ('x'):rep(3 << 20) local t = {} for i = 1, 50 do t[i] = s end error(t)")
        #expect(error.value == nil)
        #expect(
            try state.failure("local t = {} for i = 1, 5000 do t[i] = {{}, {}, {}, {}} end return t, t, t, t, t").code
                == .runtime)
        #expect(try state.run("return ('x'):rep(100)").count == 1)
    }

    @Test("a large copy is made only where the script has that much memory left, garbage aside")
    func room() throws {
        let state = try makeState(limits: LuaLimits(memory: 32 << 20))
        nonisolated(unsafe) var taken = 0
        try state.define("keep") { arguments in
            taken += try arguments.value(at: 0).tableValue?.array.count ?? 0
            return []
        }
        let text = "local text = ('x'):rep(3 << 20)"
        // 20 MB of garbage, and 6 MB twice.
        try state.run("for i = 1, 5 do local garbage = ('y'):rep(4 << 20) .. i end \(text) keep{ text, text }")
        #expect(taken == 2)
        let full = "local held = {} for i = 1, 5 do held[i] = ('y'):rep(4 << 20) .. i end \(text)"
        #expect(try state.failure("\(full) pcall(keep, { text, text, text, text }) keep{}").code == .memory)
        #expect(taken == 2)
        #expect(try state.run("return 1") == [1])
    }

    @Test("a copy that fails leaves nothing behind")
    func references() throws {
        let state = try makeState(.policy, limits: LuaLimits(memory: 4 << 20))
        try state.define("keep") { arguments in
            [.integer(Int64(try arguments.value(at: 0).tableValue?.entries.count ?? 0))]
        }
        let source = """
            local t = {} for i = 1, 1000 do t[i] = function() return i end end
            t.self = t
            for i = 1, 20 do assert(not pcall(keep, t)) end
            """
        try state.run(source)
        state.collectGarbage()
        let before = state.usedMemory
        for _ in 0..<50 { try state.run(source) }
        state.collectGarbage()
        #expect(state.usedMemory - before < 200_000)
    }

    @Test(
        "compiling ends with the deadline, at once or a piece of the source later",
        arguments: [
            "if a then |elseif a then |70000|end", "return |a or |180000|a", "return |a and b or |90000|a",
            "|goto x |9900|::x::",
            "|goto x |30000|::x::",
        ])
    func compiling(pattern: String) throws {
        let parts = pattern.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let count = try #require(Int(parts[2]))
        let source = "local a, b " + parts[0] + String(repeating: parts[1], count: count) + parts[3]
        let state = try makeState(limits: LuaLimits(deadline: .milliseconds(100)))
        let environment = try state.makeEnvironment()
        let time = used {
            do {
                _ = try state.load(source, chunk: "long.lua", environment: environment)
            } catch let error as LuaError {
                #expect(error.code == .timeLimit || error.message == "too many jumps (goto and break)")
            } catch { Issue.record(error) }
        }
        #expect(ProcessorTime.isWithin(.milliseconds(200), time), "\(time)")
        #expect(try state.run("return 1") == [1])
    }

    @Test("what takes long to name in a message is not compiled, what a person writes is")
    func naming() throws {
        let chain = "a" + String(repeating: ".b", count: 389)
        var nested = chain
        for _ in 0..<189 { nested = "\(chain)[\(nested)]" }
        let state = try makeState(limits: LuaLimits(deadline: .milliseconds(200)))
        let error = try state.failure("local a = { } return \(nested)()")
        #expect(error.message == "too many field accesses in one expression")
        let wide =
            "local a = setmetatable({}, { __index = function(t) return t end }) \(String(repeating: "a = a ", count: 150_000))"
        let time = try used { _ = try state.failure("\(wide) a\(String(repeating: ".b", count: 14))()") }
        #expect(ProcessorTime.isWithin(.milliseconds(250), time), "\(time)")
        let sensible = "local a = { b = { c = { d = { 1 } } } } return a.b.c.d[a.b.c.d[a.b.c.d[1]]]"
        #expect(try state.run(sensible) == [1])
    }

    @Test(
        "an integer before a bitwise operator is compiled well in a function of many constants",
        arguments: [
            ("1 | (2 or 3)", 3), ("(1) | (2 or 3)", 3), ("c | (2 or 3)", 3), ("1 & (y and 3)", 1), ("-1 & (y or 3)", 2),
            ("~0 & (y or 1)", 2), ("1 + 1 | (y and 4)", 6), ("((1)) ~ (y or 3)", 3), ("0xff & 7 | (y or 1)", 7),
            ("1 << 2 | (y or 3)", 6),
        ] as [(String, Int64)])
    func constants(expression: String, expected: Int64) throws {
        let many = (1...300).map { "\($0).5" }.joined(separator: ", ")
        let source = "local c <const>, y = 1, 2 local x = { \(many) } return \(expression)"
        #expect(try makeState(.policy).run(source) == [.integer(expected)])
        #expect(throws: LuaError.self) { try makeState().run("local x = { \(many) } local f = print 1 | x") }
    }

    @Test("freezing ends with the deadline")
    func freezing() throws {
        let state = try makeState(.policy, limits: LuaLimits(deadline: .milliseconds(5)))
        let environment = try state.makeEnvironment()
        let source = "t = {} for i = 1, 50000 do t[i] = {} end"
        try state.call(
            state.load(source, chunk: "wide.lua", environment: environment),
            limits: LuaLimits(deadline: .seconds(5)))
        let time = used {
            do { try state.freeze(environment) } catch let error as LuaError {
                #expect(error.code == .timeLimit)
            } catch { Issue.record(error) }
        }
        #expect(ProcessorTime.isWithin(.milliseconds(120), time), "\(time)")
    }

    @Test("a host function's failed results do not pile up")
    func tape() throws {
        let state = try makeState(limits: LuaLimits(memory: 16 << 20))
        var nested = LuaValue.string(String(repeating: "p", count: 200_000))
        for _ in 0..<80 { nested = .table(LuaTable(array: [nested])) }
        let deep = nested
        try state.define("deep") { _ in [deep] }
        #expect(try state.run("local n = 0 for i = 1, 200 do n = n + (pcall(deep) and 1 or 0) end return n") == [0])
    }
}

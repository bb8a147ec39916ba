import Foundation
import LuaRuntime
import TestSupport
import Testing

@Suite("Metatables, next, order")
struct MetatableTests {
    @Test(
        "what is changed in a metatable after setmetatable counts",
        arguments: [
            (
                "local m = {} local t = setmetatable({}, m) m.__index = function(_, k) return k .. '!' end return t.x",
                "\"x!\""
            ),
            (
                "local m = {} local t = setmetatable({}, m) m.__tostring = function() return 'T' end return tostring(t)",
                "\"T\""
            ),
            (
                "local m = { __len = function() return 3 end } local t = setmetatable({}, m) m.__len = nil return #t",
                "0"
            ),
            (
                "local B = {} B.__index = B local D = setmetatable({}, B) D.__index = D local o = setmetatable({}, D) "
                    + "function B.hello() return 1 end return o.hello()", "1"
            ),
            ("local t = {} setmetatable(t, t) t.__call = function(_, a) return a end return t(7)", "7"),
            ("local m = {} local t = setmetatable({}, m) return getmetatable(t) == m", "true"),
        ])
    func live(source: String, expected: String) throws {
        #expect(try makeState().run(source).map(\.description).joined(separator: ", ") == expected)
    }

    @Test("the events that Lua must not have are names like others, however they come into a metatable")
    func disarmed() throws {
        let source = """
            local m = {}
            local t = setmetatable({}, m)
            local ended = false
            m["__mo" .. "de"] = "kv" m[("__gc"):sub(1)] = function() ended = true end
            m["__con" .. "cat"] = function() return "joined" end m["__clo" .. "se"] = function() ended = true end
            t[1] = {} t[{}] = true
            local junk = {} for i = 1, 200000 do junk = { i } end
            local n = 0 for _ in pairs(t) do n = n + 1 end
            local joined = pcall(function() return t .. "" end)
            local closed = pcall(function() for k in next, { 1 }, nil, t do end end)
            return n, joined, closed, ended
            """
        #expect(try makeState().run(source) == [2, false, false, false])
        for field in ["__gc", "__mode", "__concat", "__close", "__metatable"] {
            let message = try makeState().failure("setmetatable({}, { \(field) = 'k' })").message
            #expect(message == "the metatable field '\(field)' is not available here")
        }
    }

    /// What `give` answers is a list without elements.
    @Test(
        "a list of the host without elements stays one, as long as it is one, and is to scripts a table like others",
        arguments: [
            ("return give()", true), ("return ({ give() })[1]", true), ("return {}", false),
            ("local list = give() list[1] = 'a' return list", true),
            ("local list = give() list[1] = 'a' list[1] = nil return list", true),
            ("return setmetatable(give(), nil)", false),
            ("return setmetatable(give(), { __len = function() return 1 end })", false),
            ("assert(getmetatable(give()) == nil) return give()", true), ("return give(give())", true),
            ("local other = {} for k, v in pairs(give()) do other[k] = v end return other", false),
        ])
    func markedList(source: String, isList: Bool) throws {
        let state = try makeState()
        try state.define("give") { _ in [.table(LuaTable(array: []))] }
        let table = try #require(try state.run(source).first?.tableValue)
        #expect(table.isList == isList)
    }

    @Test("a list of the host without elements is frozen with what a policy's file made")
    func frozenList() throws {
        let state = try makeState(.policy)
        try state.define("give") { _ in [.table(LuaTable(array: []))] }
        let made = try state.run("local kept = give() return function(add) if add then kept[1] = 1 end return kept end")
        guard case .function(let function)? = made.first else { throw LuaHostError("no function") }
        try state.freeze(function)
        #expect(try state.call(function, [.boolean(false)]).first?.tableValue?.isList == true)
        #expect(throws: LuaError.self) { try state.call(function, [.boolean(true)]) }
    }

    @Test("no table of the guard is weak")
    func noWeakTable() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/CLuaGuard")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "c" }
        #expect(files.count > 20)
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let named = lines.filter { $0.contains("__mode") && !$0.contains("refused[]") && !$0.hasPrefix("//") }
            #expect(named.isEmpty, "\(file.lastPathComponent): \(named)")
        }
    }

    @Test("a host's table can be a metatable, and is not opened by that")
    func hostTable() throws {
        let source =
            "local t = setmetatable({}, string) return getmetatable(t) == string, pcall(function() getmetatable(t).x = 1 end)"
        #expect(try makeState().run(source).prefix(2) == [true, false])
    }

    @Test("asking for a first key of 1,000 costs less than a microsecond")
    func emptiness() throws {
        let source = """
            local t = {} for i = 1, 1000 do t["k" .. i] = i end
            local n = 0 for i = 1, 100000 do if next(t) == nil then n = n + 1 end end return n
            """
        let state = try makeState()
        let start = ProcessorTime.now()
        #expect(try state.run(source) == [0])
        #expect(ProcessorTime.isWithin(.milliseconds(200), ProcessorTime.now() - start))
    }

    @Test("next sees each key once, whatever else is traversed meanwhile")
    func interleaved() throws {
        let source = """
            local t = { [string.len] = 1, [string.sub] = 2, [string.rep] = 3, [string.byte] = 4, [{}] = 5, a = 6, [1] = 7 }
            local n, others = 0, {}
            for i = 1, 12 do others[i] = { a = i, b = i, c = i } end
            for k in next, t do n = n + 1 for _, o in next, others do for _ in next, o do end end end
            assert(next(t))
            t.new, t[0] = 8, 9
            local m = 0 for k in next, t do m = m + 1 end
            local left = 0 for k in next, t do t[k] = nil left = left + 1 end
            return n, m, left, next(t), pcall(next, { 10, 20 }, 3), pcall(next, {}, "x")
            """
        #expect(try makeState().run(source).prefix(5) == [7, 9, 9, .nil, false])
        let drained = """
            local q, n = {}, 0 for i = 1, 100 do q["k" .. i] = i end
            while next(q) do local k = next(q) q[k] = nil n = n + 1 if n < 50 then q["n" .. n] = n end end return n
            """
        #expect(try makeState(.policy).run(drained) == [149])
    }

    @Test("functions of the libraries have one order, whatever the run")
    func functions() throws {
        let source = """
            local t = {} for _, f in ipairs { string.len, print, table.sort, utf8.len, math.max, pcall } do t[f] = true end
            local names = {} for n, f in pairs(string) do names[f] = n end
            local s = "" for f in pairs(t) do s = s .. (names[f] or f == print and "print" or f == pcall and "pcall" or "?") end
            return s
            """
        let found = try (0..<4).map { _ in try makeState().run(source) }
        #expect(Set(found.map { $0.map(\.description) }).count == 1)
    }

    @Test("numbers of both kinds are sorted as Lua compares them")
    func numbers() throws {
        let source = """
            local bad = 0
            for n = 1, 100 do
                local a = {}
                for i = 1, 20 do local b = (1 << 53) + (i * 7919 * n) % 9 - 4 a[i] = (i * n) % 2 == 0 and b or b + 0.0 end
                a[21], a[22], a[23], a[24] = math.maxinteger, 2.0 ^ 63, math.mininteger, -2.0 ^ 63
                table.sort(a)
                for i = 2, #a do if a[i] < a[i - 1] then bad = bad + 1 end end
            end
            return bad
            """
        #expect(try makeState().run(source) == [0])
    }

    @Test("a raised memory limit raises what one table may be")
    func largeTable() throws {
        let source = "local t = {} for i = 1, 2200000 do t[i] = i end return #t"
        #expect(try makeState(limits: LuaLimits(memory: 512 << 20)).run(source) == [2_200_000])
        #expect(try makeState(limits: LuaLimits(memory: 32 << 20)).failure(source).code == .memory)
    }
}

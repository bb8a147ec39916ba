import LuaRuntime
import Testing

@Suite("Reproducible results")
struct DeterminismTests {
    static let sources = [
        "local t = {} for i = 1, 300 do t['k' .. i * 7919 % 1000] = i end local s = {} for k, v in pairs(t) do s[#s + 1] = k .. v end return table.concat(s, ' ')",
        "local t = {} for i = 1, 50 do t[i / 2] = i t[-i] = i t[{}] = i t[function() return i end] = i end t[true] = 1 t[false] = 0 local s = {} for k, v in pairs(t) do s[#s + 1] = tostring(v) end return table.concat(s, ' ')",
        "local t = {} for i = 1, 2000 do t[i] = { key = i * 37 % 11, place = i } end table.sort(t, function(a, b) return a.key < b.key end) local s = {} for i, v in ipairs(t) do s[i] = v.place end return table.concat(s, ' ')",
        "local t = {} for i = 1, 500 do t[i] = i * 31 % 17 end table.sort(t, function() return true end) return table.concat(t, ' ')",
        "local t = { b = 1, a = 2, 10, 20, [3.5] = 3 } local s = {} for k, v in next, t do s[#s + 1] = tostring(k) end return table.concat(s, ' ')",
        "return tostring({}), tostring(print), tostring(function() end), string.format('%s', {})",
        "local t = {} for i = 1, 20 do t['x' .. i] = i end local s = {} for k, v in pairs(t) do s[#s + 1] = k t[k] = nil t['y' .. k] = 1 end return table.concat(s, ' ')",
        "return { z = 1, y = { 3, 2, 1, n = 3 }, [2] = 'two', [1] = 'one' }",
    ]

    @Test(
        "two states give the same results, run after run, alternating",
        arguments: [LuaProfile.policy, .script], sources)
    func alternated(profile: LuaProfile, source: String) throws {
        let (first, second) = (try makeState(profile), try makeState(profile))
        // One state has a past, the other none.
        try first.run("local t = {} for i = 1, 5000 do t[i] = {} t['past' .. i] = function() return i end end")
        let expected = try first.run(source)
        for _ in 0..<3 {
            #expect(try second.run(source) == expected)
            #expect(try first.run(source) == expected)
        }
    }

    @Test("random numbers of scripts come from the seed")
    func random() throws {
        let (first, second) = (try makeState(), try makeState())
        let source = "return math.random(1000), math.random(), math.random(5, 6)"
        #expect(try first.run(source) == second.run(source))
        first.seedRandom(42)
        second.seedRandom(42)
        let expected = try first.run(source)
        #expect(try second.run(source) == expected)
        first.seedRandom(43)
        #expect(try first.run(source) != expected)
        #expect(try first.run("math.randomseed(42) " + source) == expected)
        #expect(throws: LuaError.self) { try first.run("math.randomseed()") }
    }

    @Test(
        "pairs goes through indices, numbers, text, booleans in this order",
        arguments: [
            (
                "{ 'a', 'b', z = 1, y = 2, [0] = 0, [-1] = 3, [2.5] = 4, [true] = 5, [false] = 6, [100] = 7 }",
                "1 2 100 -1 0 2.5 y z false true"
            ),
            ("{ ['b'] = 1, ['a'] = 1, ['B'] = 1, ['ä'] = 1, [''] = 1, ['a\\0b'] = 1 }", " B a a\0b b ä"),
        ])
    func order(table: String, expected: String) throws {
        let source = "local s = {} for k in pairs(\(table)) do s[#s + 1] = tostring(k) end return table.concat(s, ' ')"
        #expect(try makeState().run(source) == [.string(expected)])
        let byNext = "local s = {} for k in next, \(table) do s[#s + 1] = tostring(k) end return table.concat(s, ' ')"
        #expect(try makeState().run(byNext) == [.string(expected)])
    }

    @Test("a table may lose keys while it is traversed")
    func removal() throws {
        let source = """
            local t, seen = {}, 0
            for i = 1, 100 do t[i] = i t['k' .. i] = i end
            for k, v in pairs(t) do seen = seen + 1 t[k] = nil end
            local u = { 1, 2, 3, 4 }
            for k in pairs(u) do u[k] = nil u[k + 1] = nil seen = seen + 1000 end
            local w = { a = 1, b = 2, c = 3 }
            for k in next, w do w[k] = nil seen = seen + 100000 end
            return seen, next(t), next(u), next(w)
            """
        #expect(try makeState().run(source) == [302_200, nil, nil, nil])
    }
}

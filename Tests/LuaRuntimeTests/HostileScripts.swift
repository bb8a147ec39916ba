import Foundation
import Testing

/// Scripts that break a careless host. Each must end in time, in bounds, as an error or a result.
struct HostileScript: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String

    var testDescription: String { name }

    init(_ name: String, _ source: String) {
        self.name = name
        self.source = source
    }
}

enum SharedCases {
    /// The folder of shared cases, if there is one on this machine.
    static let folder: URL = {
        let given = ProcessInfo.processInfo.environment["MOONSHELF_SHARED"]
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return given.map { URL(fileURLWithPath: $0) }
            ?? root.deletingLastPathComponent().appendingPathComponent("shared")
    }()

    static let hostile: [HostileScript] = {
        let cases = folder.appendingPathComponent("cases/hostile")
        let files = (try? FileManager.default.contentsOfDirectory(at: cases, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "lua" }.sorted { $0.path < $1.path }.compactMap { file in
            (try? String(contentsOf: file, encoding: .utf8)).map { HostileScript(file.lastPathComponent, $0) }
        }
    }()
}

extension HostileScript {
    static let own: [HostileScript] = time + memory + depth + coroutines + patterns + metatables + loading

    static let time: [HostileScript] = [
        .init("pcall in pcall, for ever", "while true do pcall(function() while true do pcall(error, 1) end end) end"),
        .init("goto loop", "::again:: goto again"),
        .init("numeric for without end", "for i = 1, math.huge do end"),
        .init(
            "sort that contradicts itself",
            "local t = {} for i = 1, 2e4 do t[i] = i % 7 end while true do pcall(table.sort, t, function() return true end) end"
        ),
        .init(
            "sort of many equal numbers", "local t = {} for i = 1, 2e5 do t[i] = 1 end while true do table.sort(t) end"),
        .init(
            "sort of long common prefixes",
            "local s = ('x'):rep(10000) local t = {} for i = 1, 2000 do t[i] = s .. i % 3 end while true do table.sort(t) end"
        ),
        .init("gsub with a function that loops", "('x'):rep(1000):gsub('x', function() while true do end end)"),
        .init(
            "gsub with a function, many times",
            "local s = ('x'):rep(1e5) while true do s:gsub('.', function(c) return c end) end"),
        .init("rep in a loop", "while true do local s = ('x'):rep(1e6) end"),
        .init("rep of nothing", "return (''):rep(1 << 40), (''):rep(1 << 62, '')"),
        .init("rep of nothing with nothing between", "while true do (''):rep(math.maxinteger, '') end"),
        .init("upper and lower of a long text", "local s = ('aB'):rep(1e6) while true do s:upper() s:lower() end"),
        .init(
            "comparing long texts",
            "local a = ('x'):rep(1e6) local b = a .. 'y' local c = a .. 'z' while true do local _ = b < c, b == c end"),
        .init("table.move far apart", "table.move({}, 1, 1 << 40, 2)"),
        .init("table.move of everything", "table.move({}, math.mininteger, math.maxinteger, 2)"),
        .init("table.concat of a lie", "table.concat({}, '', 1, math.maxinteger)"),
        .init("unpack of a lie", "table.unpack({}, 1, 1e7)"),
        .init("unpack of everything", "table.unpack({}, math.mininteger, math.maxinteger)"),
        .init(
            "unpack of much, many times",
            "local t = {} for i = 1, 9e4 do t[i] = i end while true do select('#', table.unpack(t)) end"),
        .init("insert in front", "local t = {} while true do table.insert(t, 1, 1) end"),
        .init(
            "remove from the front",
            "while true do local t = {} for i = 1, 1e5 do t[i] = i end for i = 1, 1e5 do table.remove(t, 1) end end"),
        .init(
            "next over a large table, from the middle",
            "local t = {} for i = 1, 2e4 do t['k' .. i] = i end while true do next(t, 'k77') end"),
        .init(
            "next misused", "local t = {} for i = 1, 1e4 do t['k' .. i] = i end for k in next, t do t[k .. 'x'] = 1 end"
        ),
        .init(
            "pairs of a large table",
            "local t = {} for i = 1, 1e5 do t['k' .. i % 5e4] = i end while true do for k in pairs(t) do break end end"),
        .init(
            "format with long widths",
            "while true do string.format(('%99.99f'):rep(20), 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308) end"
        ),
        .init("format with huge widths", "return string.format('%99999d', 1)"),
        .init("format of a long text with %q", "local s = ('\\1'):rep(1e6) while true do string.format('%q', s) end"),
        .init("pack with a huge fixed string", "return string.pack('c2147483647', 'x')"),
        .init("pack of many fixed strings", "while true do pcall(string.pack, ('c1000'):rep(200), 'x') end"),
        .init(
            "utf8.len, codes and offset of a long text",
            "local s = ('é'):rep(1e6) while true do utf8.len(s) utf8.offset(s, 5e5) for p, c in utf8.codes(s) do end end"
        ),
        .init(
            "utf8.codepoint of much", "local s = ('a'):rep(1e6) while true do pcall(utf8.codepoint, s, 1, 99999) end"),
        .init("string.byte of much", "local s = ('a'):rep(1e6) while true do s:byte(1, 99999) end"),
        .init("tostring in a loop", "local f = print while true do tostring(f) tostring({}) tostring(1.5) end"),
        .init(
            "tonumber of a long text", "local s = (' '):rep(1e6) while true do tonumber(s) tonumber(s .. 'z', 36) end"),
        .init("power and division", "local x = 0.0 while true do x = x ^ 2 // 3 % 7 end"),
        .init("error objects as positions", "while true do pcall(error, setmetatable and {} or {}, 2) end"),
        .init("xpcall whose handler fails", "while true do xpcall(error, function() error('again') end) end"),
        .init(
            "xpcall in handler in xpcall",
            "local function f() return xpcall(error, function() return xpcall(error, f) end) end while true do f() end"),
        .init("unknown global in a loop", "while true do pcall(function() return nothing_of_that_name end) end"),
        .init("print in a loop", "while true do print('x') end"),
    ]

    static let memory: [HostileScript] = [
        .init(
            "concat doubling under pcall",
            "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end"),
        .init(
            "many operands in one concat",
            "local s = ('x'):rep(1e6) while true do local t = s .. s .. s .. s .. s .. s .. s .. s end"),
        .init("long list of long texts", "local s = ('x'):rep(9e5) local t = {} while true do t[#t + 1] = s .. #t end"),
        .init("closures", "local t = {} while true do local x = #t t[#t + 1] = function() return x end end"),
        .init("nested closures", "local f = function() end while true do local g = f f = function() return g end end"),
        .init("table that holds itself", "local t = {} while true do t = { t, t } end"),
        .init("one huge array", "local t = {} for i = 1, 1e9 do t[i] = true end"),
        .init("one huge hash", "local t = {} for i = 1, 1e9 do t[i * 1.5] = true end"),
        .init("many keys of many kinds", "local t = {} while true do t[{}] = {} end"),
        .init(
            "memory bomb that catches errors",
            "local keep = {} while true do pcall(function() while true do keep[#keep + 1] = ('x'):rep(1e5) .. #keep end end) end"
        ),
        .init("gsub that grows", "local s = 'x' while true do s = s:gsub('.', '%0%0%0%0') end"),
        .init(
            "gsub with a long replacement",
            "local r = ('y'):rep(1e5) while true do pcall(string.gsub, ('x'):rep(1e5), 'x', r) end"),
        .init(
            "concat of a long list",
            "local t = {} for i = 1, 1e5 do t[i] = 'xxxxxxxxxx' end while true do table.concat(t, ('-'):rep(100)) end"),
        .init("rep with a long separator", "return ('x'):rep(1e6, ('y'):rep(1e5))"),
        .init(
            "table.pack of much",
            "local t = {} for i = 1, 9e4 do t[i] = i end local keep = {} while true do keep[#keep + 1] = table.pack(table.unpack(t)) end"
        ),
        .init(
            "captures of long texts",
            "local s = ('x'):rep(1e6) local t = {} for c in s:gmatch('()') do t[#t + 1] = { s:match('((((.*))))') } end"
        ),
        .init(
            "too long a text, again and again",
            "local s = ('x'):rep(3e6) while true do pcall(function() local t = s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s end) end"
        ),
        .init(
            "too long a text beside a full heap",
            "local keep = {} for i = 1, 1e5 do keep[i] = { i } end local s = ('x'):rep(2e6) return s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s"
        ),
        .init(
            "huge format results",
            "local s = ('x'):rep(1e6) while true do pcall(string.format, '%s%s%s%s%s%s%s%s', s, s, s, s, s, s, s, s) end"
        ),
    ]

    static let depth: [HostileScript] = [
        .init("endless recursion", "local function f() return 1 + f() end f()"),
        .init("endless recursion, caught", "local function f() return 1 + f() end while true do pcall(f) end"),
        .init(
            "recursion with many locals",
            "local function f(...) local a, b, c, d, e = ... return (f(a, b, c, d, e, ...)) end f(1, 2, 3)"),
        .init("recursion through pcall", "local function f() return pcall(f) end return f()"),
        .init("recursion through xpcall and its handler", "local function f() return xpcall(f, f) end return f()"),
        .init("recursion through gsub", "local function f() return (('x'):gsub('.', f)) end return f()"),
        .init("recursion through sort", "local function f() table.sort({ 1, 2, 3 }, f) end f()"),
        .init("recursion through error handlers", "local function f() error(f) end while true do xpcall(f, f) end"),
        .init("deep result", "local t = {} for i = 1, 1e5 do t = { t } end return t"),
        .init("result that holds itself", "local t = {} t.t = t return t"),
        .init("deep pattern", "return (('('):rep(250)):find(('(%('):rep(40))"),
        .init("deep pattern by recursion", "return (('x'):rep(1e5)):match(('x?'):rep(1e4) .. ('x'):rep(1e4))"),
        .init("many results", "local t = {} for i = 1, 9e4 do t[i] = i end return table.unpack(t)"),
        .init("tail calls for ever", "local function f() return f() end f()"),
    ]

    static let coroutines: [HostileScript] = [
        .init(
            "coroutine that yields for ever",
            "local c = coroutine.wrap(function() while true do coroutine.yield(1) end end) while true do c() end"),
        .init(
            "coroutines that loop under pcall",
            "while true do pcall(coroutine.wrap(function() while true do xpcall(function() while true do end end, function() while true do end end) end end)) end"
        ),
        .init(
            "coroutines inside coroutines",
            "local function f(n) return coroutine.wrap(function() return f(n + 1)() end) end f(1)()"),
        .init(
            "many coroutines",
            "local t = {} while true do t[#t + 1] = coroutine.create(function() coroutine.yield() end) coroutine.resume(t[#t]) end"
        ),
        .init("short coroutines without end", "while true do coroutine.wrap(function() return 1 end)() end"),
        .init(
            "coroutine made before it loops",
            "local c = coroutine.create(function() coroutine.yield() while true do end end) coroutine.resume(c) while true do coroutine.resume(c) end"
        ),
        .init(
            "closing coroutines",
            "while true do local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) coroutine.close(c) end"
        ),
        .init(
            "chained close",
            "local c for i = 1, 2e4 do local d = c c = coroutine.create(function() local x = d coroutine.yield() if x then coroutine.close(x) end end) coroutine.resume(c) end coroutine.close(c)"
        ),
        .init(
            "coroutine that resumes itself",
            "local c c = coroutine.create(function() return coroutine.resume(c) end) return coroutine.resume(c)"),
        .init(
            "yield in sort",
            "local c = coroutine.wrap(function() table.sort({ 3, 2, 1 }, function(a, b) coroutine.yield() return a < b end) end) c()"
        ),
        .init("yield in gsub", "coroutine.wrap(function() return (('x'):gsub('x', coroutine.yield)) end)()"),
        .init("coroutine as a result", "return coroutine.create(print)"),
        .init(
            "fills memory in coroutines",
            "while true do coroutine.wrap(function() local t = {} pcall(function() while true do t[#t + 1] = {} end end) end)() end"
        ),
    ]

    static let patterns: [HostileScript] = [
        .init("backtracking find", "return (('a'):rep(40)):find(('a-'):rep(40) .. 'b')"),
        .init("backtracking match under pcall", "while true do pcall(string.match, ('a'):rep(3000), '.-.-.-.-b') end"),
        .init("backtracking gmatch", "for x in (('a'):rep(3000)):gmatch('a*a*a*a*b') do end"),
        .init("backtracking gsub", "return (('a'):rep(3000)):gsub('a*a*a*a*b', '')"),
        .init("frontier", "while true do (('a '):rep(1e5)):gsub('%f[%a]%a*%f[%A]b', '') end"),
        .init("balance", "return (('('):rep(1e5)):gsub('%b()', '')"),
        .init("balance at every place", "local s = ('('):rep(1e5) while true do s:find('%b()x') end"),
        .init("long set", "local set = '[' .. ('b'):rep(1e5) .. ']' return (('a'):rep(1e5)):find(set)"),
        .init(
            "long set with suffix", "local set = '[' .. ('b'):rep(1e5) .. ']*c' return (('a'):rep(1e5)):gsub(set, '')"),
        .init("back reference", "return (('a'):rep(2e4)):find('(.-)%1%1%1%1b')"),
        .init("back reference of long captures", "local s = ('a'):rep(1e6) while true do s:find('(.*)%1%1b') end"),
        .init(
            "plain find that nearly matches",
            "local s = ('a'):rep(1e6) while true do s:find(('a'):rep(5e5) .. 'b', 1, true) end"),
        .init("anchored nowhere", "return (('x'):rep(1e6)):gsub('y*$z', '')"),
        .init("empty matches", "while true do (('x'):rep(1e5)):gsub('', 'y') end"),
        .init(
            "malformed patterns",
            "for _, p in ipairs { '[', '%', '(', ')', '%b', '%f', '[%', '[a-', '%1', '(()', '[^', '%f[' } do pcall(string.find, 'x', p) pcall(string.gsub, 'x', p, '') end return 1"
        ),
    ]

    static let metatables: [HostileScript] = [
        .init(
            "__index loops",
            "local t = setmetatable({}, {}) setmetatable(t, { __index = function(t, k) return t[k .. 'x'] end }) return t.x"
        ),
        .init(
            "__index chain that closes",
            "local a, b = {}, {} setmetatable(a, { __index = b }) setmetatable(b, { __index = a }) return a.x"),
        .init("__call chain that closes", "local t = {} setmetatable(t, { __call = t }) return t()"),
        .init(
            "__call of itself",
            "local t = setmetatable({}, { __call = function(self, ...) return self(self, ...) end }) return t()"),
        .init(
            "__close that loops",
            "local x <close> = setmetatable({}, { __close = function() while true do end end }) error('x')"),
        .init(
            "__gc that loops",
            "setmetatable({}, { __gc = function() while true do end end }) for i = 1, 1e6 do local t = {} end"),
        .init(
            "__gc added later",
            "local m = {} for i = 1, 1e4 do setmetatable({}, m) m.__gc = function() while true do end end end"),
        .init("__tostring that loops", "tostring(setmetatable({}, { __tostring = function() while true do end end }))"),
        .init(
            "__tostring of itself",
            "local t t = setmetatable({}, { __tostring = function() return tostring(t) end }) return tostring(t)"),
        .init(
            "__tostring of an error object that fails",
            "error(setmetatable({}, { __tostring = function() error(setmetatable({}, { __tostring = function() error('x') end })) end }))"
        ),
        .init(
            "__len that lies to sort",
            "table.sort(setmetatable({}, { __len = function() return 2 ^ 31 - 2 end, __index = function() return 1 end, __newindex = function() end }))"
        ),
        .init(
            "__len that lies to unpack",
            "return table.unpack(setmetatable({}, { __len = function() return math.maxinteger end }))"),
        .init(
            "__len that lies to concat",
            "return table.concat(setmetatable({}, { __len = function() return math.maxinteger end, __index = function() return 'x' end }))"
        ),
        .init(
            "__len that lies to insert",
            "table.insert(setmetatable({}, { __len = function() return math.maxinteger - 1 end }), 1, 1)"),
        .init(
            "__eq, __lt and __le that loop",
            "local m = {} for _, k in ipairs { '__eq', '__lt', '__le' } do m[k] = function() while true do end end end local a, b = setmetatable({}, m), setmetatable({}, m) return pcall(function() return a == b end), pcall(function() return a < b end)"
        ),
        .init(
            "__pairs that never ends",
            "for k in pairs(setmetatable({}, { __pairs = function() return function() return 1 end end })) do end"),
        .init(
            "__newindex with a weak metatable",
            "for r = 1, 5000 do local mt = setmetatable({ __newindex = {} }, { __mode = 'v' }) local t = setmetatable({}, mt) for i = 1, 200 do t[i] = i end end"
        ),
        .init(
            "__concat that grows the stack",
            "local function grow(n) if n > 0 then return grow(n - 1) + 1 end return 0 end local o = setmetatable({}, { __concat = function() grow(400) return 'r' end }) return 'a' .. o .. 'b'"
        ),
        .init("metatable of strings", "getmetatable('').__index.rep = nil"),
        .init("metatable of the globals", "setmetatable(_G, { __index = function() while true do end end })"),
        .init("a metatable for every object", "while true do setmetatable({}, { __index = function() end }) end"),
    ]

    static let loading: [HostileScript] = [
        .init("load in a loop", "while true do load('return 1')() end"),
        .init("load of long text", "local s = ('x = 1 '):rep(4e4) while true do load(s) end"),
        .init("load of bytecode", "return load('\\27Lua' .. ('x'):rep(1000))"),
        .init(
            "load of deep brackets",
            "return load(('('):rep(1e5)), load('return ' .. ('{'):rep(1e5)), load(('do '):rep(5e4))"),
        .init("load of a long concat", "return load('return ' .. ('a..'):rep(5e4) .. 'a')"),
        .init("load of a chain of fields", "local f = load('return x' .. ('.y'):rep(1e5) .. ' + 1') return f and f()"),
        .init(
            "load of a chain of indices",
            "local f = load('local k = 1 return x' .. ('[k+k]'):rep(4e4) .. ' + 1') return f and f()"),
        .init(
            "load of a chain of groups",
            "local f = load('return ' .. ('('):rep(150) .. 'x' .. ('.y)'):rep(150) .. ('.y'):rep(1e5) .. ' + 1') return f and f()"
        ),
        .init(
            "load of many goto labels",
            "local t = {} for i = 1, 5000 do t[i] = 'goto l' .. i .. ' ::l' .. i .. '::' end return load(table.concat(t, ' '))"
        ),
        .init("load with its own environment", "return load('while true do end', 'x', 't', {})()"),
        .init("load that loads itself", "local s = 'return load(...)(...)' return load(s)(s)"),
        .init("the name _ENV", "local _ENV = {} return x"),
        .init(
            "the name _ENV, loaded",
            "return load('local function f(_ENV) return x' .. ('._ENV'):rep(5e4) .. '.y + 1 end')"),
        .init("require of itself", "return require('itself')"),
    ]
}

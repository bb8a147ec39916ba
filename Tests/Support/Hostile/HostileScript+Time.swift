extension HostileScript {
    package static let time: [HostileScript] = [
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
}

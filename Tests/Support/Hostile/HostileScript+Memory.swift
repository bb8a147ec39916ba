extension HostileScript {
    package static let memory: [HostileScript] = [
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
}

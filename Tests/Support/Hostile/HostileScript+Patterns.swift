extension HostileScript {
    package static let patterns: [HostileScript] = [
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
}

extension HostileScript {
    package static let depth: [HostileScript] = [
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
}

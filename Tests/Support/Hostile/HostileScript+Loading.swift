extension HostileScript {
    package static let loading: [HostileScript] = [
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
        .init(
            "the name _ENV behind a comment that ends with a carriage return, and a chain of it",
            "-- x\rlocal function f(_ENV) return x" + String(repeating: "._ENV", count: 40_000) + ".y + 1 end f({})"),
        .init(
            "load of chains within chains",
            "local s = 'x' for i = 1, 60 do s = 'x[' .. s .. ']' .. ('.y'):rep(390) end local f = load('return ' .. s .. ' + 1') return f and f()"
        ),
        .init("require of itself", "return require('itself')"),
    ]
}

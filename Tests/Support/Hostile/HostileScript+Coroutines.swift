extension HostileScript {
    package static let coroutines: [HostileScript] = [
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
}

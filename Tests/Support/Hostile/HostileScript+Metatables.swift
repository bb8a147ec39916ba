extension HostileScript {
    package static let metatables: [HostileScript] = [
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
}

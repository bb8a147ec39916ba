local t = {}
for i = 1, 60 do t[i] = (i * 37) % 61 end
table.sort(t) table.sort(t, function(a, b) return a > b end)
local u = {} for i = 1, 40 do u["k" .. (i * 7) % 41] = {i} u[i * 1.5] = i u[{}] = i u[function() return i end] = i end
local n = 0
for k, v in pairs(u) do n = n + 1 end
for k, v in next, u do n = n + 1 if n > 100 then break end end
local k = next({a = 1, b = 2}) k = pcall(next, u, k)
table.insert(t, 1, 5) table.remove(t, 3) table.move(t, 1, 20, 5)
local p = table.pack(table.unpack(t, 1, 50))
local mixed = {"b", "a", "c"} table.sort(mixed)
local ok, e = pcall(table.sort, {1, "x", {}})
local mt = setmetatable({}, {__index = function(t, k) return k .. "!" end, __newindex = function(t, k, v) end, __call = function(self, a) return a end, __eq = function() return true end, __lt = function(a, b) return true end, __len = function() return 3 end, __tostring = function() return ("obj"):rep(9) end, __pairs = function(t) return next, {1, 2}, nil end})
mt.x = 5
for k in pairs(mt) do n = n + 1 end
return n, mt.foo, mt(4), tostring(mt), #mt, echo(u == nil, t, {a = {b = {c = "d"}}}), ok, p

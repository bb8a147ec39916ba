local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end
local a = f(60)
local b = select(2, pcall(function() local function g(x, n) if n == 0 then error(x) end return {g({x}, n - 1)} end return g(1, 50) end))
local c = select(2, pcall(string.gsub, ("a"):rep(40), "a", function(x) local function h(n) return (("b"):gsub("b", function() return n > 0 and h(n - 1) or "z" end)) end return h(12) end))
local d = pcall(function() local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end setmetatable(t, getmetatable(t)) return t[1] end)
local e = select(2, pcall(function() local s = "return " .. ("("):rep(150) .. "1" .. (")"):rep(150) return load(s)() end))
local u = {table.unpack({}, 1, 500)}
return a, b, c, d, e, #u, select("#", table.unpack({}, 1, 200))

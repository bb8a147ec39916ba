import Foundation

/// Short Lua sources that between them use all of the language, right and wrong.
enum Corpus {
    static let accepted: [String] = [
        "", ";;;", "return", "return;", "return 1, 2, ...", "do local x; local y <const> = 1, 2 end",
        "local a <close>, b <const> = nil, 'x'", "local function f(a, b, ...) return select('#', ...) end",
        "function a.b.c:d(x) self.x = x end", "function a.b.c(...) return (...) end",
        "for i = 1, 10 do if i > 5 then break end end", "for i = 10, 1, -1 do print(i) end",
        "for k, v in pairs(t) do t[k], t[v] = v, k end", "for a, b, c, d in next, {}, nil, x do end",
        "while x < 3 do x = x + 1 if x == 2 then goto done end end ::done::",
        "repeat local x <const> = f() until x == 3", "if a then b() elseif c then d() else e() end",
        "goto a; do ::b:: end ::a::", "do goto continue; local x; ::continue:: end", "::a:: ::b:: ; ::c:: goto a",
        "for i = 1, 3 do for j = 1, 3 do if j == 2 then goto next end end ::next:: end",
        "x = 1 + 2 * 3 ^ 4 ^ 5 .. 'a' .. \"b\" // 2 % 3", "x = not a == b and c or -d ^ 2 ~= ~e & f | g ~ h << 1 >> 2",
        "x = #t + #'abc' - - -1", "x = a < b and c <= d or e > f and g >= h",
        "x = 0xff + 0xA.8p1 + 1e10 + .5 + 3. + 0x.1p-3 + 9223372036854775807 + 9223372036854775808",
        "x = 0xffffffffffffffffff",
        "s = 'a\\n\\t\\\\\\'\\x41\\065\\u{48}\\u{7FFFFFFF}\\z\n   b\\\nc'",
        "s = \"\\a\\b\\f\\v\\r\\\"\" .. 'é' .. [[x]] .. [==[\n]]]=]]==]",
        "-- comment\n--[[ long\n comment ]] x = 1 --[==[ ]] ]==] y = 2",
        "t = { 1, 2; 3, x = 1, ['y'] = 2, [z] = 3, f(), ... }",
        "t = { { { } } , }", "f{1}{2}'x'[[y]](3):m'a':n{}.o[p] = q", "f\n(g)", "a.b['c'].d:e(1, 2, ...)", "(f or g)(x)",
        "('x'):rep(3)",
        "local x = function(...) local a, b = ... return a end", "x, y.z, w[1] = 1, 2",
        "local t <const> = {} t.x = 1", "local a <const> = 5; local function f() return a end",
        "return function(case, rule) if case.patron.fees_owed >= money '25.00' then return deny('fees_owed') end end",
        "return policy { api = 1, limits = { { max = 8 } }, rules = { { loan = days(14) } } }",
        "local _ENV = {} x = 1", "local _ENV <const> = {}; function f() return y end", "x = a.b.c.d.e.f.g",
        "x = ((((((1))))))",
        "do return end", "while true do end", "local function f() return f end", "x = -2 ^ 2", "x = 2 ^ -3",
        "x = a .. b .. c",
        "goto f ::f::", "local a; do local a; do local a end end", "x = 3 x = 4", "x = {} y = {}", "f() g() h()",
        "x = 1--[[c]]+2", "x = 0x7fffffffffffffff // 1", "\t\u{0B}\u{0C} x = 1\r\ny = 2\n\rz = 3\r",
    ]

    static let refused: [String] = [
        "x", "x =", "= 1", "x = = 1", "local", "local x <", "local x <foo> = 1", "local x <const> = 1; x = 2",
        "local x <close> = nil; x = 2", "local a <close>, b <close> = 1, 2", "local a <const> = 1; function a() end",
        "local a <const> = 1; local function f() a = 2 end", "break", "do break end", "if x then break end",
        "function f() break end", "while x do function f() break end end", "goto a", "do ::a:: end goto a",
        "goto a; local x; ::a:: print(x)", "repeat goto c; local x; ::c:: until x", "::a:: ::a::", "::a:: do ::a:: end",
        "function f() return ... end", "x = '", "x = 'abc\ny'", "x = '\\q'", "x = '\\xg'", "x = '\\x1'", "x = '\\300'",
        "x = '\\u'",
        "x = '\\u{'", "x = '\\u{110000'", "x = '\\u{80000000}'", "x = '\\u{}'", "x = [[", "x = [==[ ]]", "x = [=",
        "--[[ x", "x = 1e",
        "x = 0x", "x = 3x", "x = 1..2", "x = 0x1p", "x = 1.2.3", "x = 08a", "for", "for x", "for x = 1 do end",
        "for x, y = 1, 2 do end", "for x in y end", "for 1 = 2 do end", "if x", "if x then",
        "if x then else elseif y then end",
        "if x then\nelse\n", "while x do", "while\nx\ndo", "repeat", "repeat until", "function", "function f",
        "function f(", "function f(x",
        "function f(...,x) end", "function f(x,) end", "function f.1() end", "function f:x.y() end", "function (x) end",
        "f(", "f(1,", "f(1",
        "f(\n1", "{", "x = {", "x = {1", "x = {\n1", "x = {[1]}", "x = {1 2}", "x = {= 1}", "x.1 = 2", "x. = 1",
        "x:y = 1", "x:y", "(x) = 1",
        "(x)", "f() = 1", "a, f() = 1, 2", "a, b", "a, b += 1", "x = 1 +", "x = + 1", "x = a b", "x = not", "x = a..",
        "x = ~", "return return", "return 1 x = 2",
        "end", "until x", "else", "x = }", "x = )", "::a", "::1::", ":: a", "goto", "goto 1", "x = $", "x = `",
        "x = \u{1}", "x = é", "x!", "x = @y", "local function", "local function f.x() end",
        "local x.y = 1", "x = function", "x = function f() end", "and", "x = a ~= ~= b", "x = 1 // ", "x = 'a' 'b' c",
    ]

    /// How many mutants each seed makes; `MOONSHELF_MUTANTS` asks for another number, for a long run by hand.
    static let mutantsPerSeed = ProcessInfo.processInfo.environment["MOONSHELF_MUTANTS"].flatMap { Int($0) } ?? 3000

    static var all: [[UInt8]] { (accepted + refused).map { Array($0.utf8) } }
}

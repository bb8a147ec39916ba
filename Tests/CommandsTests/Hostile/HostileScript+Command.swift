import TestSupport

extension HostileScript {
    /// A few that reach for what the command adds: its output, its tables, its errors.
    static let ofTheCommand = [
        HostileScript(
            "retries itself under pcall",
            "while true do pcall(function() while true do end end) end"),
        HostileScript(
            "catches its end in nested handlers",
            """
            local function again() return xpcall(function() while true do end end, again) end
            while true do again() end
            """),
        HostileScript(
            "recurses without end",
            "local function down(n) return 1 + down(n + 1) end return down(1)"),
        HostileScript(
            "recurses through gsub",
            "local function down(s) return (s:gsub('.', down)) end return down('x')"),
        HostileScript(
            "sorts by a liar",
            """
            local t = {} for i = 1, 300000 do t[i] = i end
            local n = 0
            table.sort(t, function() n = n + 1 return n % 3 == 0 end)
            """),
        HostileScript(
            "backtracks without end",
            "return (('a'):rep(60)):match(('a-'):rep(40) .. 'b')"),
        HostileScript(
            "moves nothing, far",
            "return table.move({}, 1, 1 << 40, 2)"),
        HostileScript(
            "unpacks what is not there",
            "return select('#', table.unpack({}, 1, 1 << 30))"),
        HostileScript(
            "eats memory in long texts",
            "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1 << 20) .. i end"),
        HostileScript(
            "eats memory in closures",
            "local f = function() end for i = 1, 1e9 do local g = f f = function() return g end end"),
        HostileScript(
            "nests tables and encodes them",
            "local t = {} for i = 1, 1e6 do t = { t } end return t"),
        HostileScript(
            "is nested deeper than the parser goes",
            "return " + String(repeating: "(", count: 20_000) + "1" + String(repeating: ")", count: 20_000)),
        HostileScript(
            "makes a format of many parts",
            "return string.format(('%s'):rep(200), table.unpack(setmetatable and {} or {}, 1, 200))"),
        HostileScript(
            "hides a loop in the text of an error",
            "error({ message = ('x'):rep(1 << 24) })"),
        HostileScript(
            "prints without end",
            "while true do print(('x'):rep(1000)) end"),
        HostileScript(
            "asks for a field far down",
            "local t = {} for i = 1, 1e5 do t = { a = t } end while t do t = t.a end error(nil)"),
    ]
}

import Foundation
import Testing

/// Scripts of our own that try to outlive their limits or to break their host.
struct HostileScript: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String

    var testDescription: String { name }

    static let own = [
        HostileScript(
            name: "retries itself under pcall",
            source: "while true do pcall(function() while true do end end) end"),
        HostileScript(
            name: "catches its end in nested handlers",
            source: """
                local function again() return xpcall(function() while true do end end, again) end
                while true do again() end
                """),
        HostileScript(
            name: "recurses without end",
            source: "local function down(n) return 1 + down(n + 1) end return down(1)"),
        HostileScript(
            name: "recurses through gsub",
            source: "local function down(s) return (s:gsub('.', down)) end return down('x')"),
        HostileScript(
            name: "sorts by a liar",
            source: """
                local t = {} for i = 1, 300000 do t[i] = i end
                local n = 0
                table.sort(t, function() n = n + 1 return n % 3 == 0 end)
                """),
        HostileScript(
            name: "backtracks without end",
            source: "return (('a'):rep(60)):match(('a-'):rep(40) .. 'b')"),
        HostileScript(
            name: "moves nothing, far",
            source: "return table.move({}, 1, 1 << 40, 2)"),
        HostileScript(
            name: "unpacks what is not there",
            source: "return select('#', table.unpack({}, 1, 1 << 30))"),
        HostileScript(
            name: "eats memory in long texts",
            source: "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1 << 20) .. i end"),
        HostileScript(
            name: "eats memory in closures",
            source: "local f = function() end for i = 1, 1e9 do local g = f f = function() return g end end"),
        HostileScript(
            name: "nests tables and encodes them",
            source: "local t = {} for i = 1, 1e6 do t = { t } end return t"),
        HostileScript(
            name: "is nested deeper than the parser goes",
            source: "return " + String(repeating: "(", count: 20_000) + "1" + String(repeating: ")", count: 20_000)),
        HostileScript(
            name: "makes a format of many parts",
            source: "return string.format(('%s'):rep(200), table.unpack(setmetatable and {} or {}, 1, 200))"),
        HostileScript(
            name: "hides a loop in the text of an error",
            source: "error({ message = ('x'):rep(1 << 24) })"),
        HostileScript(
            name: "prints without end",
            source: "while true do print(('x'):rep(1000)) end"),
        HostileScript(
            name: "asks for a field far down",
            source: "local t = {} for i = 1, 1e5 do t = { a = t } end while t do t = t.a end error(nil)"),
    ]

    /// The scripts that lie with the shared cases.
    static let shared = SharedFolder.files(in: "cases/hostile", suffix: ".lua").map { path in
        HostileScript(
            name: String(path.split(separator: "/").last ?? ""),
            source: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }

    static let all = own + shared
}

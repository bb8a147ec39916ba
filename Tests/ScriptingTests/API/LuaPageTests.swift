import Foundation
import LuaRuntime
import LuaSyntax
import Testing

@testable import Scripting

/// `docs/lua.md` against the machine.
@Suite("The page about Lua says what there is")
struct LuaPageTests {
    /// The names of the page's first table: those of policies, and those that scripts have in addition.
    private static func names() throws -> (policies: Set<String>, scripts: Set<String>) {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/lua.md")
        var found: (policies: Set<String>, scripts: Set<String>) = ([], [])
        for line in try String(contentsOf: page.standardizedFileURL, encoding: .utf8).split(separator: "\n") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 5,
                ["basic", "`string`", "`table`", "`math`", "`utf8`", "`coroutine`"].contains(
                    cells[1].trimmingCharacters(in: .whitespaces))
            else { continue }
            let library = cells[1].trimmingCharacters(in: .whitespaces.union(["`"]))
            func names(_ cell: String) -> [String] {
                cell.matches(of: /`([a-zA-Z_0-9]+)`/).map { library == "basic" ? "\($0.1)" : "\(library).\($0.1)" }
            }
            found.policies.formUnion(names(cells[2]))
            found.scripts.formUnion(names(cells[3]))
        }
        return (found.policies, found.policies.union(found.scripts))
    }

    /// All that stock Lua 5.4 has.
    private static let stock: Set<String> = {
        let libraries = [
            "": """
            _G _VERSION assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile next os
            package pairs pcall print rawequal rawget rawlen rawset require select setmetatable tonumber tostring type
            warn xpcall
            """,
            "string": """
            byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper
            """,
            "table": "concat insert move pack remove sort unpack",
            "utf8": "char charpattern codepoint codes len offset",
            "math": """
            abs acos asin atan ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max maxinteger min mininteger
            modf pi pow rad random randomseed sin sinh sqrt tan tanh tointeger type ult
            """,
            "coroutine": "close create isyieldable resume running status wrap yield",
        ]
        return Set(
            libraries.flatMap { library, names in
                names.split { $0 == " " || $0 == "\n" }.map { library.isEmpty ? "\($0)" : "\(library).\($0)" }
            })
    }()

    @Test(
        "each profile has the names that the page lists, and no other of Lua's",
        arguments: [LuaProfile.policy, .script])
    func profiles(profile: LuaProfile) throws {
        let page = try Self.names()
        let listed = profile == .policy ? page.policies : page.scripts
        let state = try LuaState(profile: profile, limits: .none)
        let environment = try state.makeEnvironment()
        #expect(listed.count > 50 && listed.isSubset(of: Self.stock))
        // Libraries are listed by what is in them.
        for name in Self.stock.subtracting(["coroutine"]) {
            let probe = try state.load(
                "return pcall(function() assert(\(name) ~= nil) end)", chunk: "x", environment: environment)
            #expect(try state.call(probe).first == .boolean(listed.contains(name)), "\(name)")
        }
    }

    @Test("what is declared for scripts is what the page lists")
    func declared() throws {
        let scripts = try Self.names().scripts
        for name in scripts.subtracting(["_G", "rawequal"]) {
            let parts = name.split(separator: ".").map(String.init)
            let members = parts.dropLast().reduce(KnownNames.script.members) { $0[$1]?.members ?? [:] }
            #expect(members[parts.last ?? ""] != nil, "\(name)")
        }
    }
}

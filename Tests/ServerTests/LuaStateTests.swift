import LuaRuntime
import Server
import Testing
import TextFormats

@Suite("Requests and Lua")
struct LuaStateTests {
    @Test("no route and no page makes a Lua state for scripts: none runs one")
    func noState() async throws {
        // One thread works at the desk, so that what it makes is all that is made.
        let server = try TestServer(threads: 1)
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        let before = try await server.workers.run { LuaStateCounter.ofThisThread }
        for route in RouteTable.all {
            let path = route.path.replacing(#/\{patron\}/#, with: "ann").replacing(#/\{\w+\}/#, with: "1")
            _ = try await server.ask(route.verb, path, route.takesBody ? [:] : nil, as: "root")
        }
        for path in ["/", "/search?text=dune", "/market", "/me", "/cart", "/me/notifications", "/desk", "/titles/1"] {
            try await browser.open(path)
        }
        #expect(try await server.workers.run { LuaStateCounter.ofThisThread } == before)
        // What is counted is counted.
        let made = try await server.workers.run {
            _ = try LuaState(profile: .script, limits: .script)
            return LuaStateCounter.ofThisThread
        }
        #expect(made == before + 1)
    }
}

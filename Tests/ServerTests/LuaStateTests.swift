import LuaRuntime
import Server
import Testing
import TextFormats

@Suite("Requests and Lua")
struct LuaStateTests {
    @Test("no route and no page makes a Lua state for scripts: none runs one")
    func noState() async throws {
        // One thread works in each lane, so that what they make is all that is made.
        let server = try TestServer(threads: 1)
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        let before = try await made(server)
        for route in RouteTable.all {
            let path = route.path.replacing(#/\{patron\}/#, with: "ann").replacing(#/\{\w+\}/#, with: "1")
            _ = try await server.ask(route.verb, path, route.takesBody ? [:] : nil, as: "root")
        }
        for path in ["/", "/search?text=dune", "/market", "/me", "/cart", "/me/notifications", "/desk", "/titles/1"] {
            try await browser.open(path)
        }
        #expect(try await made(server) == before)
        // What is counted is counted.
        for lane in server.lanes.all {
            try await lane.pool.run { _ = try LuaState(profile: .script, limits: .script) }
        }
        #expect(try await made(server) == before.map { $0 + 1 })
    }

    private func made(_ server: TestServer) async throws -> [Int] {
        var counts: [Int] = []
        for lane in server.lanes.all { counts.append(try await lane.pool.run { LuaStateCounter.ofThisThread }) }
        return counts
    }
}

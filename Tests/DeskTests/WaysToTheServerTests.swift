import Circulation
import Desk
import Storage
import TestSupport
import Testing

@Suite("Ways to the server", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct WaysToTheServerTests {
    @Test("a checkout takes two: to begin, with all that is asked, and to commit")
    func checkout() throws {
        let server = try PostgresServer.shared
        let name = try server.database()
        let proxy = try CuttingProxy(to: server.folder)
        let socket = proxy.folder.replacing("/", with: "%2F")
        let store = try PostgresStore.open("postgres://postgres@/\(name)?host=\(socket)", create: true)
        defer { try? store.close() }
        let library = try Library(store: store)
        // The first one has statements prepared, and reads settings and policy.
        _ = try library.lend("ada", 1).get()
        let before = proxy.messages
        _ = try library.lend("bob", 3).get()
        #expect(proxy.messages - before == 2)
        try library.expectSound()
    }
}

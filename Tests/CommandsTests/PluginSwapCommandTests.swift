import Foundation
import Synchronization
import Testing

@Suite("Plugins that change while a server serves")
struct PluginSwapCommandTests {
    private static func plugin(_ version: Int) -> String {
        """
        return plugin { api = 1, name = "swapped", version = "\(version)",
            routes = { ["GET /swapped"] = { role = "everyone", run = function() return { text = "v\(version)" } end } } }
        """
    }

    /// Callers who ask without an end, and what they were answered: status line and text, with how often.
    private final class Callers: Sendable {
        let answers = Mutex<[String: Int]>([:])
        private let isOver = Atomic<Bool>(false)
        private let group = DispatchGroup()

        init(_ count: Int, port: Int) {
            for _ in 0..<count {
                group.enter()
                Thread { [self] in
                    while !isOver.load(ordering: .relaxed) {
                        let connection = RawConnection(port: port)
                        connection?.send("GET /swapped HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        let lines = (connection?.all() ?? "no connection").split(separator: "\r\n")
                        answers.withLock { $0["\(lines.first ?? "") \(lines.last ?? "")", default: 0] += 1 }
                        usleep(100_000)
                    }
                    group.leave()
                }.start()
            }
        }

        func stop() -> [String: Int] {
            isOver.store(true, ordering: .relaxed)
            group.wait()
            return answers.withLock { $0 }
        }
    }

    @Test("while versions come into force and go back, no request of sixteen callers fails")
    func swap() throws {
        let serving = try ServeCommandTests.Serving()
        func change(_ words: String...) throws {
            let changed = try serving.library.command.run(["plugin"] + words)
            try #require(changed.status == 0, "\(changed)")
        }
        func use(_ version: Int) throws {
            try serving.library.folder.write(Self.plugin(version), to: "swapped/plugin.lua")
            try change("use", "swapped")
        }
        try FileManager.default.createDirectory(
            at: serving.library.folder.url.appending(path: "swapped"), withIntermediateDirectories: true)
        try use(0)
        let callers = Callers(16, port: serving.port)
        try use(1)
        try change("rollback", "swapped")
        try use(2)
        // What is in force is what the next request meets.
        #expect(try serving.get("/swapped").hasSuffix("v2"))
        let answers = callers.stop()
        #expect(Set(answers.keys).isSubset(of: Set((0...2).map { "HTTP/1.1 200 OK v\($0)" })), "\(answers)")
        #expect(answers.values.reduce(0, +) >= 16 && answers.count > 1)
        #expect(serving.end(SIGTERM).status == 0)
    }
}

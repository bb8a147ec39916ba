import Dispatch
import Scripting
import Server
import Testing
import TextFormats

@Suite("Lanes of requests")
struct WorkerLaneTests {
    /// Keeps each thread of a lane until the gate is opened.
    private final class Jam: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let threads: Int

        /// Returns once all threads are kept.
        init(_ lane: WorkerPool) async {
            threads = lane.threads
            let (begun, told) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<threads {
                Task { [gate] in
                    try await lane.run {
                        told.yield()
                        gate.wait()
                    }
                }
            }
            var kept = 0
            for await _ in begun {
                kept += 1
                if kept == threads { break }
            }
        }

        func open() { for _ in 0..<threads { gate.signal() } }
    }

    private static let lending: JSON = ["patron": "ann", "isbn": "9780441013593"]

    @Test("staff lend while everyone's lane and that of what takes long are full")
    func staff() async throws {
        let server = try TestServer()
        // From now on it is known who has this token.
        #expect(try await server.ask(.get, "/patrons/ann", as: "staff").status == 200)
        let jams = [await Jam(server.lanes.reading), await Jam(server.lanes.long)]
        defer { for jam in jams { jam.open() } }
        #expect(try await server.ask(.post, "/loans", Self.lending, as: "staff").status == 201)
        #expect(try await server.ask(.get, "/patrons/ann/loans", as: "staff").status == 200)
    }

    @Test("patrons who are logged in change what is theirs while others look, and look with those")
    func patrons() async throws {
        let server = try TestServer()
        #expect(try await server.ask(.get, "/patrons/me", as: "ann").status == 200)
        let jam = await Jam(server.lanes.reading)
        defer { jam.open() }
        #expect(try await server.ask(.post, "/loans", Self.lending, as: "ann").status == 201)
        async let loans = server.ask(.get, "/patrons/me/loans", as: "ann")
        while server.lanes.reading.waiting == 0 { await Task.yield() }
        jam.open()
        #expect(try await loans.status == 200)
    }

    @Test("everyone reads on while the desk is full, and so does who is not known")
    func readers() async throws {
        let server = try TestServer()
        let token = try server.freshToken(of: "staff")
        let jam = await Jam(server.lanes.desk)
        defer { jam.open() }
        #expect(try await server.ask(.get, "/titles").status == 200)
        // A token that was never shown counts for nothing yet, and one that is none never does.
        for shown in ["mss_nothing", "mss_nothing", token] {
            let answer = try await server.ask(
                .post, "/loans", Self.lending, fields: [("authorization", "Bearer \(shown)")])
            #expect(answer.status == (shown == token ? 201 : 401))
        }
        let again = Task {
            try await server.ask(.post, "/checkins", [:], fields: [("authorization", "Bearer \(token)")])
        }
        while server.lanes.desk.waiting == 0 { await Task.yield() }
        jam.open()
        #expect(try await again.value.status == 400)
    }

    @Test("what goes through everything, and what looks at a password, keeps none waiting")
    func long() async throws {
        let server = try TestServer()
        #expect(try await server.ask(.get, "/patrons/ann", as: "staff").status == 200)
        let jam = await Jam(server.lanes.long)
        defer { jam.open() }
        let statistics = Task { try await server.ask(.get, "/statistics/loans?group=branch", as: "staff") }
        while server.lanes.long.waiting == 0 { await Task.yield() }
        let logIn = Task {
            try await server.ask(
                .post, "/sessions", ["username": "ann", "password": .string(TestServer.password)])
        }
        while server.lanes.long.waiting == 1 { await Task.yield() }
        #expect(try await server.ask(.post, "/loans", Self.lending, as: "staff").status == 201)
        #expect(try await server.ask(.get, "/titles").status == 200)
        jam.open()
        #expect(try await statistics.value.status == 200)
        #expect(try await logIn.value.status == 201)
    }
}

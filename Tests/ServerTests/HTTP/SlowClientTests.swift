import Circulation
import Desk
import Server
import Testing
import TextFormats

/// The server as it listens, with clients that send what they like as slowly as they like.
@Suite("Slow and many clients over HTTP")
@ClientThread
struct SlowClientTests {
    /// A server on a port of its own, until it goes away.
    private final class Listening: Sendable {
        let server: TestServer
        let port: Int
        private let running: Task<Void, any Error>

        init(_ change: (inout ServerSettings) -> Void) async throws {
            var settings = ServerSettings(burst: 1_000_000, seconds: 3_600)
            settings.secondsToTake = 3_600
            settings.secondsOfSilence = 3_600
            change(&settings)
            let server = try TestServer(settings: settings)
            self.server = server
            let (ports, told) = AsyncStream.makeStream(of: Int.self)
            running = Task { [settings] in
                defer { told.finish() }
                try await WebServer(server.web, settings: settings, host: "127.0.0.1", port: 0)
                    .run { told.yield($0) }
            }
            var found: Int?
            for await port in ports {
                found = port
                break
            }
            port = try #require(found)
        }

        deinit { running.cancel() }

        /// A client at another address is served as usual.
        func expectServed(from home: UInt32 = 99, _ place: SourceLocation = #_sourceLocation) throws {
            let other = try LineClient(port: port, from: home)
            try other.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let text = try other.readAll()
            #expect(text.hasPrefix("HTTP/1.1 200"), "\(text)", sourceLocation: place)
        }
    }

    /// Sends byte after byte until the other side says something or ends.
    ///
    /// - Returns: how many it took, and what was said.
    private func drip(_ bytes: [UInt8], to client: LineClient, _ listening: Listening) throws -> (Int, String) {
        let started = ContinuousClock.now
        var sent = 0
        while !client.hasNews(within: 20) {
            try #require(ContinuousClock.now - started < .seconds(600), "nothing ended it")
            do { try client.send([bytes[sent % bytes.count]]) } catch is LineClient.Broken { break }
            sent += 1
            if sent % 10 == 1 { try listening.expectServed() }
        }
        return (sent, client.readToTheEnd())
    }

    @Test("a head that comes byte by byte ends its connection, and others are served meanwhile")
    func slowHead() async throws {
        let listening = try await Listening { $0.seconds = 1 }
        let client = try LineClient(port: listening.port)
        try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n")
        let (sent, said) = try drip(Array("X-Long: aaaaaaaa\r\n".utf8), to: client, listening)
        #expect(sent > 0 && said == "", "\(sent) \(said)")
        try listening.expectServed()
    }

    @Test("a second head on a connection that was good has no more time than the first")
    func slowSecondHead() async throws {
        let listening = try await Listening { $0.seconds = 1 }
        let client = try LineClient(port: listening.port)
        try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.read(12) == "HTTP/1.1 200")
        while client.hasNews(within: 100) { _ = try client.readOnce() }
        try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n")
        let (_, said) = try drip(Array("X-Long: aaaaaaaa\r\n".utf8), to: client, listening)
        #expect(said == "")
    }

    @Test("a body that comes byte by byte is answered 408 and ends its connection, and others are served meanwhile")
    func slowBody() async throws {
        let listening = try await Listening { $0.seconds = 1 }
        let client = try LineClient(port: listening.port)
        let fields = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000"
        try client.send("POST /api/v1/sessions HTTP/1.1\r\n\(fields)\r\n\r\n")
        let (sent, said) = try drip(Array("  ".utf8), to: client, listening)
        #expect(sent > 0 && said.hasPrefix("HTTP/1.1 408") && said.contains("too_slow"), "\(said)")
    }

    @Test("who sends nothing at all is sent away")
    func silence() async throws {
        let listening = try await Listening { $0.secondsOfSilence = 1 }
        let client = try LineClient(port: listening.port)
        try listening.expectServed()
        #expect(try client.readAll() == "")
    }

    @Test("who does not take a big answer in time is sent away, whether it takes some or none", arguments: [0, 1])
    func slowReader(taken: Int) async throws {
        let listening = try await Listening { $0.secondsToTake = 1 }
        try listening.server.desk.write { session in
            for number in 1...40 {
                let cover = String(repeating: "x", count: 400_000)
                _ = try #require(try session.catalogue.add(Title(title: "No. \(number)", coverURL: cover)).value)
            }
        }
        let client = try LineClient(port: listening.port, buffer: 4_096)
        try client.send("GET /api/v1/titles HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.read(12) == "HTTP/1.1 200")
        let started = ContinuousClock.now
        // Bytes to a connection that has ended are refused.
        while (try? client.send("x")) != nil {
            try #require(ContinuousClock.now - started < .seconds(600), "nothing ended it")
            if taken > 0 { guard let byte = try? client.readOnce(taken), !byte.isEmpty else { break } }
            try listening.expectServed()
        }
        let rest = client.readToTheEnd()
        #expect(rest.utf8.count < 12_000_000)
        try listening.expectServed()
    }

    @Test("an answer that is taken in time leaves its connection as it is")
    func steadyReader() async throws {
        let listening = try await Listening { $0.secondsToTake = 1 }
        let client = try LineClient(port: listening.port)
        let started = ContinuousClock.now
        // Past the time within which the first answer had to be taken.
        while ContinuousClock.now - started < .milliseconds(1_500) {
            try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.read(12) == "HTTP/1.1 200")
            while client.hasNews(within: 100) { _ = try client.readOnce() }
        }
    }

    @Test("a stream of events goes on past the time in which an answer has to be taken, and ends with the server")
    func stream() async throws {
        var listening: Listening? = try await Listening {
            $0.secondsToTake = 1
            $0.seconds = 60
            $0.pauseOfEvents = .milliseconds(10)
            $0.pauseOfHeartbeat = .milliseconds(50)
        }
        let server = try #require(listening).server
        let client = try LineClient(port: try #require(listening).port)
        try client.send(
            """
            GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r
            Authorization: Bearer \(try server.token(of: "root"))\r\n\r\n
            """)
        #expect(try client.read(12) == "HTTP/1.1 200")
        let started = ContinuousClock.now
        while ContinuousClock.now - started < .milliseconds(1_500) { _ = try client.readOnce() }
        _ = try #require(try server.desk.write { try $0.catalogue.add(Title(title: "Dune")).value })
        var said = ""
        while !said.contains("event: title.added") { said += String(decoding: try client.readOnce(), as: UTF8.self) }
        listening = nil
        // Its last bytes and the end of the body, long before a request's time is over.
        #expect(client.readToTheEnd().hasSuffix("0\r\n\r\n"))
    }

    @Test("one address has no more connections than it may, and others are served meanwhile")
    func many() async throws {
        let listening = try await Listening { $0.mostConnectionsFromAddress = 5 }
        func ask(_ client: LineClient) throws -> Bool {
            do {
                try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                guard try client.read(12) == "HTTP/1.1 200" else { return false }
                while client.hasNews(within: 50) { _ = try client.readOnce() }
                return true
            } catch is LineClient.Broken {
                return false
            }
        }
        var clients: [LineClient] = []
        for _ in 0..<5 {
            let client = try LineClient(port: listening.port)
            #expect(try ask(client))
            clients.append(client)
        }
        for _ in 0..<20 { #expect(try !ask(LineClient(port: listening.port))) }
        try listening.expectServed()
        for client in clients { #expect(try ask(client)) }
        clients.removeLast()
        let started = ContinuousClock.now
        while try !ask(LineClient(port: listening.port)) {
            try #require(ContinuousClock.now - started < .seconds(600), "no place was made")
        }
    }

    @Test("the total number of connections stays within its limit, from however many addresses")
    func manyAddresses() async throws {
        let listening = try await Listening { $0.mostConnections = 8 }
        var clients: [LineClient] = []
        for home in 10..<18 as Range<UInt32> {
            let client = try LineClient(port: listening.port, from: home)
            try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.read(12) == "HTTP/1.1 200")
            clients.append(client)
        }
        /// Whether one more is served; else it is left waiting, or sent away.
        func isServed() -> Bool {
            guard let late = try? LineClient(port: listening.port, from: 30) else { return false }
            try? late.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return late.hasNews(within: 200) && (try? late.readAll())?.hasPrefix("HTTP/1.1 200") == true
        }
        #expect(!isServed())
        clients.removeLast()
        let started = ContinuousClock.now
        while !isServed() { try #require(ContinuousClock.now - started < .seconds(600), "no place was made") }
    }

    @Test(
        "a proxy that is trusted, by itself or by its range, has connections for many",
        arguments: ["127.0.0.1", "127.0.0.0/8"])
    func proxies(trusted: String) async throws {
        let range = try #require(AddressRange(trusted))
        let listening = try await Listening {
            $0.mostConnectionsFromAddress = 1
            $0.trustedProxies = [range]
            $0.burst = 1
            $0.perSecond = 0.000_1
        }
        var clients: [LineClient] = []
        for number in 1...4 {
            let client = try LineClient(port: listening.port)
            try client.send(
                "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.9, 192.0.2.\(number)\r\n\r\n")
            #expect(try client.read(12) == "HTTP/1.1 200")
            clients.append(client)
        }
        let client = try LineClient(port: listening.port)
        try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.4:55\r\n\r\n")
        #expect(try client.read(12) == "HTTP/1.1 429")
    }
}

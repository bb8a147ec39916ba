import Outbound
import PostSupport
import Testing
import TextFormats

@Suite("Posts to a web server", .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)))
struct WebEndpointTests {
    private func post(
        _ path: String, to server: PythonServer, limits: OutboundLimits = OutboundLimits(answerBytes: 1_000)
    ) throws -> WebResponse {
        let endpoint = try WebEndpoint("http://127.0.0.1:\(server.port)/\(path)", limits: limits)
        let header = try #require(WebHeader("X-Mark", "one"))
        return try endpoint.post(Array("{\"a\":\"ü\"}".utf8), type: "application/json", headers: [header])
    }

    private func failure(_ path: String, to server: PythonServer, limits: OutboundLimits = OutboundLimits()) throws
        -> OutboundFailure
    {
        do { _ = try post(path, to: server, limits: limits) } catch let failure as OutboundFailure { return failure }
        throw PythonServer.Failure(description: "It was accepted.")
    }

    @Test("a body arrives with its headers")
    func arrives() throws {
        let server = try PythonServer("odd")
        #expect(try post("200/now?x=1", to: server) == WebResponse(status: 200, body: Array("{}".utf8)))
        let record = try #require(try server.records().first)
        #expect(record["path"] == "/200/now?x=1")
        #expect(record["body"] == "{\"a\":\"ü\"}")
        let headers = record["headers"]?.arrayValue ?? []
        #expect(headers.contains("X-Mark: one"))
        #expect(headers.contains("Content-Type: application/json"))
        #expect(headers.contains("User-Agent: moonshelf"))
    }

    @Test(
        "a status tells whether to try again",
        arguments: [
            ("400", OutboundFailure.Code.refused), ("404", .refused), ("410", .refused), ("401", .signIn),
            ("403", .signIn), ("408", .temporary), ("429", .temporary), ("500", .temporary), ("503", .temporary),
            ("redirect", .refused), ("drop", .cutOff), ("silence", .cutOff), ("nonsense", .badAnswer),
        ])
    func statuses(path: String, code: OutboundFailure.Code) throws {
        let server = try PythonServer("odd")
        let failure = try failure(path, to: server)
        #expect(failure.code == code, "\(failure)")
        #expect(failure.isFinal == (code == .refused))
        #expect(!failure.message.unicodeScalars.contains { $0.value < 0x20 })
        #expect(try server.records().count == 1, "nothing is asked twice, and no redirect followed")
    }

    @Test("no more of an answer is read than the limit allows")
    func huge() throws {
        let server = try PythonServer("odd")
        let answer = try post("huge", to: server)
        #expect(answer.status == 200 && answer.isCut)
        #expect(answer.body.count == 1_000)
    }

    @Test("a server that stalls is left when the time is over")
    func stalls() throws {
        let server = try PythonServer("odd")
        let limits = OutboundLimits(connecting: .seconds(2), inAll: .milliseconds(2_500))
        #expect(try failure("stall", to: server, limits: limits).code == .timedOut)
    }

    @Test(
        "a URL is https, or stays on this machine",
        arguments: [
            "ftp://localhost/", "file:///etc/passwd", "http://example.org/", "https://user@example.org/",
            "https://example.org/#f", "http://127.0.0.1.example.org/", "http://127.evil/", "http://localhost.evil/",
            "https:///path", "https://example.org:99999/", "https://exa mple.org/", "gopher://localhost/",
        ])
    func urls(url: String) {
        #expect(throws: OutboundFailure.self) { try WebEndpoint(url) }
    }

    @Test("http elsewhere has to be allowed")
    func plain() throws {
        #expect(try WebEndpoint("http://example.org/a?b=c", allowsPlain: true).url == "http://example.org/a?b=c")
        #expect(try WebEndpoint("https://example.org").place == "example.org:443")
    }

    @Test("no header holds more than one line", arguments: ["a\r\nX-More: 1", "a\nb", "ü", "a\u{0}b"])
    func headers(value: String) {
        #expect(WebHeader("X-Mark", value) == nil)
        #expect(WebHeader("X-\(value)", "a") == nil)
    }
}

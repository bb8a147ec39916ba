import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("The feed of events")
struct EventFeedTests {
    private static var quick: ServerSettings {
        var settings = ServerSettings(burst: 100_000)
        settings.pauseOfEvents = .milliseconds(2)
        settings.pauseOfHeartbeat = .milliseconds(20)
        return settings
    }

    private func sequences(_ server: TestServer, _ kind: String? = nil) throws -> [Int64] {
        try server.desk.read { try $0.events.list(EventQuery(kind: kind)) }.map(\.sequence)
    }

    private func ids(_ json: JSON) -> [Int64] {
        (json.arrayValue ?? []).compactMap { $0["id"]?.stringValue.flatMap { Int64($0) } }
    }

    /// The path in a `Link`, below the root of the API.
    private func next(_ answer: WebResponse) throws -> String {
        let link = try #require(answer.fields["Link"])
        let path = try #require(link.firstMatch(of: /^<(.+)>; rel="next"$/)?.1)
        return String(path.dropFirst(RouteTable.root.count))
    }

    private func addTitle(_ number: Int, _ server: TestServer) throws {
        _ = try #require(try server.desk.write { try $0.catalogue.add(Title(title: "No. \(number)")).value })
    }

    // MARK: - Pages

    @Test("page follows page without a gap, and the last address is that of what will happen")
    func pages() async throws {
        let server = try TestServer()
        _ = try server.token(of: "root")
        let all = try sequences(server)
        var (seen, path, last) = ([Int64](), "/events?limit=7", [JSON]())
        while true {
            let answer = try await server.ask(.get, path, as: "root")
            #expect(answer.status == 200)
            #expect(answer.fields["Content-Type"] == "application/cloudevents-batch+json")
            path = try next(answer)
            guard let page = answer.json.arrayValue, !page.isEmpty else { break }
            #expect(page.count <= 7)
            seen += ids(answer.json)
            last = page
        }
        #expect(seen == all)
        let event = try #require(last.last)
        #expect(event["specversion"] == "1.0" && event["datacontenttype"] == "application/json")
        #expect(event["source"] == .string(server.settings.url))
        #expect(event["type"]?.stringValue?.hasPrefix("moonshelf.") == true)
        _ = try Instant(parsing: #require(event["time"]?.stringValue))

        try addTitle(1, server)
        let later = try await server.ask(.get, path, as: "root")
        #expect(ids(later.json) == [try #require(sequences(server).last)])
        #expect(later.json.arrayValue?.first?["data"]?["title_name"] == "No. 1")
        #expect(later.json.arrayValue?.first?["subject"]?.stringValue?.hasPrefix("title/") == true)
    }

    @Test("only the kinds that are asked for come, and one that does not exist is refused with the nearest name")
    func kinds() async throws {
        let server = try TestServer()
        let some = try await server.ask(.get, "/events?kinds=patron.added,title.added&limit=1000", as: "root")
        let expected = try (sequences(server, "patron.added") + sequences(server, "title.added")).sorted()
        #expect(ids(some.json) == expected)
        #expect(try next(some).contains("kinds=patron.added%2Ctitle.added"))
        let wrong = try await server.ask(.get, "/events?kinds=patron.aded", as: "root")
        #expect(wrong.status == 400)
        #expect(wrong.json["detail"]?.stringValue?.contains("did you mean 'patron.added'?") == true)
    }

    @Test("administrators may read it, and keys that are for it; what people wrote is not in it")
    func access() async throws {
        let server = try TestServer()
        #expect(try await server.ask(.get, "/events").status == 401)
        #expect(try await server.ask(.get, "/events", as: "ann").status == 403)
        try server.desk.write { session in
            let block = try session.patrons.block(.username("ann"), kind: "ban", reason: "Ann shouted")
            _ = try #require(block.value)
        }
        let all = try await server.ask(.get, "/events?limit=1000", as: "root")
        #expect(all.text.contains("moonshelf.patron.blocked"))
        #expect(!all.text.contains("shouted"))

        for (scope, status) in [("events:read", 200), ("loans", 403)] {
            let made = try await server.ask(
                .post, "/keys", ["label": "feed", "scopes": [.string(scope)]], as: "root")
            let key = try #require(made.json["key"]?.stringValue)
            let fields = [(name: "authorization", value: "Bearer \(key)")]
            #expect(try await server.ask(.get, "/events", fields: fields).status == status)
        }
    }

    // MARK: - Streams

    private func request(_ server: TestServer, query: String? = nil, last: Int64? = nil) throws -> WebRequest {
        var fields = [
            (name: "accept", value: "text/event-stream"),
            (name: "authorization", value: "Bearer \(try server.token(of: "root"))"),
        ]
        if let last { fields.append((name: "last-event-id", value: String(last))) }
        return WebRequest("GET", RouteTable.root + "/events", query: query, fields: fields)
    }

    private func stream(_ server: TestServer, query: String? = nil, last: Int64? = nil) async throws -> EventStream {
        let answer = await server.web.stream(try request(server, query: query, last: last))
        guard case .stream(let head, let stream) = answer else {
            throw Problem(500, "no_stream", "\(String(describing: answer))")
        }
        #expect(head.status == 200 && head.fields["Content-Type"] == "text/event-stream")
        return stream
    }

    /// What a stream says until the body has seen enough of it.
    private func read(_ stream: EventStream, until isEnough: (String) -> Bool) async throws -> String {
        var all = ""
        for await text in stream {
            all += text
            if isEnough(all) { stream.end() }
        }
        return all
    }

    private static func ids(_ text: String) -> [Int64] {
        text.matches(of: /(?m)^id: (\d+)$/).compactMap { Int64($0.1) }
    }

    @Test("a stream tells what happens, each event with its id, its name and its data")
    func told() async throws {
        let server = try TestServer(settings: Self.quick)
        let stream = try await stream(server)
        let before = try #require(try sequences(server).last)
        try addTitle(1, server)
        let text = try await read(stream) { $0.contains("\n\nid:") }
        #expect(text.hasPrefix("retry: 2000\n\n"))
        #expect(Self.ids(text) == (try sequences(server).filter { $0 > before }))
        #expect(text.contains("event: title.added\ndata: {\"specversion\":\"1.0\""))
    }

    @Test("over reconnects nothing is lost and nothing comes twice, while others write")
    func reconnects() async throws {
        let server = try TestServer(settings: Self.quick)
        let first = try #require(try sequences(server, "title.added").last)
        var last = try #require(try sequences(server).last)
        let start = last
        let writing = Task.detached {
            for number in 1...60 { try addTitle(number, server) }
        }
        var seen: [Int64] = []
        while seen.count < 60 {
            // A stream that is cut off in the middle: only what was read counts.
            let stream = try await stream(server, query: "kinds=title.added", last: last)
            let text = try await read(stream) { !Self.ids($0).isEmpty }
            seen += Self.ids(text)
            last = try #require(seen.last)
        }
        try await writing.value
        #expect(seen == (try sequences(server, "title.added").filter { $0 > start }))
        #expect(first < start)
    }

    @Test("where nothing happens a stream says that it is there, and ends once its reader may no longer read")
    func revoked() async throws {
        let server = try TestServer(settings: Self.quick)
        let made = try await server.ask(.post, "/keys", ["label": "feed", "scopes": ["events"]], as: "root")
        let key = try #require(made.json["key"]?.stringValue)
        var request = try request(server)
        request.fields[1].value = "Bearer \(key)"
        guard case .stream(_, let stream)? = await server.web.stream(request) else {
            Issue.record("there is no stream")
            return
        }
        let keys = try await server.ask(.get, "/keys", as: "root")
        let id = try #require(keys.json["items"]?.arrayValue?.first?["id"]?.integerValue)
        var isRevoked = false
        for await text in stream where text == ":\n\n" && !isRevoked {
            isRevoked = true
            #expect(try await server.ask(.delete, "/keys/\(id)", as: "root").status == 204)
        }
        #expect(isRevoked)
    }

    @Test("there are no more streams than there may be, and one that ends makes room")
    func bounded() async throws {
        var settings = Self.quick
        settings.mostStreams = 1
        let server = try TestServer(settings: settings)
        do {
            let one = try await stream(server)
            guard case .whole(let refused)? = await server.web.stream(try request(server)) else {
                Issue.record("there is a second stream")
                return
            }
            #expect(refused.status == 503 && refused.code == "too_many_streams")
            _ = try await read(one) { _ in true }
        }
        _ = try await stream(server)
    }

    @Test("who may not read events gets no stream, and a wrong id is refused")
    func refused() async throws {
        let server = try TestServer(settings: Self.quick)
        var request = try request(server)
        request.fields[1].value = "Bearer \(try server.token(of: "ann"))"
        guard case .whole(let answer)? = await server.web.stream(request) else {
            Issue.record("there is a stream")
            return
        }
        #expect(answer.status == 403)
        var wrong = try self.request(server)
        wrong.fields.append((name: "last-event-id", value: "x"))
        guard case .whole(let said)? = await server.web.stream(wrong) else {
            Issue.record("there is a stream")
            return
        }
        #expect(said.status == 400)
    }
}

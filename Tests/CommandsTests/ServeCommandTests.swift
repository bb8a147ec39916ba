import Foundation
import TestSupport
import Testing
import TextFormats

/// The built command as a server: how it begins and ends, and what comes over a socket.
@Suite("moonshelf serve")
struct ServeCommandTests {
    /// A server over the small library.
    struct Serving: ~Copyable {
        let library: SmallLibrary
        let running: BuiltCommand.Running
        let port: Int

        init(
            _ settings: String = "", also files: [String: String] = [:],
            before: (borrowing SmallLibrary) throws -> Void = { _ in }
        ) throws {
            let library = try SmallLibrary()
            for (name, text) in files { try library.folder.write(text, to: name) }
            try before(library)
            if !settings.isEmpty { try library.folder.write(settings, to: "moonshelf.toml") }
            let running = try library.command.start(["serve", "--http", "127.0.0.1:0"])
            let said = running.output.wait { $0.contains("\n") } ?? ""
            let digits = said.prefix { $0 != "\n" }.split(separator: ":").last ?? ""
            let port = try #require(Int(digits), "\(said)")
            self.library = library
            self.running = running
            self.port = port
        }

        deinit {
            // No server outlives its test, however that ends.
            if running.process.isRunning { kill(running.process.processIdentifier, SIGKILL) }
        }

        /// What the server answers to these bytes before it ends the connection.
        func exchange(_ text: String) throws -> String {
            let connection = try #require(RawConnection(port: port))
            connection.send(text)
            return connection.all()
        }

        func get(_ path: String, _ fields: String = "") throws -> String {
            try exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)Connection: close\r\n\r\n")
        }

        func post(_ path: String, _ body: String, _ fields: String = "") throws -> String {
            try exchange(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(fields)"
                    + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        }

        func end(_ signal: Int32) -> BuiltCommand.Result {
            kill(running.process.processIdentifier, signal)
            return running.wait()
        }
    }

    @Test("an account made at the command line borrows over HTTP, and SIGTERM ends the server in order")
    func whole() throws {
        let serving = try Serving()
        let made = try serving.library.command.run(["account", "add", "zoe"], input: "a good password\n")
        #expect(made.status == 0 && made.output.hasPrefix("zoe is patron "), "\(made)")
        let weak = try serving.library.command.run(["account", "add", "yan"], input: "short\n")
        #expect(weak.status == 1 && weak.error.contains("at least 12 characters"), "\(weak)")
        let entry = try serving.post("/api/v1/sessions", #"{"username":"zoe","password":"a good password"}"#)
        let token = try #require(entry.split(separator: #""token":""#).last?.split(separator: "\"").first)
        let bearer = "Authorization: Bearer \(token)\r\n"
        let lent = try serving.post("/api/v1/loans", #"{"isbn":"\#(SmallLibrary.emma)"}"#, bearer)
        #expect(lent.hasPrefix("HTTP/1.1 201 Created\r\n"), "\(lent)")
        #expect(try serving.get("/api/v1/patrons/me/loans", bearer).contains(#""channel":"web""#))
        let key = try serving.library.command.run("account", "key", "zoe", "--label", "shelf")
        let program = "Authorization: Bearer \(key.output.trimmingCharacters(in: .newlines))\r\n"
        #expect(try serving.get("/api/v1/patrons/me", program).contains(#""username":"zoe""#))
        let set = try serving.library.command.run(["account", "password", "zoe"], input: "another password\n")
        #expect(set.status == 0, "\(set)")
        let again = try serving.get("/api/v1/patrons/me", bearer)
        #expect(again.hasPrefix("HTTP/1.1 401"), "\(again)")
        let result = serving.end(SIGTERM)
        #expect(result.status == 0 && result.output.hasSuffix("Stopped.\n") && result.error == "", "\(result)")
        #expect(!result.output.contains(token) && !result.output.contains("password\""))
        #expect(try serving.library.command.run("doctor").status == 0)
    }

    @Test("after SIGTERM new connections are refused, and pending answers are sent")
    func answersWhatItHasTaken() throws {
        let serving = try Serving()
        _ = try serving.library.command.run(["account", "add", "zoe"], input: "a good password\n")
        let key = try serving.library.command.run("account", "key", "zoe", "--label", "desk")
        let holder = try serving.library.command.start(
            ["eval", "--allow", "loans.write", "store.transaction(function() \(StoreFaultTests.held) end)"])
        #expect(holder.output.firstLine() == "holding")
        kill(holder.process.processIdentifier, SIGSTOP)
        let body = #"{"isbn":"\#(SmallLibrary.programming)"}"#
        let client = try #require(RawConnection(port: serving.port))
        client.send(
            "POST /api/v1/loans HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer \(key.output.trimmingCharacters(in: .newlines))\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try Waiting.until("the request is under way") {
            try serving.get("/metrics").contains("moonshelf_http_requests_in_progress 2\n")
        }
        kill(serving.running.process.processIdentifier, SIGTERM)
        try Waiting.until("nobody is let in") { RawConnection(port: serving.port) == nil }
        kill(holder.process.processIdentifier, SIGKILL)
        _ = holder.wait()
        let answer = client.all()
        #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"), "\(answer)")
        let result = serving.running.wait()
        #expect(result.status == 0 && result.output.hasSuffix("Stopped.\n") && result.error == "", "\(result)")
    }

    @Test("a server has as many connections as the system allows")
    func openFiles() throws {
        let serving = try Serving()
        let limits = try String(
            contentsOfFile: "/proc/\(serving.running.process.processIdentifier)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        let (soft, hard) = (line.split(separator: " ")[3], line.split(separator: " ")[4])
        #expect(soft == hard)
        #expect(serving.end(SIGTERM).status == 0)
    }

    @Test("a client of BitBooks and one of HTTP see the same desk")
    func both() throws {
        let library = try SmallLibrary()
        let running = try library.command.start(["serve", "--http", "127.0.0.1:0", "--bitbooks", "127.0.0.1:0"])
        let said = running.output.wait { $0.contains("http://") && $0.contains("BitBooks at") } ?? ""
        func port(after words: String) throws -> Int {
            let rest = try #require(said.split(separator: words).last)
            return try #require(Int(rest.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }), "\(said)")
        }
        let client = try #require(RawConnection(port: try port(after: "BitBooks at ")))
        client.send("ADD_USER Zoe Zola zoe a-good-password\nLOGIN zoe a-good-password\n")
        client.send("LOAN zoe \(SmallLibrary.emma)\n")
        client.finish()
        #expect(client.all() == "User added successfullySuccessfully loggedLoan confirmed")
        let web = try #require(RawConnection(port: try port(after: "http://")))
        let path = "/api/v1/titles/\(SmallLibrary.emma)"
        web.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(web.all().contains(#""on_loan":1"#))
        kill(running.process.processIdentifier, SIGTERM)
        let result = running.wait()
        #expect(result.status == 0 && result.output.hasSuffix("Stopped.\n"), "\(result)")
    }

    @Test("bytes that two servers could read differently are refused, and nothing behind them is carried out")
    func smuggling() throws {
        let serving = try Serving()
        let hidden = "DELETE /api/v1/titles/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for head in [
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 4\r\nContent-Length: 50\r\n",
            "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: chunked, identity\r\n", "Content-Length: +4\r\n",
            "Content-Length : 4\r\n", " Content-Length: 4\r\n", "Content-Length: 5\r\nContent-Length: 5\r\n",
            "Content-Length: 5, 5\r\n", "Content-Length: -5\r\n", "Content-Length: 0x5\r\n",
            "Content-Length: 99999999999999999999999\r\n", "X-Folded: a\r\n b\r\nContent-Length: 5\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "Transfer-Encoding : chunked\r\n",
            "X-Bare: a\rTransfer-Encoding: chunked\r\n", "X-Nul: a\0b\r\nContent-Length: 5\r\n",
        ] {
            let connection = try #require(RawConnection(port: serving.port))
            connection.send("POST /api/v1/loans HTTP/1.1\r\nHost: localhost\r\n\(head)\r\n0\r\n\r\n\(hidden)")
            connection.finish()
            let answer = connection.all()
            #expect(!answer.contains("HTTP/1.1 2"), "\(head): \(answer)")
        }
        for size in ["0;\n", "0x0\r\n", "fffffffffffffffff0\r\n", "-0\r\n", " 0\r\n"] {
            let connection = try #require(RawConnection(port: serving.port))
            connection.send(
                "POST /api/v1/loans HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(hidden)"
            )
            connection.finish()
            let answer = connection.all()
            #expect(
                answer.matches(of: /HTTP\/1\.1 400/).count == 1 && !answer.contains("HTTP/1.1 2"), "\(size): \(answer)")
        }
        for bytes in ["\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n"] {
            let connection = try #require(RawConnection(port: serving.port))
            connection.send(bytes)
            connection.finish()
            #expect(!connection.all().contains("HTTP/1.1 2"))
        }
        let large = String(repeating: "x", count: 70_000)
        #expect(!(try serving.get("/health", "X-Large: \(large)\r\n")).contains("HTTP/1.1 2"))
        #expect(try serving.get("/api/v1/titles/1").contains("Odyssey"))
        let log = serving.end(SIGINT).output
        #expect(!log.contains("DELETE /api/v1/titles/1 2"))
    }

    @Test("an address and a header field that are too long get an answer that says so")
    func longHeads() throws {
        let serving = try Serving()
        let (most, more) = (String(repeating: "x", count: 15_000), String(repeating: "x", count: 20_000))
        #expect(try serving.get("/health?a=\(most)").contains("HTTP/1.1 200"))
        #expect(try serving.get("/health", "X-Large: \(most)\r\n").contains("HTTP/1.1 200"))
        for answer in [
            try serving.get("/api/v1/titles?query=\(more)"), try serving.get("/health", "X-Large: \(more)\r\n"),
        ] {
            #expect(
                answer.contains("HTTP/1.1 400") && answer.contains("\"code\":\"too_long\""), "\(answer.prefix(400))")
        }
        #expect(try serving.get("/health").contains("HTTP/1.1 200"))
        _ = serving.end(SIGINT)
    }

    @Test("a body that is too large is refused before it is read, and HEAD has the length without the body")
    func sizes() throws {
        let serving = try Serving("[server]\nmost_bytes = 2048\n")
        let told = try serving.exchange(
            "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
        #expect(told.hasPrefix("HTTP/1.1 413") && told.contains("at most 2048 bytes"))
        let chunk = "800\r\n" + String(repeating: " ", count: 2_048) + "\r\n"
        let chunked = try serving.exchange(
            "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)0\r\n\r\n"
        )
        #expect(chunked.hasPrefix("HTTP/1.1 413"), "\(chunked)")
        // A client that sends all of it before reading gets the answer, not a reset connection.
        let body = String(repeating: " ", count: 2_000_000)
        let sent = try serving.exchange(
            "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(sent.hasPrefix("HTTP/1.1 413") && sent.contains("\r\nConnection: close\r\n"), "\(sent)")
        let head = try serving.exchange("HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK") && head.hasSuffix("\r\n\r\n"), "\(head)")
        let query = try serving.get("/api/v1/titles?query=odyssey&prefix=true")
        #expect(query.contains(#""title":"Odyssey""#))
        _ = serving.end(SIGTERM)
    }

    @Test("who came in without a password sets the first one by a link that is made for them, once")
    func invitations() throws {
        let serving = try Serving()
        let command = serving.library.command
        for name in ["pia", "quin"] {
            let code = "patrons.add{ username = '\(name)', category = 'patron', home_branch = 'main' }.username"
            let added = try command.run("eval", "--allow", "patrons.write", code)
            #expect(added.status == 0, "\(added)")
        }
        let all = try command.run("account", "invite", "--all")
        #expect(all.status == 0 && all.output.hasPrefix("username,name,email,link\r\n"), "\(all)")
        #expect(all.output.contains("\r\npia,") && all.output.contains("\r\nquin,"))
        let made = try command.run("account", "invite", "pia", "--json").json()
        let link = try #require(made.arrayValue?.first?["link"]?.stringValue)
        #expect(link.hasPrefix("http://127.0.0.1:8080/reset?token=msr_"), "\(link)")
        let token = try #require(link.split(separator: "=").last)
        func set(_ token: Substring) throws -> String {
            try serving.post("/api/v1/passwords/reset", #"{"token":"\#(token)","password":"a first password"}"#)
        }
        // Of two links the later one counts.
        let former = try #require(
            all.output.split(separator: "\r\n").first { $0.hasPrefix("pia,") }?.split(separator: "=").last)
        #expect(try set(former).contains("invalid_token"))
        #expect(try set(token).hasPrefix("HTTP/1.1 204"))
        #expect(try set(token).contains("invalid_token"))
        let entry = try serving.post("/api/v1/sessions", #"{"username":"pia","password":"a first password"}"#)
        #expect(entry.hasPrefix("HTTP/1.1 201"), "\(entry)")
        let again = try command.run("account", "invite", "pia")
        #expect(again.status == 1 && again.error.contains("already has a password"), "\(again)")
        #expect(try !command.run("account", "invite", "--all").output.contains("pia,"))
        #expect(try command.run("account", "invite").status == 2)
        #expect(try command.run("account", "invite", "nobody").error.contains("There is no such patron"))
        #expect(serving.end(SIGTERM).status == 0)
    }

    @Test("with --daily the sweep runs once a day, in the log of jobs, and a time that is none is refused")
    func daily() throws {
        let library = try SmallLibrary()
        for time in ["25:00", "6", "06:60", "soon", "06:00:00"] {
            let refused = try library.command.run("serve", "--http", "127.0.0.1:0", "--daily", time)
            #expect(refused.status == 2 && refused.error.contains("'\(time)' is not a time of day"), "\(refused)")
        }
        let still = try library.command.run(
            "--now", "2026-03-02T09:00:00Z", "serve", "--http", "127.0.0.1:0", "--daily", "06:00")
        #expect(still.status == 2 && still.error.contains("--daily cannot wait"), "\(still)")
        // The same job, planned up to a day in the past: what was missed since is made up for.
        let job = """
            [[jobs]]
            name = "serve --daily"
            cron = "0 6 * * *"
            command = ["notices", "sweep"]
            """
        try library.folder.write(job, to: "moonshelf.toml")
        let planned = try library.command.run("--now", "2026-01-05T04:00:00Z", "schedule", "run")
        #expect(planned.status == 0, "\(planned)")
        let running = try library.command.start(["serve", "--http", "127.0.0.1:0", "--daily", "06:00"])
        let said = running.output.wait { $0.contains("serve --daily") && $0.contains("succeeded") } ?? ""
        #expect(said.contains("Listening at"), "\(said)")
        let log = try library.command.run("schedule", "log", "--json", "--job", "serve --daily").json()
        #expect(log.arrayValue?.first?["state"] == "succeeded", "\(log)")
        kill(running.process.processIdentifier, SIGTERM)
        let result = running.wait()
        #expect(result.status == 0 && result.output.hasSuffix("Stopped.\n"), "\(result)")
    }

    @Test("faults in settings and options are reported before anything is served")
    func settings() throws {
        let library = try SmallLibrary()
        for (text, words) in [
            ("[server]\nhttp = \"8080\"\n", "'server.http' must be an address and a port"),
            ("[server]\nurl = \"books.example.org\"\n", "'server.url' must be the address people reach it at"),
            (
                "[server]\nthreads = 2\ntrusted_proxies = [\n  '10.0.0.0/8',\n  \"proxy.example.org\",\n]\n",
                "moonshelf.toml:5: 'server.trusted_proxies' has 'proxy.example.org' in it, and must have addresses such as "
            ),
            (
                "[server]\ntrusted_proxies = [\"127.0.0.1:80\"]\n",
                "moonshelf.toml:2: 'server.trusted_proxies' has '127.0.0.1:80'"
            ),
            ("[server]\nport = 8080\n", "Unknown key 'server.port'"),
            ("[accounts]\nshortest_password = 4\n", "'accounts.shortest_password' must be a number from 8 to 128"),
            ("[accounts]\ncategory = \"nobody\"\n", "'accounts.category': there is no 'nobody'"),
        ] {
            try library.folder.write(text, to: "moonshelf.toml")
            let result = try library.command.run("serve")
            #expect(result.status == 2 && result.error.contains(words), "\(result)")
            // What is in the store, doctor does not know.
            guard !text.contains("nobody") else { continue }
            let doctor = try library.command.run("doctor")
            #expect(doctor.status == 2 && doctor.error.contains(words), "\(doctor)")
        }
        try library.folder.write("", to: "moonshelf.toml")
        #expect(try library.command.run("serve", "--http", "nowhere").error.contains("is not an address with a port"))
        #expect(try library.command.run("--store", "sqlite::memory:", "serve").status == 2)
        let taken = try #require(RawListener())
        let refused = try library.command.run("serve", "--http", "127.0.0.1:\(taken.port)")
        #expect(refused.status == 69 && refused.error.contains("127.0.0.1:\(taken.port)"), "\(refused)")
    }
}

/// Something else that listens at a port.
final class RawListener {
    let port: Int
    private let descriptor: Int32

    init?() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}

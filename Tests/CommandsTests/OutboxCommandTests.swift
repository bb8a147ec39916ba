import Foundation
import PostSupport
import TestSupport
import Testing
import TextFormats

/// From a handler, through the outbox, to a server on this machine.
@Suite("Requests that arrive", .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)))
struct OutboxCommandTests {
    private static let plugin = """
        return plugin {
            api = 1, name = "courier", version = "1", needs = { "http" },
            settings = { hook = { type = "url" }, token = { type = "secret" } },
            on = { ["loan.made"] = function(event)
                http.post {
                    url = settings.hook, json = { loan = event.loan.id, word = "für" },
                    headers = { Authorization = "Bearer " .. settings.token },
                }
            end },
        }
        """

    private func library(hook: String) throws -> SmallLibrary {
        let library = try SmallLibrary()
        let folder = library.folder.url.appending(path: "courier")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.plugin.utf8).write(to: folder.appending(path: "plugin.lua"))
        let used = try library.run(
            "plugin", "use", "courier", "--allow", "http", "--set", "hook=\(hook)", "--set", "token=very-secret-word")
        try #require(used.status == 0, "\(used)")
        _ = try library.eval("loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' }", "--allow", "loans.write")
        return library
    }

    /// Standard Webhooks, as somebody else would verify them.
    private static let verifying = """
        import base64, hashlib, hmac, json, sys
        secret, got = sys.argv[1], json.loads(sys.argv[2])
        fields = dict(line.split(": ", 1) for line in got["headers"])
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = "%s.%s.%s" % (fields["webhook-id"], fields["webhook-timestamp"], got["body"])
        code = base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()
        versions = [part.split(",", 1)[1] for part in fields["webhook-signature"].split(" ")]
        print(any(hmac.compare_digest(code, version) for version in versions))
        """

    private func isVerified(_ record: JSON, _ secret: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.verifying, secret, record.text()]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self) == "True\n"
    }

    private func field(_ name: String, _ record: JSON) -> String? {
        record["headers"]?.arrayValue?.compactMap(\.stringValue).first { $0.hasPrefix("\(name): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    @Test("a request arrives once, signed so that others can verify it, and is seen without what is secret in it")
    func arrives() throws {
        let server = try PythonServer("odd")
        let library = try library(hook: "http://127.0.0.1:\(server.port)/200?key=very-secret-word")
        let tried = try library.run("plugin", "run", "courier", "--event", "1", "--json")
        #expect(tried.status == 0, "\(tried)")
        #expect(try server.records().isEmpty)
        let work = try library.run("plugin", "work", "--until-done", "--json").json()
        #expect(work["sent"] == 1, "\(work.text())")
        _ = try library.run("plugin", "work", "--until-done")
        let records = try server.records()
        #expect(records.count == 1 && records[0]["body"]?.stringValue?.contains("für") == true)
        #expect(field("Authorization", records[0]) == "Bearer very-secret-word")
        #expect(field("Idempotency-Key", records[0]) == field("webhook-id", records[0]))
        let secret = try library.run("outbox", "secret", "plugin:courier").output.split(separator: "\n").joined()
        #expect(secret.hasPrefix("whsec_"))
        #expect(try isVerified(records[0], secret))
        #expect(try !isVerified(records[0], "whsec_" + Data("another secret of mine".utf8).base64EncodedString()))
        for words in [
            ["outbox"], ["outbox", "--sent"], ["outbox", "list", "--sent", "--json"], ["export", "all.json"],
        ] {
            let result = try library.command.run(words)
            #expect(!(result.output + result.error).contains("very-secret-word"), "\(words): \(result)")
            #expect(!(result.output + result.error).contains(secret))
        }
        let exported = try String(contentsOf: library.folder.url.appending(path: "all.json"), encoding: .utf8)
        #expect(!exported.contains(secret) && !exported.contains("very-secret-word"))
    }

    @Test("a server that redirects is given up, one that is busy is tried again; by hand under the same id")
    func failures() throws {
        let server = try PythonServer("odd")
        let library = try library(hook: "http://127.0.0.1:\(server.port)/redirect")
        let work = try library.run("plugin", "work", "--until-done")
        #expect(work.status == 1 && work.output.contains("0 sent, 0 put off, 1 given up"), "\(work)")
        let failed = try library.run("outbox", "list", "--failed", "--json")
        let list = try failed.json().arrayValue ?? []
        #expect(failed.status == 1 && list.count == 1 && list[0]["status"] == 302, "\(failed)")
        #expect(try library.run("plugin", "list").output.contains("1 requests given up"))
        #expect(try library.run("outbox", "retry", "99").status == 1)
        let again = try library.run("outbox", "retry", "--all", "--json").json()
        #expect(again["queued"] == 1)
        #expect(try library.run("outbox", "send").status == 1)
        let ids = try server.records().map { field("webhook-id", $0) }
        #expect(ids.count == 2 && Set(ids).count == 1)
    }

    @Test(
        "hosts of the configuration are checked, and the network of the library is closed",
        arguments: [
            ("hosts = [\"http://x\"]", "'http.hosts'"), ("inside = [\"a/b\"]", "'http.inside'"),
            ("time_limit = 100", "'http.time_limit'"), ("host = []", "http.host"),
        ])
    func configuration(text: String, words: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("[http]\n\(text)\n", to: "moonshelf.toml")
        let result = try library.run("outbox", "send")
        #expect(result.status != 0 && result.error.contains(words), "\(result)")
    }

    @Test("subscriptions of the configuration begin, change, go on where they are, and end")
    func subscriptions() throws {
        let server = try PythonServer("odd")
        let library = try SmallLibrary()
        let inside = "[http]\ninside = [\"localhost:\(server.port)\"]\n"
        func configure(_ text: String) throws { try library.folder.write(inside + text, to: "moonshelf.toml") }
        func lend(_ isbn: String) throws {
            let lent = try library.run(
                "eval", "--allow", "loans.write", "loans.checkout{ patron = 'p1', isbn = '\(isbn)' } ~= nil")
            #expect(lent.output == "true\n", "\(lent)")
        }
        let table = "[webhooks.in]\nurl = \"http://localhost:\(server.port)/200\"\nsecret_file = \"secret\"\n"
        try library.folder.write("a secret of the server's\n", to: "secret")
        try configure(table + "events = [\"loan.mad\"]\n")
        let wrong = try library.run("outbox", "send")
        #expect(wrong.status != 0 && wrong.error.contains("'webhooks.in.events'"), "\(wrong)")
        #expect(wrong.error.contains("moonshelf.toml:6") && wrong.error.contains("loan.made"), "\(wrong)")
        try configure(table + "events = [\"loan.returned\"]\n")
        #expect(try library.run("outbox", "send").status == 0)
        try lend(SmallLibrary.emma)
        try configure(table + "events = [\"loan.made\"]\n")
        #expect(try library.run("outbox", "send").output.contains("1 sent"))
        let got = try server.records()
        #expect(got.count == 1 && got[0]["body"]?.stringValue?.contains("loan.made") == true, "\(got)")
        #expect(try library.run("outbox", "secret", "webhook:1").output == "a secret of the server's\n")
        try library.folder.write("", to: "moonshelf.toml")
        _ = try library.run("outbox", "send")
        #expect(try library.eval("webhooks.list()[1].note") == "moonshelf.toml: in", "another machine's stay")
        try configure("[webhooks]\n")
        _ = try library.run("outbox", "send")
        #expect(try library.eval("#webhooks.list()") == "0")
    }

    @Test("a script reaches the hosts that the configuration names, and no other")
    func scripts() throws {
        let library = try SmallLibrary()
        let call = "http.post{ url = 'https://api.example.org/in', json = { 1 } }.id ~= nil"
        let refused = try library.run("eval", "--allow", "http", call)
        #expect(refused.status != 0 && refused.error.contains("[http]"), "\(refused)")
        try library.folder.write("[http]\nhosts = [\"api.example.org\"]\n", to: "moonshelf.toml")
        #expect(try library.run("eval", "--allow", "http", call).output == "true\n")
        #expect(try library.run("outbox").output.contains("script  POST https://api.example.org:443/in  waits"))
    }
}

import Foundation
import Glibc
import PostSupport
import TestSupport
import Testing
import TextFormats

/// `moonshelf notices deliver` from a configuration to a real mail server, and to servers that are none.
@Suite("Notices that arrive")
struct DeliveryCommandTests {
    static let mail = ConditionTrait.enabled(
        if: !PythonServer.hasNoMailServer, Comment(rawValue: PythonServer.noMailServerReason))

    /// A library whose patron `p1` has an address.
    private func library(_ store: StoreChoice = .file) throws -> SmallLibrary {
        let library = try SmallLibrary(store)
        _ = try library.eval(
            """
            assert(patrons.update("p1", { name = "Zoë", surname = "O'Brien\\r\\nBcc: eve@example.org",
                email = "zoe@example.org", phone = "+49 30 1234567" }))
            """, "--allow", "patrons.write")
        return library
    }

    private func queue(_ library: borrowing SmallLibrary, _ channel: String, _ count: Int = 1) throws {
        _ = try library.eval(
            """
            for number = 1, \(count) do
                assert(notifications.send{ patron = "p1", channel = "\(channel)", subject = "Überfällig " .. number,
                    body = "Bitte zurückgeben: https://example.org/a?b=1&c=2 <now>.", key = "k" .. number })
            end
            """, "--allow", "notifications.write", "--now", "2026-01-05T10:00:00Z")
    }

    private func configure(_ library: borrowing SmallLibrary, _ text: String) throws {
        try library.folder.write(text, to: "moonshelf.toml")
    }

    private func mailTable(_ port: Int, _ more: String = "tls = \"none\"") -> String {
        """
        [mail]
        url = "smtp://127.0.0.1:\(port)"
        from = "Die Bücherei <desk@example.org>"
        \(more)

        """
    }

    private func messageID(_ record: JSON) throws -> String {
        let data = try #require(Data(base64Encoded: record["data"]?.stringValue ?? ""))
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\r\n")
        return String(try #require(lines.first { $0.hasPrefix("Message-ID: ") }))
    }

    @Test("an overdue loan becomes a mail in the patron's mailbox, once", mail, arguments: StoreChoice.allCases)
    func overdue(store: StoreChoice) throws {
        let library = try library(store)
        let server = try PythonServer("mail")
        try configure(library, mailTable(server.port))
        _ = try library.eval(
            "assert(loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' })", "--allow", "loans.write", "--now",
            "2026-01-05T10:00:00Z")
        let late = "2026-02-01T10:00:00Z"
        #expect(try library.run("--now", late, "notices", "sweep").status == 0)
        let shown = try library.run("--now", late, "notices", "deliver", "--dry-run")
        #expect(shown.output.contains("1 due (shown only, nothing sent)."))
        #expect(try server.records().isEmpty)
        let result = try library.run("--now", late, "notices", "deliver", "--json")
        #expect(result.status == 0, "\(result)")
        #expect(try result.json()["sent"] == .integer(1))
        let records = try server.records()
        #expect(records.count == 1)
        #expect(records.first?["to"] == .array(["zoe@example.org"]), "the name adds no recipient")
        #expect(try library.run("--now", late, "notices", "send").output.hasPrefix("0 sent"))
        #expect(try server.records().count == 1)
        #expect(try library.isSound())
    }

    @Test("mail goes over TLS with a password out of a file", mail)
    func encrypted() throws {
        let library = try library()
        let folder = try PythonServer.temporaryFolder()
        let certificate = try PythonServer.certificate(in: folder)
        let server = try PythonServer("mail", ["tls": "required", "auth": "tls"], folder: folder)
        try library.folder.write("pässword\n", to: "mail.password")
        let more = "user = \"desk\"\npassword_file = \"mail.password\"\nca_file = \"\(certificate)\""
        try configure(library, mailTable(server.port, more))
        try queue(library, "email", 2)
        let result = try library.run("notices", "deliver")
        #expect(result.status == 0, "\(result)")
        let records = try server.records()
        #expect(records.count == 2 && records.allSatisfy { $0["tls"] == true && $0["user"] == "desk" })

        try library.folder.write("another\n", to: "mail.password")
        _ = try library.eval(
            "assert(notifications.send{ patron='p1', channel='email', subject='s', body='b', key='z' })", "--allow",
            "notifications.write")
        let refused = try library.run("notices", "deliver")
        #expect(refused.status == 1 && refused.error.contains("notice 3, email"))
        #expect(!"\(refused)".contains("another"))
    }

    @Test("what was given up is listed with the reason and goes out after a retry, as the same message", mail)
    func failed() throws {
        let library = try library()
        let refusing = try PythonServer("mail", ["answer": "554 5.7.1 Not today, zoe@example.org"])
        try configure(library, mailTable(refusing.port))
        try queue(library, "email")
        #expect(try library.run("notices", "deliver").status == 1)
        let failed = try library.run("notices", "failed", "--json").json().arrayValue
        #expect(failed?.count == 1)
        #expect(failed?.first?["failure"] == "refused")
        let words = try #require(failed?.first?["message"]?.stringValue)
        #expect(words.contains("554") && !words.contains("zoe@example.org"))
        let first = try messageID(try #require(try refusing.records().first))

        let taking = try PythonServer("mail")
        try configure(library, mailTable(taking.port))
        #expect(try library.run("notices", "deliver").output.hasPrefix("0 sent"))
        #expect(try library.run("notices", "retry", "7").status == 1)
        #expect(try library.run("notices", "retry").status == 2)
        #expect(try library.run("notices", "retry", "--all").output == "1 queued again.\n")
        #expect(try library.run("notices", "deliver").status == 0)
        #expect(try messageID(try #require(try taking.records().first)) == first)
        #expect(try library.run("notices", "failed").output == "There are no undelivered notices.\n")
        #expect(try library.isSound())
    }

    @Test("an address in another script is given up by a server that takes none, and goes out by one that does", mail)
    func international() throws {
        let library = try library()
        _ = try library.eval("assert(patrons.update('p1', { email = 'zoë@example.org' }))", "--allow", "patrons.write")
        let plain = try PythonServer("mail")
        try configure(library, mailTable(plain.port))
        try queue(library, "email")
        let refused = try library.run("notices", "deliver")
        #expect(refused.status == 1 && refused.error.contains("(SMTPUTF8)"), "\(refused)")
        let failed = try library.run("notices", "failed", "--json").json().arrayValue
        #expect(failed?.first?["failure"] == "bad_address")
        #expect(try plain.records().isEmpty)

        let taking = try PythonServer("mail", ["utf8": true])
        try configure(library, mailTable(taking.port))
        #expect(try library.run("notices", "retry", "--all").status == 0)
        #expect(try library.run("notices", "deliver").status == 0)
        let record = try #require(try taking.records().first)
        #expect(record["to"] == ["zoë@example.org"])
        let data = try #require(Data(base64Encoded: record["data"]?.stringValue ?? ""))
        #expect(String(decoding: data, as: UTF8.self).contains("<zoë@example.org>\r\n"))
    }

    @Test("killed while a server stalls, the next run delivers after the lease, as the same message", mail)
    func killed() throws {
        let library = try library()
        try queue(library, "email")
        let stalling = try PythonServer(
            "odd",
            ["script": ["220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "stall"]])
        try configure(library, mailTable(stalling.port))
        let running = try library.command.start(["--now", "2026-01-06T10:00:00Z", "notices", "deliver"])
        // The whole message is there, and no answer comes.
        try stalling.wait(forRecords: 5)
        kill(running.process.processIdentifier, SIGKILL)
        #expect(running.wait().signal == SIGKILL)

        let server = try PythonServer("mail")
        try configure(library, mailTable(server.port))
        let early = try library.run("--now", "2026-01-06T10:00:30Z", "notices", "deliver", "--json").json()
        #expect(early["sent"] == .integer(0) && early["waiting"] == .integer(1))
        let later = try library.run("--now", "2026-01-06T10:02:01Z", "notices", "deliver", "--json").json()
        #expect(later["sent"] == .integer(1) && later["waiting"] == .integer(0))
        #expect(try server.records().count == 1)
        #expect(try library.isSound())
    }

    @Test(
        "a signal ends a run in good order: what was under way is free at once", .enabled(if: !PythonServer.isMissing))
    func stopped() throws {
        let library = try library()
        try queue(library, "email")
        let stalling = try PythonServer("odd", ["script": ["220 hello\r\n", "stall"]])
        try configure(library, mailTable(stalling.port) + "[delivery]\ntime_limit = 600\n")
        let running = try library.command.start(["--now", "2026-01-06T10:00:00Z", "notices", "deliver", "--json"])
        try stalling.wait(forRecords: 1)
        kill(running.process.processIdentifier, SIGTERM)
        let result = running.wait()
        #expect(result.status == 143, "\(result)")
        #expect(try result.json()["waiting"] == .integer(1))
        let due = try library.run("--now", "2026-01-06T10:00:00Z", "notices", "deliver", "--dry-run", "--json").json()
        #expect(due["due"]?.arrayValue?.count == 1)
    }

    @Test(
        "a server that is away ends a run with 69 and leaves everything queued", .enabled(if: !PythonServer.isMissing))
    func unreachable() throws {
        let library = try library()
        try queue(library, "email", 5)
        let server = try PythonServer("odd")
        let port = server.port
        server.stop()
        try configure(library, mailTable(port))
        let result = try library.run("notices", "deliver", "--json")
        #expect(result.status == 69, "\(result)")
        #expect(try result.json()["waiting"] == .integer(5))
        #expect(try result.json()["put_off"] == .integer(3))
    }

    @Test(
        "sms and webhook are posts that their secret vouches for", .enabled(if: !PythonServer.isMissing),
        arguments: ["sms", "webhook"])
    func posts(channel: String) throws {
        let library = try library()
        try queue(library, channel)
        let server = try PythonServer("odd")
        let secret = "a secret of enough bytes"
        try configure(
            library, "[\(channel)]\nurl = \"http://127.0.0.1:\(server.port)/200/in\"\nsecret_file = \"secret\"\n")
        try library.folder.write("\(secret)\n", to: "secret")
        #expect(try library.run("--now", "2026-01-06T10:00:00Z", "notices", "deliver").status == 0)
        let record = try #require(try server.records().first)
        let text = try #require(record["body"]?.stringValue)
        let body = try JSONParser.parse(text)
        #expect(body["channel"]?.stringValue == channel && body["subject"] == "Überfällig 1")
        #expect(body["to"]?.stringValue == (channel == "sms" ? "+49 30 1234567" : nil))
        #expect(body["patron"]?["username"]?.stringValue == (channel == "sms" ? nil : "p1"))
        let headers = (record["headers"]?.arrayValue ?? []).compactMap(\.stringValue)
        let id = try #require(body["id"]?.stringValue)
        #expect(headers.contains("Idempotency-Key: \(id)"))
        // Openssl's opinion of the signature, not our own.
        let signed = "1767693600.\(id).\(text)"
        try library.folder.write(signed, to: "signed")
        let openssl = try Shell.run(
            "openssl dgst -sha256 -hmac '\(secret)' -r signed | cut -d ' ' -f 1", [], in: library.folder.url)
        let code = openssl.output.trimmingCharacters(in: .newlines)
        #expect(headers.contains("Moonshelf-Signature: t=1767693600,v1=\(code)"))
    }

    @Test("a redirect of a webhook is not followed, and given up", .enabled(if: !PythonServer.isMissing))
    func redirect() throws {
        let library = try library()
        try queue(library, "webhook")
        let server = try PythonServer("odd")
        try configure(library, "[webhook]\nurl = \"http://127.0.0.1:\(server.port)/redirect\"\n")
        var command = library.command
        command.environment["MOONSHELF_WEBHOOK_SECRET"] = "a secret of enough bytes"
        command.environment["http_proxy"] = "http://127.0.0.1:1"
        #expect(try command.run("notices", "deliver").status == 1)
        #expect(try server.records().count == 1)
        #expect(try library.run("notices", "failed").output.contains("redirects are not followed"))
    }

    @Test(
        "a mistake in the configuration is told with file, key and what was expected",
        arguments: [
            (
                "[mail]\nurl = \"http://localhost\"\nfrom = \"a@b.c\"\n",
                "'mail.url' must begin with smtp:// or smtps://."
            ),
            ("[mail]\nfrom = \"a@b.c\"\n", "'mail.url' is missing."),
            ("[mail]\nurl = \"smtp://h\"\nfrom = \"ä@b.c\"\n", "'mail.from' must have ASCII letters alone"),
            ("[mail]\nurl = \"smtp://h\"\nfrom = \"nobody\"\n", "'mail.from' must be an address"),
            (
                "[mail]\nurl = \"smtp://h\"\nfrom = \"a@b.c\"\ntls = \"maybe\"\n",
                "'mail.tls' must be one of \"required\""
            ),
            ("[mail]\nurl = \"smtp://h\"\nfrom = \"a@b.c\"\nuser = \"x\"\n", "MOONSHELF_MAIL_PASSWORD"),
            (
                "[mail]\nurl = \"smtp://h\"\nfrom = \"a@b.c\"\nuser = \"x\"\npassword_file = \"none\"\n",
                "'mail.password_file' names"
            ),
            ("[mail]\nurl = \"smtp://h\"\nfrom = \"a@b.c\"\nport = 3\n", "Unknown key 'mail.port'"),
            ("[mail]\nurl = \"smtp://h\"\nfrom = \"a@b.c\"\nper_minute = 0\n", "a number from 1 to 100000"),
            ("[sms]\nurl = \"https://h\"\n", "MOONSHELF_SMS_SECRET"),
            ("[sms]\nurl = \"https://h\"\nsecret_file = \"short\"\n", "16 bytes"),
            ("[webhook]\nurl = \"http://h\"\nsecret_file = \"long\"\n", "'webhook.url' must be https://"),
            ("[delivery]\ntries = \"3\"\n", "'delivery.tries' must be a number from 1 to 100."),
            ("mail = 3\n", "'mail' must be a table: [mail]."),
        ])
    func mistakes(text: String, words: String) throws {
        let library = try SmallLibrary()
        try configure(library, text)
        try library.folder.write("short\n", to: "short")
        try library.folder.write("a secret of enough bytes\n", to: "long")
        for arguments in [["notices", "deliver"], ["notices", "deliver", "--dry-run"]] {
            let result = try library.command.run(arguments)
            #expect(result.status == 2 && result.error.contains(words), "\(result)")
            // With the line, except for a value that is not a table.
            let place = text.hasPrefix("[") ? #/moonshelf\.toml:\d+: |MOONSHELF_/# : #/moonshelf\.toml: /#
            #expect(result.error.contains(place), "\(result)")
        }
    }
}

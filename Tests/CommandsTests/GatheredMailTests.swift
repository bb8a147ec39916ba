import Foundation
import Glibc
import PostSupport
import TestSupport
import Testing
import TextFormats

/// `moonshelf notices deliver` where a patron's notices are one mail, at a real mail server.
@Suite("Notices that arrive in one mail", .enabled(if: !PythonServer.hasNoMailServer))
struct GatheredMailTests {
    private static let late = "2026-02-01T10:00:00Z"

    /// A library in which `p1`, who reads a language, has two titles overdue.
    private func library(_ language: String = "en", _ store: StoreChoice = .file) throws -> SmallLibrary {
        let library = try SmallLibrary(store)
        try library.folder.write(
            #"{"library":{"name":"City Library","gathered_notices":["overdue","hold_ready"]}}"# + "\n", to: "set.jsonl")
        #expect(try library.run("import", "set.jsonl").status == 0)
        _ = try library.eval(
            """
            assert(patrons.update("p1", { name = "Zoë", email = "zoe@example.org", language = "\(language)" }))
            for _, isbn in ipairs{ "\(SmallLibrary.emma)", "\(SmallLibrary.programming)" } do
                assert(loans.checkout{ patron = "p1", isbn = isbn })
            end
            """, "--allow", "patrons.write", "--allow", "loans.write", "--now", "2026-01-05T10:00:00Z")
        return library
    }

    private func configure(_ library: borrowing SmallLibrary, _ port: Int) throws {
        try library.folder.write(
            "[mail]\nurl = \"smtp://127.0.0.1:\(port)\"\nfrom = \"City <desk@example.org>\"\ntls = \"none\"\n",
            to: "moonshelf.toml")
    }

    private struct Mail {
        let id: String
        let fields: [String]
        let subject: String
        let text: String
        let html: String
    }

    /// A mail as Python's parser of mail reads it.
    private func mail(_ record: JSON?) throws -> Mail {
        let script = """
            import base64, email, email.policy, json, sys
            message = email.message_from_bytes(base64.b64decode(sys.argv[1]), policy=email.policy.default)
            parts = [part.get_content().replace("\\r\\n", "\\n") for part in message.walk() if not part.is_multipart()]
            print(json.dumps([message["Message-ID"], message["Subject"]] + parts + [name for name in message.keys()]))
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", script, record?["data"]?.stringValue ?? ""]
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        let texts = try #require(try JSONParser.parse(Array(answer)).arrayValue).compactMap(\.stringValue)
        try #require(texts.count > 4)
        return Mail(id: texts[0], fields: Array(texts[4...]), subject: texts[1], text: texts[2], html: texts[3])
    }

    @Test(
        "two titles overdue are one mail that names both, with the words of the library for each",
        arguments: StoreChoice.allCases)
    func one(store: StoreChoice) throws {
        let library = try library("en", store)
        let server = try PythonServer("mail")
        try configure(library, server.port)
        #expect(try library.run("--now", Self.late, "notices", "sweep").status == 0)
        let shown = try library.run("--now", Self.late, "notices", "deliver", "--dry-run")
        #expect(shown.output.contains("Overdue (in the message of 1)\n2 due"), "\(shown)")
        let result = try library.run("--now", Self.late, "notices", "deliver")
        #expect(result.output.hasPrefix("2 sent (2 of them in messages of several: 1), 0 put off"), "\(result)")
        let records = try server.records()
        #expect(records.count == 1 && records.first?["to"] == ["zoe@example.org"])
        let mail = try mail(records.first)
        #expect(mail.subject == "City Library: 2 notices")
        #expect(mail.text.hasPrefix("City Library\n\nDear Zoë,\n"))
        let list = mail.text.split(separator: "\n").filter { $0.hasPrefix("- ") }
        #expect(list.count == 2 && list.allSatisfy { $0.hasSuffix("), due on 19 January 2026") }, "\(mail.text)")
        #expect(mail.text.contains("Overdue (2)\n- Emma ("))
        #expect(mail.text.components(separatedBy: "Overdue\nPlease return it.\n").count == 3)
        #expect(mail.html.contains("<h1>City Library</h1>") && mail.html.contains("<li>Emma ("))
        #expect(try library.isSound())
    }

    @Test(
        "a mail that a server put off comes again as the same mail, word for word; what is new by then is another one")
    func again() throws {
        let library = try library()
        let busy = try PythonServer("mail", ["answer": "451 4.3.0 Later"])
        try configure(library, busy.port)
        #expect(try library.run("--now", Self.late, "notices", "sweep").status == 0)
        #expect(try library.run("--now", Self.late, "notices", "deliver").status == 1)
        _ = try library.eval(
            "assert(loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' })", "--allow", "loans.write",
            "--now",
            "2026-02-01T10:00:00Z")
        let later = "2026-03-01T10:00:00Z"
        #expect(try library.run("--now", later, "notices", "sweep").status == 0)
        let server = try PythonServer("mail")
        try configure(library, server.port)
        let result = try library.run("--now", later, "notices", "deliver")
        #expect(result.output.hasPrefix("3 sent (2 of them"), "\(result)")
        let (first, sent) = (try mail(try busy.records().first), try server.records().map(mail))
        #expect(sent.count == 2 && sent[0].id == first.id && sent[0].text == first.text && sent[0].html == first.html)
        #expect(sent[1].id != first.id && sent[1].subject == "Overdue" && sent[1].text.contains("Please return it."))
    }

    @Test("killed while a server has it, a worker's mail comes again, as the same mail with the same notices")
    func killed() throws {
        let library = try library()
        #expect(try library.run("--now", Self.late, "notices", "sweep").status == 0)
        let stalling = try PythonServer(
            "odd",
            ["script": ["220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "stall"]])
        try configure(library, stalling.port)
        let running = try library.command.start(["--now", Self.late, "notices", "deliver"])
        try stalling.wait(forRecords: 5)
        kill(running.process.processIdentifier, SIGKILL)
        #expect(running.wait().signal == SIGKILL)
        let server = try PythonServer("mail")
        try configure(library, server.port)
        let early = try library.run("--now", "2026-02-01T10:00:30Z", "notices", "deliver", "--json").json()
        #expect(early["sent"] == .integer(0) && early["waiting"] == .integer(2))
        let later = try library.run("--now", "2026-02-01T10:02:01Z", "notices", "deliver", "--json").json()
        #expect(later["sent"] == .integer(2) && later["sent_together"] == .integer(2))
        #expect(later["messages_of_several"] == .integer(1))
        #expect(try server.records().count == 1)
        #expect(try library.isSound())
    }

    @Test("hostile names add no header, no line and no direction, and the reader's language is spoken")
    func hostile() throws {
        let library = try library("ar")
        let long = String(repeating: "very ", count: 200)
        _ = try library.eval(
            """
            local name = "Emma\\r\\nBcc: eve@example.org\\r\\n\\r\\n<script>\\u{202E}\(long)"
            assert(catalogue.update("\(SmallLibrary.emma)", { title = name }))
            assert(catalogue.update("\(SmallLibrary.programming)", { title = "English \u{05E9}\u{05DC}" }))
            """, "--allow", "catalogue.write")
        let server = try PythonServer("mail")
        try configure(library, server.port)
        #expect(try library.run("--now", Self.late, "notices", "sweep").status == 0)
        #expect(try library.run("--now", Self.late, "notices", "deliver").status == 0)
        let records = try server.records()
        #expect(records.count == 1 && records.first?["to"] == ["zoe@example.org"])
        let mail = try mail(records.first)
        #expect(!mail.fields.contains("Bcc"))
        let list = mail.text.split(separator: "\n").filter { $0.hasPrefix("- ") }
        #expect(list.count == 2 && list.allSatisfy { $0.count < 220 }, "\(list)")
        #expect(!mail.text.contains("\u{202E}") && !mail.html.contains("<script>") && mail.text.contains("…"))
        #expect(mail.html.contains("lang=\"ar\" dir=\"rtl\""))
    }
}

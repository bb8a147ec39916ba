import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Moving in from BitBooks")
struct BitBooksMovingTests {
    private static let password = "violet harbour at dawn"
    /// One that a client can send: without blanks.
    private static let word = "violet-harbour-at-dawn"
    private static let emma = "9780141439587"
    private static let dune = "9780441172719"

    private static let users = """
        [{"name":"Ada","surname":"Byron","username":"ada","password":"\(word)"},
         {"name":"Bob","surname":"Moss","username":"bob","password":"\(password)"},
         {"name":"Cleo","surname":"Short","username":"cleo","password":"hunter2"}]
        """
    private static let books = """
        [{"title":"Emma","ISBN":"\(emma)","author":"Jane Austen","genre":"Novel","copies":1,"given_copies":3,"cover":""},
         {"title":"Dune","ISBN":"\(dune)","author":"Frank Herbert","genre":"SF","copies":2,"given_copies":1,"cover":""}]
        """
    private static let loans = """
        [{"username":"ada","isbn":"\(emma)","loan_date":"01-09-2026","return_date":"15-09-2026"},
         {"username":"bob","isbn":"\(emma)","loan_date":"02-09-2026","return_date":"16-09-2026"},
         {"username":"bob","isbn":"\(dune)","loan_date":"01-10-2026","return_date":"15-10-2026"}]
        """
    private static let notifications = """
        [{"username":"ada","isbn":"\(emma)","message":"Dear ada, the loan period has expired. You must return \\"Emma\\".\\n","notified":true}]
        """
    private static let policy = """
        return policy {
            name = "Steps",
            rules = { { loan = days(14) } },
            notices = {
                { stage = "first", after = days(0), channel = "inbox", subject = "Expired", body = "first {{patron.username}}" },
                { stage = "second", after = days(60), channel = "inbox", subject = "Expired", body = "second {{patron.username}}" },
            },
        }

        """

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.command.folder.appending(path: "Data"), withIntermediateDirectories: true)
        for (name, text) in [
            ("users", users), ("books", books), ("loans", loans), ("notifications", notifications),
        ] {
            try folder.write(text, to: "Data/\(name).json")
        }
        try folder.write(policy, to: "steps.lua")
        try run(folder, "init")
        try run(folder, "policy", "use", "steps.lua")
        return folder
    }

    @discardableResult
    private static func run(
        _ folder: borrowing TemporaryFolder, _ words: String..., at moment: String = "2026-10-07T10:00:00Z",
        status: Int32 = 0
    ) throws -> BuiltCommand.Result {
        let result = try folder.command.run(["--now", moment] + words)
        #expect(result.status == status, "\(words): \(result)")
        #expect(!"\(result)".contains("violet") && !"\(result)".contains("hunter2"), "\(words): \(result)")
        return result
    }

    /// The messages in the store, the imported one first.
    private static func messages(_ folder: borrowing TemporaryFolder, at moment: String) throws -> [String] {
        let text = try run(
            folder, "eval", "--format", "json",
            "local all = {} for _, n in ipairs(notifications.list{}) do all[#all + 1] = n.body end return all",
            at: moment
        ).json()
        return (text.arrayValue ?? []).flatMap { $0.arrayValue ?? [$0] }.compactMap(\.stringValue).sorted()
    }

    @Test("the four tables come in, and what is shown, kept and said of them has no password")
    func whole() throws {
        let folder = try Self.folder()
        let trial = try Self.run(folder, "import", "--dry-run", "--format", "bitbooks", "Data")
        #expect(trial.output.contains("2 passwords would be taken over"), "\(trial)")
        let explained = try Self.run(folder, "import", "--explain", "Data")
        #expect(explained.output.contains("Byron"), "\(explained)")
        try Self.run(folder, "import", "--explain", "--json", "Data")
        let result = try Self.run(
            folder, "import", "--format", "bitbooks", "--report", "signed.html", "Data")
        #expect(result.output.contains("2 passwords were taken over from plain text"), "\(result)")
        #expect(result.output.contains("1 account is without the password"), "\(result)")
        #expect(
            result.error.contains("Data/users.json:3: password: it is not taken over: A password must have at least 12")
        )
        #expect(result.error.contains("Data/books.json:1: given_copies: 1 of 3 given without a loan"), "\(result)")
        let again = try Self.run(folder, "import", "--json", "--format", "bitbooks", "Data").json()
        #expect(again["added"] == 0 && again["updated"] == 0 && again["rejected"] == 0, "\(again)")
        #expect(again["passwords"]?["kept"] == 2 && again["passwords"]?["taken"] == 0)
        try Self.run(folder, "doctor")
        try Self.run(folder, "export", "--format", "bitbooks", "Out")
        for table in ["books", "loans", "notifications"] {
            let tables = try ["Data", "Out"].map { name in
                try JSONParser.parse(
                    Array(Data(contentsOf: folder.command.folder.appending(path: "\(name)/\(table).json"))))
            }
            #expect(tables[0] == tables[1], "\(tables[1].text())")
        }
        // Neither the store nor anything beside it has one.
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.command.folder.path(percentEncoded: false))
        for name in names where name != "Data" && name != "Out" {
            guard
                let data = FileManager.default.contents(
                    atPath: folder.command.folder.appending(path: name).path(percentEncoded: false))
            else { continue }
            for secret in [Self.word, Self.password, "hunter2"] {
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test("users log in as before over both protocols, and see the numbers that came")
    func logIn() throws {
        let folder = try Self.folder()
        try Self.run(folder, "import", "--format", "bitbooks", "Data")
        let running = try folder.command.start(["serve", "--http", "127.0.0.1:0", "--bitbooks", "127.0.0.1:0"])
        let said = running.output.wait { $0.contains("http://") && $0.contains("BitBooks at") } ?? ""
        func port(after words: String) throws -> Int {
            let rest = try #require(said.split(separator: words).last)
            return try #require(Int(rest.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }), "\(said)")
        }
        let client = try #require(RawConnection(port: try port(after: "BitBooks at ")))
        client.send("LOGIN ada \(Self.word)\nCHECK_NOTIFICATIONS ada\nGET_BOOK \(Self.emma)\nLOGIN cleo hunter2\n")
        client.finish()
        let answer = client.all()
        #expect(answer.hasPrefix("Successfully logged[]{"), "\(answer)")
        #expect(answer.contains("\"copies\":\t1,") && answer.contains("\"given_copies\":\t3,"), "\(answer)")
        #expect(answer.hasSuffix("Failed login"), "\(answer)")
        let body = #"{"username":"bob","password":"\#(Self.password)"}"#
        let web = try #require(RawConnection(port: try port(after: "http://")))
        web.send(
            "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        #expect(web.all().contains("HTTP/1.1 201"))
        kill(running.process.processIdentifier, SIGTERM)
        let result = running.wait()
        #expect(!"\(result)".contains("violet") && !"\(result)".contains("hunter2"), "\(result)")
    }

    @Test("an overdue message is not said again, one that BitBooks had not sent is, and later steps come")
    func sweep() throws {
        let folder = try Self.folder()
        try Self.run(folder, "import", "--format", "bitbooks", "Data")
        let first = try Self.messages(folder, at: "2026-10-07T10:00:00Z")
        #expect(first.count == 1 && first[0].hasPrefix("Dear ada"))
        for day in ["2026-10-08", "2026-10-09"] {
            let now = "\(day)T10:00:00Z"
            try Self.run(folder, "notices", "sweep", at: now)
            #expect(try Self.messages(folder, at: now).dropFirst() == ["first bob"], "\(day)")
            try Self.run(folder, "import", "--format", "bitbooks", "Data", at: now)
            try Self.run(folder, "notices", "sweep", at: now)
            #expect(try Self.messages(folder, at: now).dropFirst() == ["first bob"], "\(day), again")
        }
        // The other loan of Bob's was not late when the tables came.
        try Self.run(folder, "notices", "sweep", at: "2026-10-16T10:00:00Z")
        #expect(try Self.messages(folder, at: "2026-10-16T10:00:00Z").dropFirst() == ["first bob", "first bob"])
        // Sixty days after 15 September, and one more.
        let later = "2026-11-16T10:00:00Z"
        try Self.run(folder, "notices", "sweep", at: later)
        let all = try Self.messages(folder, at: later)
        #expect(all.dropFirst(3) == ["second ada", "second bob"], "\(all)")
        try Self.run(folder, "doctor", at: later)
        let replay = try Self.run(
            folder, "policy", "replay", "--candidate", "current", "--fail-on-difference", "--json", at: later
        ).json()
        #expect(replay["contradiction_count"] == 0, "\(replay)")
    }

    @Test("passwords are left out where that is asked for, and taken over by a later import")
    func without() throws {
        let folder = try Self.folder()
        let result = try Self.run(folder, "import", "--without-passwords", "--format", "bitbooks", "Data")
        #expect(result.output.contains("3 accounts are without the password that the file has"), "\(result)")
        #expect(!result.error.contains("password:"), "\(result)")
        let invited = try Self.run(folder, "account", "invite", "--all").output
        #expect(invited.split(whereSeparator: \.isNewline).count == 4)
        let later = try Self.run(folder, "import", "--json", "--format", "bitbooks", "Data").json()
        #expect(later["passwords"]?["taken"] == 2 && later["passwords"]?["refused"] == 1)
        #expect(try Self.run(folder, "account", "invite", "--all").output.split(whereSeparator: \.isNewline).count == 2)
    }
}

import Circulation
import Desk
import DeskSupport
import Foundation
import Server
import TestSupport
import Testing

@Suite("Connections of the line protocol") @ClientThread
struct LineConnectionTests {
    private let emma = LineLibrary.emma
    private let dune = LineLibrary.dune

    @Test("a client that sends no line feed is answered after a silence, and may send it late")
    func silence() async throws {
        let library = try await LineLibrary { $0.silence = .milliseconds(20) }
        let client = try library.client()
        try client.send("GET_BOOK 1")
        #expect(try client.read(2) == "{}")
        try client.send("\n")
        try client.send("LOGIN ada \(LineLibrary.password)\0")
        #expect(try client.read(19) == "Successfully logged")
        try client.send("\0")
        try client.send("CHECK_NOTIFICATIONS ada")
        #expect(try client.read(2) == "[]")
        client.finish()
        #expect(try client.readAll() == "")
        try await library.stopSound()
    }

    @Test("several commands of one packet are answered in turn, and a split one is put together")
    func packets() async throws {
        let library = try await LineLibrary()
        let client = try library.client()
        for part in [
            "LOG", "IN ada ", LineLibrary.password + "\r", "\nLOAN ada \(emma)\nLOAN ada \(emma)\r\n\nGET_BO",
            "OK 1\nQUIT",
        ] {
            try client.send(part)
        }
        client.finish()
        let answers = [
            "Successfully logged", "Loan confirmed", "No more copies available for the book: Emma", "Unknown command",
            "{}", "Unknown command",
        ]
        #expect(try client.readAll() == answers.joined())
        try await library.stopSound()
    }

    @Test(
        "bytes that are no command are an unknown one, and the connection goes on",
        arguments: [
            [0xFF, 0xFE], [0xC3, 0x28], [0x4C, 0x4F, 0x47, 0xED, 0xA0, 0x80], [0x80, 0x20, 0],
        ])
    func garbage(bytes: [UInt8]) async throws {
        let library = try await LineLibrary()
        let client = try library.client()
        try client.send(bytes + [0x0A])
        try client.send("LOGIN ".utf8 + bytes + " x\nGET_BOOK ".utf8 + [0xC0, 0x0A])
        try client.send("GET_BOOK 1\n")
        client.finish()
        let text = try client.readAll()
        #expect(text.hasSuffix("{}") && text.hasPrefix("Unknown command"))
        try await library.stopSound()
    }

    @Test("malformed files break nothing", .enabled(if: !SharedData.isMissing, Comment(rawValue: SharedData.reason)))
    func malformed() async throws {
        let library = try await LineLibrary()
        for path in SharedData.paths(in: "data/malformed/blns")
            + SharedData.paths(in: "data/malformed/JSONTestSuite/test_parsing", suffix: ".json").prefix(20)
        {
            let bytes = Array(try Data(contentsOf: URL(filePath: path))).prefix(20_000)
            let client = try library.client(as: "ada")
            for verb in ["", "GET_BOOK ", "LOAN ada ", "GET_LOANS "] {
                try client.send(verb.utf8 + bytes.prefix(1_000) + [0x0A])
            }
            client.finish()
            #expect(try !client.readAll().isEmpty)
        }
        #expect(try library.desk.read { try $0.loans.active(of: .username("ada")) } == [])
        try await library.stopSound()
    }

    @Test("what is longer than a command may be is unknown, and the connection ends")
    func tooLong() async throws {
        let library = try await LineLibrary()
        let client = try library.client()
        try client.send([UInt8](repeating: 0x41, count: 1 << 20))
        #expect(try client.readAll() == "Unknown command")
        try await library.stopSound()
    }

    @Test("a command that does not end in time is unknown, and the connection ends")
    func slow() async throws {
        let library = try await LineLibrary { $0.timeForCommand = .milliseconds(50) }
        let client = try library.client()
        try client.send("LOAN ad")
        #expect(try client.readAll() == "Unknown command")
        try await library.stopSound()
    }

    @Test("a silent connection is closed, sooner before a log-in")
    func idle() async throws {
        let library = try await LineLibrary { $0.idleBeforeLogIn = .milliseconds(50) }
        #expect(try library.client().readAll() == "")
        let other = try await LineLibrary { $0.idle = .milliseconds(50) }
        #expect(try other.client(as: "ada").readAll() == "")
        try await library.stopSound()
        try await other.stopSound()
    }

    @Test("no more are let in than may be, and room that was left is there again")
    func room() async throws {
        let library = try await LineLibrary { $0.mostConnections = 2 }
        do {
            let clients = [try library.client(as: "ada"), try library.client(as: "bob")]
            #expect(try library.client().readAll() == "The library is busy; try again later")
            #expect(library.server.connections == clients.count)
        }
        try await Waiting.inTask(until: "all connections have ended") { library.server.connections == 0 }
        try library.client(as: "ada").expect([("GET_LOANS ada", "[]")])
        let narrow = try await LineLibrary { $0.mostConnectionsFromAddress = 1 }
        let client = try narrow.client(as: "ada")
        #expect(try narrow.client().readAll() == "The library is busy; try again later")
        try client.expect([("GET_LOANS ada", "[]")])
        try await library.stopSound()
        try await narrow.stopSound()
    }

    @Test("who tries passwords is sent away after a while, and is so over HTTP as well")
    func attempts() async throws {
        let library = try await LineLibrary()
        let tries = (1...20).map { ("LOGIN ada wrong-\($0)", "Failed login") }
        try library.client().expect(
            tries + [("LOGIN ada wrong-21", "Too many attempts; try again later"), ("GET_BOOK 1", "{}")])
        #expect(throws: AttemptBudget.Exhausted.self) {
            try library.accounts.logIn(
                " ADA", password: LineLibrary.password, from: .address(ClientAddress("192.0.2.7")))
        }
        try await library.stopSound()
    }

    // MARK: - Clients that do not read

    /// A catalogue whose text no buffers of the system take up.
    private func large(_ change: (inout LineProtocolSettings) -> Void = { _ in }) async throws -> LineLibrary {
        let library = try await LineLibrary(settings: change)
        try library.desk.write { session in
            for number in 1...3 {
                let cover = String(repeating: "x", count: 400_000)
                _ = try #require(try session.catalogue.add(Title(title: "No. \(number)", coverURL: cover)).value)
            }
        }
        return library
    }

    @Test("nothing more is read from a client that does not take its answers, and none of them is lost")
    func backPressure() async throws {
        let library = try await large { $0.timeToTake = .seconds(3_600) }
        let client = try library.client(buffer: 4_096)
        try client.send("GET_BOOKS\n")
        #expect(try client.read(1) == "[")
        let line = Array(String(repeating: "Q", count: 8_000).utf8) + [0x0A]
        let sent = try client.flood(with: line, upTo: 32 << 20)
        #expect(sent < 32 << 20)
        client.finish()
        let text = try client.readAll()
        let (whole, rest) = (sent / line.count, sent % line.count)
        #expect(text.hasSuffix("}]" + String(repeating: "Unknown command", count: whole + (rest > 0 ? 1 : 0))))
        try await library.stopSound()
    }

    @Test("a client that takes nothing in time is sent away")
    func takesNothing() async throws {
        let library = try await large { $0.timeToTake = .milliseconds(50) }
        let client = try library.client(buffer: 4_096)
        try client.send("GET_BOOKS\n")
        #expect(try client.read(1) == "[")
        try await Waiting.inTask(until: "all connections have ended") { library.server.connections == 0 }
        try await library.stopSound()
    }

    // MARK: - The end

    @Test("when the server stops, answers in hand are completed, and waiting connections are closed")
    func stops() async throws {
        let library = try await large { $0.grace = .seconds(3_600) }
        let (waiting, reading) = (try library.client(as: "ada"), try library.client(buffer: 4_096))
        try reading.send("GET_BOOKS\nGET_BOOK 1\n")
        #expect(try reading.read(1) == "[")
        library.beginStop()
        #expect(try waiting.readAll() == "")
        #expect(throws: LineClient.Broken.self) { try library.client().expect([("GET_BOOK 1", "{}")]) }
        let text = try reading.readAll()
        #expect(text.hasPrefix("{") && text.hasSuffix("}]"), "what was not begun is not answered")
        try await library.stopSound()
    }

    @Test("a client that takes nothing holds up the end no longer than the grace")
    func endsAtLast() async throws {
        let library = try await large { $0.grace = .milliseconds(50) }
        let client = try library.client(buffer: 4_096)
        try client.send("GET_BOOKS\n")
        #expect(try client.read(1) == "[")
        try await library.stopSound()
    }

    @Test("it cannot listen where another one does")
    func taken() async throws {
        let library = try await LineLibrary()
        var settings = LineProtocolSettings()
        settings.port = library.port
        let second = BitBooksServer(
            desk: library.desk, accounts: library.accounts, lanes: library.lanes, settings: settings)
        await #expect(throws: (any Error).self) { try await second.run() }
        try await library.stopSound()
    }

    // MARK: - Many

    @Test("a hundred clients at once, ten commands each: every answer comes, and no loan is lost or doubled")
    func hundred() async throws {
        var budget = AttemptBudget.Settings()
        budget.tries = AttemptBudget.Rate(atOnce: 1_000, perHour: 1_000)
        budget.signUps = budget.tries
        let library = try await LineLibrary(copies: [1, 30, 400], budget: AttemptBudget(budget))
        let clients = try (0..<100).map { _ in try library.client() }
        for (number, client) in clients.enumerated() {
            let name = "user\(number)"
            try client.send(
                """
                ADD_USER U Ser \(name) long-password
                LOGIN \(name) long-password
                LOAN \(name) \(emma)
                LOAN \(name) \(dune) title:3
                GET_BOOK \(emma)
                LOAN \(name) title:3
                LOAN user\((number + 1) % 100) title:3
                GET_LOANS \(name)
                CHECK_NOTIFICATIONS \(name)
                NONSENSE
                """)
            // Some break off without waiting for an answer.
            if number % 10 == 9 { client.breakOff() } else { client.finish() }
        }
        var confirmed: [String: Int] = [:]
        for (number, client) in clients.enumerated() where number % 10 != 9 {
            let text = try client.readAll()
            let name = "user\(number)"
            #expect(text.hasPrefix("User added successfullySuccessfully logged"))
            #expect(text.hasSuffix("]Unknown command"))
            let rows = text.components(separatedBy: "\"username\":\t\"\(name)\"").count - 1
            #expect(text.components(separatedBy: "Failed login").count == 2)
            confirmed[name] = rows
        }
        try await library.stopSound()
        var emmas = 0
        try library.desk.read { session in
            for (name, rows) in confirmed {
                let loans = try session.loans.active(of: .username(name))
                #expect(loans.count == rows)
                #expect(loans.filter { $0.title == 3 }.count == (loans.contains { $0.title == 2 } ? 2 : 1))
            }
            try session.loans.each(LoanQuery(state: .open)) { loan in
                if loan.title == 1 { emmas += 1 }
                return true
            }
            #expect(try session.catalogue.counts(of: 2).onLoan <= 30)
        }
        #expect(emmas == 1)
    }
}

import Circulation
import Desk
import DeskSupport
import Foundation
import Testing
import TextFormats

@testable import Server

@Suite("BitBooks' verbs") @ClientThread
struct BitBooksVerbTests {
    private let emma = LineLibrary.emma
    private let dune = LineLibrary.dune
    private let unknown = LineLibrary.unknown

    @Test("accounts are made and let in, each word of the answers BitBooks'")
    func accounts() async throws {
        let library = try await LineLibrary()
        try library.client().expect([
            ("LOGIN cyd long-password", "Failed login"),
            ("ADD_USER Cyd Moss cyd long-password", "User added successfully"),
            ("ADD_USER Cyd Moss cyd other-password", "Username already exists"),
            ("LOGIN cyd other-password", "Failed login"),
            ("LOGIN cyd long-password", "Successfully logged"),
            ("LOGIN cyd", "Failed login"), ("LOGIN", "Failed login"),
            ("ADD_USER Dee Moss dee short", "A password must have at least 12 characters."),
            ("ADD_USER Dee Moss dee", "ADD_USER takes four words: name surname username password"),
            ("ADD_USER Dee van Moss dee long-password", "ADD_USER takes four words: name surname username password"),
            ("LOGIN dee long-password", "Failed login"),
        ])
        let cyd = try #require(try library.desk.read { try $0.patrons.get(.username("cyd")) })
        #expect(cyd.name == "Cyd" && cyd.surname == "Moss" && cyd.category == "patron" && cyd.homeBranch == "main")
        try await library.stopSound()
        let sessions = try library.desk.read { try $0.accounts.tokens(of: cyd.id, .session) }
        #expect(sessions == [], "whoever leaves is logged out")
    }

    @Test(
        "no client learns an e-mail address, or whether somebody has it, not even where clients act for whom they name")
    func addresses() async throws {
        for isOpen in [false, true] {
            let library = try await LineLibrary { $0.isOpen = isOpen }
            let mia = Patron(
                username: "mia@letters.test", email: "private@letters.test", category: "patron", homeBranch: "main")
            _ = try #require(try library.accounts.signUp(mia, password: LineLibrary.password).value)
            _ = try library.client(as: "mia@letters.test").expect([("LOAN mia@letters.test \(dune)", "Loan confirmed")])
            let commands = ["GET_BOOKS", "GET_BOOK \(dune)", "GET_LOANS ada", "CHECK_NOTIFICATIONS ada"]
            for command in commands + (isOpen ? [] : ["GET_LOANS mia@letters.test"]) {
                let answer = try library.answers(to: "\(command)\n", as: "ada")
                #expect(!answer.contains("letters.test"), "\(command): \(answer)")
            }
            if !isOpen {
                let known = try library.answers(to: "GET_LOANS mia@letters.test\n", as: "ada")
                let unknown = try library.answers(to: "GET_LOANS eva@letters.test\n", as: "ada")
                #expect(known == unknown)
            }
            try await library.stop()
        }
    }

    @Test("the catalogue and a book of it are laid out as cJSON prints them, what is unknown is {}")
    func books() async throws {
        let library = try await LineLibrary()
        let book = { (tabs: String) in
            """
            {
            \(tabs)\t"title":\t"Emma",
            \(tabs)\t"ISBN":\t"9780141439587",
            \(tabs)\t"author":\t"Jane Austen",
            \(tabs)\t"genre":\t"Novel",
            \(tabs)\t"copies":\t1,
            \(tabs)\t"given_copies":\t0,
            \(tabs)\t"cover":\t"http://c/e.jpg"
            \(tabs)}
            """
        }
        let rest = """
            , {
            \t\t"title":\t"Dune",
            \t\t"ISBN":\t"9780441172719",
            \t\t"author":\t"Frank Herbert, Brian \\"B\\" Herbert",
            \t\t"genre":\t"",
            \t\t"copies":\t3,
            \t\t"given_copies":\t0,
            \t\t"cover":\t""
            \t}, {
            \t\t"title":\t"Ulysses",
            \t\t"ISBN":\t"title:3",
            \t\t"author":\t"",
            \t\t"genre":\t"",
            \t\t"copies":\t8,
            \t\t"given_copies":\t0,
            \t\t"cover":\t""
            \t}]
            """
        try library.client().expect([
            ("GET_BOOKS", "[\(book("\t"))\(rest)"), ("GET_BOOK \(emma)", book("")),
            ("GET_BOOK 978-0-14-143958-7", book("")), ("GET_BOOK \(unknown)", "{}"), ("GET_BOOK", "{}"),
            ("GET_BOOK nonsense", "{}"), ("GET_BOOK title:99", "{}"), ("GET_BOOK title:-1", "{}"),
        ])
        try await library.stopSound()
    }

    @Test("a catalogue of many parts is one array, an empty one []")
    func manyBooks() async throws {
        let library = try await LineLibrary(copies: [])
        #expect(try library.answers(to: "GET_BOOKS") == "[]")
        try library.desk.write { session in
            for number in 1...LineCommands.titlesOfPart * 2 {
                _ = try #require(try session.catalogue.add(Title(title: "No. \(number)")).value)
            }
        }
        let text = try library.answers(to: "GET_BOOKS\nGET_BOOK title:1")
        #expect(text.components(separatedBy: "}, {").count == LineCommands.titlesOfPart * 2)
        #expect(text.hasPrefix("[{") && text.contains("\n\t}]{\n\t\"title\":\t\"No. 1\""))
        try await library.stopSound()
    }

    @Test("loans are refused in BitBooks' order and words, and a refused request lends nothing")
    func lending() async throws {
        let library = try await LineLibrary()
        let none = "No more copies available for the book: "
        try library.client(as: "ada").expect([
            ("LOAN ada", "Loan confirmed"),
            ("LOAN ada \(emma) \(dune) \(dune) \(dune) \(dune) \(unknown)", "Request less than 5 books"),
            ("LOAN ada \(emma) \(dune)", "Loan confirmed"),
            (
                "LOAN ada \(unknown) \(dune) \(dune) \(dune)",
                "You have already made 2 loans, you can only apply for 3 more"
            ),
            ("LOAN ada \(emma)", "\(none)Emma"), ("LOAN ada \(dune) \(emma) \(unknown)", "\(none)Emma"),
            ("LOAN ada \(dune) \(unknown) \(emma)", "\(none)Unknown book"), ("LOAN ada 1", "\(none)Unknown book"),
            ("LOAN ada \(dune) \(dune)", "Loan confirmed"),
            (
                "LOAN ada title:3 title:3", "You have already made 4 loans, you can only apply for 1 more"
            ),
            ("LOAN ada title:3", "Loan confirmed"), ("LOAN ada title:3", "You have already made 5 loans"),
            ("LOAN ada \(unknown)", "You have already made 5 loans"), ("LOAN ada", "Loan confirmed"),
            ("LOAN ada 1 2 3 4 5 6", "Request less than 5 books"),
        ])
        let loans = try library.desk.read { try $0.loans.active(of: .username("ada")) }
        #expect(loans.map(\.title) == [1, 2, 2, 2, 3])
        #expect(loans.allSatisfy { $0.channel == .web })
        try await library.stopSound()
    }

    @Test("limits of another policy are reported with their own numbers, other refusals in the policy's words")
    func otherPolicy() async throws {
        let library = try await LineLibrary(
            policy: """
                return policy {
                    api = 1,
                    name = "two",
                    rules = { { loan = days(7) } },
                    limits = { { max = 2 } },
                    request = function(case)
                        if case.request.size == 4 then return deny("odd", "Not\\ntoday") end
                    end,
                }
                """)
        let id = try library.id("ada")
        let client = try library.client(as: "ada")
        try client.expect([
            ("LOAN ada 1 2 3 4", "Not today"), ("LOAN ada \(dune) title:3 \(emma)", "Request less than 2 books"),
            ("LOAN ada \(dune)", "Loan confirmed"),
            ("LOAN ada title:3 \(emma)", "You have already made 1 loans, you can only apply for 1 more"),
            ("LOAN ada title:3", "Loan confirmed"), ("LOAN ada \(emma)", "You have already made 2 loans"),
        ])
        try library.desk.write { session in
            _ = try #require(
                try session.patrons.update(.id(id)) { $0.expiresOn = try CivilDate(year: 2026, month: 1, day: 1) }.value
            )
        }
        try client.expect([("LOAN ada \(emma)", "The membership expired on 2026-01-01. It must be renewed first.")])
        try await library.stopSound()
    }

    @Test("a limit of some loans alone, or one in a policy's own words, is not reported as BitBooks' limit")
    func partialLimits() {
        func words(limit: Int64, count: Int64, asked: Int64, open: Int64) -> String? {
            let refusal = Refusal(
                code: Refusal.Code.limit, message: "", figures: ["limit": .integer(limit), "count": .integer(count)])
            return LineCommands.words(forLimit: refusal, asked: asked, open: open)
        }
        #expect(words(limit: 5, count: 5, asked: 1, open: 5) == "You have already made 5 loans")
        #expect(words(limit: 5, count: 5, asked: 3, open: 3)?.hasSuffix("only apply for 2 more") == true)
        #expect(words(limit: 2, count: 2, asked: 1, open: 4) == nil)
        #expect(words(limit: 9, count: 9, asked: 1, open: 4) == nil)
        let own = Refusal(code: Refusal.Code.limit, message: "Enough.")
        #expect(LineCommands.words(forLimit: own, asked: 1, open: 5) == nil)
        #expect(LineCommands.line("Not\ntoday,\r\u{0}\u{9B}Ada") == "Not today,   Ada")
    }

    @Test("a user's loans have their dates in the library's zone")
    func loans() async throws {
        let library = try await LineLibrary()
        // Half past midnight in Rome.
        library.clock.set(try Instant(parsing: "2026-01-15T23:30:00Z"))
        try library.client(as: "ada").expect([
            ("GET_LOANS ada", "[]"), ("LOAN ada \(emma)", "Loan confirmed"),
            (
                "GET_LOANS ada",
                """
                [{
                \t\t"username":\t"ada",
                \t\t"isbn":\t"9780141439587",
                \t\t"loan_date":\t"16-01-2026",
                \t\t"return_date":\t"30-01-2026",
                \t\t"title":\t"Emma",
                \t\t"cover":\t"http://c/e.jpg"
                \t}]
                """
            ),
        ])
        try await library.stopSound()
    }

    @Test("messages are sent once, to their recipient; a session ends at its time")
    func notifications() async throws {
        let library = try await LineLibrary()
        let client = try library.client(as: "ada")
        try client.expect([("CHECK_NOTIFICATIONS ada", "[]"), ("LOAN ada \(emma)", "Loan confirmed")])
        library.clock.set(try Instant(parsing: "2026-01-29T08:00:00Z"))
        _ = try library.desk.sweep()
        _ = try library.desk.write { session in
            try #require(
                try session.notices.send(
                    to: .username("ada"), channel: "email", subject: "By mail", body: "Hello", key: "k"
                ).value)
        }
        let bob = try library.client(as: "bob")
        try bob.expect([("CHECK_NOTIFICATIONS ada", "Failed login"), ("CHECK_NOTIFICATIONS bob", "[]")])
        let told = """
            [{
            \t\t"username":\t"ada",
            \t\t"isbn":\t"9780141439587",
            \t\t"message":\t"Dear ada, the loan period has expired. You must return \\"Emma\\".\\n",
            \t\t"notified":\tfalse
            \t}]
            """
        try client.expect([
            ("CHECK_NOTIFICATIONS ada", "Failed login"), ("LOGIN ada \(LineLibrary.password)", "Successfully logged"),
            ("CHECK_NOTIFICATIONS", told), ("CHECK_NOTIFICATIONS ada", "[]"),
        ])
        let queued = try library.desk.read { try $0.notices.outbox() }
        #expect(queued.map(\.subject) == ["By mail"], "what goes by mail is still to be sent")
        try await library.stopSound()
    }

    @Test("a user cannot act for another one who is logged in on another connection")
    func sessions() async throws {
        let library = try await LineLibrary()
        let (ada, stranger) = (try library.client(as: "ada"), try library.client())
        let commands = ["LOAN ada \(emma)", "GET_LOANS ada", "CHECK_NOTIFICATIONS ada", "CHECK_NOTIFICATIONS"]
        try stranger.expect(commands.map { ($0, "Failed login") })
        try stranger.expect([("LOGIN bob \(LineLibrary.password)", "Successfully logged")])
        try stranger.expect(commands.dropLast().map { ($0, "Failed login") })
        try stranger.expect([
            ("GET_LOANS nobody", "Failed login"), ("GET_LOANS", "Failed login"), ("LOAN", "Failed login"),
        ])
        try ada.expect([
            ("GET_LOANS ada", "[]"), ("LOGIN ada wrong-password", "Failed login"), ("GET_LOANS ada", "Failed login"),
            ("LOGIN ada \(LineLibrary.password)", "Successfully logged"),
            ("LOGIN bob \(LineLibrary.password)", "Successfully logged"), ("GET_LOANS ada", "Failed login"),
            ("GET_LOANS bob", "[]"),
        ])
        let bob = try library.id("bob")
        _ = try #require(try library.accounts.setPassword("another-password", of: .id(bob)).value)
        try ada.expect([("GET_LOANS bob", "Failed login")])
        try await library.stopSound()
    }

    @Test("the openness of BitBooks lets anybody act for any user that there is")
    func openness() async throws {
        let library = try await LineLibrary { $0.isOpen = true }
        try library.client().expect([
            ("LOAN ada \(emma)", "Loan confirmed"), ("LOAN bob \(emma)", "No more copies available for the book: Emma"),
            ("GET_LOANS bob", "[]"), ("CHECK_NOTIFICATIONS ada", "[]"), ("CHECK_NOTIFICATIONS", "Failed login"),
            ("LOAN nobody \(dune)", "Failed login"),
        ])
        let loans = try library.desk.read { try $0.loans.active(of: .username("ada")) }
        #expect(loans.count == 1)
        try await library.stopSound()
    }

    @Test("a library may leave the making of accounts to its desk")
    func noSignUps() async throws {
        let library = try await LineLibrary { $0.takesSignUps = false }
        try library.client().expect([
            ("ADD_USER Cyd Moss cyd long-password", "Users are added at the library's desk"),
            ("LOGIN cyd long-password", "Failed login"),
        ])
        try await library.stopSound()
    }

    @Test("what cannot be carried out is answered as a failure, reported without a client's words")
    func faults() async throws {
        let library = try await LineLibrary(mostWaiting: 0)
        let busy = "The library is busy; try again later"
        let unreadable = "Failed to read JSON file"
        let exchange = [
            ("ADD_USER Cyd Moss cyd long-password", busy), ("LOGIN ada secret-words", busy), ("LOAN ada \(emma)", busy),
            ("GET_BOOKS", unreadable), ("GET_BOOK \(emma)", unreadable), ("GET_LOANS ada", unreadable),
            ("CHECK_NOTIFICATIONS ada", unreadable), ("NONSENSE", "Unknown command"),
        ]
        try library.client().expect(exchange)
        try await library.stop()
        #expect(library.faults.list.count == exchange.count - 1)
        #expect(!library.faults.list.contains { $0.contains("secret") || $0.contains("ada") })
    }
}

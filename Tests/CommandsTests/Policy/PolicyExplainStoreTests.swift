import Foundation
import Testing
import TextFormats

@Suite("policy explain, over a store")
struct PolicyExplainStoreTests {
    private static let policy = """
        return policy {
            limits = { { max = 1 } },
            rules = { { item_type = "dvd", loan = days(7) }, { loan = days(14), renewals = 1 } },
            checkout = function(case)
                if case.patron.overdue > 0 then
                    return deny("overdue", "Bring back what is late.")
                end
            end,
        }
        """

    /// A store with a policy, a patron and two titles with a copy each.
    private func library() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.policy, to: "rules.lua")
        let steps: [[String]] = [
            ["init"],
            [
                "eval", "--allow", "catalogue.write,patrons.write",
                """
                for _, isbn in ipairs { "9780261103573", "9780140328721" } do
                    catalogue.add { isbn = isbn, title = "Title " .. isbn, authors = { "A" } }
                    catalogue.add_copies { isbn = isbn, count = 1 }
                end
                patrons.add { username = "ada", name = "Ada", surname = "L", category = "patron" }
                """,
            ],
            ["policy", "use", "rules.lua"],
        ]
        for step in steps {
            let result = try folder.command.run(["--store", "sqlite:store.db", "--now", "2026-05-04T10:00:00Z"] + step)
            try #require(result.status == 0, "\(result)")
        }
        return folder
    }

    private func run(_ folder: borrowing TemporaryFolder, _ arguments: String..., now: String = "2026-05-04T10:00:00Z")
        throws
        -> BuiltCommand.Result
    {
        try folder.command.run(["--store", "sqlite:store.db", "--now", now] + arguments)
    }

    private func lend(_ folder: borrowing TemporaryFolder, _ isbn: String) throws -> BuiltCommand.Result {
        try run(
            folder, "eval", "--allow", "loans.write", "loans.checkout { patron = 'ada', isbn = '\(isbn)' }")
    }

    @Test("a request is explained step by step, and nothing is written")
    func request() throws {
        let folder = try library()
        let result = try run(folder, "policy", "explain", "--patron", "ada", "--isbn", "9780261103573", "--json")
        #expect(result.status == 0, "\(result)")
        let json = try result.json()
        #expect(json["answer"] == "allow")
        #expect(json["steps"]?.arrayValue?.map { $0["point"] } == ["request", "checkout"])
        #expect(json["trace"]?.arrayValue?.first?["values"]?["case.patron.overdue"] == 0)
        #expect(json["fields"]?["loan"]?["row"] == 2)
        let loans = try run(folder, "eval", "return #loans.active { patron = 'ada' }")
        #expect(loans.output.contains("0"), "\(loans)")
    }

    @Test("a request for a shorter loan is explained, and what is no day or has passed is said")
    func until() throws {
        let folder = try library()
        for (day, due) in [("2026-05-11", "2026-05-11"), ("2026-08-01", "2026-05-18")] {
            let result = try run(
                folder, "policy", "explain", "--patron", "ada", "--isbn", "9780261103573", "--until", day)
            let sentence = "Allowed, due \(due). Asked until \(day), the rule allows until 2026-05-18."
            #expect(result.output.contains(sentence), "\(result)")
        }
        for (day, fault) in [("soon", "--until"), ("2026-05-03", "is before today")] {
            let wrong = try run(
                folder, "policy", "explain", "--patron", "ada", "--isbn", "9780261103573", "--until", day)
            #expect(wrong.status == 2 && wrong.error.contains(fault), "\(wrong)")
        }
        let other = try run(folder, "policy", "explain", "--loan", "1", "--until", "2026-05-11")
        #expect(other.status == 2 && other.error.contains("--until goes with --patron"), "\(other)")
    }

    @Test("a refusal of the desk's own, such as an empty shelf, is the answer though the policy allows it")
    func noCopies() throws {
        let folder = try library()
        #expect(try lend(folder, "9780261103573").status == 0)
        let added = try run(
            folder, "eval", "--allow", "patrons.write",
            "patrons.add { username = 'bob', name = 'Bob', surname = 'M', category = 'patron' }")
        #expect(added.status == 0, "\(added)")
        let result = try run(folder, "policy", "explain", "--patron", "bob", "--isbn", "9780261103573", "--json")
        let json = try result.json()
        #expect(json["answer"] == "deny" && json["refusal"]?["code"] == "no_copies", "\(result)")
        let text = try run(folder, "policy", "explain", "--patron", "bob", "--isbn", "9780261103573")
        #expect(text.output.hasPrefix("Refused: "), "\(text)")
    }

    @Test("a request refused by a limit names the row")
    func limit() throws {
        let folder = try library()
        #expect(try lend(folder, "9780261103573").status == 0)
        let result = try run(folder, "policy", "explain", "--patron", "ada", "--isbn", "9780140328721")
        #expect(result.output.contains("Refused: "), "\(result)")
        #expect(result.output.contains("limits row 1, rules.lua:2: 1 of at most 1 in all: full"), "\(result)")
    }

    @Test("a recorded decision and its loan are explained by the version that decided, and a change since is reported")
    func recorded() throws {
        let folder = try library()
        #expect(try lend(folder, "9780261103573").status == 0)
        let loan = try run(folder, "eval", "return loans.active { patron = 'ada' }[1].id")
        let id = String(loan.output.prefix { $0.isNumber })
        let result = try run(folder, "policy", "explain", "--loan", id, "--json")
        #expect(result.status == 0, "\(result)")
        let json = try result.json()
        let event = try #require(json["recorded"]?["event"]?.integerValue)
        #expect(json["recorded"]?["kind"] == "loan.made" && json["point"] == "checkout")
        #expect(json["due"] == json["recorded"]?["answer"]?["due"])
        let same = try run(folder, "policy", "explain", "--event", "\(event)")
        #expect(same.output.contains("checkout, event \(event) (loan.made)"), "\(same)")
        #expect(!same.output.contains("Recorded then"))
        try folder.write(Self.policy.replacing("days(14)", with: "days(21)"), to: "longer.lua")
        let other = try run(folder, "--policy", "longer.lua", "policy", "explain", "--event", "\(event)")
        #expect(other.output.contains("Recorded then: due 2026-05-18"), "\(other)")
        #expect(other.output.contains("The log keeps no calendar: today's of the branch stands in"), "\(other)")
    }

    @Test(
        "what is not there is refused with 1, what makes no sense with 2",
        arguments: [
            (["--patron", "nobody", "--isbn", "9780261103573"], 1), (["--event", "999"], 1), (["--loan", "999"], 1),
            (["--patron", "ada"], 2), (["--loan", "1", "--event", "2"], 2), ([], 2),
            (["--patron", "ada", "--isbn", "12"], 2), (["--loan", "1", "--html"], 2),
        ] as [([String], Int32)])
    func refused(arguments: [String], status: Int32) throws {
        let folder = try library()
        let result = try folder.command.run(["--store", "sqlite:store.db", "policy", "explain"] + arguments)
        #expect(result.status == status, "\(result)")
        #expect(result.output.isEmpty)
    }

    @Test("the page of a request holds every step")
    func page() throws {
        let folder = try library()
        let result = try run(
            folder, "policy", "explain", "--patron", "ada", "--isbn", "9780261103573", "--html", "why.html")
        #expect(result.status == 0 && result.error == "The page is in why.html.\n", "\(result)")
        let page = try String(contentsOfFile: folder.path("why.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("<h1>checkout:</h1>") && page.contains("<h1>request:</h1>"))
    }

    @Test("no page of a policy's commands is written onto the store")
    func pageOntoStore() throws {
        let folder = try library()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("store.db")))
        try folder.write("test(\"none\", function() end)\n", to: "rules_test.lua")
        let request = ["explain", "--patron", "ada", "--isbn", "9780261103573"]
        for command in [["matrix", "rules.lua"], ["test", "rules.lua"], request] {
            let result = try folder.command.run(
                ["--store", "sqlite:store.db", "policy"] + command + ["--html", "store.db"])
            #expect(result.status == 73 && result.error.contains("store.db is a store"), "\(command): \(result)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("store.db"))) == before)
    }
}

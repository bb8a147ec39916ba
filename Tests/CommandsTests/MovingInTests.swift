import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Moving in")
struct MovingInTests {
    private static let policy = """
        return policy {
            name = "Town",
            limits = { { max = 2 } },
            rules = { { loan = days(14), renewals = 2, fine = money "0.20", fine_cap = money "10.00" } },
            notices = {
                { stage = "soon", before = days(2), channel = "email", subject = "Soon", body = "Soon" },
                { stage = "late", after = days(1), channel = "email", subject = "Late", body = "Late" },
            },
        }

        """

    private static let library = """
        {"title":{"isbn":"9780140449136","title":"Odyssey","copies":[{"barcode":"c1"},{"barcode":"c2"},{"barcode":"c3"}]}}
        {"patron":{"username":"ada","email":"ada@example.org"}}

        """

    private static let loans = """
        barcode,username,lent_on,due_on
        c1,ada,2026-09-01,2026-09-15
        c2,ada,2026-09-20,2026-10-30
        c3,ada,2026-09-21,2026-10-05

        """

    private static func folder(usingPolicy: Bool = true) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(policy, to: "town.lua")
        try folder.write(policy.replacing("0.20", with: "0.50").replacing("Town", with: "Former"), to: "former.lua")
        try folder.write(library, to: "library.jsonl")
        try folder.write(loans, to: "loans.csv")
        try run(folder, "init")
        if usingPolicy { try run(folder, "policy", "use", "town.lua") }
        try run(folder, "import", "library.jsonl")
        return folder
    }

    @discardableResult
    private static func run(_ folder: borrowing TemporaryFolder, _ words: String..., status: Int32 = 0) throws
        -> BuiltCommand.Result
    {
        let result = try folder.command.run(["--now", "2026-10-07T10:00:00Z"] + words)
        #expect(result.status == status, "\(words): \(result)")
        return result
    }

    private static func owed(_ folder: borrowing TemporaryFolder) throws -> String {
        try run(folder, "eval", "return fees.owed('ada')").output
    }

    @Test("open loans are decided by the policy in force, fined by the first sweep, and nothing is said again")
    func usual() throws {
        let folder = try Self.folder()
        let result = try Self.run(folder, "import", "loans.csv")
        #expect(result.output.contains("3 open loans are decided by 'Town'"))
        #expect(result.output.contains("1 of them the policy would have refused"))
        let report = try Self.run(folder, "import", "--dry-run", "--json", "loans.csv").json()
        #expect(report["unchanged"] == 3 && report["loans"]?["open"] == 0)
        try Self.run(folder, "notices", "sweep")
        // 22 days and 2 days at 20 cents.
        #expect(try Self.owed(folder).contains("4.80"))
        #expect(try Self.run(folder, "eval", "return #notifications.list{}").output == "0\n")
        try Self.run(folder, "doctor")
        let replay = try Self.run(
            folder, "policy", "replay", "--candidate", "current", "--fail-on-difference", "--json")
        let replayed = try replay.json()
        #expect(replayed["contradiction_count"] == 0 && replayed["requests"] == 3)
        let explained = try Self.run(folder, "eval", "return #loans.explain(1)")
        #expect(explained.output == "1\n")
    }

    @Test("a file decides them without coming into force, and its name finds it again")
    func file() throws {
        let folder = try Self.folder()
        let result = try Self.run(folder, "import", "--decided-by", "former.lua", "loans.csv")
        #expect(result.output.contains("'Former'"))
        try Self.run(folder, "notices", "sweep")
        // Nothing is fined by the policy in force: 24 days at 50 cents, of which the first loan reaches the cap.
        #expect(try Self.owed(folder).contains("11.00"))
        #expect(try Self.run(folder, "policy", "history").output.contains("Former"))
        let again = try Self.run(folder, "import", "--dry-run", "--json", "--decided-by", "Former", "loans.csv").json()
        #expect(again["unchanged"] == 3)
        try Self.run(folder, "doctor")
        try Self.run(folder, "import", "--decided-by", "none.lua", "loans.csv", status: 2)
    }

    @Test("a trial leaves no trace of the file that was named for the loans")
    func trial() throws {
        let folder = try Self.folder()
        let before = try Self.run(folder, "export", "-").output
        let report = try Self.run(folder, "import", "--dry-run", "--json", "--decided-by", "former.lua", "loans.csv")
            .json()
        #expect(report["loans"]?["decided"] == 3)
        #expect(try Self.run(folder, "export", "-").output == before)
    }

    @Test("without a policy in force it is said what follows")
    func noPolicy() throws {
        let folder = try Self.folder(usingPolicy: false)
        let result = try Self.run(folder, "import", "loans.csv")
        #expect(result.output.contains("No policy is in force and none was named: 3 open loans will never be fined"))
    }

    @Test("notices are sent from the day that is named on")
    func notices() throws {
        let folder = try Self.folder()
        try Self.run(folder, "import", "--notices-sent-until", "2026-10-01", "loans.csv")
        try Self.run(folder, "notices", "sweep")
        // The first loan's overdue notice was due on 16 September, the third one's on 6 October.
        let list = try Self.run(folder, "eval", "--format", "json", "return notifications.list{}").output
        #expect(list.contains("\"late\"") && list.components(separatedBy: "\"stage\"").count == 2, "\(list)")
        try Self.run(folder, "import", "--notices-sent-until", "someday", "loans.csv", status: 2)
    }

    @Test("into a copy: the library is there, the store as it was")
    func into() throws {
        let folder = try Self.folder()
        let result = try Self.run(folder, "import", "--into", "trial.db", "loans.csv")
        #expect(result.output.contains("All of it is in trial.db"))
        #expect(try Self.run(folder, "eval", "return #loans.active('ada')").output == "0\n")
        let there = try Self.run(folder, "--store", "sqlite:trial.db", "eval", "return #loans.active('ada')")
        #expect(there.output == "3\n")
        try Self.run(folder, "--store", "sqlite:trial.db", "doctor")
        try Self.run(folder, "import", "--into", "trial.db", "loans.csv", status: 73)
        try Self.run(folder, "--store", "sqlite::memory:", "import", "--into", "other.db", "loans.csv", status: 2)
        let postgres = try Self.run(
            folder, "--store", "postgres://nowhere/x", "import", "--into", "other.db", "loans.csv", status: 2)
        #expect(postgres.error.contains("moonshelf copy"))
    }

    @Test("the report to be signed agrees with the store", arguments: [false, true])
    func report(isTrial: Bool) throws {
        let folder = try Self.folder()
        try folder.write("barcode,username,lent_on,due_on\nnone,ada,2026-09-01,2026-09-15\n", to: "bad.csv")
        let words = ["import", "--report", "report.json"] + (isTrial ? ["--dry-run"] : []) + ["loans.csv", "bad.csv"]
        let result = try folder.command.run(["--now", "2026-10-07T10:00:00Z"] + words)
        #expect(result.status == 65, "\(result)")
        let text = try String(contentsOfFile: folder.path("report.json"), encoding: .utf8)
        let report = try JSONParser.parse(text)
        #expect(report["agrees"] == true && report["is_trial"]?.boolValue == isTrial)
        #expect(report["after"]?["open_loans"] == 3 && report["before"]?["open_loans"] == 0)
        #expect(report["loans"]?["overdue"] == 2 && report["rejected"] == 1)
        let active = try Self.run(folder, "eval", "return #loans.active('ada')").output
        #expect(active == (isTrial ? "0\n" : "3\n"))
        let page = try folder.command.run(
            ["--now", "2026-10-07T10:00:00Z", "import", "--dry-run", "--report", "report.html", "loans.csv"])
        #expect(page.status == 0, "\(page)")
        let html = try String(contentsOfFile: folder.path("report.html"), encoding: .utf8)
        #expect(html.contains("Name and signature") && html.contains("Counted in the store"))
        #expect(!html.contains("DIFFERS"))
        try Self.run(folder, "import", "--report", "report.txt", "loans.csv", status: 2)
    }
}

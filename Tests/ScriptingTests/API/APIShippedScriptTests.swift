import Circulation
import Desk
import Foundation
import LuaRuntime
import LuaSyntax
import Scripting
import Testing

@Suite("The scripts that come with the desk")
struct APIShippedScriptTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("scripts")

    private static let names = [
        "circulation_by_month", "extend_due_dates", "fees_owed", "hold_shelf", "never_lent", "overdue", "top_titles",
    ]

    private func source(_ name: String) throws -> ScriptSource {
        let file = APIShippedScriptTests.folder.appendingPathComponent("\(name).lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        return ScriptSource(text: text, name: "scripts/\(name).lua", folder: nil)
    }

    private func run(
        _ name: String, _ arguments: [String] = [], granted: Set<Capability> = [], isDryRun: Bool = false,
        in sample: APISample
    ) throws -> ScriptResult {
        let options = ScriptOptions(granted: granted, arguments: arguments, isDryRun: isDryRun)
        let result = sample.runner().run(try source(name), options: options)
        #expect(result.failure == nil, "\(result.failure?.description ?? "")")
        return result
    }

    @Test("each begins with a comment that says what it does, and lists its arguments", arguments: names)
    func help(name: String) throws {
        let result = try run(name, ["--help"], in: APISample())
        let help = try #require(result.help)
        #expect(help.split(separator: "\n").count > 5)
        #expect(help.contains("Arguments:\n  --"))
        #expect(ScriptHelp.firstComment(of: try source(name).text).count >= 2)
    }

    @Test("circulation by month has the columns month and loans, over everything recorded")
    func circulation() throws {
        let table = try #require(try run("circulation_by_month", in: APISample()).document.tables.first)
        #expect(table.columns.map(\.name) == ["month", "loans"])
        #expect(table.columns.map(\.type) == [.text, .integer])
        #expect(table.rows == [[.text("2026-12"), .integer(3)]])
    }

    @Test("circulation by month keeps to a span of dates")
    func circulationInSpan() throws {
        let result = try run("circulation_by_month", ["--span", "2026-12-01..2026-12-17"], in: APISample())
        #expect(result.document.tables.first?.rows == [[.text("2026-12"), .integer(1)]])
        #expect(
            result.document.parameters.contains(
                ReportParameter(name: "span", value: .text("2026-12-01..2026-12-17"))))
    }

    @Test("overdue loans come with their patrons and the days they are late")
    func overdue() throws {
        let table = try #require(try run("overdue", in: APISample()).document.tables.first)
        #expect(
            table.rows == [
                [
                    .date(try CivilDate(parsing: "2026-12-15")), .integer(9),
                    .link(ReportLink(.title, 2, text: "The Hobbit")), .link(ReportLink(.copy, 2, text: "1003")),
                    .link(ReportLink(.patron, 3, text: "carol")), .text("Carol Shaw"), .integer(2),
                ]
            ])
    }

    @Test("the most lent titles come first, with their loans for each copy")
    func topTitles() throws {
        let table = try #require(try run("top_titles", ["--limit", "1"], in: APISample()).document.tables.first)
        #expect(
            table.rows == [
                [
                    .integer(1), .link(ReportLink(.title, 2, text: "The Hobbit")), .text("J.R.R. Tolkien"), .integer(2),
                    .integer(2), .number(1),
                ]
            ])
    }

    @Test("titles that were never lent are listed with their copies")
    func neverLent() throws {
        let document = try run("never_lent", in: APISample()).document
        #expect(document.tables.first?.rows.count == 2)
        #expect(document.metrics.map(\.value) == [.integer(2), .integer(3)])
    }

    @Test("copies to fetch and those on the shelf are listed, those without a term last")
    func holdShelf() throws {
        let sample = try APISample()
        try sample.desk.write { session in
            for (patron, barcode) in [("bob", "1003"), ("carol", "1005"), ("carol", "1001")] {
                let request = HoldRequest(patron: .username(patron), wanted: .copy(barcode))
                _ = try #require(session.holds.place(request).value)
            }
            _ = try #require(session.loans.checkin(.barcode("1003")).value)
        }
        let document = try run("hold_shelf", in: sample).document
        #expect(document.metrics.map(\.value) == [.integer(1), .integer(1)])
        #expect(document.tables.first?.rows.first?.first == .text("1001"))
        #expect(document.tables.last?.rows.first?[1] == .link(ReportLink(.copy, 2, text: "1003")))
        let elsewhere = try run("hold_shelf", ["--branch", "north"], in: sample).document
        #expect(elsewhere.metrics.map(\.value) == [.integer(0), .integer(0)])
    }

    @Test("patrons who owe fees are listed, with the sum of it all")
    func feesOwed() throws {
        let owed = ReportValue.money(try Money(parsing: "2.50", currency: .eur))
        let document = try run("fees_owed", in: APISample()).document
        #expect(document.metrics.map(\.value) == [owed, .integer(1)])
        let bob = ReportValue.link(ReportLink(.patron, 2, text: "bob"))
        #expect(document.tables.first?.rows.first == [bob, .text("Bob Noyce"), .text("undergraduate"), owed])
    }

    private static let holidays = ["--span", "2026-12-25..2027-01-03", "--reason", "Closed for the holidays"]

    @Test("due dates within the span move to the first open day after it, all of them")
    func extendDueDates() throws {
        let sample = try APISample()
        let result = try run(
            "extend_due_dates", APIShippedScriptTests.holidays, granted: [.loansWrite], in: sample)
        #expect(result.document.metrics.first?.value == .integer(2))
        #expect(try sample.evaluate("loans.get(1).due_on, loans.get(2).due_on") == "2027-01-04, 2026-12-15")
    }

    @Test("due dates are not moved without the capability, nor by a dry run")
    func extendDueDatesDry() throws {
        let sample = try APISample()
        let options = ScriptOptions(arguments: APIShippedScriptTests.holidays)
        #expect(sample.runner().run(try source("extend_due_dates"), options: options).failure?.code == "capability")
        let result = try run(
            "extend_due_dates", APIShippedScriptTests.holidays, granted: [.loansWrite], isDryRun: true, in: sample)
        #expect(result.changes?.rows.count == 2)
        #expect(try sample.evaluate("loans.get(1).due_on") == "2027-01-03")
    }
}

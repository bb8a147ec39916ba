import Foundation
import TestSupport
import Testing
import TextFormats

/// Every script that comes along, over an empty store and over a filled one.
@Suite("The library of scripts")
struct ReportLibraryTests {
    static let folder = BuiltCommand.root.appending(path: "scripts")
    static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [])
        .filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }.sorted()
    private static let golden = BuiltCommand.root.appending(path: "Tests/CommandsTests/Golden/scripts")

    /// What a script is given for its golden page, where its defaults would show nothing.
    private static let arguments: [String: [String]] = [
        "circulation_compared": ["--year", "2026"],
        "extend_due_dates": [
            "--span", "2027-01-01..2027-01-31", "--due", "2027-02-20", "--reason", "Closed for repairs",
        ],
        "fees_by_month": ["--span", "last_year"], "load_by_hour": ["--span", "last_year"],
        "market_activity": ["--span", "last_year"], "never_lent": ["--limit", "5"],
        "new_patrons": ["--span", "last_year"], "overdue_by_branch": ["--limit", "20"], "overdue": ["--limit", "20"],
        "top_titles": ["--limit", "5"], "turnover_by_subject": ["--span", "last_year"],
        "weeding_candidates": ["--limit", "5"],
    ]

    /// The capabilities that a script says it needs, and the way to try it.
    private static func options(_ name: String) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: "\(name).lua"), encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("needs {") }) else { return [] }
        let needed = line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        let writes = needed.contains { $0 != "sql" }
        return ["--allow", needed.joined(separator: ",")] + (writes ? ["--dry-run"] : [])
    }

    private static func run(
        _ name: String, format: String, _ command: BuiltCommand, store: [String] = []
    ) throws -> BuiltCommand.Result {
        let script = folder.appending(path: "\(name).lua").path(percentEncoded: false)
        return try command.run(
            store + ["--now", FilledLibrary.now, "run", "--format", format] + options(name) + [script]
                + (arguments[name] ?? []))
    }

    @Test("there is one for each question an office asks")
    func whole() {
        let expected = [
            "abandoned_carts", "circulation_by_month", "circulation_compared", "collection_age", "extend_due_dates",
            "failed_notices", "fees_by_month", "fees_owed", "hold_shelf", "holds_waiting", "load_by_hour",
            "market_activity", "never_lent", "new_patrons", "overdue", "overdue_by_branch", "top_titles",
            "turnover_by_subject", "weeding_candidates",
        ]
        #expect(Set(expected).isSubset(of: Self.names))
    }

    @Test("the documentation lists each of them", arguments: names)
    func listed(name: String) throws {
        let page = BuiltCommand.root.appending(path: "docs/writing-reports.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("`\(name).lua`"))
    }

    @Test("the output of a script for the sample library equals its reviewed golden file", arguments: names)
    func shown(name: String) throws {
        let result = try Self.run(name, format: "table", BuiltCommand(folder: try FilledLibrary.folder()))
        try #require(result.status == 0, "\(result)")
        // What a trial would write is the desk's own affair.
        let shown = result.output.components(separatedBy: "\nWhat would change").first ?? ""
        let file = Self.golden.appending(path: "\(name).txt")
        guard let known = try? String(contentsOf: file, encoding: .utf8) else {
            try FileManager.default.createDirectory(at: Self.golden, withIntermediateDirectories: true)
            try Data(shown.utf8).write(to: file)
            Issue.record("\(file.lastPathComponent) was not there and was written; look at it")
            return
        }
        #expect(shown == known)
    }

    @Test("a script can be had in every form, of a filled store", arguments: names, ["json", "csv", "md", "html"])
    func filled(name: String, format: String) throws {
        let result = try Self.run(name, format: format, BuiltCommand(folder: try FilledLibrary.folder()))
        #expect(result.status == 0 && !result.output.isEmpty, "\(result)")
        try Self.expectForm(format, result.output)
    }

    @Test("a script has an answer in every form before there is anything to tell", arguments: names)
    func empty(name: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.command.run("init").status == 0)
        for format in ["table", "json", "csv", "md", "html"] {
            let result = try Self.run(name, format: format, folder.command)
            #expect(result.status == 0 && result.error.isEmpty, "\(format): \(result)")
            try Self.expectForm(format, result.output)
        }
    }

    private static func expectForm(_ format: String, _ text: String) throws {
        switch format {
        case "json": #expect(try JSONParser.parse(text)["tables"]?.arrayValue != nil)
        case "html":
            #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
            // Each table says what it is, and each header cell what it is the head of.
            #expect(TableMarkup.faults(in: text) == [])
        case "md": #expect(text.hasPrefix("# "))
        default: break
        }
    }

    @Test("a script says what it does, how it is called and what it takes", arguments: names)
    func help(name: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.command.run("init").status == 0)
        let script = Self.folder.appending(path: "\(name).lua").path(percentEncoded: false)
        let result = try folder.command.run(["run"] + Self.options(name) + [script, "--help"])
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("scripts/\(name).lua") && result.output.contains("Arguments:\n  --"))
    }

    @Test(
        "over PostgreSQL every script shows the same",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func postgres() throws {
        let server = try PostgresServer.shared
        let database = try server.database()
        var command = BuiltCommand(folder: try FilledLibrary.folder())
        let copied = try command.run("copy", "sqlite:moonshelf.db", server.url(database))
        try #require(copied.status == 0, "\(copied)")
        let views = try server.execute(
            "SELECT viewname FROM pg_views WHERE schemaname = 'public' AND viewname LIKE 'report\\_%'", in: database)
        let list = views.compactMap { $0.first ?? nil }.joined(separator: ", ")
        _ = try server.execute(
            "CREATE ROLE reports_\(database) LOGIN; GRANT USAGE ON SCHEMA public TO reports_\(database); "
                + "GRANT SELECT ON \(list) TO reports_\(database)", in: database)
        command.environment["MOONSHELF_SQL_STORE"] = server.url(database, user: "reports_\(database)")
        for name in Self.names {
            let here = try Self.run(name, format: "json", command)
            let there = try Self.run(name, format: "json", command, store: ["--store", server.url(database)])
            #expect(there.status == 0 && here.output == there.output, "\(name): \(there.error)")
        }
    }
}

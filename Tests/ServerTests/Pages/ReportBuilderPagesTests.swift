import Foundation
import Scripting
import Server
import Storage
import Testing
import TextFormats

@Suite("The report builder")
struct ReportBuilderPagesTests {
    private static let path = "/desk/build-report"
    private static let built = "/desk/reports/-"

    /// A server with a folder for reports, which is gone afterwards.
    private func withFolder(_ body: (PageBrowser, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try TestServer(
            settings: ServerSettings(burst: 100_000, scripts: folder.path(percentEncoded: false)))
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        try await body(browser, folder)
    }

    @Test("a choice is shown as its script shows it, can be taken along, saved and run")
    func built() async throws {
        try await withFolder { browser, folder in
            let empty = try await browser.open(Self.path)
            #expect(empty.contains(#"name="measure""#) && !empty.contains("Download the script"), "\(empty)")
            let query = "measure=copies&rows=branch&columns=item_type&chart=bar"
            let page = try await browser.open("\(Self.path)?\(query)")
            #expect(page.contains("<h2>Copies by branch and item type</h2>"), "\(page)")
            #expect(page.contains("<option value=\"item_type\" selected>"), "\(page)")
            let script = await browser.ask("GET", "\(Self.built)/script?\(query)")
            #expect(script.text.contains(#"measure = "copies", rows = "branch", columns = "item_type","#))
            #expect(
                script.fields["Content-Disposition"] == #"attachment; filename="copies_by_branch_and_item_type.lua""#)
            let sheet = await browser.ask("GET", "\(Self.built)/result?\(query)&.as=csv")
            #expect(sheet.status == 200 && sheet.text.hasPrefix("Branch,"), "\(sheet.text)")
            let whole = await browser.ask("GET", "\(Self.built)/result?\(query)")
            #expect(whole.text.contains("Change the report") && whole.text.contains("rows=branch"), "\(whole.text)")

            let form = try browser.form("\(Self.path)/save", ["name": "copies_here"])
            let saved = await browser.ask("POST", "\(Self.path)/save", form)
            #expect(saved.status == 303, "\(saved.text)")
            #expect(try String(contentsOf: folder.appending(path: "copies_here.lua"), encoding: .utf8) == script.text)
            #expect(try await browser.open("/desk/reports").contains("/desk/reports/copies_here"))
            let run = await browser.ask("GET", "/desk/reports/copies_here/result")
            #expect(run.status == 200 && run.text.contains("Copies by branch and item type"), "\(run.text)")
        }
    }

    @Test("no report is written over, and no name leads out of the folder")
    func names() async throws {
        try await withFolder { browser, folder in
            try "return 1".write(to: folder.appending(path: "taken.lua"), atomically: true, encoding: .utf8)
            for (name, words) in [
                ("taken", "There is already a report with that name"), ("../out", "lowercase"),
                ("A", "lowercase"), (String(repeating: "a", count: 101), "lowercase"),
                ("a_test", "lowercase"),
            ] {
                _ = try await browser.open("\(Self.path)?measure=titles&rows=genre")
                let form = try browser.form("\(Self.path)/save", ["name": name])
                let answer = await browser.ask("POST", "\(Self.path)/save", form)
                #expect([400, 422].contains(answer.status) && answer.text.contains(words), "\(name): \(answer.text)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.lua"])
            #expect(try String(contentsOf: folder.appending(path: "taken.lua"), encoding: .utf8) == "return 1")
        }
    }

    @Test(
        "a query that makes no sense is answered with the form and the reason",
        arguments: [
            ("measure=lones", "did you mean"), ("rows=planet", "There are no rows"),
            ("measure=open_loans&rows=hour", "cannot be split by hour"), ("rows=branch&columns=branch", "both branch"),
            ("span=dates&from=2026-13-01", "2026-13"), ("branch=moon", "There is no branch"),
            ("branch=%22%3E%3Cscript%3E", "There is no branch"), ("chart=%00", ""), ("span=%E2%80%AE", ""),
            ("rows=" + String(repeating: "x", count: 5_000), ""),
        ])
    func malformed(query: String, words: String) async throws {
        let browser = PageBrowser(try TestServer())
        try await browser.logIn("staff")
        let answer = await browser.ask("GET", "\(Self.path)?\(query)")
        #expect([400, 422].contains(answer.status), "\(answer.status)")
        #expect((words.isEmpty || answer.text.contains(words)) && !answer.text.contains("><script>"), "\(answer.text)")
        if answer.status == 422 {
            #expect(answer.text.contains(#"role="alert""#) && answer.text.contains(#"name="rows""#), "\(answer.text)")
        }
        let script = await browser.ask("GET", "\(Self.built)/script?\(query)")
        #expect([400, 422].contains(script.status), "\(script.status)")
    }

    @Test("another measure keeps of the choice what it has")
    func otherMeasure() async throws {
        let browser = PageBrowser(try TestServer())
        try await browser.logIn("staff")
        let page = try await browser.open(
            "\(Self.path)?measure=open_loans&rows=month&columns=category&choose=yes&span=last_month")
        #expect(page.contains(#"<option value="category" selected>"#) && !page.contains(#"value="month""#), "\(page)")
        #expect(!page.contains("Download the script") && !page.contains(#"role="alert""#))
    }

    @Test("patrons find no such page")
    func hidden() async throws {
        let browser = PageBrowser(try TestServer())
        try await browser.logIn("ann")
        for path in [Self.path, "\(Self.built)/script", "\(Self.built)/result"] {
            #expect(await browser.ask("GET", path).status == 404)
        }
        #expect(await browser.ask("POST", "\(Self.path)/save", "").status != 303)
    }
}

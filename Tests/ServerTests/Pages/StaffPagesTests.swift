import Circulation
import Desk
import DeskSupport
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages of suggestions and reports for staff")
struct StaffPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../scripts")
        server = try TestServer(
            settings: ServerSettings(
                burst: 100_000, scripts: scripts.standardizedFileURL.path(percentEncoded: false)))
        browser = PageBrowser(server)
    }

    @Test("suggestions and offers are approved and turned down with a message to their patrons")
    func suggestions() async throws {
        for name in ["Optics", "Alchemy"] {
            _ = try await server.ask(.post, "/suggestions", ["name": .string(name), "patron": "ann"], as: "ann")
        }
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/suggestions")
        #expect(page.contains("<h3>Optics</h3>") && page.contains("suggested by ann"))
        let yes = try await browser.send("/desk/suggestions/1/approve", ["message": "Gladly"])
        #expect(yes.contains("Optics is now in the catalogue.") && !yes.contains("<h3>Optics</h3>"))
        let form = try browser.form("/desk/suggestions/2/approve", ["message": "No gold"])
        #expect(await browser.ask("POST", "/desk/suggestions/2/reject", form).status == 303)
        let told = try await server.ask(.get, "/suggestions", as: "ann").text
        #expect(told.contains("Gladly") && told.contains("No gold") && told.contains("rejected"))
        let offer: JSON = ["seller": "ann", "isbn": "9780441013593", "kind": "sell", "price": "99.00"]
        _ = try await server.ask(.post, "/listings", offer, as: "ann")
        let offered = try await browser.open("/desk/suggestions")
        #expect(offered.contains("99.00\u{A0}EUR"), "\(offered)")
        #expect(try await browser.send("/desk/listings/1/approve").contains("Dune is now on offer."))
    }

    @Test("a report shows what its script returns, and leads back to its arguments as they were filled in")
    func returnedValues() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scripts = [
            "text": #"return "Words of <b>ours</b>""#, "number": "return 6 * 7",
            "records": #"report.params{ words = "text" } return catalogue.search{ query = args.words or "dune" }"#,
            "both": #"report.title("Both") report.text("First.") return { { a = 1, b = "x" }, { a = 2, b = "y" } }"#,
        ]
        for (name, text) in scripts {
            try text.write(to: folder.appending(path: "\(name).lua"), atomically: true, encoding: .utf8)
        }
        let server = try TestServer(
            settings: ServerSettings(burst: 100_000, scripts: folder.path(percentEncoded: false)))
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        for (name, words) in [
            ("text", "Words of &lt;b&gt;ours&lt;/b&gt;"), ("number", "42"), ("records?words=emma", "Emma</td>"),
            ("both", "First."),
            ("both", "<td"),
        ] {
            let parts = name.split(separator: "?")
            let query = parts.count > 1 ? "?\(parts[1])" : ""
            let report = await browser.ask("GET", "/desk/reports/\(parts[0])/result\(query)")
            #expect(report.status == 200 && report.text.contains(words), "\(name): \(report.text)")
            #expect(report.text.contains("<a href=\"/desk/reports/\(parts[0])\(query)\">"), "\(report.text)")
            #expect(report.text.contains("<a href=\"/desk/reports\">All reports</a>"))
        }
        #expect(try await browser.open("/desk/reports/records?words=emma").contains(#"value="emma""#))
        let evil = await browser.ask("GET", "/desk/reports/records/result?words=%22%3E%3Cb%3E&.as=page")
        #expect(!evil.text.contains("\"><b>"), "\(evil.text)")
    }

    @Test("reports of the library are listed, asked for with their arguments, and can change nothing")
    func reports() async throws {
        try await browser.logIn("staff")
        let list = try await browser.open("/desk/reports")
        #expect(list.contains("/desk/reports/overdue\"") && !list.contains("extend_due_dates"))
        let form = try await browser.open("/desk/reports/overdue")
        #expect(form.contains(#"name="as_of""#) && form.contains("Overdue on this day."), "\(form)")
        let report = await browser.ask("GET", "/desk/reports/overdue/result?as_of=2026-12-31&limit=")
        #expect(report.status == 200 && report.text.contains("Overdue loans"), "\(report.text)")
        let policy = report.fields["Content-Security-Policy"] ?? ""
        #expect(policy.contains("script-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("style-src 'sha256-") && policy.contains("sandbox") && !policy.contains("unsafe"))
        let style = try #require(report.text.firstMatch(of: /(?s)<style>(.*?)<\/style>/)?.1)
        let digest = SHA256.hexadecimal(of: style.utf8)
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(digest.dropFirst($0).prefix(2), radix: 16) }
        #expect(policy.contains("'sha256-\(Data(bytes).base64EncodedString())'"))
        let sortable = await browser.ask("GET", "/desk/reports/never_lent/result")
        #expect(sortable.fields["Content-Security-Policy"]?.contains("script-src 'sha256-") == true)
        let sheet = await browser.ask("GET", "/desk/reports/fees_by_month/result?span=2026&.as=csv")
        #expect(sheet.status == 200 && sheet.fields["Content-Type"] == "text/csv; charset=utf-8", "\(sheet.text)")
        #expect(sheet.fields["Content-Disposition"] == #"attachment; filename="fees_by_month.csv""#)
        #expect(!list.contains("<script") && list.contains("/desk/reports/failed_notices"))
        let wrong = await browser.ask("GET", "/desk/reports/overdue/result?as_of=yesterweek")
        #expect(wrong.status == 422 && wrong.text.contains("yesterweek"))
        #expect(wrong.text.contains(#"role="alert""#) && wrong.text.contains(#"name="limit""#))
        for name in ["extend_due_dates", "nothing", "..%2Fpolicies%2Funiversity", "OVERDUE", "overdue.lua"] {
            #expect(await browser.ask("GET", "/desk/reports/\(name)").status == 404, "\(name)")
        }
    }

}

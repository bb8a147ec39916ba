import Circulation
import Desk
import Foundation
import Languages
import Scripting
import Server
import Testing

@Suite("Links and names in reports on the pages")
struct ReportLinkPageTests {
    private static let script = """
        -- Names a patron, a title and a copy.
        report.params { branch = { of = "branch", help = "only this branch" } }
        local title = catalogue.get("9780441013593")
        report.table {
            columns = { "patron", "title", "copy", { name = "branch", of = "branch" } },
            rows = { {
                patron = report.link("patron", patrons.get("ann")), title = report.link("title", title),
                copy = report.link("copy", catalogue.copies(title)[1]), branch = "main",
            } },
        }
        """

    @Test("staff are led from a report to its records, and choose codes by their names")
    func staff() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.script.write(to: folder.appending(path: "linked.lua"), atomically: true, encoding: .utf8)
        let logo = PageAppearance.Asset(Array("<svg/>".utf8), type: "image/svg+xml", name: "logo.svg")
        let server = try TestServer(
            settings: ServerSettings(burst: 100_000, scripts: folder.path(percentEncoded: false)),
            appearance: PageAppearance(logo: logo))
        let (ann, title) = (try server.id(of: "ann"), try Self.title(server))
        let branch = try server.desk.read { try $0.settings.branches()[0].name }
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        let form = try await browser.open("/desk/reports/linked")
        #expect(form.contains("<option value=\"main\">\(branch)</option>"), "\(form)")
        #expect(try await browser.open("/desk/reports/linked?branch=moon").contains("<option value=\"moon\" selected>"))
        let report = await browser.ask("GET", "/desk/reports/linked/result?branch=main")
        #expect(report.text.contains("<a href=\"/desk/patrons/\(ann)\">ann</a>"), "\(report.text)")
        #expect(report.text.components(separatedBy: "<a href=\"/desk/titles/\(title)\">").count == 3, "\(report.text)")
        #expect(report.text.contains("<dt>branch</dt><dd>\(branch)</dd>"), "\(report.text)")
        for path in ["/desk/patrons/\(ann)", "/desk/titles/\(title)"] {
            #expect(await browser.ask("GET", path).status == 200, "\(path)")
        }
        let sheet = await browser.ask("GET", "/desk/reports/linked/result?.as=csv")
        #expect(sheet.text.hasPrefix("patron,title,copy,branch\r\nann,Dune,") && sheet.text.hasSuffix(",main\r\n"))
        // The library's sign may be shown, and nothing else.
        #expect(report.text.contains("<img src=\"data:image/svg+xml;base64,"))
        #expect(report.fields["Content-Security-Policy"]?.contains("img-src data:;") == true)
    }

    private static func title(_ server: TestServer) throws -> Int64 {
        try server.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780441013593")))?.id } ?? 0
    }

    @Test("who is not staff is led to titles, and to no patron", arguments: [nil, "bob", "staff"])
    func others(reader: String?) async throws {
        let server = try TestServer()
        let files = [
            PolicyBundle.File(
                name: "plugin.lua",
                source: """
                    return plugin { api = 1, name = "shown", version = "1", pages = {
                        { path = "/shown", title = "Shown", role = "everyone", report = "reports/shown.lua" } },
                        reports = { "reports/shown.lua" } }
                    """),
            PolicyBundle.File(
                name: "reports/shown.lua",
                source: """
                    local title = catalogue.get("9780441013593")
                    report.table { rows = { {
                        patron = report.link("patron", 1, "somebody"), title = report.link("title", title) } } }
                    """),
        ]
        try server.use(PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files))
        let browser = PageBrowser(server)
        if let reader { try await browser.logIn(reader) }
        let page = try await browser.open("/shown")
        let title = try Self.title(server)
        let isStaff = reader == "staff"
        #expect(page.contains("href=\"\(isStaff ? "/desk" : "")/titles/\(title)\""), "\(page)")
        #expect(
            page.contains("<a href=\"/desk/patrons/1\">somebody</a>") == isStaff && page.contains("somebody"), "\(page)"
        )
    }

    @Test("the builder writes reports in the library's language, whatever its reader speaks")
    func language() async throws {
        let languages = try Languages(files: [], standard: "de")
        let server = try TestServer(appearance: PageAppearance(languages: languages))
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        let query = "measure=copies&rows=language&chart=none"
        let script = await browser.ask("GET", "/desk/reports/-/script?\(query)")
        #expect(script.text.contains("report.language(\"de\")"), "\(script.text)")
        let page = await browser.ask("GET", "/desk/reports/-/result?\(query)")
        #expect(page.status == 200 && page.text.contains("<html lang=\"de\">"), "\(page.text)")
    }
}

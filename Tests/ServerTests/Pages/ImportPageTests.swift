import Circulation
import Desk
import Foundation
import Server
import TestSupport
import Testing
import TextFormats

@Suite("Files imported on a page")
struct ImportPageTests {
    private static let path = "/desk/import"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    /// Sends the form with a file, as browsers do.
    @discardableResult
    private func send(
        _ bytes: [UInt8], _ name: String = "patrons.csv", _ fields: [String: String] = [:], as browser: PageBrowser
    ) async throws -> WebResponse {
        var members: [(String, String)] = []
        for pair in try browser.form(Self.path, fields).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            members.append((String(parts[0]), String(parts[1]).removingPercentEncoding ?? ""))
        }
        var body: [UInt8] = []
        for (name, value) in members {
            body += Array("--mark\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        body += Array("--mark\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n".utf8)
        body += bytes + Array("\r\n--mark--\r\n".utf8)
        let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        return await browser.server.web.answer(
            WebRequest(
                "POST", Self.path,
                fields: [("content-type", "multipart/form-data; boundary=mark"), ("cookie", cookies)], body: body))
    }

    private func patron(_ name: String) throws -> Patron? {
        try server.desk.read { try $0.patrons.get(.username(name)) }
    }

    private static let rows = "username,name,surname,category\nfay,Fay,Weldon,staff\n,No,Name,staff\n"

    /// What the form keeps of a file that was tried.
    private func kept(_ page: WebResponse) throws -> String {
        String(try #require(page.text.firstMatch(of: /name="kept" value="([^"]+)"/)?.output.1, "\(page.text)"))
    }

    @Test("a file is tried first, with each problem by its line, and then imported without being chosen again")
    func tried() async throws {
        try await browser.logIn("root")
        let form = try await browser.open(Self.path)
        #expect(form.contains("enctype=\"multipart/form-data\"") && form.contains("type=\"file\""))
        let tried = try await send(Array(Self.rows.utf8), "C:\\lists\\patrons.csv", as: browser)
        #expect(tried.status == 200 && tried.text.contains("Trial run: nothing was saved"), "\(tried.text)")
        #expect(tried.text.contains("patrons.csv: csv, table of patrons") && !tried.text.contains("C:\\lists"))
        #expect(tried.text.contains("Line 3:") && tried.text.contains("2 read, 1 added"))
        #expect(try patron("fay") == nil)
        let token = try kept(tried)
        // Another administrator has nothing of it.
        let other = PageBrowser(server)
        _ = try server.desk.write { session in try session.patrons.update(.username("staff")) { $0.role = .admin } }
        try await other.logIn("staff")
        try await other.open(Self.path)
        let foreign = try await send([], "", ["kept": token, "keep": "yes"], as: other)
        #expect(foreign.status == 422 && foreign.text.contains("no longer available"), "\(foreign.text)")
        let taken = try await send([], "", ["kept": token, "keep": "yes"], as: browser)
        #expect(taken.text.contains("Imported") && taken.text.contains("2 read, 1 added"), "\(taken.text)")
        #expect(try patron("fay")?.surname == "Weldon")
        let again = try await send([], "", ["kept": token, "keep": "yes"], as: browser)
        #expect(again.status == 422 && again.text.contains("no longer available"))
    }

    @Test("after half an hour a file that was tried has to be chosen again")
    func forgotten() async throws {
        try await browser.logIn("root")
        try await browser.open(Self.path)
        let token = try kept(try await send(Array(Self.rows.utf8), as: browser))
        server.clock.set(try server.clock.now().adding(minutes: 29))
        #expect(try await send([], "", ["kept": token], as: browser).status == 200)
        server.clock.set(try server.clock.now().adding(minutes: 2))
        #expect(try await send([], "", ["kept": token], as: browser).status == 422)
        #expect(try patron("fay") == nil)
    }

    @Test("a spreadsheet, MARC and JSON are known by what is in them, whatever they are called")
    func kinds() async throws {
        try await browser.logIn("root")
        try await browser.open(Self.path)
        let sheet = WorkbookFile([["username", "name", "surname", "category"], ["gus", "Gus", "Hall", "staff"]]).bytes
        let workbook = try await send(sheet, "list.dat", ["keep": "yes"], as: browser)
        #expect(workbook.text.contains("1 read, 1 added") && workbook.text.contains("xlsx"), "\(workbook.text)")
        #expect(try patron("gus")?.surname == "Hall")
        let json = #"{"patron":{"username":"ina","name":"Ina","category":"staff"}}"# + "\n"
        let lines = try await send(Array(json.utf8), "x", ["keep": "yes"], as: browser)
        #expect(lines.text.contains("1 read, 1 added"), "\(lines.text)")
        #expect(try patron("ina") != nil)
        let none = try await send([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 2, 3], "photo.csv", as: browser)
        #expect(none.status == 422 && none.text.contains("role=\"alert\""), "\(none.text)")
    }

    @Test("dates that can be read in two ways are read as the form says")
    func dates() async throws {
        try await browser.logIn("root")
        try await browser.open(Self.path)
        let rows = "username,name,surname,category,birth_date\nlou,Lou,Hall,staff,04/03/1980\n"
        let asked = try await send(Array(rows.utf8), as: browser)
        #expect(asked.status == 422, "\(asked.text)")
        let read = try await send(Array(rows.utf8), "p.csv", ["dates": "mdy", "keep": "yes"], as: browser)
        #expect(read.status == 200 && read.text.contains("<details class=\"more\" open>"), "\(read.text)")
        #expect(try patron("lou")?.birthDate?.description == "1980-04-03")
    }

    @Test("a file beside pasted rows, none at all, one that is too large and one of others are refused")
    func refused() async throws {
        try await browser.logIn("root")
        try await browser.open(Self.path)
        let both = try await send(Array(Self.rows.utf8), "p.csv", ["rows": Self.rows, "keep": "yes"], as: browser)
        #expect(both.status == 422 && both.text.contains("not both"))
        #expect(try await send([], "", as: browser).status == 422)
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20 + 1)
        let refused = try await send(large, "p.csv", as: browser)
        #expect(refused.status == 422 && refused.text.contains("at most 4 MB"), "\(refused.status)")
        let huge = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        #expect(try await send(huge, "p.csv", as: browser).status == 413)
        let stranger = PageBrowser(server)
        try await stranger.logIn("ann")
        stranger.cookies = stranger.cookies
        let answer = await stranger.ask("POST", Self.path, "rows=x")
        #expect(answer.status == 404 || answer.status == 403)
        #expect(try patron("fay") == nil)
    }

    @Test("codes that a file brings along are told before they are added to the library")
    func declared() async throws {
        try await browser.logIn("root")
        try await browser.open(Self.path)
        let rows = "username,name,category,home_branch\nfay,Fay,wizard,moon\ngus,Gus,wizard,main\n"
        let tried = try await send(Array(rows.utf8), as: browser).text
        #expect(tried.contains("which the import would add to the library"), "\(tried)")
        #expect(tried.contains("the category “wizard”") && tried.contains("the branch “moon”"))
        #expect(tried.components(separatedBy: "“wizard”").count == 2 && !tried.contains("“main”"))
        #expect(try server.desk.read { try $0.settings.branches().contains { $0.code == "moon" } } == false)
        try await browser.open(Self.path)
        let done = try await send(Array(rows.utf8), "patrons.csv", ["keep": "yes"], as: browser).text
        #expect(done.contains("added to the library: ") && done.contains("the branch “moon”"), "\(done)")
        try await browser.open(Self.path)
        #expect(try await !send(Array(rows.utf8), as: browser).text.contains("would add to the library"))
    }

    @Test("a file that only a plugin reads which comes with the program leads to that plugin's page")
    func reader() async throws {
        let marc = """
            <?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim"><record>
            <leader>00000nam a2200000 a 4500</leader><controlfield tag="001">7</controlfield>
            <datafield tag="245" ind1="1" ind2="0"><subfield code="a">Emma</subfield></datafield></record></collection>
            """
        let rented = "from_user_id,to_user_id,ISBN,end_date\nann,bob,9780441013593,2026-04-01\n"
        for folder in [PluginFolders.shipped, nil] {
            var settings = ServerSettings(burst: 100_000)
            settings.plugins = folder
            let server = try TestServer(settings: settings)
            let browser = PageBrowser(server)
            try await browser.logIn("root")
            for (text, name, plugin) in [(marc, "records.xml", "marc"), (rented, "rented.csv", "bookio")] {
                try await browser.open(Self.path)
                let page = try await send(Array(text.utf8), name, as: browser)
                let leads = page.text.contains("<a href=\"/desk/plugins/\(plugin)\">\(plugin)</a>")
                #expect(page.status == 422 && leads == (folder != nil), "\(page.text)")
                #expect(page.text.contains("moonshelf plugin use marc") == (folder == nil && plugin == "marc"))
            }
            // What nothing reads is said as before.
            try await browser.open(Self.path)
            let unknown = try await send(Array("a,b\n1,2\n".utf8), "odd.csv", as: browser)
            #expect(
                unknown.text.contains("Choose for at least one column what it holds.")
                    && !unknown.text.contains("/desk/plugins/"))
        }
        let server = try TestServer(settings: ServerSettings(burst: 100_000))
        try server.use(plugin: "marc")
        let browser = PageBrowser(server)
        try await browser.logIn("root")
        try await browser.open(Self.path)
        #expect(try await send(Array(marc.utf8), "records.xml", as: browser).status == 200)
    }
}

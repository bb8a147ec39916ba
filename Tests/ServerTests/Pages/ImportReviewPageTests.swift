import Circulation
import Desk
import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Interchange
@testable import Server

@Suite("Columns chosen on the page of imports")
struct ImportReviewPageTests {
    private static let path = "/desk/import"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.desk.write { session in
            _ = try session.settings.addCategory(Category(code: "pupil", name: "Pupils"))
            _ = try session.settings.addBranch(Branch(code: "north", name: "North"))
        }
    }

    private static let pupils =
        "Ausweis;Name;Geb.-Datum;Gruppe;Klasse;Passwort;Foto\n1001;Hall, Ada;24.03.2014;SuS;5a;x;a.jpg\n"
        + "L7;Lee, Cleo;;Lehrkraft;;y;\n;Kent, Dora;;SuS;;;\n"

    /// Sends the form for files, with a mapping file where there is one.
    private func upload(
        _ text: String, _ name: String = "pupils.csv", mapping: String? = nil, with fields: [String: String] = [:]
    ) async throws -> String {
        try await upload(Array(text.utf8), name, mapping: mapping, with: fields)
    }

    private func upload(
        _ bytes: [UInt8], _ name: String = "pupils.csv", mapping: String? = nil, with fields: [String: String] = [:]
    ) async throws -> String {
        try await browser.open(Self.path)
        var members = Self.hidden(in: browser.page.text, form: "multipart")
        members.merge(fields) { $1 }
        var body: [UInt8] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            body += Array("--mark\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        for (field, name, bytes) in [
            ("file", name, bytes), ("mapping_file", mapping == nil ? "" : "m.json", Array((mapping ?? "").utf8)),
        ] {
            body += Array(
                "--mark\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\"\r\n\r\n".utf8)
            body += bytes + Array("\r\n".utf8)
        }
        body += Array("--mark--\r\n".utf8)
        let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        let answer = await server.web.answer(
            WebRequest(
                "POST", Self.path,
                fields: [("content-type", "multipart/form-data; boundary=mark"), ("cookie", cookies)], body: body))
        return answer.text
    }

    /// The hidden fields of the form that has a word in it.
    private static func hidden(in page: String, form word: String) -> [String: String] {
        let form =
            page.matches(of: #/(?s)<form.*?<\/form>/#).map { String($0.output) }.first { $0.contains(word) } ?? ""
        return form.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)"/).reduce(into: [:]) {
            $0[String($1.1)] = unescaped(String($1.2))
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<").replacing(
            "&gt;", with: ">"
        ).replacing("&amp;", with: "&")
    }

    /// What the form of the columns would send, as a browser does, with these changes.
    private func step(_ page: String, _ changes: [String: String]) async throws -> WebResponse {
        var fields = Self.hidden(in: page, form: "name=\"kept\"")
        let form = try #require(
            page.matches(of: #/(?s)<form.*?<\/form>/#).map { String($0.output) }.first { $0.contains("name=\"kept\"") })
        for select in form.matches(of: #/(?s)<select id="[^"]*" name="([^"]*)".*?<\/select>/#) {
            let value = String(select.output.0).firstMatch(of: /<option value="([^"]*)" selected/)?.1 ?? ""
            fields[String(select.output.1)] = Self.unescaped(String(value))
        }
        fields.merge(changes) { $1 }
        let body = fields.map { "\(PercentEncoding.encoded($0.key))=\(PercentEncoding.encoded($0.value))" }
        return await browser.ask("POST", Self.path, body.joined(separator: "&"))
    }

    private func chosen(_ page: String, _ name: String) -> String? {
        let select = page.matches(of: #/(?s)<select id="[^"]*" name="([^"]*)".*?<\/select>/#).first {
            $0.output.1 == name
        }
        return select.map { String($0.output.0.firstMatch(of: /<option value="([^"]*)" selected/)?.1 ?? "") }
    }

    private func patron(_ name: String) throws -> Patron? {
        try server.desk.read { try $0.patrons.get(.username(name)) }
    }

    @Test("a list that nothing knows is shown with what each column is taken for, changed, tried and imported")
    func whole() async throws {
        try await browser.logIn("root")
        let page = try await upload(Self.pupils)
        #expect(page.contains("Trial run: nothing was saved") && page.contains("3 read, 2 added"), "\(page)")
        #expect(page.contains("A table whose headings no kind of table has"))
        #expect(chosen(page, "column-0") == "patrons.username" && chosen(page, "column-1") == "patrons.surname,name")
        #expect(chosen(page, "column-4") == "patrons.extra.class" && chosen(page, "column-6") == "")
        #expect(chosen(page, "column-5") == nil && page.contains("Passwords are never taken over") == false)
        #expect(!page.contains(">x · y<") && page.contains("passwords are never taken over"))
        #expect(page.contains("<strong>Likely</strong>: by its name") && page.contains("Hall, Ada · Lee, Cleo"))
        // Codes that the library does not have, each with a choice.
        #expect(chosen(page, "value-patron-category-0") == "=" && page.contains("Add it as a new one"))
        let tried = try await step(
            page,
            [
                "value-patron-category-0": "pupil", "column-4": "", "constant-patron-home_branch": "north",
            ])
        #expect(tried.status == 200 && tried.text.contains("3 read, 2 added"), "\(tried.text)")
        #expect(tried.text.contains("the category “Lehrkraft”") && !tried.text.contains("the category “SuS”"))
        #expect(chosen(tried.text, "column-4") == "" && chosen(tried.text, "value-patron-category-0") == "pupil")
        #expect(chosen(tried.text, "constant-patron-home_branch") == "north")
        #expect(try patron("1001") == nil)
        let done = try await step(tried.text, ["keep": "yes"])
        #expect(done.text.contains("Imported") && done.text.contains("3 read, 2 added"), "\(done.text)")
        let ada = try #require(try patron("1001"))
        #expect(ada.surname == "Hall" && ada.name == "Ada" && ada.category == "pupil" && ada.homeBranch == "north")
        #expect(ada.birthDate?.description == "2014-03-24" && ada.extra["class"] == nil)
        // The refused row is there to be mended.
        let link = try #require(done.text.firstMatch(of: /href="(\/desk\/import\/refused\/[^"]+)"/)?.1)
        let rows = await browser.ask("GET", String(link))
        #expect(
            rows.status == 200 && rows.fields["Content-Disposition"] == "attachment; filename=\"pupils-refused.csv\"")
        #expect(
            rows.text.contains("problem;Ausweis;Name;") && rows.text.contains(";;Kent, Dora;;SuS;;;"), "\(rows.text)")
        #expect(!rows.text.contains("1001"))
        let again = try await step(tried.text, ["keep": "yes"])
        #expect(again.status == 422 && again.text.contains("no longer available"))
        let other = PageBrowser(server)
        try await other.logIn("staff")
        #expect(await other.ask("GET", String(link)).status == 404)
    }

    @Test("a proposal imports nothing before a person has seen it")
    func held() async throws {
        try await browser.logIn("root")
        let page = try await upload(Self.pupils, with: ["keep": "yes"])
        #expect(page.contains("Nothing is imported yet") && page.contains("Trial run"), "\(page)")
        #expect(try patron("1001") == nil)
        #expect(try await step(page, ["keep": "yes"]).text.contains("Imported"))
        #expect(try patron("1001") != nil)
    }

    @Test("a mapping that was downloaded does the same with the next file, and one that fits another file is said to")
    func mapping() async throws {
        try await browser.logIn("root")
        let page = try await upload(Self.pupils)
        let written = try await step(page, ["download": "mapping", "value-patron-category-0": "pupil"])
        #expect(written.fields["Content-Disposition"] == "attachment; filename=\"pupils-mapping.json\"")
        let mapping = try RecordMapping(written.body, file: "m.json")
        #expect(mapping.ignored == ["Passwort", "Foto"], "\(written.text)")
        let next = try await upload(
            Self.pupils.replacing("1001", with: "2001"), "next.csv", mapping: written.text, with: ["keep": "yes"])
        #expect(next.contains("Imported") && next.contains("3 read, 2 added"), "\(next)")
        #expect(try patron("2001")?.category == "pupil")
        let wrong = try await upload("Titel;Autor\nMomo;Ende\n", "books.csv", mapping: written.text)
        #expect(wrong.contains("names columns that this file lacks: “Ausweis”"), "\(wrong)")
        #expect(chosen(wrong, "column-0") == "titles.title")
        for (text, words) in [
            ("{", "The mapping file cannot be used"),
            (
                "{\"version\": 2, \"records\": [{\"kind\": \"patron\", \"columns\": {\"surnam\": \"x\"}}]}",
                "did you mean"
            ),
            (String(repeating: " ", count: 200_001), "at most 200000 bytes"),
        ] {
            let refused = try await upload(Self.pupils, mapping: text)
            #expect(refused.contains("role=\"alert\"") && refused.contains(words), "\(text.prefix(40)): \(refused)")
        }
        let first = "{\"kind\": \"patrons\", \"columns\": {\"username\": \"Ausweis\", \"surname\": \"Name\"}}"
        #expect(try await upload(Self.pupils, mapping: first).contains("3 read, 0 added, 2 updated") == false)
        let old = try await upload(Self.pupils, mapping: first)
        #expect(old.contains("A table that the mapping file describes") && old.contains("Trial run"), "\(old)")
    }

    @Test("a file that is known is read as it was recognised until a column is changed")
    func recognised() async throws {
        try await browser.logIn("root")
        let page = try await upload("username,name,surname,category,Spitzname\nfay,Fay,Weldon,staff,Fifi\n")
        #expect(page.contains("As long as nothing is changed below") && page.contains("table of patrons"), "\(page)")
        #expect(chosen(page, "column-2") == "patrons.surname" && chosen(page, "column-4") == "")
        let same = try await step(page, [:])
        #expect(same.text.contains("As long as nothing is changed below"), "\(same.text)")
        let changed = try await step(page, ["column-4": "patrons.display_name"])
        #expect(!changed.text.contains("As long as nothing is changed below"))
        #expect(changed.text.contains("Chosen by you"))
        _ = try await step(changed.text, ["keep": "yes"])
        #expect(try patron("fay")?.displayName == "Fifi")
    }

    @Test("dates of two readings are asked for with both, and what is missing is named")
    func open() async throws {
        try await browser.logIn("root")
        let page = try await upload("Card number,Last name,DOB,Seen\n1,Hall,04/03/2012,05/06/2012\n")
        #expect(page.contains("Choose the order of dates below") && page.contains("“04/03/2012” is 4"), "\(page)")
        #expect(page.contains("Asked for the column “DOB”"))
        let tried = try await step(page, ["dates": "mdy", "keep": "yes"])
        #expect(tried.status == 200, "\(tried.text)")
        #expect(try patron("1")?.birthDate?.description == "2012-04-03")
        let next = try await upload("Card number,Last name\n5,Hall\n")
        let lacking = try await step(next, ["column-0": ""])
        #expect(
            lacking.status == 422
                && lacking.text.contains("Patrons: choose which column holds “Username or card number”"),
            "\(lacking.text)")
        let none = try await step(next, ["column-0": "", "column-1": ""])
        #expect(none.status == 422 && none.text.contains("Choose for at least one column"))
        #expect(try patron("5") == nil)
    }

    @Test("what was chosen outlives the file on the shelf")
    func expired() async throws {
        try await browser.logIn("root")
        let page = try await upload(Self.pupils)
        server.clock.set(try server.clock.now().adding(minutes: 31))
        let late = try await step(page, ["column-4": "", "keep": "yes"])
        #expect(late.status == 422 && late.text.contains("no longer available"), "\(late.text)")
        #expect(late.text.contains("What was chosen for the columns is kept"))
        let kept = try #require(Self.hidden(in: late.text, form: "multipart")["mapping"])
        let again = try await upload(Self.pupils, with: ["mapping": kept])
        #expect(chosen(again, "column-0") == "patrons.username" && chosen(again, "column-4") == "", "\(again)")
    }

    @Test("a sheet that is not there and another encoding are said, and the file stays at hand")
    func otherwise() async throws {
        try await browser.logIn("root")
        let latin = Array("Ausweis;Nachname\n1;M".utf8) + [0xFC] + Array("ller\n".utf8)
        let page = try await upload(latin)
        #expect(page.contains("Müller") && page.contains("The file is not UTF-8"), "\(page)")
        let sheet = try await step(page, ["sheet": "Blatt"])
        #expect(sheet.status == 422 && sheet.text.contains("no sheets"), "\(sheet.text)")
        let other = try await step(page, ["encoding": "utf-16le"])
        #expect(other.text.contains("pupils.csv"), "\(other.text)")
        let back = try await step(sheet.text, ["sheet": "", "keep": "yes"])
        #expect(back.status == 200, "\(back.text)")
    }

    @Test("broken files are refused in words, and of wide and long ones a part is shown")
    func broken() async throws {
        try await browser.logIn("root")
        for (bytes, words) in [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "picture"),
            ([UInt8](repeating: 0, count: 500), "binary"),
            (Array("\n\n".utf8), "role=\"alert\""), (Array("Namen\nAda\nBob\n".utf8), "role=\"alert\""),
            ([0x1F, 0x8B, 8, 0], "gzip"),
        ] as [([UInt8], String)] {
            let page = try await upload(bytes, "x.csv")
            #expect(page.contains("role=\"alert\"") && page.contains(words), "\(words): \(page)")
        }
        let headings = ["Ausweis", "Nachname"] + (3...200).map { "Spalte \($0)" }
        let wide = try await upload(
            headings.joined(separator: ";") + "\n1;Hall" + String(repeating: ";v", count: 198) + "\n")
        #expect(
            wide.contains("Columns that are not shown: 100") && wide.contains("1 read, 1 added"),
            "\(wide.suffix(3_000))")
        #expect(chosen(wide, "column-99") == "" && chosen(wide, "column-100") == nil)
        let long =
            "Ausweis;Nachname;Gruppe\n"
            + (1...3_000).map { "\($0 % 2 == 0 ? "" : "c\($0)");Hall;g\($0 % 50)\n" }.joined()
        let page = try await upload(long)
        #expect(page.contains("3000 read, 1500 added") && page.contains("And 1400 more."), "\(page.suffix(3_000))")
        #expect(page.contains("Values that are not listed: 20") && page.contains("Download the refused rows (1500)"))
    }

    @Test("a form that names columns of another file changes nothing of them")
    func foreign() async throws {
        try await browser.logIn("root")
        let page = try await upload(Self.pupils)
        let odd = try await step(
            page,
            [
                "heading-0": "Elsewhere", "column-0": "", "heading-5": "Passwort", "column-5": "patrons.phone",
                "column-1": "notices.kind",
            ])
        #expect(odd.status == 200 && chosen(odd.text, "column-0") == "patrons.username", "\(odd.text)")
        #expect(chosen(odd.text, "column-1") == "patrons.surname,name" && chosen(odd.text, "column-5") == nil)
    }

    @Test("the known headings are listed by kind, and each example imports")
    func headings() async throws {
        try await browser.logIn("root")
        let page = try await browser.open("/desk/import/headings")
        #expect(
            page.contains("Benutzergruppe") && page.contains("patrons.username") && page.contains("id=\"item_types\""))
        #expect(await browser.ask("GET", "/desk/import/examples/notices").status == 404)
        for kind in ["titles", "copies", "patrons", "loans", "holds", "ledger_entries"] {
            let file = await browser.ask("GET", "/desk/import/examples/\(kind)")
            #expect(file.status == 200 && file.fields["Content-Type"] == "text/csv; charset=utf-8")
            var done = try await upload(file.text, "\(kind).csv", with: ["keep": "yes"])
            if done.contains("Nothing is imported yet") { done = try await step(done, ["keep": "yes"]).text }
            #expect(done.contains("Imported") && done.contains("0 rejected"), "\(kind): \(done)")
        }
    }

    @Test("each label of the forms of patrons, titles and copies is the one by which their columns are known")
    func labels() {
        for (kind, entries) in [
            ("patron", PatronRecordPages.records.add?.entries ?? []),
            ("title", TitleRecordPages.titles.add?.entries ?? []),
            ("copy", TitleRecordPages.copies.change?.entries ?? []),
        ] {
            #expect(!entries.isEmpty)
            for entry in entries {
                #expect(FieldLabels.label(of: entry.name, in: kind) == entry.label, "\(kind).\(entry.name)")
            }
        }
    }
}

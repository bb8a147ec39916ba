import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages on which staff keep records")
struct RecordPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func patron(_ name: String) throws -> Patron? {
        try server.desk.read { try $0.patrons.get(.username(name)) }
    }

    @Test("a patron is registered, found by the card, changed, and what is emptied is taken away")
    func patrons() async throws {
        try await browser.logIn("staff")
        let form = try await browser.open("/desk/patrons/new")
        #expect(form.contains(#"<option value="main" selected>"#) && form.contains(#"type="date""#))
        let fields = [
            "username": "C-1001", "name": "Grace", "surname": "Hopper", "category": "staff", "home_branch": "main",
            "email": "grace@example.org", "birth_date": "1990-12-09", "phone": "", "expires_on": "", "language": "en",
        ]
        let sent = try browser.form("/desk/patrons/new", fields)
        let added = try await browser.send("/desk/patrons/new", fields)
        #expect(added.contains("Grace Hopper has been added.") && added.contains("C-1001"), "\(added)")
        #expect(await browser.ask("POST", "/desk/patrons/new", sent).status == 303, "sent twice")
        let grace = try #require(try patron("C-1001"))
        #expect(grace.category == "staff" && grace.birthDate?.description == "1990-12-09" && grace.role == .patron)
        #expect(try await browser.open("/desk?patron=C-1001").contains("Grace Hopper"))
        let edit = try await browser.open("/desk/patrons/\(grace.id)/edit")
        #expect(edit.contains(#"value="grace@example.org""#) && edit.contains(#"<option value="staff" selected>"#))
        var changed = fields
        changed["email"] = ""
        changed["surname"] = "Hopper-Murray"
        let saved = try await browser.send("/desk/patrons/\(grace.id)/edit", changed)
        #expect(saved.contains("Grace Hopper-Murray has been changed."), "\(saved)")
        #expect(try patron("C-1001")?.email == nil)
    }

    @Test("what is wrong with a patron stands at the field, what is refused above the form, as it was filled in")
    func wrongPatrons() async throws {
        try await browser.logIn("staff")
        try await browser.open("/desk/patrons/new")
        let taken = try await browser.send("/desk/patrons/new", ["username": "ann", "surname": "Other"])
        #expect(browser.page.status == 409 && taken.contains(#"role="alert""#) && taken.contains(#"value="Other""#))
        let wrong = try await browser.send("/desk/patrons/new", ["username": "zoe", "birth_date": "yesterday"])
        #expect(browser.page.status == 400 && wrong.contains(#"id="new-birth_date-wrong""#), "\(wrong)")
        let without = try await browser.send("/desk/patrons/new", ["surname": "Nobody"])
        #expect([400, 422].contains(browser.page.status) && without.contains("Nobody"))
        #expect(try patron("zoe") == nil)
        let root = try server.id(of: "root")
        try await browser.open("/desk/patrons/\(root)/edit")
        try await browser.send("/desk/patrons/\(root)/edit", ["username": "root", "surname": "Changed"])
        #expect(try browser.page.status == 403 && patron("root")?.surname == "Smith")
        for path in ["/desk/patrons/9999/edit", "/desk/patrons/x/edit", "/desk/patrons/9999/merge"] {
            #expect(await browser.ask("GET", path).status == 404, "\(path)")
        }
        #expect(await browser.ask("POST", "/desk/patrons/new", "username=eve").status == 403, "without a seal")
    }

    @Test("a patron is removed once nothing is open, and a password is set that lets in")
    func removal() async throws {
        try await browser.logIn("staff")
        let ann = try server.id(of: "ann")
        _ = try await server.ask(.post, "/loans", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        try await browser.open("/desk/patrons/\(ann)/edit")
        let kept = try await browser.send("/desk/patrons/\(ann)/remove")
        #expect(try browser.page.status == 409 && kept.contains(#"role="alert""#) && patron("ann") != nil)
        let bob = try server.id(of: "bob")
        try await browser.open("/desk/patrons/\(bob)/password")
        let weak = try await browser.send("/desk/patrons/\(bob)/password", ["password": "short"])
        #expect(browser.page.status == 422 && weak.contains(#"id="wrong""#) && !weak.contains("short\""))
        let set = try await browser.send("/desk/patrons/\(bob)/password", ["password": "a new long one"])
        #expect(set.contains("The password has been set."))
        #expect(try server.accounts.logIn("bob", password: "a new long one") != nil)
        try await browser.open("/desk/patrons/\(bob)/edit")
        let gone = try await browser.send("/desk/patrons/\(bob)/remove")
        #expect(try gone.contains("bob Smith has been removed.") && patron("bob") == nil)
    }

    @Test("two records of one person are found by the name and become one")
    func merging() async throws {
        let twin = Patron(
            username: "ann2", name: "ann", surname: "Smith", category: "undergraduate", homeBranch: "main")
        let other = try #require(try server.desk.write { try $0.patrons.add(twin).value }).id
        let ann = try server.id(of: "ann")
        _ = try await server.ask(.post, "/loans", ["patron": "ann2", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("staff")
        let found = try await browser.open("/desk/patrons/\(ann)/merge")
        #expect(found.contains("/desk/patrons/\(ann)/merge?other=\(other)") && !found.contains("other=\(ann)\""))
        let same = try await browser.open("/desk/patrons/\(ann)/merge?other=\(ann)")
        #expect(same.contains("cannot be merged with itself"))
        let both = try await browser.open("/desk/patrons/\(ann)/merge?other=\(other)")
        #expect(both.contains("Merge and delete: ann Smith") && both.contains("1\u{A0}loan, 0\u{A0}holds"), "\(both)")
        let merged = try await browser.send("/desk/patrons/\(ann)/merge", ["reason": "Twice registered"])
        #expect(try merged.contains("The records have been merged.") && patron("ann2") == nil)
        #expect(try server.desk.read { try $0.loans.active(of: .id(ann)).count } == 1)
    }

    @Test("a title is added from its ISBN with lists line by line, copies with barcodes, and both are changed")
    func titles() async throws {
        try await browser.logIn("staff")
        let none = try await browser.open("/desk/titles?query=978-0-14-044913-6")
        #expect(none.contains("No title found") && none.contains("/desk/titles/new?isbn=9780140449136"))
        #expect(try await browser.open("/desk/titles/new?isbn=9780140449136").contains(#"value="9780140449136""#))
        let added = try await browser.send(
            "/desk/titles/new",
            [
                "title": "Crime and Punishment", "isbn": "9780140449136",
                "authors": "Dostoevsky, Fyodor\r\nMcDuff, David", "year": "2003", "genres": "", "recommended": "true",
            ])
        #expect(added.contains("Crime and Punishment has been added."), "\(added)")
        let title = try #require(
            try server.desk.read { try $0.catalogue.get(.isbn(ISBN("9780140449136"))) })
        #expect(title.authors == ["Dostoevsky, Fyodor", "McDuff, David"] && title.recommended == true)
        let copies = try await browser.send(
            "/desk/titles/\(title.id)/copies",
            [
                "barcodes": "R1\nR2", "count": "9", "branch": "main", "item_type": "book",
                "replacement_price": "12,50", "location": "New <books>", "acquired_on": "2024-02-29",
            ])
        #expect(copies.contains("2\u{A0}copies added: R1, R2.") && copies.contains("12.50\u{A0}EUR"), "\(copies)")
        #expect(copies.contains(#" <span class="soft">New &lt;books&gt;</span></td>"#), "\(copies)")
        #expect(try await browser.open("/titles/\(title.id)").contains(#"<span class="soft">New &lt;books&gt;</span>"#))
        try await browser.open("/desk/titles/\(title.id)")
        let taken = try await browser.send("/desk/titles/\(title.id)/copies", ["barcodes": "R1"])
        #expect(browser.page.status == 409 && taken.contains(#"role="alert""#))
        let edit = try await browser.open("/desk/copies/R1/edit")
        #expect(edit.contains(#"value="12.50""#) && edit.contains(#"value="2024-02-29""#))
        let lost = try await browser.send(
            "/desk/copies/R1/edit",
            [
                "barcode": "R1", "branch": "main", "item_type": "book", "status": "lost", "replacement_price": "",
                "location": "", "acquired_on": "2024-03-01",
            ])
        let changed = try #require(try server.desk.read { try $0.catalogue.copy(barcode: "R1") })
        #expect(changed.location == nil && changed.acquiredOn?.description == "2024-03-01")
        #expect(lost.contains("Copy R1 has been changed.") && lost.contains("Lost"), "\(lost)")
        try await browser.open("/desk/copies/R2/edit")
        #expect(try await browser.send("/desk/copies/R2/remove").contains("Copy R2 has been withdrawn."))
        try await browser.open("/desk/titles/\(title.id)/edit")
        let emptied = try await browser.send(
            "/desk/titles/\(title.id)/edit", ["title": "Crime", "isbn": "9780140449136", "authors": "", "year": ""])
        #expect(emptied.contains("Crime has been changed."), "\(emptied)")
        let after = try #require(try server.desk.read { try $0.catalogue.get(.id(title.id)) })
        #expect(after.authors == [] && after.year == nil && after.isbn == title.isbn)
        try await browser.open("/desk/titles/\(title.id)/edit")
        let wrong = try await browser.send("/desk/titles/\(title.id)/edit", ["title": "Crime", "isbn": "123"])
        #expect([400, 422].contains(browser.page.status) && wrong.contains(#"value="123""#), "\(wrong)")
    }

    @Test("a copy on loan keeps its status when another field is changed, and leads to who has it")
    func lentCopies() async throws {
        let barcode = try #require(
            try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN("9780441013593"))).first?.barcode })
        _ = try await server.ask(.post, "/loans", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("staff")
        for scanned in [barcode, "978-0-441-01359-3"] {
            let found = await browser.ask("GET", "/desk/titles?query=\(scanned)")
            #expect(found.status == 303 && found.fields["Location"] == "/desk/titles/1", "what is scanned is opened")
        }
        #expect(try await browser.open("/desk/titles/1").contains("On loan: <a href=\"/desk?id="))
        let edit = try await browser.open("/desk/copies/\(barcode)/edit")
        #expect(edit.contains(#"<option value="on_loan" selected>"#))
        let saved = try await browser.send(
            "/desk/copies/\(barcode)/edit", ["status": "on_loan", "replacement_price": "20"])
        #expect(saved.contains("has been changed."), "\(saved)")
        try await browser.open("/desk/copies/\(barcode)/edit")
        try await browser.send("/desk/copies/\(barcode)/edit", ["status": "available"])
        #expect(browser.page.status == 409)
    }

    @Test("pasted rows are tried with each problem by its line, then imported once, by administrators alone")
    func importing() async throws {
        try await browser.logIn("root")
        try await browser.open("/desk/import")
        let rows = "username,name,surname,category\nfay,Fay,Weldon,staff\n,No,Name,staff\n"
        let tried = try await browser.send("/desk/import", ["rows": rows])
        #expect(tried.contains("Trial run: nothing was saved") && tried.contains("Line 3:"), "\(tried)")
        #expect(try patron("fay") == nil && tried.contains("fay,Fay"))
        let kept = try await browser.send("/desk/import", ["rows": rows, "keep": "yes"])
        #expect(kept.contains("2 read, 1 added") && kept.contains("1 rejected"), "\(kept)")
        #expect(try patron("fay")?.surname == "Weldon")
        let again = try await browser.send("/desk/import", ["rows": rows, "keep": "yes"])
        #expect(again.contains("0 added"), "\(again)")
        for (text, words) in [("", "paste its rows"), (String(repeating: "x,y\n", count: 80_000), "at most")] {
            let wrong = try await browser.send("/desk/import", ["rows": text])
            #expect(browser.page.status == 422 && wrong.contains(words))
        }
        #expect(try await browser.send("/desk/import", ["rows": "a,b\n1,2\n"]).contains("role=\"alert\""))
        let staff = PageBrowser(server)
        try await staff.logIn("staff")
        #expect(await staff.ask("GET", "/desk/import").status == 404)
    }

    @Test("patrons reach none of the forms, and administrators alone declare what a library consists of")
    func roles() async throws {
        for (name, mayAdd) in [("ann", false), ("staff", true)] {
            let browser = PageBrowser(server)
            try await browser.logIn(name)
            for path in ["/desk/patrons/new", "/desk/titles/new", "/desk/holds", "/desk/cash", "/desk/overdue"] {
                #expect(await browser.ask("GET", path).status == (mayAdd ? 200 : 404), "\(name) \(path)")
            }
            for path in ["/desk/settings", "/desk/branches/new", "/desk/calendar/main", "/desk/jobs"] {
                #expect(await browser.ask("GET", path).status == 404, "\(name) \(path)")
            }
            let form = try browser.form("/log-out")
            for path in ["/desk/branches/new", "/desk/settings", "/desk/calendar/main/hours", "/desk/patrons/1/role"] {
                #expect(await browser.ask("POST", path, form).status == 404, "\(name) \(path)")
            }
        }
    }

    @Test("branches, categories and item types are added, changed and removed, and what is in use stays")
    func declarations() async throws {
        try await browser.logIn("root")
        #expect(try await browser.open("/desk/settings").contains("/desk/calendar/main"))
        try await browser.open("/desk/branches/new")
        let east = try await browser.send("/desk/branches/new", ["code": "east", "name": "East", "parent": "main"])
        #expect(east.contains("East has been added."), "\(east)")
        try await browser.open("/desk/branches/east/edit")
        let alone = try await browser.send("/desk/branches/east/edit", ["name": "Far East", "parent": ""])
        #expect(alone.contains("Far East has been changed."))
        #expect(try server.desk.read { try $0.settings.branch("east")?.parent } == nil)
        for (path, name) in [("categories", "Guests"), ("item-types", "Maps")] {
            try await browser.open("/desk/\(path)/new")
            #expect(
                try await browser.send("/desk/\(path)/new", ["code": "xx", "name": name]).contains(
                    "\(name) has been added."))
            let twice = try await browser.open("/desk/\(path)/new")
            #expect(!twice.contains("role=\"alert\""))
            try await browser.send("/desk/\(path)/new", ["code": "xx", "name": "Other"])
            #expect(browser.page.status == 409)
            try await browser.open("/desk/\(path)/xx/edit")
            #expect(try await browser.send("/desk/\(path)/xx/remove").contains("\(name) has been removed."))
        }
        try await browser.open("/desk/branches/main/edit")
        try await browser.send("/desk/branches/main/remove")
        #expect(browser.page.status == 409)
        try await browser.open("/desk/settings")
        let wrong = try await browser.send(
            "/desk/settings", ["name": "Ours", "time_zone": "Mars/Base", "currency": "EUR"])
        #expect(browser.page.status == 400 && wrong.contains(#"id="time_zone-wrong""#), "\(wrong)")
        let saved = try await browser.send(
            "/desk/settings", ["name": "Ours", "time_zone": "Europe/Berlin", "currency": "EUR"])
        #expect(saved.contains("The settings have been saved.") && saved.contains("Ours"))
        let ann = try server.id(of: "ann")
        try await browser.open("/desk/patrons/\(ann)")
        let role = try await browser.send("/desk/patrons/\(ann)/role", ["role": "staff"])
        #expect(try role.contains("The role is now: staff.") && patron("ann")?.role == .staff, "\(role)")
    }
}

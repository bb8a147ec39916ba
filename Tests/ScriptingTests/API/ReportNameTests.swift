import Circulation
import Languages
import Scripting
import Testing
import TextFormats

/// Names for codes, links to records and the language of a report, as scripts say them.
@Suite("Names in reports")
struct ReportNameTests {
    private func result(_ text: String, _ arguments: [String] = []) throws -> ScriptResult {
        try APISample().runner().run(
            ScriptSource(text: text, name: "names.lua"), options: ScriptOptions(arguments: arguments))
    }

    @Test(
        "a code has the name that the library or the language gives it, or stays as it is",
        arguments: [
            ("branch", "\"main\"", "Main Library"), ("branch", "\"moon\"", "moon"),
            ("category", "\"staff\"", "Staff"), ("item_type", "\"book\"", "Book"),
            ("location", "\"ref\"", "Reference room"), ("location", "\"loft\"", "loft"),
            ("language", "\"fr\"", "French"),
            ("language", "\"fre\"", "French"), ("language", "\"klingonese\"", "klingonese"), ("language", "\"\"", ""),
            ("language", "\"../etc\"", "../etc"), ("month", "\"2026-02\"", "Feb 2026"),
            ("month", "\"2026-13\"", "2026-13"),
            ("month", "\"soon\"", "soon"), ("week", "\"2026-W07\"", "Week 7 of 2026"), ("weekday", "1", "Monday"),
            ("weekday", "8", "8"), ("word", "\"on_loan\"", "on loan"), ("branch", "\"-\"", "not known"),
        ])
    func names(kind: String, code: String, name: String) throws {
        #expect(try APISample().evaluate("report.name(\"\(kind)\", \(code))") == "\"\(name)\"")
    }

    @Test("what is no code is refused, and nothing has no name")
    func wrong() throws {
        let sample = try APISample()
        #expect(try sample.evaluate("report.name(\"branch\", nil)") == "nil")
        #expect(try sample.evaluate("report.name(\"branch\", {})").contains("must be text or a whole number"))
        #expect(try sample.evaluate("report.name(\"planet\", \"x\")").contains("kind"))
        #expect(try sample.evaluate("report.language(\"no such\")").contains("no code of a language"))
        for (columns, words) in [
            (#"{ { name = "a", of = "brunch" } }"#, "did you mean 'branch'?"),
            (#"{ { name = "a", of = 1 } }"#, "there are"),
            (#"{ { name = "a", kind = "branch" } }"#, "'type' and 'of'"),
        ] {
            let answer = try sample.evaluate("report.table{ columns = \(columns), rows = {} }")
            #expect(answer.contains(words), "\(answer)")
        }
        #expect(try sample.evaluate(#"report.params{ a = { type = "date", of = "branch" } }"#).contains("is no text"))
    }

    @Test("a column says once what its codes are of; the values stay codes")
    func columns() throws {
        let document = try result(
            """
            report.params { branch = { of = "branch", default = "main" }, other = { of = "branch", default = "moon" } }
            report.table {
                columns = { { name = "b", of = "branch" }, { name = "l", of = "language" } },
                rows = { { b = "main", l = "de" }, { b = "moon" }, { b = "-" } },
            }
            """
        ).document
        let table = try #require(document.tables.first)
        #expect(table.columns[0].codes?.names == ["main": "Main Library", "moon": "moon", "-": "not known"])
        #expect(table.columns[1].codes?.names == ["de": "German"] && table.columns[0].type == .text)
        #expect(table.rows[0] == [.text("main"), .text("de")])
        #expect(document.parameters.map(\.words) == ["Main Library", nil])
        #expect(document.parameters.map(\.value) == [.text("main"), .text("moon")])
    }

    @Test("a cell leads to the record that it names, by its own words or the script's")
    func links() throws {
        let document = try result(
            """
            local title, patron = catalogue.get("9780441013593"), patrons.get("ada")
            report.table {
                columns = { "a", "b", "c", "d" },
                rows = {
                    {
                        a = report.link("title", title), b = report.link("copy", catalogue.copy("1005")),
                        c = report.link("patron", patron, "Ada L."), d = report.link("title", title.id, "by id"),
                    },
                    { a = report.link("title", nil), b = report.link("patron", nil, "somebody") },
                },
            }
            """
        ).document
        let rows = try #require(document.tables.first?.rows)
        guard case .link(let title) = rows[0][0], case .link(let copy) = rows[0][1], case .link(let patron) = rows[0][2]
        else {
            Issue.record("\(rows)")
            return
        }
        #expect(title.kind == .title && title.text == "Dune" && title.id > 0)
        #expect(copy == ReportLink(.copy, title.id, text: "1005"))
        #expect(patron.kind == .patron && patron.text == "Ada L.")
        #expect(rows[0][3] == .link(ReportLink(.title, title.id, text: "by id")))
        #expect(rows[1] == [.none, .text("somebody"), .none, .none])
    }

    @Test(
        "what is no record is refused",
        arguments: [
            (#"report.link("title", 7)"#, "an id needs a 'text'"),
            (#"report.link("title", "7")"#, "must be a title or an id"),
            (#"report.link("patron", catalogue.get("9780441013593"))"#, "is not a patron"),
            (#"report.link("ship", {})"#, "kind"),
            (
                #"report.table{ rows = { { a = { link = "title", id = "x", text = "y" } } } }"#,
                "not what report.link gives"
            ),
            (#"report.table{ rows = { { a = { 1, 2 } } } }"#, "must be text, a number"),
        ])
    func faults(line: String, words: String) throws {
        let answer = try APISample().evaluate(line)
        #expect(answer.contains(words), "\(answer)")
    }

    @Test("a report that speaks a language has names in it")
    func language() throws {
        let german = try result(
            """
            report.language("de")
            local f = stats.figures { measure = "loans", rows = "month", columns = "weekday" }
            report.text(report.name("language", "fr") .. " " .. f.rows[1].name .. " " .. f.rows[1].key)
            report.table { columns = { { name = "a" }, { name = "b", type = "integer" } }, rows = { { "x", 1 } }, total = true }
            """
        ).document
        #expect(german.language == "de" && german.texts == ["Französisch Dez. 2026 2026-12"], "\(german.texts)")
    }

    @Test("a simple report can be written in a language: what readers see is in it, what programs see is not")
    func script() throws {
        let language = try #require(Languages.shipped.language("de"))
        let choice = try ReportChoice(
            ["measure": "loans", "rows": "month", "columns": "category", "span": "2026"],
            today: try CivilDate(year: 2026, month: 12, day: 24), isKnown: { _, _ in true })
        let script = ReportScript(choice, in: language)
        #expect(script.text.contains("report.language(\"de\")"), "\(script.text)")
        #expect(script.text.contains(#"{ name = "Month", "#) || script.text.contains(#"{ name = "Month" "#))
        let run = try result(script.text)
        #expect(run.failure == nil, "\(run.failure?.description ?? "")\n\(script.text)")
        #expect(run.document.title == script.title && run.document.language == "de")
        let table = try #require(run.document.tables.first)
        #expect(table.columns[0].name == "Month" && table.columns[0].codes?.names["2026-12"] == "Dez. 2026")
        #expect(table.rows.last?.first == .text("2026-12"))
        let english = ReportScript(choice, in: .english).text
        #expect(
            !english.contains("report.language") && english.contains("report.title(\"Loans by month and category\")"))
    }
}

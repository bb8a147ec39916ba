import Circulation
import Desk
import Languages
import Scripting
import Storage
import Testing

@Suite("Simple reports as scripts")
struct ReportChoiceTests {
    private static func choice(_ fields: [String: String]) throws -> ReportChoice {
        try ReportChoice(fields, today: try CivilDate(year: 2026, month: 12, day: 24)) { dimension, code in
            dimension == .branch && code == "main"
        }
    }

    private static func problem(_ fields: [String: String]) -> ReportChoiceError? {
        do {
            _ = try choice(fields)
            return nil
        } catch {
            return error as? ReportChoiceError
        }
    }

    /// Every way in which a measure can be shown.
    private static func choices(_ measure: FigureMeasure) throws -> [ReportChoice] {
        try measure.dimensions.flatMap { rows in
            let columns = measure.dimensions.filter { $0.isForColumns && $0 != rows }.map(\.rawValue)
            return try ([""] + columns).map { column in
                try choice([
                    "measure": measure.name, "rows": rows.rawValue, "columns": column, "span": "2026",
                    "chart": ReportChoice.Chart.allCases[column.utf8.count % 5].rawValue,
                ])
            }
        }
    }

    @Test("each report runs, and what it shows adds up to what there is", arguments: FigureMeasure.all.map(\.name))
    func runs(name: String) throws {
        let sample = try APISample()
        let measure = try #require(FigureMeasure.named(name))
        for choice in try Self.choices(measure) {
            let script = ReportScript(choice, in: .english)
            let source = ScriptSource(text: script.text, name: choice.name + ".lua")
            #expect(try ScriptRunner.needs(of: source).isEmpty)
            let result = sample.runner().run(source, options: ScriptOptions())
            #expect(result.failure == nil, "\(choice.name): \(result.failure?.description ?? "")")
            let document = result.document
            #expect(document.title == script.title)
            let (metric, table) = (try #require(document.metrics.first), try #require(document.tables.first))
            let query = FigureQuery(measure: measure, rows: choice.rows, columns: choice.columns)
            let from = measure.isOfTime ? try Instant(parsing: "2026-01-01T00:00:00Z") : nil
            let figures = try sample.desk.read {
                try $0.statistics.figures(query, from: from, now: try Instant(parsing: "2026-12-24T10:00:00Z"))
            }
            #expect(metric.value == table.total?[choice.columns == nil ? 1 : table.columns.count - 1], "\(choice.name)")
            #expect(table.rows.count == figures.rows.count, "\(choice.name)")
            if measure.isAmount {
                #expect(metric.value == .money(Money(minorUnits: figures.total, currency: .eur)))
            } else {
                #expect(metric.value == .integer(figures.total), "\(choice.name)")
            }
            guard !choice.rows.isSeveral, !measure.isAmount else { continue }
            let sums = table.rows.reduce(into: [Int64](repeating: 0, count: table.columns.count)) { sums, row in
                for (place, value) in row.enumerated() { if case .integer(let count) = value { sums[place] += count } }
            }
            for (place, value) in (table.total ?? []).enumerated().dropFirst() {
                #expect(value == .integer(sums[place]), "\(choice.name), column \(place)")
            }
        }
    }

    @Test("what a form says is read, and what it leaves out is as usual")
    func read() throws {
        let usual = try Self.choice([:])
        #expect(usual.measure.name == "loans" && usual.rows == .branch && usual.columns == nil)
        #expect(usual.span == "last_12_months" && usual.chart == .bar)
        let chosen = try Self.choice([
            "measure": "holds", "rows": "month", "columns": "branch", "span": "dates", "from": "2026-01-01", "to": "",
            "branch": "main", "chart": "none",
        ])
        #expect(chosen.span == "2026-01-01.." && chosen.filters == [.branch: "main"])
        let script = ReportScript(chosen, in: .english)
        #expect(script.title == "Holds by month and branch" && chosen.name == "holds_by_month_and_branch")
        #expect(
            script.text.contains(
                #"branch = { of = "branch", default = "main", help = "only this branch, and those below it" }"#))
        #expect(try Self.choice(["measure": "titles", "span": "nonsense"]).span == nil)
    }

    @Test(
        "what is wrong is said beside its field, with what there is",
        arguments: [
            (["measure": "lones"], "measure", "did you mean \"loans\"?"),
            (["measure": "open_loans", "rows": "month"], "rows", "Open loans cannot be split by month"),
            (["rows": "planet"], "rows", "There are no rows by \"planet\""),
            (["rows": "branch", "columns": "branch"], "columns", "both branch"),
            (["columns": "subject"], "columns", "cannot be split by subject in columns"),
            (["span": "yesterweek"], "span", "yesterweek"),
            (["span": "dates", "from": "2026-12-31", "to": "2026-01-01"], "from", "ends before it begins"),
            (["span": "dates", "from": "x\ny"], "from", "date"),
            (["branch": "moon\"]]--"], "branch", "There is no branch"),
            (["measure": "titles", "branch": "main"], "branch", "cannot be limited"),
            (["chart": "cake"], "chart", "There is no chart"),
        ])
    func wrong(fields: [String: String], field: String, words: String) throws {
        let problem = try #require(Self.problem(fields))
        #expect(problem.field == field && problem.message.contains(words), "\(problem)")
        #expect(!problem.message.contains("\n"))
    }

    @Test("the last twelve months are whole ones")
    func months() throws {
        let span = try DateSpan(parsing: "last_12_months", today: try CivilDate(year: 2026, month: 2, day: 28))
        #expect(span.from?.description == "2025-02-01" && span.to?.description == "2026-01-31")
    }

    @Test("a limit counts what is below its code as well")
    func below() throws {
        let sample = try APISample()
        try sample.desk.write { session in
            _ = try #require(session.settings.addCategory(Category(code: "members", name: "Members")).value)
            _ = try #require(session.settings.updateCategory("undergraduate") { $0.parent = "members" }.value)
            let branch = Branch(code: "annex", name: "Annex", parent: "main")
            _ = try #require(session.settings.addBranch(branch).value)
        }
        // Of counters, of titles, of single loans and of records, as these count.
        for (query, total) in [
            (#"measure = "loans", rows = "month", category = "members""#, "2"),
            (#"measure = "loans", rows = "genre", category = "members""#, "2"),
            (#"measure = "loans", rows = "genre", branch = "main""#, "3"),
            (#"measure = "loans", rows = "genre", branch = "annex""#, "0"),
            (#"measure = "loans", rows = "hour", branch = "main", category = "members""#, "2"),
            (#"measure = "patrons", rows = "branch", category = "members""#, "2"),
            (#"measure = "patrons", rows = "branch", category = "staff""#, "1"),
        ] {
            #expect(try sample.evaluate("stats.figures{ \(query) }.total") == total, "\(query)")
        }
    }

    @Test("a question that has no answer says why")
    func refused() throws {
        let sample = try APISample()
        for (line, words) in [
            (#"stats.figures{ measure = "open_loans", rows = "month" }"#, "cannot be split by month"),
            (#"stats.figures{ measure = "patrons", rows = "branch", from = "2026-01-01" }"#, "as they stand now"),
            (#"stats.figures{ measure = "loans", rows = "branch", branch = "moon" }"#, "There is no branch 'moon'"),
            (#"stats.figures{ measure = "titles", rows = "genre", branch = "main" }"#, "Titles have no branch"),
            (#"stats.figures{ measure = "loans", rows = "branch", columns = "branch" }"#, "both branch"),
        ] {
            let answer = try sample.evaluate(line)
            #expect(answer.contains(words), "\(line): \(answer)")
        }
    }
}

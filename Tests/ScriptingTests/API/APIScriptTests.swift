import Circulation
import Desk
import LuaRuntime
import Scripting
import Testing

@Suite("Scripts")
struct APIScriptTests {
    private func run(
        _ text: String, granted: Set<Capability> = [], arguments: [String] = [], isDryRun: Bool = false,
        in sample: APISample? = nil
    ) throws -> ScriptResult {
        let sample = try sample ?? APISample()
        let options = ScriptOptions(granted: granted, arguments: arguments, isDryRun: isDryRun)
        return sample.runner().run(ScriptSource(text: text, name: "test.lua"), options: options)
    }

    // MARK: - JSON

    @Test(
        "what the library gives as a list is an array in JSON without elements too, and none is null",
        arguments: [
            ("patrons.favourites(\"bob\")", "[]"), ("json.array()", "[]"), ("json.array {}", "[]"), ("{}", "{}"),
            ("json.array { 1, { none } }", "[1,[null]]"), ("{ a = none, b = json.array() }", "{\"a\":null,\"b\":[]}"),
            ("json.decode('{\"a\":[],\"b\":{}}')", "{\"a\":[],\"b\":{}}"), ("none", "null"),
        ])
    func json(value: String, text: String) throws {
        let result = try run("return json.encode(\(value))")
        #expect(result.failure == nil)
        #expect(result.values == [.string(text)])
    }

    // MARK: - Digests

    @Test(
        "a secret and a code are written as the caller says",
        arguments: [
            ("secret_encoding = 'hex', secret = '6b6579'", "hex"),
            ("secret_encoding = 'base64', secret = 'a2V5'", "hex"),
            ("encoding = 'base64', secret = 'key'", "base64"),
        ])
    func encodings(argument: String, encoding: String) throws {
        let result = try run("return digest.hmac { text = 'Dune', \(argument) }")
        let code = "0eda81e11a5f6477010d80098274e2f0605a057d877bc1387abba7e8ebb6b77e"
        let base64 = "DtqB4RpfZHcBDYAJgnTi8GBaBX2He8E4erun6Ou2t34="
        let expected = encoding == "hex" ? code : base64
        #expect(result.values == [.string(expected)])
    }

    @Test(
        "a secret that is empty or not written as it says is an error, not another code",
        arguments: [
            "secret = ''", "secret = 'xyz', secret_encoding = 'hex'", "secret = '?', secret_encoding = 'base64'",
        ])
    func malformedSecret(argument: String) throws {
        let failure = try run("\nreturn digest.hmac { text = 'Dune', \(argument) }").failure
        #expect(failure?.line == 2)
        #expect(failure?.message.contains("'secret'") == true)
    }

    // MARK: - Capabilities

    @Test("nothing of a script runs if something it needs is not granted")
    func ungranted() throws {
        let sample = try APISample()
        let result = try run("needs { \"loans.write\" } print(1)", in: sample)
        #expect(result.status == .failed)
        #expect(result.failure?.code == "capability")
        #expect(sample.output.printed.isEmpty)
    }

    @Test("a function whose capability the script did not declare raises, even if it was granted")
    func undeclared() throws {
        let result = try run(
            "loans.renew(1)", granted: [.loansWrite])
        #expect(result.failure?.code == "capability")
        #expect(result.failure?.message.contains("needs { \"loans.write\" }") == true)
        let later = try run("local loan = 1\n\npcall(print)\nloans.renew(loan)").failure
        #expect(later?.file == "test.lua" && later?.line == 4)
        #expect(later?.code == "capability")
    }

    @Test("a declared and granted capability lets a function run")
    func declared() throws {
        let result = try run("needs { \"loans.write\" }\nreturn loans.renew(1).renewals", granted: [.loansWrite])
        #expect(result.failure == nil)
        #expect(result.values == [.integer(1)])
    }

    @Test(
        "needs must be the first statement, with names that exist, as plain strings",
        arguments: [
            "needs { \"loans.wirte\" }", "local x = { \"loans.write\" } needs(x)", "needs { \"loans\" .. \".write\" }",
            "print(1) needs { \"loans.write\" }",
        ])
    func needs(text: String) throws {
        #expect(try run(text, granted: [.loansWrite]).failure?.code == "capability")
    }

    @Test("overriding a refusal is a capability of its own")
    func override() throws {
        let text = """
            needs { "loans.write" }
            return loans.checkout{ patron = "bob", isbn = "9780261103573", override = true, reason = "x" }
            """
        let failure = try run(text, granted: [.loansWrite, .loansOverride]).failure
        #expect(failure?.code == "capability")
        #expect(failure?.message.contains("loans.override") == true)
    }

    @Test("a capability error that a script catches stays without effect")
    func caught() throws {
        let sample = try APISample()
        let result = try run("return pcall(loans.renew, 1)", granted: [.loansWrite], in: sample)
        #expect(result.values.first == .boolean(false))
        #expect(try sample.evaluate("loans.get(1).renewals") == "0")
    }

    // MARK: - Transactions

    @Test("an error in a transaction undoes all of it, and goes on to the caller")
    func rollback() throws {
        let sample = try APISample()
        let text = """
            store.transaction(function()
                categories.add{ code = "a", name = "A" }
                patrons.update("ada", { category = "a" })
                error("stop")
            end)
            """
        #expect(try sample.evaluate(text).contains("stop"))
        #expect(try sample.evaluate("categories.get(\"a\"), patrons.get(\"ada\").category") == "nil, \"undergraduate\"")
    }

    @Test("refusals inside a transaction that is undone stay in the log")
    func refusalsStay() throws {
        let sample = try APISample()
        let count = """
            local n = 0 for event in store.events{ kind = "request.refused" } do n = n + 1 end return n
            """
        let before = try sample.evaluate(count)
        let text = """
            pcall(store.transaction, function()
                loans.checkout{ patron = "nobody", isbn = "9780441013593" }
                error("stop")
            end)
            """
        _ = try sample.evaluate(text)
        #expect(try sample.evaluate(count) != before)
    }

    @Test("a transaction within a transaction is undone alone")
    func nested() throws {
        let sample = try APISample()
        let text = """
            store.transaction(function()
                categories.add{ code = "a", name = "A" }
                pcall(store.transaction, function() categories.add{ code = "b", name = "B" } error("stop") end)
            end)
            return categories.get("a").name, categories.get("b")
            """
        #expect(try sample.evaluate(text) == "\"A\", nil")
    }

    @Test("an iterator made in a transaction ends with it")
    func deadIterator() throws {
        let text = "local it store.transaction(function() it = catalogue.each{} it() end) return it()"
        #expect(try APISample().evaluate(text).contains("this iterator ended with its transaction"))
    }

    @Test("a transaction that only reads sees one state, without the capability to write")
    func readTransaction() throws {
        #expect(
            try APISample().evaluate("store.transaction(function() return patrons.count() end)", granted: []) == "3")
    }

    @Test("time stands still within a transaction")
    func time() throws {
        let text = "store.transaction(function() return now() == now() end)"
        #expect(try APISample().evaluate(text) == "true")
    }

    // MARK: - Iterations

    @Test("a loop over each may write what it goes through")
    func eachWithWrites() throws {
        let sample = try APISample()
        let fill = """
            store.transaction(function()
                for i = 1, 450 do assert(patrons.add{ username = "p" .. i, category = "staff" }) end
            end)
            """
        #expect(try sample.evaluate(fill) == "")
        let text = """
            local n = 0
            for patron in patrons.each{ category = "staff" } do
                n = n + 1
                assert(patrons.update(patron, { category = "undergraduate" }))
            end
            return n, patrons.each{ category = "staff" }()
            """
        #expect(try sample.evaluate(text) == "451, nil")
    }

    @Test("what is added or removed during a loop disturbs nothing")
    func eachWithRemovals() throws {
        let sample = try APISample()
        let text = """
            for i = 1, 300 do assert(catalogue.add{ title = "Volume " .. i }) end
            local n = 0
            for title in catalogue.each{} do
                n = n + 1
                if title.title:find("Volume") then assert(catalogue.remove(title)) end
            end
            return n, catalogue.count{}
            """
        #expect(try sample.evaluate(text) == "304, 4")
    }

    @Test("a search is gone through as it was when it began")
    func eachOfSearch() throws {
        let text = """
            local names = {}
            for title in catalogue.each{ query = "tolkien" } do
                names[#names + 1] = title.title
                catalogue.update(title, { authors = { "Nobody" } })
            end
            return #names
            """
        #expect(try APISample().evaluate(text) == "2")
    }

    // MARK: - Arguments

    private static let parameters = """
        report.params {
            span = { type = "period", default = "last_month", help = "which loans" },
            limit = { type = "integer", default = 20 },
            loud = { type = "boolean" },
            since = "date",
        }
        return args.span.from, args.span.to, args.limit, args.loud, args[1], args.since
        """

    @Test(
        "the command line gives the declared arguments, with their defaults by the given clock",
        arguments: [
            ([], "2026-11-01, 2026-11-30, 20, nil, nil, nil"),
            (["--limit", "5", "--loud", "rest"], "2026-11-01, 2026-11-30, 5, true, \"rest\", nil"),
            (["--span=2026", "--no-loud"], "2026-01-01, 2026-12-31, 20, false, nil, nil"),
            (["--span", "last_week", "--since", "2026-02-28"], "2026-12-14, 2026-12-20, 20, nil, nil, 2026-02-28"),
            (
                ["--span", "2026-01-05..2026-02-01", "--", "--limit"],
                "2026-01-05, 2026-02-01, 20, nil, \"--limit\", nil"
            ),
            (["--span", "2026-06-01.."], "2026-06-01, nil, 20, nil, nil, nil"),
        ])
    func arguments(given: [String], result: String) throws {
        let run = try run(APIScriptTests.parameters, arguments: given)
        #expect(run.failure == nil)
        #expect(ScriptEvaluator.texts(of: run.values).joined(separator: ", ") == result)
    }

    @Test(
        "arguments that a script does not take are wrong usage",
        arguments: [
            (["--limt", "3"], "did you mean --limit?"), (["--limit", "x"], "is not a whole number"),
            (["--limit"], "--limit needs a value"), (["--span", "2026-13"], "there is no month 13"),
            (["--span", "2026-02-01..2026-01-01"], "ends before it begins"),
            (["--since", "soon"], "is not a valid date"),
        ])
    func wrongArguments(given: [String], message: String) throws {
        let result = try run(APIScriptTests.parameters, arguments: given)
        #expect(result.status == .usage)
        #expect(result.failure?.message.contains(message) == true, "\(result.failure?.message ?? "")")
    }

    @Test("--help says what the script is for and what it takes, and runs nothing of it, whatever it needs")
    func help() throws {
        let text = "-- Counts loans.\n-- For the desk.\nneeds { \"loans.write\" }\n" + APIScriptTests.parameters
        let help = try #require(try run(text, arguments: ["--help"]).help)
        #expect(help.contains("Counts loans.\nFor the desk."))
        #expect(help.contains("--span PERIOD\n        which loans\n        default: last_month"))
    }

    // MARK: - Ends

    @Test("a script that returns nil and a refusal was refused")
    func refused() throws {
        let text = "return loans.may_checkout{ patron = \"nobody\", isbn = \"9780441013593\" }"
        let result = try run(text)
        #expect(result.status == .refused)
        #expect(result.refusal?.code == "unknown_patron")
    }

    @Test(
        "a script's own faults have a code, a file and a line",
        arguments: [
            ("print(1)\nerror(\"no\")", "lua_error", 2), ("local x = = 1", "syntax", 1),
            ("\n\nlocal x = nil + 1", "lua_error", 3),
        ])
    func faults(text: String, code: String, line: Int) throws {
        let failure = try #require(try run(text).failure)
        #expect(failure.code == code)
        #expect(failure.line == line)
        #expect(failure.status == .failed)
    }

    @Test("a script ends at its time limit, and what it wrote in a transaction is undone")
    func timeLimit() throws {
        let sample = try APISample()
        let options = ScriptOptions(
            granted: [.settingsWrite], grantsCountAsDeclared: true,
            limits: LuaLimits(memory: 64 << 20, deadline: .milliseconds(200)))
        let text = "store.transaction(function() categories.add{ code = 'z', name = 'Z' } while true do end end)"
        let result = sample.runner().run(ScriptSource(text: text, name: "loop.lua"), options: options)
        #expect(result.failure?.code == "time_limit")
        #expect(try sample.evaluate("categories.get('z')") == "nil")
    }

    // MARK: - Dry runs

    @Test("a dry run does all, says what would change, and changes nothing, refusals and notices included")
    func dryRun() throws {
        let sample = try APISample()
        let text = """
            needs { "loans.write", "notifications.write" }
            loans.renew(1)
            loans.checkout{ patron = "nobody", isbn = "9780441013593" }
            notifications.send{ patron = "ada", subject = "s", body = "b", key = "k" }
            return loans.get(1).renewals, #notifications.list{ patron = "ada" }
            """
        let events = "local n = 0 for event in store.events{} do n = n + 1 end return n"
        let before = try sample.evaluate(events)
        let result = try run(text, granted: [.loansWrite, .notificationsWrite], isDryRun: true, in: sample)
        #expect(ScriptEvaluator.texts(of: result.values) == ["1", "2"])
        let changes = try #require(result.changes)
        #expect(changes.rows.contains { $0[0] == .text("loan.renewed") })
        #expect(try sample.evaluate("loans.get(1).renewals, #notifications.list{ patron = \"ada\" }") == "0, 1")
        #expect(try sample.evaluate(events) == before)
    }

    // MARK: - Reports

    @Test("a report has its title, text, tables with typed columns, charts and metrics in the script's order")
    func report() throws {
        let text = """
            report.title("T")
            report.section("S")
            report.metric{ name = "Owed", value = fees.owed("bob") }
            report.table{ columns = { "a", { name = "b", label = "B" } }, rows = { { a = 1, b = today() }, { a = 2.5 } } }
            report.chart{ kind = "line", labels = { 1, 2 }, values = { 1, 2 } }
            print("one", 2)
            """
        let document = try run(text).document
        #expect(document.title == "T")
        #expect(document.blocks.count == 5)
        #expect(document.tables.first?.columns.map(\.type) == [.number, .date])
        #expect(document.tables.first?.rows.last == [.number(2.5), .none])
        #expect(document.metrics.first?.value == .money(try Money(parsing: "2.50", currency: .eur)))
        #expect(document.charts.first?.labels == ["1", "2"])
        #expect(document.blocks.last == .printed("one\t2"))
    }
}

import Circulation
import Plugins
import Scripting
import Testing
import Workbench

@Suite("What the tests of a plugin hold")
struct PluginTestRunTests {
    private static let plugin = """
        local terms = require "terms"
        return plugin {
            api = 1, name = "p", version = "1", needs = { "notifications.write" },
            settings = { most = { type = "integer", default = 2, min = 1, max = 9 } },
            on = { ["loan.made"] = function(event)
                if #loans.active { patron = event.patron.username } >= settings.most then
                    notifications.send {
                        patron = event.patron, subject = terms.words(event), body = "x", key = "k" .. event.sequence }
                end
            end },
        }
        """
    private static let terms = """
        return {
            words = function(event)
                if event.copy.item_type == "dvd" then
                    return "A film"
                end
                return "A book"
            end,
        }
        """

    private func run(
        _ tests: String, plugin: String = plugin, also others: [String: String] = [:],
        timeLimit: Duration = .seconds(10)
    ) throws -> PluginTestRun {
        let files =
            [PolicyBundle.File(name: "plugin.lua", source: plugin), .init(name: "terms.lua", source: Self.terms)]
            + others.map { .init(name: $0.key, source: $0.value) } + [.init(name: "plugin_test.lua", source: tests)]
        let bundle = PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files)
        let check = PluginCheck(bundle)
        #expect(check.isOK, "\(check.report.text)")
        return PluginTestRun(bundle, manifest: check.manifest, options: PolicyTestOptions(timeLimit: timeLimit))
    }

    private static let thin = """
        test("the second loan is told of", function()
            local library = desk { patrons = { ada = "patron" }, copies = { a = "book", b = "book" } }
            library.checkout("ada", "a")
            expect(#outbox(), 0)
            library.checkout("ada", "b")
            expect(#outbox(), 1)
        end)
        """

    @Test("lines and branches that no test runs are named, in what is required too")
    func coverage() throws {
        let report = try run(Self.thin).run()
        #expect(report.isOK, "\(report.text)")
        #expect(
            report.coverage.uncovered.map { "\($0.file):\($0.line) \($0.kind)" } == [
                "terms.lua:4 branch", "terms.lua:4 line",
            ], "\(report.coverage.text)")
        #expect(!report.coverage.text.contains("rows"))
    }

    @Test("changes that no test notices are named with their file and line; those in the settings are not tried")
    func mutation() throws {
        let report = try MutationRun(run(Self.thin)).report()
        let survived = report.survived.map {
            "\($0.mutant.file):\($0.mutant.line) \($0.mutant.from) -> \($0.mutant.to)"
        }
        #expect(survived == ["terms.lua:3 == -> ~="], "\(report.text)")
        #expect(report.total > survived.count)
        let held = Self.thin.replacing("expect(#outbox(), 1)", with: "expect(outbox(), { { subject = \"A book\" } })")
        #expect(try MutationRun(run(held)).report().survived.isEmpty)
    }

    private static let shown = """
        return plugin {
            api = 1, name = "p", version = "1", needs = { "notifications.write", "http" },
            settings = {
                hook = { type = "url", default = "https://sms.example.org/x" },
                since = { type = "date", default = "2026-01-01" }, price = { type = "money", default = "2.50" },
            },
            fields = { copy = { state = { type = "text", values = { "good", "worn" }, default = "good" } } },
            pages = {
                { path = "/p", title = "P", role = "staff", run = function(request)
                    report.table { rows = { { who = request.caller.name, price = settings.price, since = settings.since } } }
                end },
                { path = "/q", title = "Q", role = "everyone", report = "late.lua" },
            },
            reports = { "late.lua" },
            routes = { ["POST /hello"] = { role = "patron", run = function(request)
                print("hello " .. request.caller.name)
                notifications.send { patron = request.caller, subject = "Hello", body = "x", key = "k" }
                return { json = { branch = request.caller.home_branch } }
            end } },
            channels = { sms = { address = "phone", run = function(notice)
                http.post { url = settings.hook, now = true, json = { to = notice.address } }
                return true
            end } },
            exports = { { name = "all.txt", write = function(out)
                out.each("patrons", function(patron) out.text(patron.username .. "'\\n") end)
            end } },
            imports = { { name = "i", files = { "i.csv" }, record = function(row) return nil, "not " .. row.a end } },
        }
        """
    private static let late = """
        local args = report.params { most = { type = "integer", default = 3 } }
        report.metric { name = "most", value = args.most }
        if args.most > 5 then
            report.text(settings.hook)
        end
        """

    @Test("pages, reports, texts, what servers are asked and what is printed can be tested")
    func shown() throws {
        let tests = """
            test("all of it", function()
                desk {
                    patrons = {
                        ada = { role = "staff", name = "Ada L.", phone = "+49 1", home_branch = "north" },
                        bob = "patron",
                    },
                    copies = { a = { branch = "south", isbn = "9780441013593" }, b = { state = "worn" } },
                    categories = { "guest" }, branches = { "west" },
                }
                expect(catalogue.copy("a").branch, "south")
                expect(catalogue.copy("a").state, "good")
                expect(catalogue.copy("b").state, "worn")
                expect(categories.get("guest").code, "guest")
                expect(branches.get("west").code, "west")
                local row = call("GET /p", { as = "ada" }).tables[1].rows[1]
                expect(row, { who = "Ada L.", price = money "2.50", since = date "2026-01-01" })
                expect(call("GET /p", { as = "bob" }).status, 403)
                expect(call("GET /p").status, 401)
                expect(call("GET /q?most=7").metrics.most, 7)
                expect(run_report("late").metrics.most, 3)
                local answer = call("POST /hello", { as = "ada" })
                expect(answer.headers["content-type"], "application/json")
                expect(answer.json.branch, "north")
                expect(outbox()[1].subject, "Hello")
                notifications.send { patron = "ada", channel = "p:sms", subject = "s", body = "b", key = "s" }
                deliver()
                expect(http.requests()[1], { method = "POST", json = { to = "+49 1" } })
                expect(export "all.txt", "ada'\\nbob'\\n")
                expect(import("i.csv", "a\\nx\\n").problems[1], { file = "i.csv", message = "not x" })
                print("as", 3)
            end)
            """
        let report = try run(tests, plugin: Self.shown, also: ["late.lua": Self.late]).run()
        #expect(report.isOK, "\(report.text)")
        #expect(report.text.contains(": pass: all of it\n    | hello Ada L.\n    | as\t3"), "\(report.text)")
        #expect(!report.coverage.uncovered.contains { $0.file == "late.lua" }, "\(report.coverage.text)")
    }

    @Test("what a plugin keeps it keeps within a transaction too, whatever it may change at the desk")
    func keeping() throws {
        let plugin = """
            return plugin { api = 1, name = "p", version = "1", jobs = { { name = "j", every = "1h", run = function()
                store.transaction(function()
                    state.set("a", 1)
                    state.set("b", 2)
                end)
                pcall(store.transaction, function()
                    state.set("a", 9)
                    error("no")
                end)
            end } } }
            """
        let tests = """
            test("both are kept, and what failed is not", function()
                desk {}
                run_job "j"
                expect(state.get "a", 1)
                expect(state.get "b", 2)
            end)
            """
        let report = try run(tests, plugin: plugin).run()
        #expect(report.isOK, "\(report.text)")
    }

    @Test("a page, the choices of a form and an export keep nothing")
    func showing() throws {
        let plugin = """
            local function keep()
                return select(2, pcall(state.set, "a", 1))
            end
            return plugin { api = 1, name = "p", version = "1",
                pages = { { path = "/p", title = "P", role = "everyone", run = function() report.text(keep()) end } },
                forms = { { name = "f", page = "/p", label = "F", parameters = { x = { type = "text" } },
                    choices = function() return { x = { keep() } } end, run = function() end } },
                exports = { { name = "a.txt", write = function(out) out.text(keep()) end } },
            }
            """
        let tests = """
            test("none", function()
                desk { patrons = { ada = "patron" } }
                expect(call("GET /p").texts[1]:find("a page changes nothing", 1, true) ~= nil, true)
                expect(submit("f", { as = "ada", form = { x = "?" } }).field, "x")
                expect(export("a.txt"):find("an export changes nothing", 1, true) ~= nil, true)
                expect(state.get "a", nil)
            end)
            """
        let report = try run(tests, plugin: plugin).run()
        #expect(report.isOK, "\(report.text)")
    }

    @Test("staff read what was not found; to others the API says the same of what is missing and of what is another's")
    func notFound() throws {
        let plugin = """
            return plugin { api = 1, name = "p", version = "1", needs = { "fees.write" },
                pages = { { path = "/p", title = "P", role = "patron", run = function() report.text("p") end } },
                forms = { { name = "f", page = "/p", label = "F", parameters = { who = { type = "text" }, own = { type = "boolean" } },
                    run = function(request)
                        if request.args.own then
                            error { code = "unknown_room", message = "There is no such room." }
                        end
                        local line, refusal = fees.pay { patron = request.args.who, amount = money "1.00" }
                        if not line then
                            error(refusal)
                        end
                    end } } }
            """
        let tests = """
            test("not found", function()
                desk { patrons = { ada = "patron", staff = { category = "patron", role = "staff" } } }
                local staff = submit("f", { as = "staff", form = { who = "zoe" } })
                expect(staff.code, "unknown_patron")
                expect(staff.text ~= "There is nothing here.", true)
                local missing = submit("f", { as = "ada", form = { who = "zoe" } })
                local other = submit("f", { as = "ada", form = { who = "staff" } })
                expect(missing.text, other.text)
                expect(submit("f", { as = "ada", form = { own = "yes" } }), { code = "unknown_room", text = "There is no such room." })
                expect(submit("f", { as = "ada", form = { who = ("x"):rep(2001) } }).field, "who")
            end)
            """
        let report = try run(tests, plugin: plugin).run()
        #expect(report.isOK, "\(report.text)")
    }

    @Test("coverage and mutants see what an import and an export run")
    func exchanged() throws {
        let plugin = """
            return plugin { api = 1, name = "p", version = "1", imports = { {
                name = "t", files = { "*.csv" }, has = { "id" }, key = { "id" }, columns = { id = "required word" },
                record = function(row)
                    if row.id == "no" then
                        return nil, "not this"
                    end
                    return { patron = { username = row.id } }
                end } } }
            """
        let tests = """
            test("rows", function()
                desk {}
                local report = import("a.csv", "id\\nno\\nann\\n")
                expect(report.added, 1)
                expect(report.problems[1], { line = 2, message = "not this" })
            end)
            """
        let made = try run(tests, plugin: plugin)
        let report = try made.run()
        #expect(report.isOK, "\(report.text)")
        #expect(report.coverage.uncovered.allSatisfy { $0.file == "terms.lua" }, "\(report.coverage.text)")
        let mutants = try MutationRun(run(tests, plugin: plugin)).report()
        #expect(mutants.survived.allSatisfy { $0.mutant.file == "terms.lua" }, "\(mutants.text)")
    }

    @Test("what is exported may come of SQL, where the plugin needs it, and what is asked for statistics")
    func queries() throws {
        let plugin = """
            return plugin { api = 1, name = "p", version = "1", needs = { "sql" }, exports = { {
                name = "n.csv", columns = { "n" }, write = function(out)
                    out.put { n = stats.query("SELECT COUNT(*) AS n FROM report_patrons")[1].n }
                end } } }
            """
        let tests = #"""
            test("n", function()
                desk { patrons = { ada = "patron" } }
                expect(export "n.csv", "n\r\n1\r\n")
            end)
            """#
        let report = try run(tests, plugin: plugin).run()
        #expect(report.isOK, "\(report.text)")
    }

    @Test("a change that never comes to an end is noticed")
    func endless() throws {
        let looping = Self.plugin.replacing(
            "if #loans.active", with: "local i = 0 while i < 1 do i = i + 1 end if #loans.active")
        let report = try MutationRun(run(Self.thin, plugin: looping, timeLimit: .milliseconds(200))).report()
        #expect(report.survived.allSatisfy { $0.mutant.file == "terms.lua" || $0.mutant.line == 6 }, "\(report.text)")
        #expect(!report.survived.contains { $0.mutant.from == "+" })
    }
}

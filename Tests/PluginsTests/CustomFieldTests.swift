import Circulation
import Desk
import LuaRuntime
import LuaSyntax
import Market
import Scripting
import Storage
import Testing
import TextFormats
import Workbench

@testable import Plugins

@Suite("Fields of the library's own")
struct CustomFieldTests {
    private let library: PluginLibrary

    init() throws { library = try PluginLibrary() }

    private static func plugin(_ fields: String, name: String = "house", version: String = "1.0.0") -> String {
        "return plugin { api = 1, name = \"\(name)\", version = \"\(version)\", fields = { \(fields) } }"
    }

    private static let all = plugin(
        """
        patron = {
            guardian = { type = "patron", label = "Guardian" }, house = { type = "text", values = { "red", "blue" }, personal = false },
            points = { type = "integer", min = 0, max = 99, default = 5 }, joined = { type = "date" }, deposit = { type = "money" },
        },
        title = { shelf = { type = "text" }, weight = { type = "number" }, sequel = { type = "title" } },
        copy = { donor = { type = "patron" }, seen = { type = "boolean" }, depot = { type = "branch" } },
        """)

    /// What a script with all rights comes to.
    private func run(_ text: String) throws -> [LuaValue] {
        let context = try ScriptContext(
            desk: library.desk, clock: library.clock.now, output: library.output,
            permissions: .interactive(granted: Set(Capability.grantable)))
        return try context.state.call(
            try context.state.load(text, chunk: "=test", environment: try context.environment))
    }

    private static func text(_ value: LuaValue) -> String { value.stringValue ?? value.description }

    private func findings(_ source: String) throws -> [Finding] {
        PluginCheck(try PluginLibrary.bundle(source)).report.findings
    }

    @Test("none takes away what may be nil, of own fields and of those that all libraries have")
    func clearing() throws {
        _ = try library.use(Self.all)
        let text = try run(
            """
            patrons.add { username = "zoe", expires_on = "2027-01-01", email = "z@example.org", house = "red", points = 3 }
            local changed = patrons.update("zoe", { expires_on = none, email = none, house = none })
            local failed = { pcall(patrons.update, "zoe", { name = none }) }
            return tostring(changed.expires_on) .. tostring(changed.email) .. tostring(changed.house) .. changed.points
                .. tostring(failed[1]) .. failed[2]
            """)
        #expect(text.first.map(Self.text)?.hasPrefix("nilnilnil3false") == true, "\(text)")
    }

    // MARK: - Declarations

    @Test(
        "a field that cannot be so is a finding on its line",
        arguments: [
            ("loan = { x = { type = \"text\" } }", "not of a 'loan'"),
            ("patrons = { x = { type = \"text\" } }", "did you mean 'patron'?"),
            ("patron = { x = { label = \"X\" } }", "'type'"),
            ("patron = { x = { type = \"colour\" } }", "one of text, integer"),
            ("patron = { category = { type = \"text\" } }", "has 'category' already"),
            ("patron = { fees_owed = { type = \"money\" } }", "has 'fees_owed' already"),
            ("copy = { count = { type = \"integer\" } }", "has 'count' already"),
            ("title = { author = { type = \"text\" } }", "has 'author' already"),
            ("patron = { Xy = { type = \"text\" } }", "is no name of a field"),
            ("patron = { [\"end\"] = { type = \"text\" } }", "no word of Lua"),
            ("patron = { x = { type = \"text\", min = 3 } }", "said of a number"),
            ("patron = { x = { type = \"integer\", min = 3, max = 2 } }", "greater than 'max'"),
            ("patron = { x = { type = \"integer\", min = 0.5 } }", "whole numbers"),
            ("patron = { x = { type = \"integer\", max = 3, default = 4 } }", "at most 3, not 4"),
            ("patron = { x = { type = \"integer\", values = { \"a\" } } }", "'values' lists"),
            ("patron = { x = { type = \"text\", values = { \"a\", \"a\" } } }", "each once"),
            ("patron = { x = { type = \"patron\", default = 1 } }", "has no 'default'"),
            ("copy = { x = { type = \"text\", personal = true } }", "said of a patron's field"),
        ])
    func faults(fields: String, words: String) throws {
        let found = try findings(Self.plugin("\n" + fields))
        #expect(found.contains { $0.message.contains(words) && $0.position.line == 2 }, "\(found.map(\.message))")
    }

    @Test("what handlers read of records, and write, is checked with the plugin's own fields")
    func checked() throws {
        func source(_ body: String) -> String {
            """
            return plugin { api = 1, name = "house", version = "1.0.0", needs = { "patrons.write" },
                fields = { patron = { house = { type = "text" } } },
                on = { ["loan.made"] = function(event)
                    \(body)
                end } }
            """
        }
        #expect(
            try findings(source("if event.patron.house then patrons.update(event.patron, { house = 'red' }) end")) == []
        )
        let found = try findings(source("return event.patron.hous"))
        #expect(found.map(\.code) == ["unknown_field"] && found.first?.suggestion == "house")
    }

    // MARK: - Writing and reading

    @Test("scripts write declared fields by their names and read them as what they are")
    func written() throws {
        _ = try library.use(Self.all)
        let values = try run(
            """
            local patron = patrons.update("ada", { guardian = "bob", house = "red", joined = date "2026-02-03", deposit = "7.50" })
            local again = patrons.get("ada")
            assert(again.guardian == patrons.get("bob").id and again.extra.guardian == again.guardian)
            assert(again.joined + days(1) == date "2026-02-04" and again.deposit == money "7.50")
            local new = patrons.add { username = "tim", category = "patron", guardian = again }
            local title = catalogue.add { title = "Dune", weight = 1.5, shelf = "A 7" }
            local copy = catalogue.add_copies { isbn = title.id, depot = "main", donor = "tim" }[1]
            copy = catalogue.update_copy(copy.barcode, { seen = true })
            local kept = catalogue.update(title.id, { sequel = title, extra = { shelf = "B 1", other = 1 } })
            local n = 0
            for patron in patrons.each {} do n = n + (patron.points or 0) end
            return patron.house, new.points, new.guardian == again.id, copy.depot, copy.seen, copy.donor == new.id,
                kept.shelf, kept.weight, kept.sequel == title.id, kept.other, kept.extra.other, n
            """)
        #expect(
            values.map(Self.text)
                == [
                    "red", "5", "true", "main", "true", "true", "B 1", "nil", "true", "nil", "1", "5",
                ])
    }

    @Test(
        "a value of another type is refused with the field and what was expected, by name and in extra",
        arguments: [
            ("{ points = 'many' }", "'changes.points' must be an integer"),
            ("{ points = 100 }", "'changes.points' must be"),
            ("{ house = 'green' }", "'changes.house' must be"), ("{ joined = 'soon' }", "'changes.joined'"),
            ("{ extra = { points = 'many' } }", "'points' is a whole number from 0 to 99, not \"many\""),
            ("{ extra = { joined = '2026-02-30' } }", "'joined' is a date such as 2026-12-24"),
            ("{ extra = { deposit = '7.505' } }", "'deposit' is an amount such as 5.00"),
            ("{ extra = { house = { 1 } } }", "'house' is one of red, blue, not a list"),
            ("{ extra = { guardian = true } }", "'guardian' is a patron's username or id, not true"),
            ("{ hose = 'red' }", "did you mean 'house'?"),
        ])
    func refused(changes: String, words: String) throws {
        _ = try library.use(Self.all)
        #expect {
            _ = try run("return patrons.update('ada', \(changes))")
        } throws: {
            "\($0)".contains(words)
        }
        let refusal = try run("return select(2, patrons.update('ada', { guardian = 'eve' })).code")
        #expect(refusal.map(Self.text) == ["unknown_patron"])
        #expect(try library.desk.read { try $0.patrons.get(.username("ada"))?.extra } == [:])
    }

    @Test("what is required must be said of what is new, and cannot be taken away; what was there before may lack it")
    func required() throws {
        _ = try library.use(Self.plugin("patron = { house = { type = \"text\", required = true } }"))
        #expect { _ = try run("return patrons.add { username = 'tim' }") } throws: {
            "\($0)".contains("'house' is required: a text")
        }
        let values = try run(
            """
            patrons.update("ada", { phone = "1" })
            patrons.add { username = "tim", house = "red" }
            return pcall(patrons.update, "tim", { extra = {} })
            """)
        #expect(values.first == .boolean(false) && Self.text(values[1]).contains("'house' is required"))
    }

    // MARK: - In force and out of it

    @Test("a plugin that comes into force brings values into form, and is refused where there is anything else")
    func adopted() throws {
        _ = try run("patrons.update('ada', { extra = { guardian = 'bob', note = 'x' } })")
        _ = try library.use(Self.plugin("patron = { guardian = { type = \"patron\" } }"))
        let bob = try #require(try library.desk.read { try $0.patrons.get(.username("bob"))?.id })
        #expect(try run("return patrons.get('ada').guardian").map(Self.text) == ["\(bob)"])
        let refusal = try library.use(Self.plugin("patron = { note = { type = \"integer\" } }", name: "other")).refusal
        #expect(refusal?.code == "field_values")
        #expect(
            refusal?.message.contains("1 patron has something else under 'note' than a whole number, such as patron")
                == true)
        #expect(try library.plugin("other") == nil)
        // What was refused declares nothing.
        _ = try run("patrons.update('bob', { extra = { note = 'y' } })")
    }

    @Test("two plugins may declare a field alike; otherwise the second is refused, and a rollback too")
    func conflicts() throws {
        let text = "patron = { house = { type = \"text\" } }"
        _ = try library.use(Self.plugin(text))
        #expect(
            try library.use(Self.plugin("patron = { house = { type = \"text\", label = \"House\" } }", name: "second"))
                .value != nil)
        let refusal = try library.use(Self.plugin("patron = { house = { type = \"date\" } }", name: "third")).refusal
        #expect(
            refusal?.code == "field_taken" && refusal?.message.contains("'house' declares 'house' of a patron") == true)
        _ = try library.use(Self.plugin("", name: "second", version: "2.0.0"))
        _ = try library.use(Self.plugin("patron = { house = { type = \"integer\" } }", version: "2.0.0"))
        _ = try run("patrons.update('ada', { house = 7 })")
        let back = try library.desk.write { try $0.plugins.rollback("house") }
        #expect(back.refusal?.code == "field_values")
        #expect(try library.plugin("house")?.version == "2.0.0")
    }

    @Test("what a plugin that is removed declared stays among the undeclared")
    func removed() throws {
        _ = try library.use(Self.all)
        _ = try run("patrons.update('ada', { points = 7 })")
        _ = try library.desk.write { try $0.plugins.disable("house") }
        #expect(try run("return patrons.get('ada').points").map(Self.text) == ["7"])
        _ = try library.desk.write { try $0.plugins.remove("house") }
        let values = try run(
            "patrons.update('bob', { extra = { points = 'many' } }) return patrons.get('ada').points, patrons.get('ada').extra.points"
        )
        #expect(values.map(Self.text) == ["nil", "7"])
    }

    @Test("a patron who goes is named by no field any more; one who becomes another is that one")
    func forgotten() throws {
        _ = try library.use(Self.all)
        _ = try run(
            """
            patrons.add { username = "eve", category = "patron" }
            patrons.update("ada", { guardian = "eve", points = 3 })
            local title = catalogue.add { title = "Dune" }
            catalogue.add_copies { isbn = title.id, donor = "eve", barcodes = { "d1" } }
            patrons.merge { from = "eve", into = "bob" }
            """)
        let bob = try #require(try library.desk.read { try $0.patrons.get(.username("bob"))?.id })
        #expect(try run("return patrons.get('ada').guardian").map(Self.text) == ["\(bob)"])
        _ = try run("patrons.remove('bob')")
        try library.desk.read { (session) throws in
            #expect(try session.patrons.get(.username("ada"))?.extra == ["points": 3])
            #expect(try session.catalogue.copy(barcode: "d1")?.extra == [:])
        }
        #expect(try library.desk.examine().isSound)
    }

    // MARK: - Policies

    private static let policy = """
        return policy { api = 1, name = "p", rules = { { loan = days(14) } },
            checkout = function(case)
                if case.patron.points and case.patron.points > 50 then return deny("points", "Too many points.") end
                if case.copy and case.copy.depot == "main" and case.patron.joined and case.patron.joined > date "2026-01-01" then
                    return deny("depot", "Not from the depot.")
                end
            end }
        """

    private func parsed() throws -> ParsedPolicy {
        var policy = try ParsedPolicy(name: "policy.lua", source: Self.policy)
        policy.fields = try library.desk.read { try $0.settings.customFields() }
        return policy
    }

    @Test(
        "a policy decides by declared fields, at the desk and in what is explained; it goes on when the plugin is gone")
    func decided() throws {
        _ = try library.use(Self.all)
        let bundle = try parsed().bundle
        _ = try library.desk.write { try $0.policies.activate(bundle) }
        _ = try run(
            """
            local title = catalogue.add { title = "Dune" }
            catalogue.add_copies { isbn = title.id, depot = "main", barcodes = { "d1" } }
            patrons.update("ada", { points = 60 })
            """)
        let borrow =
            "local _, refusal = loans.checkout { patron = '%', barcode = 'd1' } return refusal and refusal.code"
        #expect(try run(borrow.replacing("%", with: "ada")).map(Self.text) == ["points"])
        _ = try run("patrons.update('ada', { points = 1, joined = '2026-01-02' })")
        #expect(try run(borrow.replacing("%", with: "ada")).map(Self.text) == ["depot"])
        let asked = try library.desk.read {
            try $0.loans.explainCheckout(.init(patron: .username("ada"), wanted: .barcode("d1"))).asked
        }
        let step = try PolicyExplanation(parsed(), question: try #require(asked.last).question)
        #expect(step.decision.refusal?.code == "depot")
        _ = try library.desk.write { try $0.plugins.remove("house") }
        #expect(try run(borrow.replacing("%", with: "ada")).map(Self.text) == ["nil"])
    }

    @Test("the check of a policy knows the fields of the library, and says where no plugin declares one")
    func policyChecked() throws {
        let declared = try library.desk.read {
            DeclaredValues(
                categories: try $0.settings.categories(), itemTypes: try $0.settings.itemTypes(),
                branches: try $0.settings.branches(), fields: try $0.settings.customFields())
        }
        let before = PolicyCheck.check(try parsed(), declared: declared).findings
        #expect(
            before.contains {
                $0.code == "unknown_field"
                    && $0.message == "'case.patron' has no field 'joined', and no plugin declares it"
            })
        _ = try library.use(Self.all)
        let policy = try parsed()
        let now = DeclaredValues(categories: [], itemTypes: [], branches: [], fields: policy.fields)
        #expect(!PolicyCheck.check(policy, declared: now).findings.contains { $0.code == "unknown_field" })
        let odd = try ParsedPolicy(
            name: "policy.lua",
            source: Self.policy.replacing("case.patron.points > 50", with: "case.patron.points == 'many'"))
        #expect(!PolicyCheck.check(odd, declared: now).isOK)
    }

    @Test("random cases have declared fields, and the tests of a policy give them")
    func fuzzed() throws {
        _ = try library.use(Self.all)
        let report = try PolicyFuzz(try parsed(), seed: 1, time: .seconds(60), maximumCases: 300).report()
        #expect(report.findings.isEmpty, "\(report.text)")
        let faulty = Self.policy.replacing("return deny(\"points\", \"Too many points.\")", with: "return 7")
        var policy = try ParsedPolicy(name: "policy.lua", source: faulty)
        policy.fields = try parsed().fields
        let found = try PolicyFuzz(policy, seed: 1, time: .seconds(60), maximumCases: 600).report()
        #expect(found.findings.contains { $0.code == .nonAnswer && $0.line == 3 }, "\(found.text)")
        let tests = """
            test("points", function()
                expect(given { patron = { points = 60 } }.code, "points")
                expect(given { patron = { points = 6, joined = "2026-02-01" }, copy = { depot = "main" } }.code, "depot")
                local desk = desk { patrons = { ada = { category = "patron", points = 70 } }, copies = { c1 = "book" } }
                expect(desk.checkout("ada", "c1").code, "points")
            end)
            test("a wrong one", function() given { patron = { points = "many" } } end)
            test("another", function() desk { patrons = { ada = { points = 7000 } } } end)
            """
        let tested = try PolicyTestRun.run(try parsed(), tests: tests, file: "policy_test.lua")
        #expect(tested.tests.map(\.status) == [.pass, .error, .error], "\(tested.text)")
        #expect(tested.text.contains("patron.points: expected a whole number, found \"many\""))
    }
}

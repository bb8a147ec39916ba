import LuaRuntime
import LuaSyntax
import Scripting
import Testing
import TextFormats

@Suite("Help and reference")
struct APIReferenceTests {
    @Test("help knows every function, module and type of record by name", arguments: LuaAPI.modules.map(\.name))
    func help(module: String) throws {
        for function in LuaAPI.functions where function.module == module {
            let text = try #require(HelpText.about(function.fullName))
            #expect(text.contains(function.signature))
            #expect(text.contains(function.summary))
        }
        #expect(module.isEmpty || HelpText.about(module) != nil)
    }

    @Test("help takes a function or a module itself, and prints")
    func helpByValue() throws {
        let sample = try APISample()
        #expect(try sample.evaluate("help(loans.checkout)") == "")
        #expect(sample.output.takePrinted().first?.hasPrefix("loans.checkout{ patron") == true)
        _ = try sample.evaluate("help(loans)")
        #expect(sample.output.takePrinted().first?.hasPrefix("loans: ") == true)
        _ = try sample.evaluate("help()")
        #expect(sample.output.takePrinted().first?.contains("item_types") == true)
        _ = try sample.evaluate("help('loans.chekout')")
        #expect(sample.output.takePrinted().first?.contains("did you mean 'loans.checkout'?") == true)
    }

    @Test("the index of the page leads to every function and type of record, and every link to one heading")
    func index() throws {
        let page = APIReferencePage.markdown.render()
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("#!") }.map { line in
            let title = line.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
            return title.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        let links = page.matches(of: /\]\(#([^)]*)\)/).map { String($0.1) }
        #expect(Set(headings).count == headings.count)
        #expect(Set(links).subtracting(headings) == [])
        let parts = page.split(separator: "## Global functions", maxSplits: 1)
        let index = try #require(parts.first)
        for function in LuaAPI.functions { #expect(index.contains("(#\(function.fullName.replacing(".", with: "")))")) }
        for record in LuaAPI.records { #expect(index.contains("(#\(record.name))")) }
    }

    @Test("every page names every function", arguments: APIReferencePage.allCases)
    func pages(page: APIReferencePage) {
        let text = page.render()
        for function in LuaAPI.functions { #expect(text.contains(function.name)) }
        #expect(text.hasSuffix("\n"))
    }

    @Test("the stubs and the configuration of luacheck are Lua", arguments: [APIReferencePage.luacats, .luacheck])
    func stubs(page: APIReferencePage) throws {
        _ = try LuaParser.parse(page.render(), chunk: "page")
    }

    @Test("the JSON of the API can be read, and has capabilities and examples")
    func json() throws {
        let json = try JSONParser.parse(APIReferencePage.json.render())
        #expect(json["modules"]?.arrayValue?.count == LuaAPI.modules.count)
        #expect(json["capabilities"]?.arrayValue?.contains(.string("loans.write")) == true)
    }

    @Test("every record type that a declaration names is declared")
    func recordTypes() {
        func names(_ type: APIType) -> [String] {
            switch type {
            case .record(let name): [name]
            case .list(let inner), .optional(let inner): names(inner)
            case .fields(let fields): fields.flatMap { names($0.type) }
            default: []
            }
        }
        let used = LuaAPI.functions.flatMap { function in
            function.parameters.flatMap { names($0.type) } + (function.result.type.map(names) ?? [])
        }
        for name in used + LuaAPI.records.flatMap({ $0.fields.flatMap { names($0.type) } }) {
            #expect(LuaAPI.record(name) != nil, "\(name)")
        }
    }

    @Test("the state has every name that is said to be known, and no other")
    func knownNames() throws {
        let evaluator = try APISample().evaluator()
        for name in KnownNames.script.globals where name != "args" {
            #expect(APISample.text(of: evaluator.evaluate("type(\(name))")) != "\"nil\"", "\(name)")
        }
        for (module, names) in KnownNames.script.modules {
            for name in names {
                let text = APISample.text(of: evaluator.evaluate("type(\(module).\(name)) ~= 'nil'"))
                #expect(text == "true", "\(module).\(name)")
            }
            let known = names.map { "\($0) = true" }.joined(separator: ", ")
            let others = "local known = { \(known) } for k in pairs(\(module)) do if not known[k] then return k end end"
            #expect(APISample.text(of: evaluator.evaluate(others)) == "", "\(module)")
        }
    }

    @Test("completion goes by the beginning of a name")
    func completion() {
        #expect(KnownNames.script.completions(of: "loans.check") == ["loans.checkin", "loans.checkout"])
        #expect(KnownNames.script.completions(of: "item_") == ["item_types"])
    }
}

@Suite("Evaluating lines")
struct APIEvaluatorTests {
    @Test(
        "a line is an expression with or without return, or statements",
        arguments: [
            ("1 + 1", "2"), ("return 1, nil, 'x'", "1, nil, \"x\""), ("= 2", "2"), ("local x = 1", ""),
            ("x = 5", ""), ("for i = 1, 2 do end", ""), ("{ b = 1, a = { 1, 2 } }", "{ a = { 1, 2 }, b = 1 }"),
            ("today()", "2026-12-24"), ("", ""), ("-- nothing", ""),
        ])
    func lines(line: String, result: String) throws {
        #expect(try APISample().evaluate(line) == result)
    }

    @Test("globals stay for the next line")
    func globals() throws {
        let evaluator = try APISample().evaluator()
        _ = evaluator.evaluate("n = 40")
        #expect(APISample.text(of: evaluator.evaluate("n + 2")) == "42")
    }

    @Test(
        "a text that could go on is incomplete",
        arguments: ["for i = 1, 2 do", "1 +", "f(", "function f()", "x = {", "[[long", "if true then", "return 1,"])
    func incomplete(line: String) throws {
        #expect(try APISample().evaluate(line) == "incomplete")
    }

    @Test("a text that can never be Lua is a syntax error", arguments: ["1 1", "end", "x = = 1", "\"open"])
    func syntax(line: String) throws {
        #expect(try APISample().evaluate(line).hasPrefix("syntax: "))
    }

    @Test("in the REPL grants count as declared, and nothing else is allowed")
    func grants() throws {
        #expect(try APISample().evaluate("loans.renew(1).renewals", granted: [.loansWrite]) == "1")
        #expect(try APISample().evaluate("loans.renew(1)", granted: []).hasPrefix("capability: "))
    }

    @Test("print goes to the output, never among the results")
    func printing() throws {
        let sample = try APISample()
        #expect(try sample.evaluate("print('a', 1)") == "")
        #expect(sample.output.printed == ["a\t1"])
    }

    private static let iterators = LuaAPI.functions.filter { function in
        if case .each = function.result { true } else { false }
    }.map(\.fullName)

    @Test("an evaluator is freed with its last reference, whatever iterator has begun", arguments: iterators)
    func lifetime(name: String) throws {
        let function = try #require(LuaAPI.function(name))
        weak var context: ScriptContext?
        do {
            let evaluator = try APISample().evaluator()
            context = evaluator.context
            let arguments = function.parameters.filter(\.isRequired).map { parameter in
                if case .text = parameter.type { return "'a,b\\nc,d\\ne,f'" }
                return parameter.type == .any ? "catalogue.each{}" : "{}"
            }
            let line = "iterator = \(function.fullName)(\(arguments.joined(separator: ", "))) iterator()"
            #expect(APISample.text(of: evaluator.evaluate(line)) == "")
        }
        #expect(context == nil)
    }

    @Test("an evaluator is freed with its last reference, lists and searches included")
    func lifetimeOfLists() throws {
        weak var context: ScriptContext?
        do {
            let evaluator = try APISample().evaluator()
            context = evaluator.context
            let line = "a = catalogue.each{ query = 'dune' } b = progress({ 1, 2 }) c = csv.rows('a', {}) a() b() c()"
            #expect(APISample.text(of: evaluator.evaluate(line)) == "")
        }
        #expect(context == nil)
    }

    @Test("an error leaves the evaluator usable")
    func usable() throws {
        let evaluator = try APISample().evaluator()
        #expect(APISample.text(of: evaluator.evaluate("error('x')")).contains("x"))
        #expect(APISample.text(of: evaluator.evaluate("patrons.count()")) == "3")
    }
}

import LuaSyntax
import Testing

@Suite("What a policy may not do is found without running it")
struct PolicyRestrictionsTests {
    private func findings(_ source: String) throws -> [Finding] {
        PolicyRestrictions.findings(in: try LuaParser.parse(source, chunk: "test"), file: "test.lua")
    }

    /// The codes found in a policy whose `checkout` has that body.
    private func codes(_ body: String, before: String = "") throws -> [String] {
        try findings(PolicyFixtures.checkout(body, before: before)).map(\.code)
    }

    @Test(
        "state kept outside of a function is found",
        arguments: [
            ("n = n + 1", "local n = 0"), ("n = 1", ""), ("seen[case.now] = true", "local seen = {}"),
            ("seen.a.b = true", "local seen = { a = {} }"), ("seen.n = 1", ""),
            ("seen['n'], x = 1, 2", "local seen, x = {}"),
            ("table.insert(seen, 1)", "local seen = {}"), ("table.remove(seen)", "local seen = {}"),
            ("table.sort(seen)", "local seen = {}"), ("table.move({}, 1, 2, 1, seen)", "local seen = {}"),
            ("table.move(seen, 1, 2, 3)", "local seen = {}"),
            ("insert(seen, 1)", "local seen = {} local insert = table.insert"),
            ("local t = table t.insert(seen, 1)", "local seen = {}"), ("local s = seen s.x = 1", "local seen = {}"),
            ("local s = seen.list local l = s[1] l.n = 1", "local seen = {}"), ("function helper() end", ""),
            ("function seen.f() end", "local seen = {}"), ("function seen:f() end", "local seen = {}"),
            ("for _, row in ipairs(seen) do row.n = 1 end", "local seen = {}"),
            ("local x = table.remove(seen).name", "local seen = {}"),
            ("for k, v in pairs(seen.x) do v.n = 1 end", "local seen = {}"), ("(seen).x = 1", "local seen = {}"),
            ("local function f() n = 1 end f()", "local n"), ("string.x = 1", ""),
            ("if f(function() n = 1 end) then end", "local n"),
        ])
    func stateful(body: String, before: String) throws {
        #expect(Set(try codes(body, before: before)) == ["stateful"])
    }

    @Test(
        "what a function keeps to itself is no state",
        arguments: [
            "local n = 0 n = n + 1", "local t = {} t.x = 1 t[1] = 2 table.insert(t, 3) table.sort(t)",
            "for i = 1, 3 do i = i + 1 end", "for _, l in ipairs(case.patron.loans) do l = nil end",
            "local t = {} local function add(x) t[#t + 1] = x end add(1)",
            "local function f(a) a = 1 a.b = 2 return a end return f(1)",
            "local t = { {} } for _, row in ipairs(t) do row.n = 1 end", "local t = seen t = {} t.x = 1",
            "table.concat(seen)",
            "table.unpack(seen)", "seen.f(1)", "return seen.x",
            "local f = function(...) local t = { ... } t[1] = 2 end", "f().x = 1",
            "local x <const> = 1", "local seen = {} seen.x = 1", "table.move(seen, 1, 2, 1, {})",
            "local table = f() table.insert(seen, 1)",
        ])
    func stateless(body: String) throws {
        #expect(try findings(PolicyFixtures.checkout(body, before: "local seen = {}")) == [])
    }

    @Test("a variable of an enclosing function counts as outside, be that function a decision or not")
    func enclosing() throws {
        #expect(try codes("local n = 0 each(function() n = n + 1 end)") == ["stateful"])
        let counter = "local function counter() local t = {} return function() t.n = 1 end end"
        #expect(try codes("return nil", before: counter) == ["stateful"])
    }

    @Test("a chunk may build its tables before it returns the policy")
    func load() throws {
        let source =
            "local rules = {} rules[1] = { loan = 1 } table.insert(rules, {}) n = 1 return policy { rules = rules }"
        #expect(try findings(source) == [])
    }

    @Test(
        "writing to what a decision is about is found",
        arguments: [
            "case.x = 1", "case.patron.category = 'staff'", "rule.loan = nil", "table.insert(case.patron.blocks, {})",
            "local p = case.patron p.age = 1", "for _, l in ipairs(case.patron.loans) do l.title = 'x' end",
            "case = {}",
            "table.sort(case.patron.loans)", "local function f() case.x = 1 end",
        ])
    func writesCase(body: String) throws {
        #expect(try codes(body) == ["writes_case"])
    }

    @Test("a decision function added to the policy's variable is one")
    func addedFunction() throws {
        let source = "local p = {} function p.due(case, rule) case.x = 1 rule.y = 2 n = 3 end return policy(p)"
        #expect(try findings(source).map(\.code) == ["writes_case", "writes_case", "stateful"])
    }

    @Test("a local function that is called with the case does not write to it either")
    func handedOn() throws {
        let helpers = "local function mark(p) p.seen = true end local function all(c) mark(c.patron) end"
        #expect(try codes("all(case)", before: helpers) == ["writes_case"])
        #expect(try codes("mark({}) all({})", before: helpers) == [])
        let counting = "local function rest(n) n = n - 1 return n end"
        #expect(try codes("return rest(case.patron.age)", before: counting) == [])
    }

    @Test("the case of a when function is not written to either")
    func whenWrites() throws {
        let source = "return policy { rules = { { when = function(c) c.x = 1 end } } }"
        #expect(try findings(source).map(\.code) == ["writes_case"])
    }

    @Test(
        "identifiers that lead out of the sandbox are refused",
        arguments: [
            "x = _ENV", "local _ENV = {}", "_ENV = nil", "function f(_ENV) end", "for _ENV = 1, 2 do end", "x = _G.y",
            "setmetatable({}, {})", "x = getmetatable('')", "rawset(t, 1, 2)", "x = rawget", "rawequal(1, 2)",
            "rawlen(t)",
            "load('x')", "loadfile('x')", "dofile('x')", "collectgarbage()", "coroutine.wrap(f)", "debug.traceback()",
            "os.time()", "io.write('x')", "x = package.path", "string.dump(f)", "math.random()", "math.randomseed(1)",
            "x = string['dump']", "local s = string x = s.dump", "os = 1", "local function _ENV() end",
        ])
    func refused(source: String) throws {
        #expect(Set(try findings(source).map(\.code)) == ["refused_identifier"])
    }

    @Test(
        "the same names are free for locals, fields, methods and labels",
        arguments: [
            "local os = 1 return os", "return { os = 1, load = 2, _ENV = 3 }", "x = a.os.io.debug", "a:load()",
            "goto os ::os::",
            "local function load(x) return load end", "local math = {} x = math.random", "x = math.floor(1)",
            "x = string.rep",
            "x = '_ENV' -- _ENV", "for io in x do y = io end",
        ])
    func allowed(source: String) throws {
        #expect(try findings(source) == [])
    }

    @Test("require takes a literal name")
    func requires() throws {
        let source = "local a = require 'fines' local b = require(\"lib.days\").x local c = require [[z]]"
        #expect(try findings(source) == [])
        let modules = PolicyRestrictions.requiredModules(in: try LuaParser.parse(source, chunk: "test"))
        #expect(modules.map(\.name) == ["fines", "lib.days", "z"])
        #expect(modules.first?.range.start.column == 19)
    }

    @Test(
        "require in any other form is found",
        arguments: [
            "require(name)", "local r = require", "require('a' .. 'b')", "require()", "require('a', 'b')", "f(require)",
            "require { 'a' }", "require 'a' (require)", "x = require.y", "require = nil", "require '\\xff'",
        ])
    func computedRequire(source: String) throws {
        #expect(try findings(source).map(\.code) == ["require"])
    }

    @Test("a finding points at what it is about")
    func place() throws {
        let source = "local seen = {}\nreturn policy {\n\tdue = function(case)\n\t\tseen.count = 1\n\tend,\n}"
        let finding = try #require(try findings(source).first)
        #expect(finding.position == SourcePosition(line: 4, column: 3, offset: finding.position.offset))
        #expect(finding.endColumn == 13)
        #expect(finding.severity == .error)
        #expect(finding.message.contains("'seen'"))
    }

    @Test("the example of the policy language is in order")
    func university() throws {
        #expect(try findings(PolicyFixtures.university) == [])
    }
}

import Testing

@testable import LuaSyntax

@Suite("Every name is resolved by Lua's scopes")
struct ScopeAnalysisTests {
    /// The uses of a source as text: `name:line` of the declaration for locals, in the order of the uses.
    private func resolutions(_ source: String) throws -> [String] {
        let chunk = try LuaParser.parse(source, chunk: "test")
        return ScopeAnalysis(chunk).uses.map { use in
            let mark = use.isWrite ? "=" : ""
            switch use.variable.binding {
            case .global: return "\(use.variable.name)\(mark) global"
            case .local(let id): return "\(use.variable.name)\(mark) local \(chunk.declarations[id].range.start.line)"
            case .upvalue(let id):
                return "\(use.variable.name)\(mark) upvalue \(chunk.declarations[id].range.start.line)"
            }
        }
    }

    @Test(
        "a name is the innermost variable in scope",
        arguments: [
            ("x = 1", ["x= global"]), ("local x = x", ["x global"]),
            ("local x\nlocal x = x\nreturn x", ["x local 1", "x local 2"]),
            ("local x\ndo\nlocal x = 1 x = 2 end\nx = 3", ["x= local 3", "x= local 1"]),
            ("local x\nfunction f() x = x end", ["f= global", "x= upvalue 1", "x upvalue 1"]),
            ("local function f() return f end", ["f upvalue 1"]), ("local f = function() return f end", ["f global"]),
            ("repeat\nlocal x\nuntil x", ["x local 2"]),
            ("for i = i, 2 do\nf(i) end", ["i global", "f global", "i local 1"]),
            ("for k, v in k do\nreturn v end", ["k global", "v local 1"]),
            ("function t:m(a) return self, a end", ["t global", "self local 1", "a local 1"]),
            ("local a\nlocal function f()\nreturn function() a = 1 end end", ["a= upvalue 1"]),
            ("local t\nt.x, t.y = 1, 2\nfunction t.z() end", ["t local 1", "t local 1", "t local 1"]),
        ])
    func scopes(source: String, expected: [String]) throws {
        #expect(try resolutions(source) == expected)
    }

    @Test("assignments to variables of enclosing functions and to globals are distinguished from others")
    func outerAssignments() throws {
        let source = """
            local a = 1
            a = 2
            b = 3
            local function f(c)
                a = 4
                b = 5
                c = 6
                return function() c = 7 end
            end
            """
        let scopes = ScopeAnalysis(try LuaParser.parse(source, chunk: "test"))
        #expect(scopes.outerAssignments.map(\.variable.name) == ["a", "b", "c"])
        #expect(scopes.outerAssignments.map(\.variable.range.start.line) == [5, 6, 8])
        #expect(scopes.globalWrites.map(\.variable.range.start.line) == [3, 6])
        #expect(scopes.globalReads.isEmpty)
    }

    @Test("a local that is never assigned again stands for its value")
    func definitions() throws {
        let chunk = try LuaParser.parse(
            "local p = case.patron local q = p local r = q.loans[1] r2 = r.title local s = p s = 1", chunk: "test")
        let scopes = ScopeAnalysis(chunk)
        func path(_ index: Int) -> AccessPath {
            scopes.resolved(AccessPath(root: .local(index), steps: []))
        }
        #expect(path(2).steps.count == 3)
        #expect(path(2).steps.last == .element)
        if case .global(let root) = path(2).root { #expect(root.name == "case") } else { Issue.record("not a global") }
        #expect(path(3).root == .local(3))
        #expect(scopes.isReassigned(3))
    }

    @Test("functions know the functions around them")
    func nesting() throws {
        let chunk = try LuaParser.parse(
            "local function a() return function() end end local b = function() end", chunk: "test")
        let scopes = ScopeAnalysis(chunk)
        #expect(scopes.functionsAround(2) == [2, 1])
        #expect(scopes.functionsAround(3) == [3])
        #expect(scopes.enclosingFunction(of: 3) == 0)
    }
}

import Foundation
import LuaRuntime
import Scripting
import Testing

@Suite("Hostile calls of the API")
struct APIHostileTests {
    /// Calls of each function; `MOONSHELF_HOSTILE_CALLS` asks for more, such as 10,000.
    private static let callsEach =
        ProcessInfo.processInfo.environment["MOONSHELF_HOSTILE_CALLS"].flatMap { Int($0) } ?? 200
    private static let callsInChunk = 100

    /// Values that text cannot hold.
    private static let prelude = """
        cyclic = {} cyclic.self = cyclic cyclic[1] = cyclic
        deep = {} for i = 1, 5000 do deep = { deep } end
        huge = string.rep("x", 200000)
        """

    @Test(
        "hostile arguments give a result, a refusal or a Lua error, never anything else",
        arguments: LuaAPI.modules.map(\.name))
    func hostile(module: String) throws {
        for function in LuaAPI.functions where function.module == module {
            // A sample of its own for each function: a call must not be refused for what another one left behind.
            let sample = try APISample()
            let evaluator = try sample.evaluator()
            try evaluator.context.rehearsing { _ in
                #expect(APISample.text(of: evaluator.evaluate(APIHostileTests.prelude)) == "")
                try run(function, in: evaluator)
            }
        }
    }

    private func run(_ function: APIFunction, in evaluator: ScriptEvaluator) throws {
        var generator = APIHostileArguments(seed: 20_261_224)
        for _ in 0..<(APIHostileTests.callsEach / APIHostileTests.callsInChunk) {
            let calls = (0..<APIHostileTests.callsInChunk).map { _ in generator.call(of: function) }
            let lines = calls.map { "try(function() return \($0) end)" }
            let chunk = """
                local errors = {}
                local function try(f)
                    local ok, e, more = pcall(f)
                    if not ok and type(e) ~= "string" and e ~= nil then errors[#errors + 1] = type(e) end
                    if ok and type(e) == "function" then pcall(e) pcall(e) end
                end
                \(lines.joined(separator: "\n"))
                return #errors
                """
            let text = APISample.text(of: evaluator.evaluate(chunk))
            try #require(text == "0", "\(function.fullName): \(calls)")
        }
    }

    @Test("JSON nested 100,000 deep is refused as an error")
    func deepJSON() throws {
        let sample = try APISample()
        let text = try sample.evaluate(#"pcall(json.decode, string.rep("[", 100000))"#)
        #expect(text.hasPrefix("false, "))
        #expect(text.contains("json.decode"))
    }

    @Test("the state works on after a thousand refused arguments")
    func worksOn() throws {
        let evaluator = try APISample().evaluator()
        let text = APISample.text(
            of: evaluator.evaluate("for i = 1, 1000 do pcall(catalogue.get, {}) end return patrons.count()"))
        #expect(text == "3")
    }
}

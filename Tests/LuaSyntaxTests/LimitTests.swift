import LuaSyntax
import Testing

@Suite("The parser keeps Lua's limits")
struct LimitTests {
    /// Builds a source from a count; the limit lies somewhere in `counts`.
    struct Growth: CustomTestStringConvertible, Sendable {
        let name: String
        let counts: ClosedRange<Int>
        let source: @Sendable (Int) -> String

        var testDescription: String { name }
    }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (1...max(count, 1)).map(item).joined(separator: ", ")
    }

    private static func nested(_ count: Int, _ opening: String, _ middle: String, _ closing: String) -> String {
        String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
    }

    static let growths: [Growth] = [
        Growth(name: "local variables", counts: 195...205) { "local \(list($0) { "a\($0)" })" },
        Growth(name: "local variables in a function", counts: 195...205) {
            "function f() local \(list($0) { "a\($0)" }) end"
        },
        Growth(name: "local variables beside a loop", counts: 190...205) {
            "local \(list($0) { "a\($0)" })\nfor i = 1, 2 do local x, y end"
        },
        Growth(name: "loop variables", counts: 190...205) { "for \(list($0) { "a\($0)" }) in f do end" },
        Growth(name: "parameters", counts: 195...205) { "function f(\(list($0) { "a\($0)" })) end" },
        Growth(name: "parameters of a method", counts: 195...205) { "function f:g(\(list($0) { "a\($0)" })) end" },
        Growth(name: "upvalues", counts: 250...260) { count in
            let half = count / 2
            let rest = count - half
            return """
                local \(list(half) { "a\($0)" })
                function g()
                    local \(list(rest) { "b\($0)" })
                    return function()
                        return function() \((1...half).map { "a\($0)()" }.joined(separator: " ")) \
                \((1...rest).map { "b\($0)()" }.joined(separator: " ")) end
                    end
                end
                """
        },
        Growth(name: "constants are no upvalues", counts: 250...260) { count in
            """
            local \(list(150) { "a\($0)" })
            function g()
                local k <const> = 1
                local \(list(count - 150) { "b\($0)" })
                return function() k = k, \(list(150) { "a\($0)" }), \(list(count - 150) { "b\($0)" }) end
            end
            """.replacing("k = k, ", with: "local z = k; return f == ")
        },
        Growth(name: "parentheses", counts: 190...205) { "x = \(nested($0, "(", "1", ")"))" },
        Growth(name: "tables", counts: 190...205) { "x = \(nested($0, "{", "1", "}"))" },
        Growth(name: "blocks", counts: 190...205) { nested($0, "do ", "", " end") },
        Growth(name: "functions", counts: 90...105) { "x = \(nested($0, "function() return ", "1", " end"))" },
        Growth(name: "local functions", counts: 190...205) { nested($0, "local function f() ", "", " end") },
        Growth(name: "conditions", counts: 190...205) { nested($0, "if x then ", "", " end") },
        Growth(name: "unary operators", counts: 190...205) { "x = \(nested($0, "not ", "y", ""))" },
        Growth(name: "powers", counts: 190...205) { "x = \(nested($0, "y ^ ", "y", ""))" },
        Growth(name: "concatenations", counts: 190...205) { "x = \(nested($0, "y .. ", "y", ""))" },
        Growth(name: "assignment targets", counts: 190...205) { "\(list($0) { "a\($0)" }) = 1" },
        Growth(name: "assignment targets with tables", counts: 120...135) { "\(list($0) { "a\($0).b" }) = 1" },
        Growth(name: "labels in a row", counts: 190...205) { count in
            (1...count).map { "::a\($0)::" }.joined(separator: " ")
        },
        Growth(name: "calls in calls", counts: 190...205) { "x = \(nested($0, "f(", "1", ")"))" },
        Growth(name: "calls with an argument before", counts: 110...140) { "x = \(nested($0, "f(1, ", "1", ")"))" },
    ]

    @Test("each limit lies where Lua's lies, and is worded alike", arguments: growths)
    func limit(_ growth: Growth) {
        let oracle = LuaOracle()
        var answers: Set<Bool> = []
        for count in growth.counts {
            let verdict = Verdict(on: Array(growth.source(count).utf8), oracle: oracle)
            answers.insert(verdict.lua == nil)
            #expect(verdict.agrees, "\(count)")
        }
        #expect(answers.count == 2, "the limit is not among the counts tried")
    }

    /// What needs more registers than Lua has for a function; where that begins is Lua's affair.
    static let registerGrowths: [Growth] = [
        Growth(name: "arguments", counts: 245...260) { "f(\(list($0) { "\($0)" }))" },
        Growth(name: "arguments before a call", counts: 245...260) { "f(\(list($0) { "\($0)" }), g())" },
        Growth(name: "arguments before all others", counts: 245...260) { "f(\(list($0) { "\($0)" }), ...)" },
        Growth(name: "arguments of a method", counts: 245...260) { "x = a.b:c(\(list($0) { "a\($0 % 9)" }))" },
        Growth(name: "returned values", counts: 245...260) { "return \(list($0) { "a.b\($0)" })" },
        Growth(name: "assigned values", counts: 245...260) { "a, b = \(list($0) { "\($0)" })" },
        Growth(name: "values of a loop", counts: 245...260) { "for a in \(list($0) { "\($0)" }) do end" },
        Growth(name: "arguments beside locals", counts: 40...70) {
            "local \(list(200) { "a\($0)" })\nx = f(\(list($0) { "a\($0)" }))"
        },
        Growth(name: "values of a table beside locals", counts: 40...70) {
            "local \(list(200) { "a\($0)" })\nx = f(1, 2, 3, { \(list($0) { "a\($0)" }) })"
        },
        Growth(name: "tables in tables beside locals", counts: 40...70) {
            "local \(list(199) { "a\($0)" })\nx = \(nested($0, "{ ", "1", " }"))"
        },
        Growth(name: "sums in parentheses beside locals", counts: 40...70) {
            "local \(list(199) { "a\($0)" })\nx = \(nested($0, "y + (", "y", ")"))"
        },
        Growth(name: "indices in indices beside locals", counts: 40...70) {
            "local \(list(199) { "a\($0)" })\nx = \(nested($0, "y[", "1", "]"))"
        },
        Growth(name: "comparisons beside locals", counts: 20...70) {
            "local \(list(199) { "a\($0)" })\nx = \(nested($0, "a1 == f(a2, ", "y", ")"))"
        },
    ]

    @Test("a text that needs too many registers is read, and left for Lua to refuse", arguments: registerGrowths)
    func registers(_ growth: Growth) {
        let oracle = LuaOracle()
        var refused = 0
        for count in growth.counts {
            let verdict = Verdict(on: Array(growth.source(count).utf8), oracle: oracle)
            #expect(verdict.ours == nil, "\(count)")
            if verdict.lacksRegisters { refused += 1 } else { #expect(verdict.lua == nil, "\(count)") }
        }
        #expect(refused > 0 && refused < growth.counts.count, "the limit is not among the counts tried")
    }

    @Test("many values of a table need no registers")
    func longTable() throws {
        let source = "return { \((1...10_000).map { "{ max = \($0) }" }.joined(separator: ", ")) }"
        #expect(LuaOracle().complaint(about: Array(source.utf8)) == nil)
        _ = try LuaParser.parse(source, chunk: "x")
    }

    @Test(
        "a chain of any length is read, compared and freed without exhausting the stack",
        arguments: [" + 1", " .. f()", ".a", "[1]", "()", ":m()", " and 1", "'s'", "{}"])
    func longChain(link: String) throws {
        // A right-associative chain is limited by its levels, and so is left out here.
        let count = link == " .. f()" ? 150 : 30_000
        let source = "x = a" + String(repeating: link, count: count)
        let first = try LuaParser.parse(source, chunk: "x")
        let second = try LuaParser.parse(source, chunk: "x")
        #expect(first.block == second.block)
    }

    @Test("a source larger than asked for is refused before it is read")
    func largeSource() {
        let error = #expect(throws: LuaSyntaxError.self) {
            try LuaParser.parse(String(repeating: "(", count: 65), chunk: "x", maximumSize: 64)
        }
        #expect(error?.message == "source is too large (65 bytes, limit is 64)")
    }
}

import Foundation
import LuaRuntime
import Scripting
import TestSupport
import Testing

/// What a script makes the desk do is charged to it, in memory and in time.
@Suite("What host functions use is the script's", .serialized)
struct APIChargeTests {
    /// Values of many bytes, made once, within limits of their own.
    private static let prelude = """
        text = string.rep("x", 15 << 20)
        controls = string.rep("\\1", 4 << 20)
        list = {} for i = 1, 150000 do list[i] = i end
        texts = {} for i = 1, 60000 do texts[i] = "text " .. i end
        rows = {} for i = 1, 40000 do rows[i] = { a = i, b = "row" } end
        brackets = "[" .. string.rep("[],", 5 << 20) .. "1]"
        objects = "[" .. string.rep('{"a":1},', 1 << 20) .. "1]"
        records = string.rep("a,b\\n", 3 << 20)
        quotes = string.rep('"', 14 << 20)
        """

    /// The values that a type takes, and others as large.
    private func large(_ type: APIType) -> [String] {
        switch type {
        case .fields(let fields):
            // One large field at a time, small ones beside it that it cannot do without.
            fields.flatMap { field in
                large(field.type).map { value in
                    let others = fields.filter { $0.isRequired && $0.name != field.name }.map {
                        "\($0.name) = \(small($0.type))"
                    }
                    return "{ \((["\(field.name) = \(value)"] + others).joined(separator: ", ")) }"
                }
            }
        case .list: ["texts", "rows"]
        case .optional(let inner): large(inner)
        case .text, .choice, .reference, .date, .instant, .money, .percent, .period: ["text"]
        case .any, .json: ["text", "controls", "list", "rows"]
        default: []
        }
    }

    private func small(_ type: APIType) -> String {
        switch type {
        case .boolean: "true"
        case .integer, .number: "1"
        case .choice(let words): words.first.map { "\"\($0)\"" } ?? "nil"
        case .list: "{ 1 }"
        case .fields: "{}"
        case .date: "today()"
        case .instant: "now()"
        case .money: "money \"1.00\""
        case .period: "days(1)"
        default: "\"x\""
        }
    }

    /// Each parameter large by turns; the first one also as what it cannot be.
    private func calls(of function: APIFunction) -> [String] {
        function.parameters.enumerated().flatMap { index, parameter in
            (large(parameter.type) + (index == 0 ? ["list"] : [])).map { value in
                let arguments = function.parameters.enumerated().map { place, other in
                    place == index ? value : other.isRequired ? small(other.type) : "nil"
                }
                return "\(function.fullName)(\(arguments.joined(separator: ", ")))"
            }
        }
    }

    /// Debug builds copy and check values several times more slowly; the limit is looked at between two steps.
    private static let lateness = Duration.milliseconds(800)

    /// Whether the process grew by at most twice the limit: as much again is copied on the way between Lua and the host.
    private static func isWithin(_ limit: Int, _ grown: Int) -> Bool {
        grown <= 2 * limit || !PeakMemory.isTheProgramsOwn
    }

    @Test("every function ends in time and memory whatever it is given", arguments: LuaAPI.modules.map(\.name))
    func functions(module: String) throws {
        try LuaThread.run {
            let evaluator = try APISample().evaluator()
            #expect(APISample.text(of: evaluator.evaluate(Self.prelude)) == "")
            let state = try evaluator.context.state
            state.limits = LuaLimits(memory: state.usedMemory + (64 << 20), deadline: .milliseconds(200))
            try evaluator.context.rehearsing { _ in
                for function in LuaAPI.functions where function.module == module {
                    for call in calls(of: function) {
                        let text = "local ok, e = pcall(function() return \(call) end) return ok"
                        var used = Duration.zero
                        func growth() -> Int {
                            PeakMemory.growth { used = ProcessorTime.spent { _ = evaluator.evaluate(text) } }
                        }
                        var grown = growth()
                        for _ in 0..<2 where !Self.isWithin(64 << 20, grown) { grown = min(grown, growth()) }
                        #expect(Self.isWithin(64 << 20, grown), "\(call): \(grown >> 20) MiB")
                        // Other work on the machine slows single runs down: the least of three counts.
                        for _ in 0..<2 where used > .milliseconds(200) + Self.lateness {
                            used = min(used, ProcessorTime.spent { _ = evaluator.evaluate(text) })
                        }
                        #expect(ProcessorTime.isWithin(.milliseconds(200) + Self.lateness, used), "\(call): \(used)")
                    }
                }
            }
        }
    }

    @Test(
        "large work of the host ends the script by its limits",
        arguments: [
            "json.decode(brackets)", "json.decode(objects)", "json.encode(controls)",
            "json.encode{ rows, rows, rows, rows }",
            "local t = {} for i = 1, 1e9 do t[i] = csv.rows(records) end", "for row in csv.rows(records) do end",
            "for i = 1, 100 do report.table{ rows = rows } end",
            "for i = 1, 1000 do report.chart{ kind = 'bar', labels = list, values = list } end",
            "for i = 1, 1000 do report.text(('x'):rep(9000)) json.decode(objects) end",
            "csv.encode{ { quotes }, { quotes }, { quotes }, { quotes } }",
            "stats.query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS n FROM n')",
        ])
    func ends(source: String) throws {
        try LuaThread.run {
            let evaluator = try APISample().evaluator()
            #expect(APISample.text(of: evaluator.evaluate(Self.prelude)) == "")
            let state = try evaluator.context.state
            let needed = state.usedMemory
            state.limits = LuaLimits(memory: needed + (32 << 20), deadline: .milliseconds(200))
            var used = Duration.zero
            var evaluated: ScriptEvaluator.Evaluation?
            func growth() -> Int {
                PeakMemory.growth { used = ProcessorTime.spent { evaluated = evaluator.evaluate(source) } }
            }
            var grown = growth()
            // What other tests of this process take meanwhile counts too: the least of three counts.
            for _ in 0..<2 where !Self.isWithin(32 << 20, grown) { grown = min(grown, growth()) }
            #expect(Self.isWithin(32 << 20, grown), "\(source): \(grown >> 20) MiB")
            let evaluation = try #require(evaluated)
            guard case .failed(let failure) = evaluation else {
                Issue.record("\(source): \(APISample.text(of: evaluation))")
                return
            }
            // A database that works in this process is timed on the wall as well.
            let isLimit = ["time_limit", "memory_limit"].contains(failure.code) || failure.message.contains("too long")
            #expect(isLimit, "\(failure.code): \(failure.message)")
            #expect(ProcessorTime.isWithin(.milliseconds(200) + Self.lateness, used), "\(used)")
        }
    }

    @Test("the growth of memory is seen, though it is given back")
    func growth() {
        let bytes = 96 << 20
        let grown = PeakMemory.growth {
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
            defer { block.deallocate() }
            for place in stride(from: 0, to: bytes, by: 4_096) { block[place] = 1 }
        }
        #expect(grown > bytes * 9 / 10)
    }

    @Test("what was charged is given back, so that a script can go on")
    func givenBack() throws {
        try LuaThread.run {
            let evaluator = try APISample().evaluator()
            try evaluator.context.state.limits = LuaLimits(memory: 32 << 20)
            let source = """
                local text = "[" .. string.rep("[1],", 10000) .. "1]"
                local lines = string.rep("a,b\\n", 100000)
                for i = 1, 100 do
                    json.decode(text)
                    local n = 0
                    for _ in csv.rows(lines, { header = false }) do n = n + 1 if n > 10 then break end end
                end
                return "done"
                """
            #expect(APISample.text(of: evaluator.evaluate(source)) == "\"done\"")
        }
    }
}

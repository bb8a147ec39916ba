import Circulation
import Floors
import Foundation
import LuaRuntime
import Scripting

/// One decision with the facts in hand: the same Lua function called from Swift on records, and from plain C on ready
/// tables. Beside it what a whole policy takes, with everything that its tables say.
package enum PolicyBenchmark {
    /// Twelve reads of three records, and an answer of three fields.
    private static let function = """
        function(patron, title, loan)
            if patron.category == "guest" and patron.fees > 500 then
                return { allow = false, days = 0, reason = "fees" }
            end
            if patron.overdue > 2 or patron.age < 12 or title.copies - title.waiting < 1 then
                return { allow = false, days = 0, reason = "overdue" }
            end
            local days = title.year < 1900 and 7 or 28
            if loan.renewals > 3 or loan.on_site or loan.branch ~= "central" then
                days = days - loan.renewals - loan.days_late
            end
            return { allow = true, days = days, reason = title.shelf }
        end
        """
    private static let tables = """
        { category = "graduate", fees = 120, overdue = 1, age = 24 },
        { copies = 3, waiting = 1, year = 1988, shelf = "open" },
        { renewals = 1, on_site = false, branch = "central", days_late = 0 }
        """

    /// What the floor runs.
    static let source = "return \(function), \(tables)"

    package static func measure(_ bench: Bench) throws -> [Figure] {
        guard let floor = floor_lua_open(source) else {
            throw BenchFailure("the floor's Lua cannot be loaded")
        }
        defer { floor_lua_close(floor) }
        let calls = try RecordCalls(function)
        let expected = floor_lua_call(floor, 1)
        guard try calls.call() == expected else { throw BenchFailure("Swift and C read different answers") }
        return [
            try figure("one policy decision, facts in hand", bench, floor, bound: 3) { _ = try calls.call() },
            try policy("function.lua", "  a whole policy with a function", bench, floor),
            try policy("tables.lua", "  a whole policy of tables alone", bench, floor),
        ]
    }

    private static func figure(
        _ name: String, _ bench: Bench, _ floor: OpaquePointer, bound: Bound? = nil, _ body: () throws -> Void
    ) throws -> Figure {
        let race = try Race(batches: 15, units: bench.rounds * 10) { calls in
            for _ in calls { try body() }
        } floor: { calls in
            _ = floor_lua_call(floor, Int64(calls.count))
        }
        return Figure(name: name, ours: race.ours.median, floor: race.floors.median, bound: bound)
    }

    private static func policy(
        _ file: String, _ name: String, _ bench: Bench, _ floor: OpaquePointer
    ) throws -> Figure {
        let path = Bench.package.appendingPathComponent("Benchmarks/Policies/\(file)").path
        let policy = try LuaPolicy(ParsedPolicy(file: path))
        let question = try SampleCase.checkout()
        let decision = policy.decide(question)
        guard decision.answer == .allow else { throw BenchFailure("\(file) answers \(decision.answer)") }
        return try figure(name, bench, floor) { _ = policy.decide(question) }
    }
}

/// The function in a policy's sandbox, on records that are filled for each call, as decisions fill them.
private final class RecordCalls {
    private let state: LuaState
    private let frame: LuaFrame
    private let function: LuaFunction
    private let allow: LuaKey
    private let days: LuaKey
    private let reason: LuaKey
    private let patronKind: LuaRecordKind
    private let titleKind: LuaRecordKind
    private let loanKind: LuaRecordKind

    init(_ source: String) throws {
        state = try LuaState(profile: .policy, limits: .policy)
        frame = try LuaFrame(state)
        patronKind = try frame.kind(
            of: LuaRecordType(name: "patron", fields: ["category", "fees", "overdue", "age"]))
        titleKind = try frame.kind(of: LuaRecordType(name: "title", fields: ["copies", "waiting", "year", "shelf"]))
        loanKind = try frame.kind(
            of: LuaRecordType(name: "loan", fields: ["renewals", "on_site", "branch", "days_late"]))
        let chunk = try state.load("return " + source, chunk: "bench.lua", environment: state.makeEnvironment())
        guard let function = try state.call(chunk).first?.functionValue else {
            throw BenchFailure("the source gives no function")
        }
        self.function = function
        allow = try state.key("allow")
        days = try state.key("days")
        reason = try state.key("reason")
    }

    /// - Returns: the days that the function answers, as the floor sums them.
    func call() throws -> Int64 {
        frame.begin()
        defer { frame.end() }
        return try state.call(
            function, frame: frame, records: try patronRecord(), try titleRecord(), try loanRecord()
        ) { answer in
            guard answer.boolean(allow) == true, let days = answer.integer(days), answer.string(reason) != nil else {
                return 0
            }
            return days
        }
    }

    private func patronRecord() throws -> LuaRecordRef {
        let record = try frame.record(patronKind)
        frame.set(record, 0, "graduate")
        frame.set(record, 1, Int64(120))
        frame.set(record, 2, Int64(1))
        frame.set(record, 3, Int64(24))
        return record
    }

    private func titleRecord() throws -> LuaRecordRef {
        let record = try frame.record(titleKind)
        frame.set(record, 0, Int64(3))
        frame.set(record, 1, Int64(1))
        frame.set(record, 2, Int64(1_988))
        frame.set(record, 3, "open")
        return record
    }

    private func loanRecord() throws -> LuaRecordRef {
        let record = try frame.record(loanKind)
        frame.set(record, 0, Int64(1))
        frame.set(record, 1, false)
        frame.set(record, 2, "central")
        frame.set(record, 3, Int64(0))
        return record
    }
}

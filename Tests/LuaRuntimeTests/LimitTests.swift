import Foundation
import LuaRuntime
import Synchronization
import TestSupport
import Testing

@Suite("Limits", .serialized)
struct LimitTests {
    static let endless = "while true do end"

    @Test("an instruction budget ends at the same place each time", arguments: [LuaProfile.policy, .script])
    func budget(profile: LuaProfile) throws {
        let source = "local n = 0 while true do n = n + 1 count(n) end"
        var ends: [Int64] = []
        for _ in 0..<3 {
            let state = try makeState(profile)
            var last: Int64 = 0
            try state.define("count") { arguments in
                last = arguments[0].integerValue ?? 0
                return []
            }
            #expect(try state.failure(source, limits: LuaLimits(instructions: 100_000)).code == .instructionLimit)
            ends.append(last)
        }
        #expect(ends[0] > 1000)
        #expect(Set(ends).count == 1)
    }

    @Test(
        "work inside library functions counts",
        arguments: [
            "while true do local s = ('x'):rep(1e6) end",
            "return (('a'):rep(1e4)):find('.-.-.-b')",
            "local s = ('x'):rep(1e6) while true do s:upper() end",
            "local t = {} for i = 1, 1000 do t[i] = 'x' end while true do table.concat(t) end",
            "local s = ('x'):rep(1e6) while true do local t = s .. s end",
            "table.move({}, 1, 1 << 40, 2)",
            "local t = {} for i = 1, 1000 do t[i] = -i end while true do table.sort(t) table.sort(t, math.ult) end",
        ])
    func libraryWork(source: String) throws {
        let state = try makeState(.policy, limits: LuaLimits(instructions: 200_000))
        let start = ProcessorTime.now()
        #expect(try state.failure(source).code == .instructionLimit)
        #expect(ProcessorTime.isWithin(.milliseconds(500), ProcessorTime.now() - start))
    }

    @Test("a call reports what it spent, the same each time")
    func spent() throws {
        let source = "local t = {} for i = 1, 1000 do t['k' .. i] = i end for k in pairs(t) do t[k] = nil end"
        let spent = try (0..<3).map { _ in
            let state = try makeState(.policy, limits: LuaLimits(instructions: 1_000_000))
            try state.run(source)
            return state.spentInstructions
        }
        #expect(spent[0] > 4000)
        #expect(Set(spent).count == 1)
    }

    @Test("short coroutines do not escape the budget")
    func coroutineBudget() throws {
        let state = try makeState(limits: LuaLimits(instructions: 1_000_000))
        let start = ProcessorTime.now()
        #expect(
            try state.failure("while true do coroutine.wrap(function() return 1 end)() end").code == .instructionLimit)
        #expect(ProcessorTime.isWithin(.seconds(2), ProcessorTime.now() - start))
    }

    @Test("a call below its limits is not disturbed")
    func undisturbed() throws {
        let state = try makeState(limits: LuaLimits(memory: 32 << 20, deadline: .seconds(5), instructions: 100_000_000))
        #expect(try state.run("local n = 0 for i = 1, 1e6 do n = n + i end return n") == [500_000_500_000])
    }

    @Test("an inner call has its own deadline, and ends alone")
    func innerDeadline() throws {
        let state = try makeState(limits: LuaLimits(deadline: .seconds(5)))
        try state.define("briefly") { arguments in
            guard let function = arguments[0].functionValue else { return [] }
            do {
                try #require(arguments.state).call(function, limits: LuaLimits(deadline: .milliseconds(30)))
                return ["done"]
            } catch let error as LuaError {
                return [.string(error.code.rawValue)]
            }
        }
        #expect(
            try state.run("return briefly(function() while true do end end), briefly(function() end)") == [
                "timeLimit", "done",
            ])
    }

    @Test("an outer deadline takes inner calls along, whatever they allow themselves")
    func outerDeadline() throws {
        let state = try makeState(limits: LuaLimits(deadline: .milliseconds(50)))
        try state.define("long") { arguments in
            guard let function = arguments[0].functionValue else { return [] }
            return try #require(arguments.state).call(function, limits: LuaLimits(deadline: .seconds(60)))
        }
        let start = ProcessorTime.now()
        #expect(throws: LuaError.self) {
            try state.run(
                "while true do pcall(long, function() while true do pcall(function() while true do end end) end end) end"
            )
        }
        #expect(ProcessorTime.isWithin(.milliseconds(150), ProcessorTime.now() - start))
        #expect(try state.run("return 1") == [1])
    }

    @Test("an inner budget is taken from the outer one")
    func innerBudget() throws {
        let state = try makeState(limits: LuaLimits(instructions: 50_000))
        try state.define("inner") { arguments in
            guard let function = arguments[0].functionValue else { return [] }
            _ = try? arguments.state?.call(function, limits: LuaLimits(instructions: 20_000))
            return []
        }
        #expect(
            try state.failure("while true do inner(function() while true do end end) end").code == .instructionLimit)
    }

    @Test("calls nested too deeply end with code depth")
    func nesting() throws {
        let state = try makeState()
        var deepest: LuaError.Code?
        try state.define("again") { arguments in
            guard let function = arguments[0].functionValue else { return [] }
            do {
                return try #require(arguments.state).call(function)
            } catch let error as LuaError {
                deepest = deepest ?? error.code
                throw error
            }
        }
        #expect(throws: LuaError.self) { try state.run("local function f() return again(f) end return f()") }
        #expect(deepest == .depth)
        #expect(try state.run("return 1") == [1])
    }

    @Test("a thread of our own has room, and hands errors on")
    func stack() throws {
        let remaining = try LuaThread.run(stack: 4 << 20) { LuaThread.currentStackRemaining }
        #expect(remaining > 3 << 20)
        struct Own: Error {}
        #expect(throws: Own.self) { try LuaThread.run { throw Own() } }
    }

    @Test("another thread can interrupt a call", arguments: LuaProfileAndSource.endless)
    func interruption(item: LuaProfileAndSource) throws {
        let state = try makeState(item.profile)
        let interruption = state.interruption
        try state.define("started") { _ in
            let thread = Thread {
                Thread.sleep(forTimeInterval: 0.02)
                interruption.interrupt()
            }
            thread.start()
            return []
        }
        #expect(try state.failure("started() " + item.source).code == .interrupted)
        #expect(try state.run("return 1") == [1])
    }

    @Test("an interruption without a call does nothing, nor after the state is gone")
    func lateInterruption() throws {
        var state: LuaState? = try makeState()
        let interruption = try #require(state).interruption
        interruption.interrupt()
        #expect(try state?.run("local n = 0 for i = 1, 1e6 do n = n + 1 end return n") == [1_000_000])
        state = nil
        interruption.interrupt()
        let other = try makeState()
        interruption.interrupt()
        #expect(try other.run("local n = 0 for i = 1, 3e6 do n = n + 1 end return n") == [3_000_000])
    }

    @Test("deadlines hold on pool threads, whose signals are blocked, and on many threads at once")
    func poolThreads() async throws {
        let codes = try await withThrowingTaskGroup(of: [LuaError.Code].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var codes: [LuaError.Code] = []
                    for _ in 0..<3 {
                        let state = try makeState(limits: LuaLimits(deadline: .milliseconds(10)))
                        codes.append(try state.failure(LimitTests.endless).code)
                    }
                    return codes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(codes.count == 48)
        #expect(codes.allSatisfy { $0 == .timeLimit })
    }

    @Test("a signal that comes late does not touch the next call")
    func lateSignals() throws {
        let state = try makeState()
        let spin = try state.load(
            "local n = ... for i = 1, n do end return n", chunk: "spin", environment: state.makeEnvironment())
        var ended = 0
        for round in 0..<400 {
            let result = Result {
                try state.call(
                    spin, [.integer(Int64(round % 7) * 200_000)], limits: LuaLimits(deadline: .milliseconds(1)))
            }
            if case .failure(let error as LuaError) = result {
                #expect(error.code == .timeLimit)
                ended += 1
            }
            #expect(try state.call(spin, [1000]) == [1000])
        }
        #expect(ended < 400)
    }

    @Test("garbage above the memory limit is collected, and the call goes on")
    func garbage() throws {
        let state = try makeState(.policy, limits: LuaLimits(memory: 4 << 20))
        #expect(
            try state.run("for i = 1, 2e5 do local t = { i, i, ('x'):rep(100) .. i } end return 'done'") == ["done"])
        #expect(state.peakMemory < 8 << 20)
    }

    @Test("endless recursion is named as what it is", arguments: [LuaProfile.policy, .script])
    func recursion(profile: LuaProfile) throws {
        let limits: LuaLimits = profile == .policy ? LuaLimits(memory: 32 << 20) : .script
        let state = try makeState(profile, limits: limits)
        #expect(try state.failure("local function f() return 1 + f() end f()").code == .depth)
        #expect(try state.run("return 1") == [1])
    }
}

struct LuaProfileAndSource: Sendable {
    var profile: LuaProfile
    var source: String

    static let endless: [LuaProfileAndSource] = [
        .init(profile: .policy, source: "while true do end"),
        .init(profile: .policy, source: "while true do pcall(error) end"),
        .init(profile: .script, source: "while true do pcall(coroutine.wrap(function() while true do end end)) end"),
        .init(profile: .script, source: "return (('a'):rep(1e5)):find('.-.-.-.-b')"),
    ]
}

import Foundation
import LuaRuntime
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Hostile scripts", .serialized)
struct HostileTests {
    static let deadline = Duration.milliseconds(50)
    /// The address sanitizer makes each allocation several times as slow, and a deep recursion is made of them.
    static let grace = dlsym(nil, "__asan_init") == nil ? Duration.milliseconds(50) : .milliseconds(200)
    static let profiles: [LuaProfile] = [.policy, .script]

    /// What a run came to.
    struct Outcome {
        var code: LuaError.Code?
        var used: Duration
        var peak: Int
        var usableAfterwards: Bool
    }

    static func prepared(_ profile: LuaProfile, memory: Int) throws -> LuaState {
        let state = try LuaState(profile: profile, limits: LuaLimits(memory: memory, deadline: deadline))
        state.require = { name in ("return require('\(name)')", "\(name).lua") }
        try state.define("arg", value: ["50000"])
        return state
    }

    static func run(_ script: HostileScript, _ profile: LuaProfile, memory: Int) throws -> Outcome {
        try LuaThread.run(stack: 8 << 20) {
            let state = try prepared(profile, memory: memory)
            let start = ProcessorTime.now()
            var code: LuaError.Code?
            do {
                try state.run(script.source)
            } catch let error as LuaError {
                code = error.code
            }
            let used = ProcessorTime.now() - start
            let after = try state.run(
                "local t = {} for i = 1, 100 do t[i] = ('x'):rep(i) end return #table.concat(t), pcall(error, 'y')")
            return Outcome(
                code: code, used: used, peak: state.peakMemory,
                usableAfterwards: after.first == 5050 && after.count == 3)
        }
    }

    /// What it takes to fill the memory that a state may have at its peak: a table that grows is copied in one piece, which
    /// nothing can interrupt, and some machines hand out pages slowly.
    static func timeToFill(_ memory: Int) -> Duration {
        let start = ProcessorTime.now()
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 2 * memory, alignment: 16)
        memset(bytes, 1, 2 * memory)
        bytes.deallocate()
        return ProcessorTime.now() - start
    }

    static func check(_ script: HostileScript, _ profile: LuaProfile, memory: Int) throws {
        var outcome = try run(script, profile, memory: memory)
        var allowed = deadline + grace
        if outcome.used >= allowed {
            allowed += timeToFill(memory)
            // A busy machine slows single runs down: the median of three counts.
            let runs = try [outcome] + (0..<2).map { _ in try run(script, profile, memory: memory) }
            outcome = runs.sorted { $0.used < $1.used }[1]
        }
        #expect(
            ProcessorTime.isWithin(allowed, outcome.used), "took \(outcome.used), code \(outcome.code?.rawValue ?? "-")"
        )
        #expect(outcome.peak < 2 * memory, "peak \(outcome.peak)")
        #expect(outcome.usableAfterwards)
    }

    @Test(
        "a hostile script of a file ends within its limits, and the state works afterwards",
        arguments: HostileScript.files, profiles)
    func files(script: HostileScript, profile: LuaProfile) throws {
        try Self.check(script, profile, memory: 32 << 20)
    }

    @Test(
        "a hostile script ends within its limits, and the state works afterwards",
        arguments: HostileScript.own, profiles)
    func own(script: HostileScript, profile: LuaProfile) throws {
        try Self.check(script, profile, memory: 32 << 20)
    }

    @Test("memory bombs stay in any limit", arguments: HostileScript.memory, [1 << 20, 2 << 20, 8 << 20, 256 << 20])
    func memory(script: HostileScript, memory: Int) throws {
        try Self.check(script, .script, memory: memory)
    }
}

internal import CLuaGuard

/// A Lua machine with its own memory, limits and host functions.
///
/// One owner uses a state, one thread at a time. No Lua error ever passes through a Swift frame, and no script can read
/// or change anything that was not defined for it. After any fault, a limit included, the state is as good as before.
package final class LuaState {
    package let profile: LuaProfile
    /// For calls that give none of their own.
    package var limits: LuaLimits {
        didSet {
            native = limits.native
            currentMemoryLimit = limits.memory ?? 0
            guard_set_memory_limit(machine, Int64(currentMemoryLimit))
            setStandingLimits()
        }
    }

    /// Where `print` goes: the arguments as text.
    package var print: ([String]) -> Void = { _ in }
    /// What to say about a global that does not exist.
    package var unknownGlobal: (String) -> String = { "there is no global '\($0)'" }
    /// What to say about a field that a record does not have.
    package var unknownField: (_ record: String, _ field: String) -> String = { "\($0) has no field '\($1)'" }
    /// What to say about a member that a module made by ``define(_:in:_:)`` does not have.
    package var unknownMember: (_ module: String, _ name: String) -> String = { "\($0) has no '\($1)'" }
    /// Finds the source for `require`; `nil` makes `require` an error.
    package var require: ((_ name: String) throws -> (source: String, chunk: String))?

    /// The observer of the lines that run: see ``watchLines(_:_:)``.
    var lineObserver: ((LuaLine) -> Bool)?

    let machine: OpaquePointer
    let host: LuaHost
    let released = ReleaseQueue()
    /// Bytes, 0 for none: what the allocator goes by now.
    var currentMemoryLimit: Int
    /// ``limits`` as C reads them.
    var native: guard_limits
    var recordTypes: [(type: LuaRecordType, number: Int32)] = []

    /// Throws `unavailable` if memory for a state is lacking.
    package init(profile: LuaProfile, limits: LuaLimits) throws(LuaError) {
        self.profile = profile
        self.limits = limits
        currentMemoryLimit = limits.memory ?? 0
        native = limits.native
        host = LuaHost()
        let machine = guard_new(
            profile == .policy ? 0 : 1, Unmanaged.passUnretained(host).toOpaque(), LuaHost.answer, LuaHost.dropped)
        guard let machine else { throw LuaError(code: .unavailable, message: "there is no memory for a Lua state") }
        self.machine = machine
        host.state = self
        if profile == .script { LuaStateCounter.note() }
        guard_set_memory_limit(machine, Int64(currentMemoryLimit))
        setStandingLimits()
    }

    deinit {
        if !isLeftToTheSystem { guard_close(machine) }
    }

    /// Set when the process ends with this state: the system takes the memory back at once, where closing would free
    /// every object by itself.
    package var isLeftToTheSystem = false

    /// Bytes in use by Lua.
    package var usedMemory: Int { Int(guard_used_memory(machine)) }
    /// The largest ``usedMemory`` since the state was made or ``resetPeakMemory()`` was called.
    package var peakMemory: Int { Int(guard_peak_memory(machine)) }
    package func resetPeakMemory() { guard_reset_peak(machine) }

    /// Collects all garbage, for measurements and between decisions.
    package func collectGarbage() {
        prepareEntry()
        _ = guard_collect(machine)
    }

    /// Starts the sequence of `math.random` anew. States with the same seed give the same numbers.
    package func seedRandom(_ seed: Int64) {
        _ = guard_seed_random(machine, seed)
    }

    /// The work of the last call that had an instruction budget, in about instructions.
    package var spentInstructions: Int64 { guard_spent_instructions(machine) }

    /// For other threads and signal handlers, to end the call that runs here.
    package var interruption: LuaInterruption {
        var owner: UInt64 = 0
        let cell = guard_interrupt_cell(machine, &owner)
        return LuaInterruption(cell: cell, owner: owner)
    }

    /// Ends the running call with code `interrupted`. Without a running call, it does nothing.
    package func interrupt() { interruption.interrupt() }

    /// Compiling, freezing and defining end by these. A budget of instructions does not count them, so that
    /// without a deadline they get one that no source of a permitted size needs.
    private func setStandingLimits() {
        var standing = guard_limits(
            deadline: native.deadline > 0 ? native.deadline : Self.longestPreparation, instructions: 0)
        guard_set_limits(machine, &standing)
    }

    private static let longestPreparation: Int64 = 2_000_000_000

    /// Frees what Swift has let go, and forgets what Lua has.
    func prepareEntry() {
        if host.hasDropped { host.forgetDropped() }
        if !released.isEmpty {
            let references = released.takeAll()
            _ = references.withUnsafeBufferPointer { guard_release(machine, $0.baseAddress, $0.count) }
        }
    }
}

internal import CLuaGuard

/// Ends the call that a state is running, from any thread or from a signal handler. May outlive the state.
package struct LuaInterruption: @unchecked Sendable {
    /// Memory that is never freed, written atomically: safe to share.
    private let cell: UnsafeMutableRawPointer?
    private let owner: UInt64

    init(cell: UnsafeMutableRawPointer?, owner: UInt64) {
        self.cell = cell
        self.owner = owner
    }

    /// The running call ends with code `interrupted`, within about 10 ms of its thread's time; a host function is
    /// waited for. Async-signal-safe.
    package func interrupt() {
        guard_interrupt(cell, owner)
    }
}

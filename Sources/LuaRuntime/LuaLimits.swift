/// What one outermost call may use up. A call made from inside another gets the smaller of both.
package struct LuaLimits: Sendable, Hashable {
    /// Bytes of Lua memory, `nil` for no limit. The limit is soft: a call that stays above it after a collection ends;
    /// the allocator refuses nothing below twice as much.
    package var memory: Int?
    /// Thread CPU time, `nil` for no deadline. A call is never ended early, and about two ticks of 5 ms late at most.
    package var deadline: Duration?
    /// Virtual machine instructions plus work done by library functions, `nil` for no budget. Reproducible, but a
    /// script with a budget runs at about half its speed.
    package var instructions: Int64?

    package init(memory: Int? = nil, deadline: Duration? = nil, instructions: Int64? = nil) {
        self.memory = memory
        self.deadline = deadline
        self.instructions = instructions
    }

    /// For live decisions: 16 MB and 100 ms.
    package static let policy = LuaLimits(memory: 16 << 20, deadline: .milliseconds(100))
    /// For reports and chores: 256 MB, and as long as it takes.
    package static let script = LuaLimits(memory: 256 << 20)
    package static let none = LuaLimits()
}

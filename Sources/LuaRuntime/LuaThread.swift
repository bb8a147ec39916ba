internal import CLuaGuard
internal import Threads

/// Threads with enough stack for Lua.
package enum LuaThread {
    /// Bytes of stack left on this thread.
    package static var currentStackRemaining: Int { Int(guard_stack_remaining()) }

    /// Runs a closure on a thread of its own and waits for it.
    ///
    /// - Parameter stack: bytes.
    /// - Throws: what the closure throws, or `unavailable` when no thread can be made.
    package static func run<T>(stack: Int = 16 << 20, _ body: () throws -> T) throws -> T {
        try withoutActuallyEscaping(body) { escaping in
            var result: Result<T, any Error>?
            guard let thread = WorkerThread(stack: stack, { result = Result(catching: escaping) }) else {
                throw unavailable
            }
            thread.join()
            guard let result else { throw unavailable }
            return try result.get()
        }
    }

    /// Runs a closure `count` times at once, each on a thread of its own with enough stack for Lua, and waits for all. The
    /// calling thread runs none of them.
    ///
    /// - Parameter stack: bytes, of each thread.
    /// - Throws: `unavailable` when a thread cannot be made; those that were made are waited for.
    package static func runAll(
        _ count: Int, stack: Int = 16 << 20, _ body: @escaping @Sendable (Int) -> Void
    ) throws(LuaError) {
        var threads: [WorkerThread] = []
        for index in 0..<count {
            guard let thread = WorkerThread(stack: stack, { body(index) }) else { break }
            threads.append(thread)
        }
        for thread in threads { thread.join() }
        if threads.count < count { throw unavailable }
    }

    private static var unavailable: LuaError { LuaError(code: .unavailable, message: "no thread could be made") }
}

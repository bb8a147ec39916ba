internal import Glibc

extension LuaThread {
    /// Runs a closure `count` times at once, each on a thread of its own with enough stack for Lua, and waits for all. The
    /// calling thread runs none of them.
    ///
    /// - Parameter stack: bytes, of each thread.
    /// - Throws: `unavailable` when a thread cannot be made; those that were made are waited for.
    package static func runAll(
        _ count: Int, stack: Int = 16 << 20, _ body: @escaping @Sendable (Int) -> Void
    ) throws(LuaError) {
        var threads: [pthread_t] = []
        var failure: Int32 = 0
        for index in 0..<count where failure == 0 {
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            pthread_attr_setstacksize(&attributes, max(stack, 1 << 20))
            var thread = pthread_t()
            let task = Unmanaged.passRetained(Task(index: index, body: body))
            failure = pthread_create(
                &thread, &attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Task>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, task.toOpaque())
            pthread_attr_destroy(&attributes)
            if failure == 0 { threads.append(thread) } else { task.release() }
        }
        for thread in threads { pthread_join(thread, nil) }
        guard failure == 0 else {
            throw LuaError(code: .unavailable, message: "no thread could be made (error \(failure))")
        }
    }

    private final class Task: Sendable {
        private let index: Int
        private let body: @Sendable (Int) -> Void

        init(index: Int, body: @escaping @Sendable (Int) -> Void) {
            self.index = index
            self.body = body
        }

        func run() { body(index) }
    }
}

internal import CLuaGuard
internal import Glibc

/// Threads with enough stack for Lua.
package enum LuaThread {
    /// Bytes of stack left on this thread.
    package static var currentStackRemaining: Int { Int(guard_stack_remaining()) }

    /// Runs a closure on a thread of its own and waits for it.
    ///
    /// Throws what the closure throws, or `unavailable` when no thread can be made.
    ///
    /// - Parameter stack: bytes.
    package static func run<T>(stack: Int = 16 << 20, _ body: () throws -> T) throws -> T {
        try withoutActuallyEscaping(body) { escaping in
            let work = Work { Result(catching: escaping) }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setstacksize(&attributes, max(stack, 1 << 20))
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, &attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<AnyWork>.fromOpaque(context).takeUnretainedValue().perform()
                    return nil
                }, Unmanaged<AnyWork>.passUnretained(work).toOpaque())
            guard failure == 0 else {
                throw LuaError(code: .unavailable, message: "no thread could be made (error \(failure))")
            }
            pthread_join(thread, nil)
            guard let result = work.result else {
                throw LuaError(code: .unavailable, message: "the thread ended without a result")
            }
            return try result.get()
        }
    }

    private class AnyWork {
        func perform() {}
    }

    /// Used by one thread after the other: the caller waits.
    private final class Work<T>: AnyWork {
        private let body: () -> Result<T, any Error>
        private(set) var result: Result<T, any Error>?

        init(_ body: @escaping () -> Result<T, any Error>) {
            self.body = body
        }

        override func perform() {
            result = body()
        }
    }
}

internal import Glibc

/// A thread with a stack of its own size: the one way in which the program makes threads.
package struct WorkerThread {
    /// Enough for the deepest Lua and for nested texts, whatever the process was started with; bytes.
    package static let usualStack = 16 << 20

    private let handle: pthread_t

    /// Starts a thread that the caller joins.
    ///
    /// - Parameters:
    ///   - stack: bytes, 1 MB at least.
    ///   - name: what debuggers and `ps -L` show; Linux keeps 15 bytes of it.
    ///   - givesWay: whether other threads get the processor first (``givesWay``).
    ///   - body: what it does. The caller keeps apart what the two threads touch.
    /// - Returns: nil where the system grants no further thread.
    package init?(
        stack: Int = usualStack, name: String? = nil, givesWay: Bool = false, _ body: @escaping () -> Void
    ) {
        var handle: pthread_t = 0
        let work = Work(name) {
            if givesWay { Self.giveWay() }
            body()
        }
        let context = Unmanaged.passRetained(work)
        let code = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory -> Int32 in
            guard let attributes = memory.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setstacksize(attributes, max(stack, 1 << 20))
            return pthread_create(
                &handle, attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
        }
        guard code == 0 else {
            context.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until the thread ends.
    package func join() { pthread_join(handle, nil) }

    /// Runs `body` on a thread that nothing waits for.
    ///
    /// - Parameter givesWay: whether other threads get the processor first (``givesWay``).
    /// - Returns: false where the system grants no further thread. Then `body` does not run: on the calling thread it could
    ///   run without end.
    package static func detach(
        stack: Int = usualStack, name: String? = nil, givesWay: Bool = false, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let thread = WorkerThread(stack: stack, name: name, givesWay: givesWay, body) else { return false }
        pthread_detach(thread.handle)
        return true
    }

    /// Whether the calling thread is one before which others get the processor, and what else is scarce.
    package static var givesWay: Bool { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) > 0 }

    /// To Linux each thread is a process of its own here.
    private static func giveWay() {
        let way = __priority_which_t(PRIO_PROCESS.rawValue)
        _ = setpriority(way, 0, getpriority(way, 0) + courtesy)
    }

    /// Added to a thread's niceness: of a processor that both want, it has a tenth.
    private static let courtesy: Int32 = 10

    private final class Work {
        private let name: String?
        private let body: () -> Void

        init(_ name: String?, _ body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            if let name { Self.rename(name) }
            body()
        }

        /// Without a declaration of `pthread_setname_np`, which glibc hides behind `_GNU_SOURCE`. A failure costs the name alone.
        private static func rename(_ name: String) {
            let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return }
            defer { close(file) }
            _ = write(file, name, name.utf8.count)
        }
    }
}

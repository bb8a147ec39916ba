import Glibc

/// A thread beside the one that replays. Whoever starts it waits for its end.
struct WorkerThread {
    private let handle: pthread_t

    /// - Parameter body: what it does. `@unchecked Sendable` in effect: the caller keeps apart what the two threads touch.
    /// - Returns: nil where no thread can be had.
    init?(_ body: @escaping () -> Void) {
        var made: pthread_t = 0
        let context = Unmanaged.passRetained(Work(body))
        let code = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory -> Int32 in
            guard let attributes = memory.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            // Policies and nested texts need room, whatever the process was started with.
            pthread_attr_setstacksize(attributes, 16 << 20)
            return pthread_create(
                &made, attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, context.toOpaque())
        }
        guard code == 0 else {
            context.release()
            return nil
        }
        handle = made
    }

    /// Waits until it is through.
    func join() { pthread_join(handle, nil) }

    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }
}

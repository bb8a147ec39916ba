internal import Glibc
internal import Synchronization

/// How many states for scripts the threads of this process have made. A state costs as much as many requests: it is seen to by
/// this that none is made where no Lua runs.
package enum LuaStateCounter {
    private static let made = Mutex<[UInt: Int]>([:])

    static func note() {
        let thread = UInt(pthread_self())
        made.withLock { $0[thread, default: 0] += 1 }
    }

    /// How many the calling thread has made.
    package static var ofThisThread: Int {
        let thread = UInt(pthread_self())
        return made.withLock { $0[thread] ?? 0 }
    }
}

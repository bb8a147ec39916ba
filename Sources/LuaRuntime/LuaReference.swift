import Synchronization

/// References of the registry that Swift has let go, freed when the state is next entered: a deinit can run on any
/// thread, Lua only on its owner's.
final class ReleaseQueue: Sendable {
    private let waiting = Mutex<[Int64]>([])
    /// Looked at on every entry, so that an empty queue costs no lock.
    private let isFilled = Atomic(false)

    func append(_ reference: Int64) {
        waiting.withLock { $0.append(reference) }
        isFilled.store(true, ordering: .releasing)
    }

    var isEmpty: Bool { !isFilled.load(ordering: .acquiring) }

    func takeAll() -> [Int64] {
        isFilled.store(false, ordering: .relaxed)
        return waiting.withLock { list in
            defer { list = [] }
            return list
        }
    }
}

/// What a ``LuaState`` keeps alive until this object goes. Valid in its own state only.
package class LuaReference {
    let reference: Int64
    private let queue: ReleaseQueue
    private(set) weak var state: LuaState?

    init(reference: Int64, state: LuaState) {
        self.reference = reference
        self.state = state
        queue = state.released
    }

    deinit {
        queue.append(reference)
    }

    func belongs(to state: LuaState) -> Bool { queue === state.released }
}

/// A function of a ``LuaState``.
package final class LuaFunction: LuaReference {
    /// The chunk and the line where the function begins; `nil` for functions of the host, and once the state is gone.
    package var definedAt: (chunk: String, line: Int)? {
        state?.source(of: self)
    }
}

/// The globals of one script, over the base that all environments of a state read.
package final class LuaEnvironment: LuaReference {}

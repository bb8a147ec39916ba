import Synchronization

/// How far the events of a store are known to be on the disk.
///
/// A writer's turn ends before its commit has reached the disk, so that a reader may see an event a moment earlier. It is
/// given away only when a flush has covered it; what was covered once needs no second flush.
final class PostgresHorizon: Sendable {
    private let sequence = Mutex<Int64>(0)

    /// Runs `flush` unless the event is known to be on the disk.
    func cover(_ event: Int64, _ flush: () throws(StoreError) -> Void) throws(StoreError) {
        guard sequence.withLock({ event > $0 }) else { return }
        try flush()
        sequence.withLock { $0 = max($0, event) }
    }
}

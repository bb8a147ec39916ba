package import Circulation

/// A hold with its place in the queue.
package struct QueuedHold: Hashable, Sendable {
    package var hold: Hold
    /// 1 is the first of those that wait; nil once a copy is set aside or the hold is closed.
    package var position: Int64?

    package init(hold: Hold, position: Int64? = nil) {
        self.hold = hold
        self.position = position
    }
}

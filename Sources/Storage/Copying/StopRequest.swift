import Synchronization

/// A wish that the work on a store may end before it is done. It may be made at any moment, by a signal's handler too.
///
/// From then on every statement of every transaction of the store fails with ``StoreError/Code/interrupted``, so that a
/// transaction under way is undone. A commit that has begun is not broken off.
package final class StopRequest: Sendable {
    private let number = Atomic<Int32>(0)

    package init() {}

    /// Asks to stop.
    ///
    /// - Parameter signal: the number of the signal that says so.
    /// - Returns: whether this was the first wish.
    @discardableResult
    package func make(_ signal: Int32) -> Bool {
        number.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
    }

    /// The signal that asked first, nil if none did.
    package var signal: Int32? {
        let signal = number.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }

    /// - Throws: ``StoreError/Code/interrupted`` once the wish was made.
    package func check() throws(StoreError) {
        if number.load(ordering: .relaxed) != 0 { throw .interrupted }
    }
}

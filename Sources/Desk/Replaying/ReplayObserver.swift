/// Observes a replay while it runs, so that nothing of it has to be kept.
package protocol ReplayObserver: AnyObject {
    /// A request was asked again.
    func decided(_ decision: ReplayedDecision) throws
    /// A loan's notices and fees are known: it came back, or the replay is over.
    func settled(_ loan: ReplayedLoan) throws
    /// What is stored and what the events say are not the same.
    func contradicted(_ contradiction: ReplayContradiction) throws
    /// - Parameters:
    ///   - events: how many events were read.
    ///   - total: how many there are.
    func progressed(events: Int64, of total: Int64) throws
}

/// Something in the store that the events speak against, or that cannot be read.
package struct ReplayContradiction: Hashable, Sendable {
    package var event: Int64
    package var message: String
}

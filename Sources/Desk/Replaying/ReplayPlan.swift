package import Circulation

/// What is to be decided once more, and how.
package struct ReplayPlan: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Each question is put with the facts as they were when it was asked.
        case recorded
        /// What was decided before a question changes its facts: loans that the candidate refuses are not there, loans
        /// that it alone grants are.
        case candidate
    }

    package var mode: Mode
    /// The first instant whose requests are asked again; nil: from the beginning.
    package var from: Instant?
    /// The first instant whose requests are no longer asked; nil: to the end.
    package var until: Instant?
    /// How many requests are asked, chosen by chance; nil: all of them.
    package var sample: Int64?
    /// Of that chance.
    package var seed: UInt64
    /// Whether the candidate is also asked what it can only answer as it was answered.
    package var asksAll: Bool

    package init(
        mode: Mode = .recorded, from: Instant? = nil, until: Instant? = nil, sample: Int64? = nil, seed: UInt64 = 1,
        asksAll: Bool = false
    ) {
        self.mode = mode
        self.from = from
        self.until = until
        self.sample = sample
        self.seed = seed
        self.asksAll = asksAll
    }

    func covers(_ moment: Instant) -> Bool {
        from.map { $0 <= moment } ?? true && until.map { moment < $0 } ?? true
    }

    /// The kinds of events that answer a request. A loan that came along is asked about beside them.
    static let kinds: Set<String> = [
        EventKind.loanMade.name, EventKind.loanRenewed.name, EventKind.loanReturned.name, EventKind.hold(.placed).name,
        EventKind.loanRecalled.name, EventKind.loanLost.name, EventKind.requestRefused.name,
    ]
}

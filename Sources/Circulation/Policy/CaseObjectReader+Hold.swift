import TextFormats

extension CaseObjectReader {
    func hold() throws(CaseError) -> HoldFacts? {
        guard let reader = try part("hold", CaseRecords.hold, isExpected: frame.hasHold) else { return nil }
        // At `hold` the patron of the case is the one who wants it.
        let patron = frame.point == .hold ? json("patron")?["category"]?.stringValue : nil
        var hold = HoldFacts(
            id: frame.point == .hold ? 0 : 1, category: patron ?? "patron",
            pickupBranch: frame.branches.first ?? "main", placedAt: frame.now)
        try reader.fill(&hold, CaseRecords.hold)
        return hold
    }

    /// The event of a case at `notify`, which the frame knows already; elsewhere only one that is written.
    func event() throws(CaseError) -> NotifyEvent? {
        frame.point == .notify ? frame.event : try word("event")
    }
}

extension NotifyEvent {
    /// Whether it is about a hold.
    package var isAboutHold: Bool { self == .holdReady }

    /// Whether it is about a loan.
    package var isAboutLoan: Bool { !isAboutHold && !isAboutMarket }

    /// Whether it is about a listing, an order, a rental, a suggestion or a fee: about no copy and no loan.
    package var isAboutMarket: Bool {
        switch self {
        case .fee, .order, .sold, .rentalDue, .listing, .suggestion, .contact: true
        case .holdReady, .recalled, .dueMoved, .renewed, .returned: false
        }
    }
}

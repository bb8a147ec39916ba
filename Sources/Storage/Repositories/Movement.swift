import Circulation

/// What the counters count: that something was lent, renewed, given back or used in the house, with what was true of it
/// then.
struct Movement: Hashable {
    /// By what it is counted. What is not known is counted under an empty code, or the title 0.
    struct Facts: Hashable {
        var branch: String?
        var category: String?
        var itemType: String?
        var title: Int64?
    }

    var measure: LoanMeasure
    var at: Instant
    var facts: Facts
    /// How often it counts; fewer than none: it is taken back.
    var times: Int64 = 1

    /// The same, taken back.
    var reversed: Movement {
        var reversed = self
        reversed.times = -times
        return reversed
    }
}

extension Loan {
    private var facts: Movement.Facts {
        Movement.Facts(branch: branch, category: category, itemType: itemType, title: title)
    }

    /// All that it counts as.
    ///
    /// - Parameter moments: when it was renewed, as far as events tell.
    func movements(renewed moments: [Instant] = []) -> [Movement] {
        var movements = [Movement(measure: .loans, at: lentAt, facts: facts)]
        if let returnedAt { movements.append(Movement(measure: .returns, at: returnedAt, facts: facts)) }
        return movements + moments.map(renewal) + undatedRenewals(dated: Int64(moments.count))
    }

    /// An imported loan may count more renewals than events tell of. They count at its last renewal, or on the day of the
    /// loan where that is known of another one.
    func undatedRenewals(dated: Int64) -> [Movement] {
        guard importKey != nil, renewals > dated else { return [] }
        let at = dated > 0 ? lentAt : renewedAt ?? lentAt
        return [Movement(measure: .renewals, at: at, facts: facts, times: renewals - dated)]
    }

    /// A renewal that has an event.
    func renewal(at moment: Instant) -> Movement { Movement(measure: .renewals, at: moment, facts: facts) }
}

extension InHouseUse {
    /// What it counts as. Whose use it was is never known.
    var movement: Movement {
        Movement(
            measure: .inHouse, at: usedAt, facts: .init(branch: branch, category: nil, itemType: itemType, title: title)
        )
    }
}

/// A loan of the patron, open or returned, that began within the window of the policy.
package struct PastLoanFacts: Hashable, Sendable {
    /// As limits count it; without a due time.
    package var loan: OpenLoanFacts
    package var lentAt: Instant
    /// nil: it is open.
    package var returnedAt: Instant?

    package init(loan: OpenLoanFacts, lentAt: Instant, returnedAt: Instant? = nil) {
        self.loan = loan
        self.lentAt = lentAt
        self.returnedAt = returnedAt
    }
}

/// What is gathered for a case only where the policy that is asked reads it, since each costs a question of its own.
package struct CaseNeeds: Hashable, Sendable {
    /// How far back the patron's loans are looked at, each period that asks for it; empty: not at all.
    package var patronHistory: Set<Period>
    /// How far back the loans of the title are counted; nil: not at all.
    package var titleHistory: Period?
    /// Whether it matters since when something is owed.
    package var owedSince: Bool
    /// Whether the patron's holds are counted by item type.
    package var holdsByItemType: Bool
    /// Whether it matters what those have and owe to whom the patron is linked.
    package var linked: Bool
    /// Of these also what they claim to have returned, and what they have of the title in question.
    package var linkedClaims: Bool
    package var linkedTitle: Bool

    package init(
        patronHistory: Set<Period> = [], titleHistory: Period? = nil, owedSince: Bool = false,
        holdsByItemType: Bool = false, linked: Bool = false, linkedClaims: Bool = false, linkedTitle: Bool = false
    ) {
        self.linkedClaims = linkedClaims
        self.linkedTitle = linkedTitle
        self.patronHistory = patronHistory
        self.titleHistory = titleHistory
        self.owedSince = owedSince
        self.holdsByItemType = holdsByItemType
        self.linked = linked
    }

    package static let none = CaseNeeds()

    /// Of the loans that a patron has returned the latest so many are looked at.
    package static let mostHistory: Int64 = 500
    /// The most that the loans of a title are counted to.
    package static let mostTimesLent: Int64 = 1_000

    package var isEmpty: Bool {
        patronHistory.isEmpty && titleHistory == nil && !owedSince && !holdsByItemType && !linked
    }

    /// What two points need together.
    package func merged(with other: CaseNeeds) -> CaseNeeds {
        CaseNeeds(
            patronHistory: patronHistory.union(other.patronHistory), titleHistory: titleHistory ?? other.titleHistory,
            owedSince: owedSince || other.owedSince, holdsByItemType: holdsByItemType || other.holdsByItemType,
            linked: linked || other.linked, linkedClaims: linkedClaims || other.linkedClaims,
            linkedTitle: linkedTitle || other.linkedTitle)
    }

    /// From which moment on the patron's loans are looked at for a case; nil: none is.
    package func historyStart(for question: Case) -> Instant? {
        patronHistory.map { $0.start(before: question) }.min()
    }

    /// From which moment on the loans of the title are counted for a case; nil: none is.
    package func titleHistoryStart(for question: Case) -> Instant? { titleHistory?.start(before: question) }
}

extension Period {
    /// Whether a policy may look back so far: for some days, weeks, months, hours or minutes, a hundred years at most.
    package var isWindow: Bool {
        let most: Int64
        switch unit {
        case .days: most = 36_525
        case .weeks: most = 5_218
        case .months: most = 1_200
        case .hours: most = 876_600
        case .minutes: most = 52_596_000
        case .openDays: most = 0
        }
        return (1...max(1, most)).contains(count) && most > 0
    }

    /// The beginning of the day that lies so far before a case.
    fileprivate func start(before question: Case) -> Instant {
        let zone = question.zone
        let back = (try? negated()) ?? self
        let date =
            isElapsed
            ? (try? back.added(to: question.now, in: zone, calendar: question.calendar)).map(zone.date(of:))
            : try? back.added(to: question.today, calendar: question.calendar)
        return zone.instant(of: date ?? .earliest, .midnight)
    }

    /// When a loan that began at a moment leaves a window of this length: days are counted by the dates of the branch.
    package func end(ofWindowFrom start: Instant, for question: Case) -> Instant {
        if isElapsed { return (try? added(to: start, in: question.zone, calendar: question.calendar)) ?? start }
        let date = try? added(to: question.zone.date(of: start), calendar: question.calendar)
        return date.map { question.zone.instant(of: $0, .midnight) } ?? start
    }
}

extension PatronFacts {
    /// Whether something is owed since a period ago or longer.
    package func owes(for period: Period, in question: Case) -> Bool {
        guard let owedSince, feesOwed.isPositive else { return false }
        guard !period.isElapsed, let end = try? period.added(to: owedSince, calendar: question.calendar) else {
            return false
        }
        return end <= question.today
    }
}

extension Case {
    /// Whether anything was gathered for it that only some policies read.
    package var hasGathered: Bool {
        patron.historySince != nil || patron.owedSince != nil || patron.linked != nil || title?.timesLentSince != nil
            || hold?.itemTypeCounts != nil
    }
}

extension PolicyTables {
    /// How far back the policy looks at a patron's loans, each period that it names.
    package var patronWindows: Set<Period> {
        Set(limits.compactMap(\.within)).union(patronHistory.map { [$0] } ?? [])
    }

    /// What the tables themselves read at a point.
    package func needs(at point: DecisionPoint) -> CaseNeeds {
        switch point {
        case .checkout:
            CaseNeeds(
                patronHistory: limits.contains { $0.within != nil } ? patronWindows : [],
                owedSince: limits.contains { $0.owedFor != nil }, linked: limits.contains { $0.of != nil },
                linkedClaims: limits.contains { $0.of != nil && !$0.countsClaimed },
                linkedTitle: limits.contains { $0.of != nil && $0.isPerTitle })
        case .hold: CaseNeeds(holdsByItemType: limitsHoldsOfItemType)
        default: .none
        }
    }
}

/// Whose loans and debts a policy looks at beside the patron's own.
package enum PatronGroup: String, Hashable, Sendable, CaseIterable {
    /// The patron and all who live with them.
    case household
    /// Who answers for the patron.
    case guardians
    /// For whom the patron answers.
    case dependents
    /// The patron, their guardians, all for whom these answer, and all for whom the patron answers.
    case family
}

/// What some patrons have and owe together.
package struct GroupFacts: Hashable, Sendable {
    /// How many patrons these are.
    package var people: Int64
    /// Their open loans.
    package var loans: Int64
    /// Those of these past their due time; those claimed to be returned are not counted.
    package var overdue: Int64
    /// What those of them owe who owe anything: a credit of one pays no debt of another.
    package var owed: Money
    /// Those of their open loans that they claim to have returned; nil where no policy that was asked looks at it.
    package var claimed: Int64?
    /// Their open loans of the title in question, and those of these that they claim to have returned; nil likewise.
    package var sameTitle: Int64?
    package var sameTitleClaimed: Int64?

    package init(
        people: Int64 = 0, loans: Int64 = 0, overdue: Int64 = 0, owed: Money, claimed: Int64? = nil,
        sameTitle: Int64? = nil, sameTitleClaimed: Int64? = nil
    ) {
        self.people = people
        self.loans = loans
        self.overdue = overdue
        self.owed = owed
        self.claimed = claimed
        self.sameTitle = sameTitle
        self.sameTitleClaimed = sameTitleClaimed
    }

    /// What a row of `limits` counts of them.
    func count(_ limit: LimitRow) -> Int64 {
        let all = limit.isPerTitle ? sameTitle ?? 0 : loans
        return max(0, all - leftOut(by: limit))
    }

    /// What it does not count since it is claimed to be returned.
    func leftOut(by limit: LimitRow) -> Int64 {
        limit.countsClaimed ? 0 : (limit.isPerTitle ? sameTitleClaimed : claimed) ?? 0
    }
}

/// What patrons have and owe to whom the patron is linked, where the policy reads it.
package struct LinkedFacts: Hashable, Sendable {
    /// In the order of ``PatronGroup``.
    private var groups: [GroupFacts]

    /// Of a patron without links.
    package init(alone patron: PatronFacts) {
        let none = Money.zero(patron.feesOwed.currency)
        let alone = GroupFacts(
            people: 1, loans: Int64(patron.loans.count), overdue: patron.overdue,
            owed: patron.feesOwed.isPositive ? patron.feesOwed : none)
        groups = PatronGroup.allCases.map { $0.hasPatron ? alone : GroupFacts(owed: none) }
    }

    /// Whether it was gathered what they claim to have returned, and what they have of the title.
    package var hasClaims: Bool { groups.contains { $0.claimed != nil } }
    package var hasTitle: Bool { groups.contains { $0.sameTitle != nil } }

    /// Sets what each group has of the title in question; nil: that was not asked.
    package mutating func setSameTitle(_ found: [PatronGroup: (loans: Int64, claimed: Int64)]?) {
        for group in PatronGroup.allCases {
            groups[group.place].sameTitle = found.map { $0[group]?.loans ?? 0 }
            groups[group.place].sameTitleClaimed = found.map { $0[group]?.claimed ?? 0 }
        }
    }

    package subscript(group: PatronGroup) -> GroupFacts {
        get { groups[group.place] }
        set { groups[group.place] = newValue }
    }
}

extension PatronGroup {
    /// Whether the patron is of it.
    package var hasPatron: Bool { self == .household || self == .family }

    fileprivate var place: Int {
        switch self {
        case .household: 0
        case .guardians: 1
        case .dependents: 2
        case .family: 3
        }
    }
}

extension PatronFacts {
    /// What some patrons have and owe together; where nothing was gathered, of a patron without links.
    package subscript(group: PatronGroup) -> GroupFacts { (linked ?? LinkedFacts(alone: self))[group] }
}

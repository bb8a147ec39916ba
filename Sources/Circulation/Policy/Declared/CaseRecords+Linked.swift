extension CaseRecords {
    private static let groupFields: [CaseField<GroupFacts>] = [
        .init("people", \.people, "how many patrons these are") { $0.people },
        .init("loans", \.loans, "their open loans") { $0.loans },
        .init("overdue", \.overdue, "open loans past their due time; those claimed to be returned are not counted") {
            $0.overdue
        },
        .init("owed", \.owed, "what those of them owe who owe anything; a credit of one pays no debt of another") {
            $0.owed
        },
        .init(
            "claimed", \.claimed,
            "open loans that they claim to have returned; nil where no row of `limits` and no function looks at it"
        ) { $0.claimed },
        .init(
            "same_title", \.sameTitle,
            "open loans of the title that is asked for; nil where no row of `limits` and no function looks at it"
        ) { $0.sameTitle },
        .init(
            "same_title_claimed", \.sameTitleClaimed, "those of these that they claim to have returned; nil likewise"
        ) { $0.sameTitleClaimed },
    ]

    private static let groups = PatronGroup.allCases.map { group in
        CaseRecord("case.patron.\(group.rawValue)", group.summary, groupFields)
    }

    /// What the patrons of a group have and owe together.
    package static func group(_ group: PatronGroup) -> CaseRecord<GroupFacts> {
        groups[PatronGroup.allCases.firstIndex(of: group) ?? 0]
    }

    /// What is gathered of those to whom a patron is linked, only where the policy reads it.
    static let linkedOfPatron: [CaseField<PatronFacts>] = PatronGroup.allCases.map { one in
        .part(one.rawValue, one.documentation, group(one), writtenIf: { $0.linked != nil }) { $0[one] }
    }
}

extension PatronGroup {
    fileprivate var summary: String {
        switch self {
        case .household: "What the patron and all who live with them have and owe together."
        case .guardians: "What those who answer for the patron have and owe together."
        case .dependents: "What those for whom the patron answers have and owe together."
        case .family:
            "What the patron, their guardians and all for whom these or the patron answer have and owe together."
        }
    }

    fileprivate var documentation: String {
        switch self {
        case .household: "the patron and all who live with them; without a household the patron alone"
        case .guardians: "who answers for the patron"
        case .dependents: "for whom the patron answers"
        case .family: "the patron, their guardians, all for whom these answer, and all for whom the patron answers"
        }
    }
}

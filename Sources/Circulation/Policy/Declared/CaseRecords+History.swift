extension CaseRecords {
    package static let pastLoan = CaseRecord<PastLoanFacts>(
        "case.patron.history", "A loan of the patron, open or returned, that began within the window of the policy.",
        [
            .init("title", \.loan.title, "the title's id", isSigned: true) { $0.loan.title },
            .init("item_type", "the copy's item type", .itemType, writing: .chain { $0.loan.itemTypes }) {
                $0.loan.itemTypes.first
            },
            .init("item_types", "that type and, after it, the types above it", .itemType, writing: .never) {
                $0.loan.itemTypes
            },
            .init("branch", "where it was lent", .branch, writing: .chain { $0.loan.branches }) { $0.loan.branch },
            .init("branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.loan.branches
            },
            .init("copy_branch", "the copy's own branch", .branch, writing: .chainIfAny { $0.loan.copyBranches }) {
                $0.loan.copyBranch
            },
            .init("copy_branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.loan.copyBranches
            },
            .init("location", \.loan.location, "where the copy stands in its branch", .location, writing: .ifTelling) {
                $0.loan.location
            },
            .init("on_site", \.loan.onSite, "whether it was read in the library", writing: .ifTelling) {
                $0.loan.onSite
            },
            .init("channel", \.loan.channel, "how it was asked for", .channel) { $0.loan.channel },
            .init("lent_at", \.lentAt, "when it began") { $0.lentAt },
            .init(
                "claimed", \.loan.isClaimed,
                "whether the patron says that the copy is returned, and it has not come back",
                writing: .ifTelling
            ) { $0.loan.isClaimed },
            .init("returned_at", \.returnedAt, "when the copy came back; nil: it is open") { $0.returnedAt },
        ])

    /// What is gathered of a patron only where the policy reads it.
    static let gatheredOfPatron: [CaseField<PatronFacts>] = [
        .list(
            "history",
            "loans, open and returned, that began within the longest window that the policy declares, the latest first",
            pastLoan, writing: .ifTelling
        ) { $0.history },
        .init(
            "history_since", \.historySince,
            "from when on `history` has all loans; later than the window where more were returned than are looked at"
        ) { $0.historySince },
        .init(
            "owed_since", \.owedSince,
            "the date of the oldest charge that is not fully paid; nil where nothing is owed"
        ) { $0.owedSince },
    ]

    /// What is gathered of a title only where the policy reads it.
    static let gatheredOfTitle: [CaseField<TitleFacts>] = [
        .init(
            "times_lent", \.timesLent, "how often anybody borrowed it within the window that the policy declares",
            writing: .ifTelling
        ) { $0.timesLent },
        .init("times_lent_since", \.timesLentSince, "from when on `times_lent` counts") { $0.timesLentSince },
    ]
}

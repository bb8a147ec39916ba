extension Loan: NumberedRecord {
    package static let blank = Loan(lentAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Loan>(
        "a loan", in: "loans",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("copy", \.copy, "the copy's id", .reference(.copy)),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("patron", \.patron, "the patron's id; nil once the patron is removed", .reference(.patron)),
            .init("category", \.category, "the patron's, as it was when it was lent"),
            .init("home_branch", \.homeBranch, "the patron's, as it was when it was lent"),
            .init("item_type", \.itemType),
            .init("branch", \.branch, "where it was lent"),
            .init("lent_at", \.lentAt),
            .init("due", \.due),
            .init("original_due_at", \.originalDueAt, usually: { $0.due?.instant }),
            .init("returned_at", \.returnedAt, "nil while it is open"),
            .init("renewals", \.renewals, "", .count, usual: 0),
            .init("unseen_renewals", \.unseenRenewals, "renewals since the copy was last seen", .count, usual: 0),
            .init("renewed_at", \.renewedAt),
            .init("recalled_at", \.recalledAt),
            .init("lost_at", \.lostAt, "when its copy was declared lost"),
            .init("claimed_at", \.claimedAt, "when the patron says to have returned it"),
            .init("on_site", \.onSite, "to be read in the library"),
            .init("channel", \.channel),
            .init("policy", \.policy, "SHA-256 of the policy that decided it"),
            .init("import_key", \.importKey),
            .init("notices_sent_until", \.noticesSentUntil, "what was to be said before is said already"),
        ])
}

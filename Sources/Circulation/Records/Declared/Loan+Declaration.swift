extension Loan: DeclaredRecord {
    package static let blank = Loan(lentAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Loan>(
        "a loan", in: "loans",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("copy", \.copy),
            .init("title", \.title),
            .init("patron", \.patron),
            .init("category", \.category),
            .init("home_branch", \.homeBranch),
            .init("item_type", \.itemType),
            .init("branch", \.branch),
            .init("lent_at", \.lentAt),
            .init("due", \.due),
            .init("original_due_at", \.originalDueAt, usually: { $0.due?.instant }),
            .init("returned_at", \.returnedAt),
            .init("renewals", \.renewals, usual: 0),
            .init("unseen_renewals", \.unseenRenewals, usual: 0),
            .init("renewed_at", \.renewedAt),
            .init("recalled_at", \.recalledAt),
            .init("lost_at", \.lostAt),
            .init("claimed_at", \.claimedAt),
            .init("on_site", \.onSite),
            .init("channel", \.channel),
            .init("policy", \.policy),
            .init("import_key", \.importKey),
        ])
}

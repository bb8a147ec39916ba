extension Hold: NumberedRecord {
    package static let blank = Hold(title: nil, patron: nil, pickupBranch: "", placedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Hold>(
        "a hold", in: "holds",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("title", \.title, "the title's id; nil once the title is removed", .reference(.title)),
            .init("copy", \.copy, "the id of the one copy that will do; nil: any copy", .reference(.copy)),
            .init("patron", \.patron, "the patron's id; nil once the patron is removed", .reference(.patron)),
            .init("pickup_branch", \.pickupBranch),
            .init("placed_at", \.placedAt),
            .init("queued_at", \.queuedAt, isInternal: true, usually: { $0.placedAt }),
            .init("priority", \.priority, "a greater one goes first; 0 is ordinary", usual: 0),
            .init("expires_on", \.expiresOn, "the last day on which it is wanted"),
            .init("suspended_until", \.suspendedUntil, "the last day on which it is passed over"),
            .init("state", \.state),
            .init("held_copy", \.heldCopy, "the copy that is set aside, or by which it was filled", .reference(.copy)),
            .init("shelved_at", \.shelvedAt, "since when the copy is on the shelf"),
            .init("shelf_until", \.shelfUntil, "after this moment the next in line gets the copy"),
            .init("closed_at", \.closedAt, "when it was filled, expired or cancelled"),
            .init("loan", \.loan, "the loan that filled it", .reference(.loan)),
            .init("channel", \.channel),
            .init("policy", \.policy, "SHA-256 of the policy that allowed it"),
            .init("import_key", \.importKey, isInternal: true),
        ])
}

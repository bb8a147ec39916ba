extension Hold: DeclaredRecord {
    package static let blank = Hold(title: nil, patron: nil, pickupBranch: "", placedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Hold>(
        "a hold", in: "holds",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("title", \.title),
            .init("copy", \.copy),
            .init("patron", \.patron),
            .init("pickup_branch", \.pickupBranch),
            .init("placed_at", \.placedAt),
            .init("queued_at", \.queuedAt, usually: { $0.placedAt }),
            .init("priority", \.priority, usual: 0),
            .init("expires_on", \.expiresOn),
            .init("suspended_until", \.suspendedUntil),
            .init("state", \.state),
            .init("held_copy", \.heldCopy),
            .init("shelved_at", \.shelvedAt),
            .init("shelf_until", \.shelfUntil),
            .init("closed_at", \.closedAt),
            .init("loan", \.loan),
            .init("channel", \.channel),
            .init("policy", \.policy),
            .init("import_key", \.importKey),
        ])
}

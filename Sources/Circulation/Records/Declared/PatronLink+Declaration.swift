extension PatronLink.Kind: FieldChoice {}

extension PatronLink: NumberedRecord {
    package static let blank = PatronLink(patron: 0, other: 0, kind: .guardian, addedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<PatronLink>(
        "a link between patrons", in: "patron_links",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "the patron's id", .reference(.patron)),
            .init(
                "other", \.other, "the guardian; of a household the one to whom all its members are linked",
                .reference(.patron)),
            .init("kind", \.kind),
            .init("added_at", \.addedAt),
        ])
}

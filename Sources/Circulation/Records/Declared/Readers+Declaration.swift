extension Rating.ReviewState: FieldChoice {}

extension Rating: NumberedRecord {
    package static let blank = Rating(title: 0, patron: 0, stars: 1, ratedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Rating>(
        "a rating", in: "ratings",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("patron", \.patron, "who rates", .reference(.patron)),
            .init("stars", \.stars, "from 1 to 5", .range(Rating.stars)),
            .init("review", \.review, "the patron's own words", isPersonal: true),
            .init("state", \.state, "of the words: whether others see them"),
            .init("rated_at", \.ratedAt),
            .init("changed_at", \.changedAt, "when stars or words were last changed", usually: { $0.ratedAt }),
            .init("decision", \.decision, "why staff hid the words"),
        ])
}

extension RatingTotal: NumberedRecord {
    package static let blank = RatingTotal(id: 0)

    package static let declaration = RecordDeclaration<RatingTotal>(
        "the ratings of a title", in: "rating_totals",
        [
            .init("id", \.id, "the title's id", isNoneAsZero: true),
            .init("ratings", \.ratings, "how many there are", .count),
            .init("stars", \.stars, "of all of them together", .count),
        ])
}

extension TitleList: NumberedRecord {
    package static let blank = TitleList(patron: 0, name: "", createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<TitleList>(
        "a list of titles", in: "title_lists",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "whose it is", .reference(.patron)),
            .init("name", \.name, "the patron's own words", isPersonal: true),
            .init("is_public", \.isPublic, "whether everyone may see it"),
            .init(
                "link_key", \.linkKey, "what is in the link by which it is shared; nil: it is not shared so",
                isPersonal: true),
            .init("created_at", \.createdAt),
            .init("taken_down_at", \.takenDownAt, "when staff took it down; nil: they did not"),
            .init("decision", \.decision, "why staff took it down"),
        ])
}

extension ListedTitle: NumberedRecord {
    package static let blank = ListedTitle(list: 0, title: 0, addedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<ListedTitle>(
        "a title of a list", in: "listed_titles",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("list", \.list, "the list's id"),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("added_at", \.addedAt),
        ])
}

import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let ratings = APIModule(
        "ratings", "What patrons think of titles: stars, and a few words.",
        [
            .ratingsSummary, .ratingsReviews, .ratingsGet, .ratingsList, .ratingsRate, .ratingsRemove, .ratingsReport,
            .ratingsReported, .ratingsHide, .ratingsShow,
        ])
}

/// What examples begin with.
private enum RatingExample {
    static let rate =
        #"local r = ratings.rate{ patron = "bob", title = "9780441013593", stars = 4, review = "Long, and worth it." } "#
}

extension APIFunction {
    fileprivate static let ratingsSummary = APIFunction(
        "summary", "Says how a title was rated: how often, and with how many stars on average.",
        [.required("title", .reference(.title))],
        returns: .found(.record("rating_summary")), route: .init(.get, "/titles/{title}/ratings", .everyone),
        examples: APIExample(RatingExample.rate + #"return ratings.summary("9780441013593").average"#, "4.0"),
        APIExample(#"ratings.summary("9780441013593").average"#, "nil")
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { session in
            guard let title = try session.catalogue.get(key) else { return [.nil] }
            let total = try session.ratings.areOn() ? session.ratings.total(of: title.id) : RatingTotal(id: title.id)
            return [APIRecord.summary.table(RatingSummary(total: total))]
        }
    }

    fileprivate static let ratingsReviews = APIFunction(
        "reviews", "Lists what members wrote of a title, the latest first; what staff hid is left out.",
        .named("query", [.required("title", .reference(.title))] + APIParameter.part(50, of: 0...1_000)),
        returns: .found(.list(.record("review"))), route: .init(.get, "/titles/{title}/reviews", .everyone),
        examples: APIExample(
            RatingExample.rate + #"return ratings.reviews{ title = "9780441013593" }[1].review"#,
            #""Long, and worth it.""#)
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { session in
            guard let title = try session.catalogue.get(key) else { return [.nil] }
            let found = try session.ratings.reviews(of: title.id, call.part(50))
            return [APIRecord.review.list(try found.map { try RatingRow($0, in: session) })]
        }
    }

    fileprivate static let ratingsGet = APIFunction(
        "get", "Gives what a patron thinks of a title; nil: they have not said.",
        .named("query", .required("patron", .reference(.patron)), .required("title", .reference(.title))),
        returns: .found(.record("rating")), route: .init(.get, "/titles/{title}/rating", .holder, own: ["patron"]),
        examples: APIExample(
            RatingExample.rate + #"return ratings.get{ patron = "bob", title = "9780441013593" }.stars"#, "4")
    ) { call in
        let (title, key) = (try call.titleKey("title"), try call.patronKey("patron"))
        return try call.read { session in
            guard let title = try session.catalogue.get(title),
                let rating = try session.ratings.rating(of: title.id, by: key)
            else { return [.nil] }
            return [APIRecord.rating.table(try RatingRow(rating, in: session))]
        }
    }

    fileprivate static let ratingsList = APIFunction(
        "list", "Lists a patron's ratings, the latest first.",
        .named("query", [.required("patron", .reference(.patron))] + APIParameter.part(50, of: 0...1_000)),
        returns: .value(.list(.record("rating"))),
        route: .init(.get, "/patrons/{patron}/ratings", .holder, own: ["patron"]),
        examples: APIExample(RatingExample.rate + #"return ratings.list{ patron = "bob" }[1].name"#, #""Dune""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { session in
            let found = try session.ratings.list(of: key, call.part(50))
            return [APIRecord.rating.list(try found.map { try RatingRow($0, in: session) })]
        }
    }

    fileprivate static let ratingsRate = APIFunction(
        "rate", "Rates a title in a patron's name, or changes what they said of it.",
        details: "A patron rates a title once. Words that staff hid stay hidden when they are changed.",
        .named(
            "rating", .required("patron", .reference(.patron)), .required("title", .reference(.title)),
            .required("stars", .integer(Rating.stars)),
            .optional(
                "review", .text(maximum: 4 * Rating.longestReview),
                "plain text of at most \(Rating.longestReview) letters; left out: none", standard: "")),
        returns: .written(.record("rating")),
        refusals: ["ratings_off", "unknown_patron", "not_owner", "unknown_title", "full"], needs: .patronsWrite,
        route: .init(.put, "/titles/{title}/rating", .holder, own: ["patron"]),
        examples: APIExample(RatingExample.rate + "return r.stars, r.state", #"4, "shown""#),
        APIExample(
            #"select(2, ratings.rate{ patron = "bob", title = 999999, stars = 4 }).code"#, #""unknown_title""#)
    ) { call in
        let (title, key) = (try call.titleKey("title"), try call.patronKey("patron"))
        let (stars, review): (Int64, String) = (try call.arguments.need("stars"), call.arguments["review"] ?? "")
        return try call.writeRating { try $0.ratings.rate(title, stars: stars, review: review, by: key) }
    }

    fileprivate static let ratingsRemove = APIFunction(
        "remove", "Takes a patron's rating of a title back.",
        .named("rating", .required("patron", .reference(.patron)), .required("title", .reference(.title))),
        returns: .written(.record("rating")),
        refusals: ["unknown_patron", "not_owner", "unknown_title", "unknown_rating"], needs: .patronsWrite,
        route: .init(.delete, "/titles/{title}/rating", .holder, own: ["patron"]),
        examples: APIExample(
            RatingExample.rate + #"ratings.remove{ patron = "bob", title = "9780441013593" } "#
                + #"return ratings.summary("9780441013593").ratings"#, "0")
    ) { call in
        let (title, key) = (try call.titleKey("title"), try call.patronKey("patron"))
        return try call.writeRating { try $0.ratings.remove(title, by: key) }
    }

    fileprivate static let ratingsReport = APIFunction(
        "report", "Asks staff, in a patron's name, to look at what another wrote of a title.",
        details: "What was reported already, and what staff let stand, stays as it is.",
        .named("report", .required("patron", .reference(.patron)), .required("rating", .reference(.rating))),
        returns: .written(.record("review")),
        refusals: ["unknown_patron", "not_owner", "unknown_review", "own_review"], needs: .patronsWrite,
        route: .init(.post, "/reviews/{rating}/report", .holder, own: ["patron"]),
        examples: APIExample(
            RatingExample.rate + #"ratings.report{ patron = "ada", rating = r } return #ratings.reported()"#, "1")
    ) { call in
        let (id, key) = (try call.id("rating"), try call.patronKey("patron"))
        return try call.write { session in
            try call.answer(try session.ratings.report(id, by: key)) {
                APIRecord.review.table(try RatingRow($0, in: session))
            }
        }
    }

    fileprivate static let ratingsReported = APIFunction(
        "reported", "Lists the ratings at whose words members asked staff to look, the oldest first.",
        .named("query", APIParameter.part(50, of: 0...1_000)),
        returns: .value(.list(.record("rating"))), route: .init(.get, "/reviews/reported", .staff),
        examples: APIExample(
            RatingExample.rate + #"ratings.report{ patron = "ada", rating = r } return ratings.reported()[1].state"#,
            #""reported""#)
    ) { call in
        try call.read { session in
            let found = try session.ratings.reported(call.part(50))
            return [APIRecord.rating.list(try found.map { try RatingRow($0, in: session) })]
        }
    }

    fileprivate static let ratingsHide = APIFunction(
        "hide", "Hides what a patron wrote of a title from all others; the stars count as before.",
        details: "The patron sees the reason, and the log keeps it, without the patron's name.",
        .named(
            "review", .required("rating", .reference(.rating)),
            .required("reason", .text(maximum: 4 * Rating.longestReason), "why")),
        returns: .written(.record("rating")), refusals: ["unknown_review"], needs: .patronsWrite,
        route: .init(.post, "/reviews/{rating}/hide", .staff),
        examples: APIExample(
            RatingExample.rate + #"ratings.hide{ rating = r, reason = "Tells the end" } "#
                + #"return #ratings.reviews{ title = "9780441013593" }"#, "0")
    ) { call in
        let (id, reason): (Int64, String) = (try call.id("rating"), try call.arguments.need("reason"))
        return try call.writeRating { try $0.ratings.hide(id, reason: reason) }
    }

    fileprivate static let ratingsShow = APIFunction(
        "show", "Lets what a patron wrote of a title stand; it is not reported again unless it changes.",
        [.required("rating", .reference(.rating))],
        returns: .written(.record("rating")), refusals: ["unknown_review"], needs: .patronsWrite,
        route: .init(.post, "/reviews/{rating}/show", .staff),
        examples: APIExample(
            RatingExample.rate + #"ratings.hide{ rating = r, reason = "Tells the end" } return ratings.show(r).state"#,
            #""kept""#)
    ) { call in
        let id = try call.id("rating")
        return try call.writeRating { try $0.ratings.show(id) }
    }
}

extension APICall {
    fileprivate func writeRating(_ body: (DeskSession) throws -> Outcome<Rating>) throws -> [LuaValue] {
        try write { session in
            try answer(try body(session)) { APIRecord.rating.table(try RatingRow($0, in: session)) }
        }
    }
}

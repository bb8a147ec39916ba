import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// What members think of a title: on its page, and page by page.
enum RatingPages: PageGroup {
    static let templates = [PageTemplate("reviews", PackageResources.reviews_mustache)]

    /// How many reviews the title's page shows, and how many a page of them.
    private static let (few, many): (Int64, Int64) = (5, 25)

    static let pages = [
        Page.shown("/titles/{title}/reviews") { call in
            let title = try TitlePage.record(call)
            guard call.library.hasRatings else { throw Problem.notFound }
            let id = title["id"]?.integerValue ?? 0
            let number = max(1, min(10_000, call.query.text("page").flatMap(Int64.init) ?? 1))
            let found = try reviews(of: id, offset: (number - 1) * many, limit: many + 1, call)
            var fields: [String: Any] = [
                "reviews": Array(found.prefix(Int(many))), "link": TitleFields.link(id),
                "name": PageWords.safe(title["title"]) ?? say("Untitled"),
            ]
            fields["rating"] = average(of: title)
            if number > 1 { fields["previous"] = "\(TitleFields.link(id))/reviews?page=\(number - 1)" }
            if found.count > Int(many) { fields["next"] = "\(TitleFields.link(id))/reviews?page=\(number + 1)" }
            return PageView(
                template: "reviews", title: say("Reviews: \(PageWords.safe(title["title"]) ?? say("Untitled"))"),
                fields: fields)
        },
        Page.form("/titles/{title}/rating") { call in
            var members = call.members(["stars"], of: .put, "/titles/{title}/rating")
            members["patron"] = "me"
            members["review"] = .string((call.form["review"] ?? "").replacing("\r\n", with: "\n"))
            return try call.act(
                .put, "/titles/\(call.value())/rating", members, back: "/titles/\(call.value())"
            ) { say("Your rating of \(PageWords.safe($0["name"]) ?? say("It")) has been saved.") }
        },
        Page.form("/titles/{title}/rating/remove") { call in
            try call.act(
                .delete, "/titles/\(call.value())/rating", ["patron": "me"], back: "/titles/\(call.value())"
            ) { _ in say("Your rating has been removed.") }
        },
        Page.form("/reviews/{rating}/report") { call in
            try call.act(.post, "/reviews/\(call.value())/report", ["patron": "me"], back: back(call)) { _ in
                say("Thank you. Library staff will look at this review.")
            }
        },
        Page.form("/desk/reviews/{rating}/hide", .staff) { call in
            try call.act(
                .post, "/reviews/\(call.value())/hide", ["reason": .string(call.form["reason"] ?? "")], back: back(call)
            ) { _ in say("The review has been hidden.") }
        },
        Page.form("/desk/reviews/{rating}/show", .staff) { call in
            try call.act(.post, "/reviews/\(call.value())/show", back: back(call)) { _ in
                say("The review remains visible.")
            }
        },
    ]

    /// The page that the form names.
    private static func back(_ call: PageCall) -> String { OwnPath(call.form["back"])?.text ?? "/" }

    /// What the title's page shows; nil where the library has no ratings.
    static func section(of title: JSON, _ call: PageCall) throws -> [String: Any]? {
        guard call.library.hasRatings, let id = title["id"]?.integerValue else { return nil }
        let found = try reviews(of: id, offset: 0, limit: few + 1, call)
        var fields: [String: Any] = ["reviews": Array(found.prefix(Int(few)))]
        fields["rating"] = average(of: title)
        if found.count > Int(few) { fields["allReviews"] = "\(TitleFields.link(id))/reviews" }
        guard let patron = call.caller.patron else { return fields }
        let own = try call.context.look { try $0.ratings.rating(of: id, by: .id(patron.id)) }
        let words = [say("1 star"), say("2 stars"), say("3 stars"), say("4 stars"), say("5 stars")]
        var form: [String: Any] = [
            "path": TitleFields.link(id), "isRated": own != nil, "review": PageWords.safe(own?.review ?? ""),
            "most": Rating.longestReview, "isHidden": own?.state == .hidden && own?.review.isEmpty == false,
            "choices": zip(Rating.stars, words).reversed().map { stars, words -> [String: Any] in
                ["value": stars, "words": words, "isIt": own?.stars == stars]
            },
        ]
        form["signature"] = try call.holder().displayName.map { PageWords.safe($0) }
        form["decision"] = own?.decision.map { PageWords.safe($0) }
        fields["rate"] = form
        return fields
    }

    /// How a title was rated, in signs for the eye and in words; nil: nobody did.
    static func average(of title: JSON) -> [String: Any]? {
        guard let average = title["rating"]?.doubleValue, let ratings = title["ratings"]?.integerValue
        else { return nil }
        let tenths = Int64((average * 10).rounded())
        let count = PageWords.count(ratings, "rating", "ratings")
        return [
            "signs": signs((tenths + 5) / 10), "count": ratings,
            "words": say("\(tenths / 10).\(tenths % 10) out of 5 stars, from \(count)"),
        ]
    }

    /// Five stars, as many of them full.
    private static func signs(_ stars: Int64) -> String {
        Rating.stars.map { $0 <= stars ? "★" : "☆" }.joined()
    }

    private static func reviews(
        of title: Int64, offset: Int64, limit: Int64, _ call: PageCall
    ) throws -> [[String: Any]] {
        let own = try call.caller.patron.flatMap { patron in
            try call.context.look { try $0.ratings.rating(of: title, by: .id(patron.id))?.id }
        }
        return try call.list(
            "/titles/\(title)/reviews", ["offset": .integer(offset), "limit": .integer(limit)]
        ).map { review in
            var fields = shown(review, back: TitleFields.link(title), call)
            fields["canHide"] = call.caller.isStaff
            fields["canReport"] = call.caller.patron != nil && review["id"]?.integerValue != own
            return fields
        }
    }

    /// A review, or a rating as staff see it.
    static func shown(_ review: JSON, back: String, _ call: PageCall) -> [String: Any] {
        let stars = review["stars"]?.integerValue ?? 0
        var fields: [String: Any] = [
            "id": review["id"]?.integerValue ?? 0, "text": PageWords.safe(review["review"]) ?? "",
            "reader": PageWords.safe(review["reader_name"]) ?? say("A member"), "back": back,
            "signs": signs(stars), "words": say("\(stars) out of 5 stars"), "mostOfReason": Rating.longestReason,
        ]
        fields["at"] = call.words.moment(review["changed_at"])
        return fields
    }
}

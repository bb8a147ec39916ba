import Circulation
import Desk
import LuaRuntime

/// A rating with the names of its title and of who rates.
struct RatingRow: Sendable {
    let rating: Rating
    let name: String
    let reader: String?

    init(_ rating: Rating, in session: DeskSession) throws {
        self.rating = rating
        name = try session.catalogue.get(.id(rating.title))?.title ?? ""
        reader = try session.patrons.get(.id(rating.patron))?.displayName
    }
}

/// How a title was rated.
struct RatingSummary: Sendable {
    let total: RatingTotal
}

/// A list with how many titles it has, and whose it is.
struct TitleListRow: Sendable {
    let list: TitleList
    let count: Int64
    let owner: String?

    init(_ list: TitleList, in session: DeskSession) throws {
        self.list = list
        count = try session.lists.count(list.id)
        owner = try session.patrons.get(.id(list.patron))?.displayName
    }
}

extension APIRecord<RatingRow> {
    static let rating = APIRecord(
        "rating", "What a patron thinks of a title.",
        APIRecord.declared { $0.rating } + [
            always("name", .text, "the title's name") { .string($0.name) },
            maybe("reader_name", .text, "the name that who rates chose to be seen by") { .text($0.reader) },
        ])

    static let review = APIRecord(
        "review", "What a member wrote of a title, as everyone sees it.",
        [
            always("id", .id, "") { .integer($0.rating.id) },
            always("title", .id, "the title's id") { .integer($0.rating.title) },
            always("stars", .integer(Rating.stars), "") { .integer($0.rating.stars) },
            always("review", .text, "the member's own words") { .string($0.rating.review) },
            maybe("reader_name", .text, "the name that the member chose to be seen by") { .text($0.reader) },
            always("changed_at", .instant, "when it was written") { .instant($0.rating.changedAt) },
        ])
}

extension APIRecord<RatingSummary> {
    static let summary = APIRecord(
        "rating_summary", "How a title was rated.",
        [
            always("ratings", .count, "how many ratings there are") { .integer($0.total.ratings) },
            maybe("average", .number, "stars on average, rounded to a tenth; nil: there are no ratings") {
                .stars($0.total)
            },
        ])
}

extension APIRecord<TitleListRow> {
    static let titleList = APIRecord(
        "title_list", "Titles that a patron put together under a name.",
        APIRecord.declared { $0.list } + [
            always(
                "visibility", .words(TitleList.Visibility.self), "who may see it: its owner, who has the link, everyone"
            ) { .string($0.list.visibility.rawValue) },
            always("titles", .count, "how many titles it has") { .integer($0.count) },
            maybe("owner_name", .text, "the name that its owner chose to be seen by") { .text($0.owner) },
        ])
}

extension APIRecord<ListedTitle> {
    static let listedTitle = APIRecord("listed_title", "A title of a list.")
}

extension LuaValue {
    /// The average of a title's ratings; nil where there are none.
    static func stars(_ total: RatingTotal?) -> LuaValue { total?.tenths.map { .number(Double($0) / 10) } ?? .nil }
}

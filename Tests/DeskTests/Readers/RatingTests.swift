import Circulation
import Desk
import Storage
import Testing

@Suite("Ratings of titles", .everyStore)
struct RatingTests {
    @discardableResult
    private func rate(
        _ patron: String, _ title: Int64, _ stars: Int64, _ review: String = "", in library: Library
    ) throws -> Outcome<Rating> {
        try library.desk.write {
            try $0.ratings.rate(.id(title), stars: stars, review: review, by: .username(patron))
        }
    }

    private func total(_ title: Int64, in library: Library) throws -> RatingTotal {
        try library.desk.read { try $0.ratings.total(of: title) }
    }

    private func reviews(_ title: Int64, in library: Library) throws -> [String] {
        try library.desk.read { try $0.ratings.reviews(of: title).map(\.review) }
    }

    @Test("a patron rates a title once, changes it and takes it back, and the average follows")
    func rates() throws {
        let library = try Library()
        #expect(try total(1, in: library).tenths == nil)
        let first = try rate("ada", 1, 5, " Long,\r\nand worth it. ", in: library).get()
        #expect(first.review == "Long,\nand worth it." && first.state == .shown)
        _ = try rate("bob", 1, 2, in: library).get()
        _ = try rate("bob", 2, 1, in: library).get()
        #expect(try total(1, in: library) == RatingTotal(id: 1, ratings: 2, stars: 7))
        #expect(try total(1, in: library).tenths == 35 && reviews(1, in: library) == [first.review])
        try library.pass(days: 1)
        let changed = try rate("ada", 1, 4, in: library).get()
        #expect(changed.id == first.id && changed.review.isEmpty && changed.changedAt > changed.ratedAt)
        #expect(try rate("ada", 1, 4, in: library).get() == changed)
        #expect(try total(1, in: library).tenths == 30 && reviews(1, in: library).isEmpty)
        _ = try library.desk.write { try $0.ratings.remove(.id(1), by: .username("ada")) }.get()
        #expect(try total(1, in: library) == RatingTotal(id: 1, ratings: 1, stars: 2))
        let again = try library.desk.write { try $0.ratings.remove(.id(1), by: .username("ada")) }
        #expect(again.refusal?.code == "unknown_rating")
        #expect(try library.events(.ratingChanged).count == 1)
        try library.expectSound()
    }

    @Test("what is no rating is refused, and what is another's, or switched off")
    func refused() throws {
        let library = try Library()
        for (stars, review) in [
            (0, ""), (6, ""), (3, String(repeating: "x", count: 2_001)), (3, "a\u{0}b"), (3, "a\u{1B}[31m"),
            (3, String(repeating: "\u{1F469}\u{200D}\u{1F469}", count: 1_000)),
        ] as [(Int64, String)] {
            #expect(throws: DeskError.self) { try rate("ada", 1, stars, review, in: library) }
        }
        #expect(try rate("ada", 99, 3, in: library).refusal?.code == "unknown_title")
        #expect(try rate("zoe", 1, 3, in: library).refusal?.code == "unknown_patron")
        let ada = try library.desk.acting(as: Library.actor(library.id("ada")))
        let others = try ada.write { try $0.ratings.rate(.id(1), stars: 3, review: "", by: .username("bob")) }
        #expect(others.refusal?.code == "not_owner")
        let hidden = try ada.write { try $0.ratings.hide(1, reason: "x") }
        #expect(hidden.refusal?.code == "not_allowed")
        _ = try rate("ada", 1, 3, "Fine.", in: library).get()
        _ = try library.desk.write { try $0.settings.setLibrary(hasRatings: false) }.get()
        #expect(try rate("bob", 1, 3, in: library).refusal?.code == "ratings_off")
        #expect(try reviews(1, in: library).isEmpty)
        _ = try library.desk.write { try $0.settings.setLibrary(hasRatings: true) }.get()
        #expect(try reviews(1, in: library) == ["Fine."])
        try library.expectSound()
    }

    @Test("members report a review, staff hide it or let it stand, and a new text may be reported again")
    func moderation() throws {
        let library = try Library()
        let rating = try rate("ada", 1, 1, "Rubbish!", in: library).get()
        func report(_ patron: String) throws -> Outcome<Rating> {
            try library.desk.write { try $0.ratings.report(rating.id, by: .username(patron)) }
        }
        func reported() throws -> [Int64] { try library.desk.read { try $0.ratings.reported().map(\.id) } }
        #expect(try report("ada").refusal?.code == "own_review")
        #expect(try report("bob").get().state == .reported && report("cyd").get().state == .reported)
        #expect(try reported() == [rating.id] && reviews(1, in: library) == ["Rubbish!"])
        #expect(try library.events(.reviewReported).count == 1)
        #expect(try library.desk.write { try $0.ratings.show(rating.id) }.get().state == .kept)
        #expect(try report("bob").get().state == .kept && reported().isEmpty)
        _ = try rate("ada", 1, 1, "Utter rubbish!", in: library).get()
        #expect(try report("bob").get().state == .reported)
        #expect(try rate("ada", 1, 1, "Such rubbish!", in: library).get().state == .reported)
        for reason in ["", " ", "a\nb", String(repeating: "x", count: 501)] {
            #expect(throws: DeskError.self) {
                try library.desk.write { try $0.ratings.hide(rating.id, reason: reason) }
            }
        }
        let hidden = try library.desk.write { try $0.ratings.hide(rating.id, reason: "Insults, says ada") }
        #expect(try hidden.get().state == .hidden)
        #expect(try reviews(1, in: library).isEmpty && reported().isEmpty && total(1, in: library).ratings == 1)
        #expect(try report("cyd").refusal?.code == "unknown_review")
        let again = try rate("ada", 1, 1, "Rubbish, again!", in: library).get()
        #expect(again.state == .hidden && again.decision == "Insults, says …")
        let trail = try library.events(.reviewHidden).compactMap { try $0.body()[.reviewHidden]?.decision }
        #expect(trail == ["Insults, says …"])
        #expect(try reviews(1, in: library).isEmpty)
        let plain = try rate("bob", 2, 3, in: library).get()
        #expect(try library.desk.write { try $0.ratings.hide(plain.id, reason: "x") }.refusal?.code == "unknown_review")
        #expect(try library.desk.write { try $0.ratings.show(99) }.refusal?.code == "unknown_review")
        try library.expectSound()
    }

    @Test("with a patron go their ratings and words, with a title what was said of it")
    func removed() throws {
        let library = try Library()
        for (patron, title, stars) in [("ada", 1, 5), ("ada", 2, 4), ("bob", 1, 2)] as [(String, Int64, Int64)] {
            _ = try rate(patron, title, stars, "\(patron) says \(title)", in: library).get()
        }
        _ = try library.desk.write { try $0.patrons.remove(.username("ada")) }.get()
        #expect(try total(1, in: library) == RatingTotal(id: 1, ratings: 1, stars: 2))
        #expect(try total(2, in: library).tenths == nil && reviews(1, in: library) == ["bob says 1"])
        let events = try library.desk.read { try $0.transaction.events.page(limit: 1_000) }
        #expect(events.allSatisfy { !$0.payload.contains(" says ") })
        try library.expectSound()
    }

    @Test("of two records that become one each title keeps one rating, that of the record that stays")
    func merged() throws {
        let library = try Library()
        for (patron, title, stars) in [
            ("ada", 1, 5), ("ada", 2, 4), ("bob", 1, 2), ("cyd", 1, 1),
        ] as [(String, Int64, Int64)] { _ = try rate(patron, title, stars, in: library).get() }
        _ = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob")) }.get()
        let kept = try library.desk.read { try $0.ratings.list(of: .username("bob")) }
        #expect(kept.map(\.title) == [1, 2] && kept.map(\.stars) == [2, 4])
        #expect(try total(1, in: library) == RatingTotal(id: 1, ratings: 2, stars: 3))
        #expect(try total(2, in: library) == RatingTotal(id: 2, ratings: 1, stars: 4))
        try library.expectSound()
    }
}

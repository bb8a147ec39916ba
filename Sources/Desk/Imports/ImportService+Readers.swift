package import Circulation
import Storage

// What readers of another store said of titles, and their lists.
extension ImportService {
    /// Takes in a rating. A patron's rating of a title takes over what the file says.
    package func rating(_ rating: Rating) throws -> Imported<Rating> {
        try rejecting {
            let ratings = session.transaction.ratings
            var rating = rating
            rating.review = try RatingService.checked(rating.stars, rating.review)
            rating.decision = try rating.decision.map { try RatingService.checked(reason: $0, field: "decision") }
            if rating.review.isEmpty { rating.state = .shown }
            if rating.state != .hidden { rating.decision = nil }
            if let before = try ratings.find(patron: rating.patron, title: rating.title) {
                rating.id = before.id
                if rating == before { return .unchanged(before) }
                try session.record(.ratingChanged, rating)
                return .updated(rating)
            }
            if try rating.id <= 0 || ratings.get(rating.id) != nil { rating.id = 0 }
            return .added(try session.ratings.add(rating, at: rating.ratedAt))
        }
    }

    /// Takes in a list. The patron's list of that name is the same; it takes over whether it is public, the link by which it is
    /// shared, and that staff took it down.
    package func titleList(_ list: TitleList) throws -> Imported<TitleList> {
        try rejecting {
            let lists = session.transaction.titleLists
            var list = list
            list.name = try TitleListService.checked(list.name)
            if let key = list.linkKey {
                guard key.utf8.count == TitleList.lengthOfKey, key.allSatisfy({ $0.isHexDigit && !$0.isUppercase })
                else {
                    throw DeskError.input(
                        "link_key", "A list's 'link_key' has \(TitleList.lengthOfKey) digits from 0 to f.")
                }
                // A link leads to one list, whatever a file says, and to none that everyone sees anyway.
                let other = try lists.find(linkKey: key)
                let isOthers = other.map { $0.patron != list.patron || !$0.isCalled(list.name) } ?? false
                if list.isPublic || isOthers { list.linkKey = nil }
            }
            list.decision =
                try list.takenDownAt == nil
                ? nil : list.decision.map { try RatingService.checked(reason: $0, field: "decision") }
            if list.takenDownAt != nil { (list.isPublic, list.linkKey) = (false, nil) }
            let present = try session.lists.list(of: .id(list.patron))
            if let before = present.first(where: { $0.isCalled(list.name) }) {
                var after = before
                // A file of before links were known says nothing of one.
                (after.isPublic, after.linkKey) = (list.isPublic, list.isPublic ? nil : list.linkKey ?? before.linkKey)
                if list.takenDownAt != nil { (after.takenDownAt, after.decision) = (list.takenDownAt, list.decision) }
                // No file shares what staff took down.
                if after.takenDownAt != nil { (after.isPublic, after.linkKey) = (false, nil) }
                if after == before { return .unchanged(before) }
                try session.record(.listChanged, after)
                return .updated(after)
            }
            guard present.count < TitleList.most.lists else {
                throw Refused("full", "The limit of \(TitleList.most.lists) lists has been reached. Delete one first.")
            }
            if try list.id <= 0 || lists.get(list.id) != nil { list.id = 0 }
            return .added(try session.lists.add(list, at: list.createdAt))
        }
    }

    /// Takes in a title of a list, behind those that it has.
    package func listedTitle(_ listed: ListedTitle) throws -> Imported<ListedTitle> {
        try rejecting {
            let titles = session.transaction.listedTitles
            if let present = try titles.find(list: listed.list, title: listed.title) { return .unchanged(present) }
            guard let list = try session.lists.get(listed.list) else {
                throw Refused("unknown_list", "There is no list \(listed.list).")
            }
            try session.lists.checkRoom(in: list)
            var listed = listed
            if try listed.id <= 0 || titles.get(listed.id) != nil { listed.id = 0 }
            return .added(try session.lists.add(listed, at: listed.addedAt))
        }
    }

    /// A patron's list of a name.
    package func titleList(called name: String, of patron: Int64) throws -> TitleList? {
        try session.lists.list(of: .id(patron)).first { $0.isCalled(name) }
    }
}

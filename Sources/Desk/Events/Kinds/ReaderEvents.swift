package import Circulation
import Storage

// What readers say of titles, and the lists that they make. None of it bears on lending.
extension EventKinds {
    static let readers: [any AnyEventKind] = [
        EventKind.ratingAdded, EventKind.ratingChanged, EventKind.ratingRemoved, EventKind.reviewReported,
        EventKind.reviewHidden, EventKind.reviewShown, EventKind.listAdded, EventKind.listChanged,
        EventKind.listRemoved, EventKind.listTakenDown, EventKind.listRestored, EventKind.titleListed,
        EventKind.titleUnlisted,
    ]
}

extension EventKind where Content == Rating {
    package static var ratingAdded: Self {
        EventKind(adding: "rating.added", "A patron rated a title.", isOfLending: false) { try $1.ratings.insert($0) }
    }

    package static var ratingChanged: Self { writing("rating.changed", "A patron rated a title anew.") }
    package static var reviewReported: Self {
        writing("review.reported", "A member asked staff to look at the words of a rating.")
    }
    package static var reviewHidden: Self { writing("review.hidden", "Staff hid the words of a rating.") }
    package static var reviewShown: Self { writing("review.shown", "Staff let the words of a rating stand.") }

    private static func writing(_ name: String, _ summary: String) -> Self {
        EventKind(writing: name, summary, isOfLending: false) { try $1.ratings.update($0) }
    }
}

extension EventKind where Content == RatingRemoval {
    package static var ratingRemoved: Self {
        EventKind(writing: "rating.removed", "A patron took a rating back.", isOfLending: false) {
            try $1.ratings.remove($0.id)
        }
    }
}

extension EventKind where Content == TitleList {
    package static var listAdded: Self {
        EventKind(adding: "list.added", "A patron made a list of titles.", isOfLending: false) {
            try $1.titleLists.insert($0)
        }
    }

    package static var listChanged: Self {
        writing("list.changed", "A patron renamed a list, or said who may see it.")
    }
    package static var listTakenDown: Self {
        writing("list.taken_down", "Staff took down a list that others saw.")
    }
    package static var listRestored: Self {
        writing("list.restored", "Staff let a list be shared again that they had taken down.")
    }

    private static func writing(_ name: String, _ summary: String) -> Self {
        EventKind(writing: name, summary, isOfLending: false) { try $1.titleLists.update($0) }
    }
}

extension EventKind where Content == ListRemoval {
    package static var listRemoved: Self {
        EventKind(writing: "list.removed", "A patron removed a list with its titles.", isOfLending: false) {
            try $1.titleLists.remove($0.id)
        }
    }
}

extension EventKind where Content == ListedTitle {
    package static var titleListed: Self {
        EventKind(adding: "list.title_added", "A title was added to a list.", isOfLending: false) {
            try $1.listedTitles.insert($0)
        }
    }

    package static var titleUnlisted: Self {
        EventKind(writing: "list.title_removed", "A title was taken off a list.", isOfLending: false) {
            try $1.listedTitles.remove($0.id)
        }
    }
}

extension Rating: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "rating"])
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

extension TitleList: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "list"])
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

extension ListedTitle: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "entry"])
    package var subjects: EventSubjects { EventSubjects() }
}

/// A rating that is no more.
package struct RatingRemoval: EventContent {
    package var id: Int64
    package var patron: Int64
    package var title: Int64

    package init(id: Int64, patron: Int64, title: Int64) {
        self.id = id
        self.patron = patron
        self.title = title
    }

    package static let blank = RatingRemoval(id: 0, patron: 0, title: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("rating", \.id, stored: "id", "the id that it had"), EventMember(.patron, \.patron),
        EventMember(.title, \.title),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// A list that is no more.
package struct ListRemoval: EventContent {
    package var id: Int64
    package var patron: Int64

    package init(id: Int64, patron: Int64) {
        self.id = id
        self.patron = patron
    }

    package static let blank = ListRemoval(id: 0, patron: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("list", \.id, stored: "id", "the id that it had"), EventMember(.patron, \.patron),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

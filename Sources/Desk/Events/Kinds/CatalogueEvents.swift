package import Circulation
import Storage

extension EventKinds {
    static let catalogue: [any AnyEventKind] = [
        EventKind.titleAdded, EventKind.titleUpdated, EventKind.titleRemoved, EventKind.copyAdded,
        EventKind.copyUpdated, EventKind.copyWithdrawn, EventKind.copyUsedInHouse,
    ]
}

extension EventKind where Content == Title {
    package static var titleAdded: Self {
        EventKind(adding: "title.added", "A title was added to the catalogue.", follow: { $1.titles[$0.id] = nil }) {
            try $1.titles.insert($0)
        }
    }

    package static var titleUpdated: Self {
        EventKind(writing: "title.updated", "A title was changed.", follow: { $1.titles[$0.id] = nil }) {
            try $1.titles.update($0)
        }
    }
}

extension EventKind where Content == RemovedTitle {
    /// The title and its copies.
    package static var titleRemoved: Self {
        EventKind(writing: "title.removed", "A title was removed from the catalogue, and its copies with it.") {
            removed, transaction in
            for copy in try transaction.copies.of(title: removed.id) { try transaction.copies.remove(copy.id) }
            try transaction.titles.remove(removed.id)
        }
    }
}

extension EventKind where Content == Copy {
    package static var copyAdded: Self {
        EventKind(adding: "copy.added", "A copy was added.", follow: { $1.titles[$0.title] = nil }) {
            try $1.copies.insert($0)
        }
    }

    package static var copyUpdated: Self {
        changed("copy.updated", "A copy was changed: its branch, its type, its status or its price.")
    }
    package static var copyWithdrawn: Self { changed("copy.withdrawn", "A copy was taken out of the collection.") }

    private static func changed(_ name: String, _ summary: String) -> Self {
        EventKind(writing: name, summary) { try $1.copies.update($0) }
    }
}

extension EventKind where Content == InHouseUse {
    package static var copyUsedInHouse: Self {
        EventKind(adding: "copy.used_in_house", "A copy was used in the house, without a loan.", isOfLending: false) {
            try $1.inHouseUses.insert($0)
        }
    }
}

extension Title: EventContent {
    package static let eventMembers = declaredMembers(.title, renaming: ["title": "title_name"])
}

extension Copy: EventContent {
    package static let eventMembers = declaredMembers(.copy)
    package var subjects: EventSubjects { EventSubjects(copy: id) }
}

extension InHouseUse: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "use"])
    package var subjects: EventSubjects { EventSubjects(copy: copy) }
}

/// A title that is no longer there.
package struct RemovedTitle: EventContent {
    package var id: Int64

    package init(_ id: Int64) {
        self.id = id
    }

    package static let blank = RemovedTitle(0)
    package static let eventMembers = [EventMember("id", \Self.id, "the id that the title had")]
}

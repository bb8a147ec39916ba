package import Circulation
import Storage

extension EventKind where Content == PatronLink {
    package static var patronLinked: Self {
        EventKind(
            adding: "patron.linked", "A patron was given a guardian, or joined another's household.",
            account: { ([$0.patron, $0.other], nil) }
        ) { try $1.patronLinks.insert($0) }
    }
}

extension EventKind where Content == PatronUnlinking {
    package static var patronUnlinked: Self {
        EventKind(
            writing: "patron.unlinked", "A patron has a guardian no more, or left a household.",
            account: { ([$0.patron, $0.other], nil) }
        ) { try $0.apply(to: $1) }
    }
}

extension PatronLink: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "link"])
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// A link between patrons that is no more.
package struct PatronUnlinking: EventContent {
    package var patron: Int64
    /// The guardian; of a household a member who stays in it.
    package var other: Int64
    package var kind: PatronLink.Kind

    package init(patron: Int64, other: Int64, kind: PatronLink.Kind) {
        self.patron = patron
        self.other = other
        self.kind = kind
    }

    package static let blank = PatronUnlinking(patron: 0, other: 0, kind: .guardian)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.patron, \.patron),
        EventMember(.patron, \.other, as: "other", "the guardian; of a household a member who stays in it"),
        EventMember("kind", \.kind),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }

    fileprivate func apply(to transaction: Transaction) throws {
        let links = transaction.patronLinks
        switch kind {
        case .guardian: if let link = try links.find(patron, .guardian, other) { try links.remove(link.id) }
        case .household: try links.leaveHousehold(patron)
        }
    }
}

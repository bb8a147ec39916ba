package import Circulation
import Storage
import TextFormats

extension EventKinds {
    static let settings: [any AnyEventKind] = [
        EventKind.libraryChanged, EventKind.branchAdded, EventKind.branchUpdated, EventKind.branchRemoved,
        EventKind.categoryAdded, EventKind.categoryUpdated, EventKind.categoryRemoved, EventKind.itemTypeAdded,
        EventKind.itemTypeUpdated, EventKind.itemTypeRemoved,
        EventKind.locationAdded, EventKind.locationUpdated, EventKind.locationRemoved,
    ]
}

extension EventKind where Content == LibrarySettings {
    package static var libraryChanged: Self {
        .init(
            writing: "library.changed", "The library's name, time zone or currency was changed.", changesSettings: true
        ) {
            try $1.settings.setLibrary($0)
        }
    }
}

extension EventKind where Content: StoredCode {
    fileprivate static func added(_ name: String, _ summary: String) -> Self {
        .init(writing: name, summary, changesSettings: true) { try $1.settings.insert($0) }
    }

    fileprivate static func updated(_ name: String, _ summary: String) -> Self {
        .init(writing: name, summary, changesSettings: true) { try $1.settings.update($0) }
    }
}

extension EventKind where Content == Branch {
    package static var branchAdded: Self { added("branch.added", "A branch was added.") }
    package static var branchUpdated: Self {
        updated("branch.updated", "A branch was changed: its name, its zone, its opening hours or its closures.")
    }
}

extension EventKind where Content == Circulation.Category {
    package static var categoryAdded: Self { added("category.added", "A category of patrons was added.") }
    package static var categoryUpdated: Self { updated("category.updated", "A category of patrons was changed.") }
}

extension EventKind where Content == ItemType {
    package static var itemTypeAdded: Self { added("item_type.added", "An item type was added.") }
    package static var itemTypeUpdated: Self { updated("item_type.updated", "An item type was changed.") }
}

extension EventKind where Content == ShelvingLocation {
    package static var locationAdded: Self { added("location.added", "A shelving location was given a name.") }
    package static var locationUpdated: Self {
        updated("location.updated", "A shelving location was given another name.")
    }
}

extension EventKind where Content == RemovedCode {
    package static var branchRemoved: Self { removed(Branch.self, "branch.removed", "A branch was removed.") }
    package static var categoryRemoved: Self {
        removed(Circulation.Category.self, "category.removed", "A category of patrons was removed.")
    }
    package static var itemTypeRemoved: Self {
        removed(ItemType.self, "item_type.removed", "An item type was removed.")
    }

    package static var locationRemoved: Self {
        removed(ShelvingLocation.self, "location.removed", "A shelving location has no name any more.")
    }

    private static func removed(_ type: (some StoredCode).Type, _ name: String, _ summary: String) -> Self {
        .init(writing: name, summary, changesSettings: true) { _ = try $1.settings.remove(type, $0.code) }
    }
}

/// A branch, category, item type or location that is no longer there.
package struct RemovedCode: EventContent {
    package var code: String

    package init(_ code: String) {
        self.code = code
    }

    package static let blank = RemovedCode("")
    package static let eventMembers = [EventMember("code", \Self.code)]
}

extension LibrarySettings: EventContent {
    package static let blank = LibrarySettings(name: "", zone: .utc, currency: .eur)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("library_name", \.name, stored: "name"), EventMember("zone", \.zone),
        EventMember("currency", \.currency, "such as `EUR`"),
        .reservedNames, .hasRatings, .gatheredNotices,
    ]
}

extension EventMember<LibrarySettings> {
    fileprivate static let hasRatings: EventMember = {
        let payload = Payload(
            read: { $0.hasRatings = try $1.optionalText("ratings") != "off" },
            write: { if !$0.hasRatings { $1.member("ratings", "off") } })
        return EventMember(shown: "has_ratings", \.hasRatings, "whether patrons rate titles", payload)
    }()

    fileprivate static let gatheredNotices: EventMember = {
        let payload = Payload(
            read: { library, payload in
                let words = try payload.optionalText("gathered_notices")?.split(separator: "\n") ?? []
                library.gatheredKinds = Set(words.compactMap { GatheredKind(rawValue: String($0)) })
            },
            write: { library, writer in
                guard !library.gatheredKinds.isEmpty else { return }
                writer.member("gathered_notices", library.gatheredNotices.joined(separator: "\n"))
            })
        return EventMember(
            shown: "gathered_notices", \.gatheredNotices, "the kinds of notices of which one message has several",
            payload)
    }()

    /// In the payload one text, a word a line, so that no words are something else than what payloads of the past leave out.
    fileprivate static let reservedNames: EventMember = {
        let payload = Payload(
            read: { library, payload in
                guard let words = try payload.optionalText("reserved_names") else { return }
                library.reservedNames = words.split(separator: "\n").map(String.init)
            },
            write: { $1.member("reserved_names", $0.reservedNames.joined(separator: "\n")) })
        return EventMember(
            shown: "reserved_names", \.reservedNames, "the words that no display name begins with", payload)
    }()
}

extension Branch: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["name": "branch_name"])
}

extension Circulation.Category: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["name": "category_name"])
}

extension ItemType: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["name": "item_type_name"])
}

extension ShelvingLocation: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["name": "location_name"])
}

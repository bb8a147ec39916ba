package import Circulation
import Storage
package import TextFormats

extension EventKinds {
    static let settings: [any AnyEventKind] = [
        EventKind.libraryChanged, EventKind.branchAdded, EventKind.branchUpdated, EventKind.branchRemoved,
        EventKind.categoryAdded, EventKind.categoryUpdated, EventKind.categoryRemoved, EventKind.itemTypeAdded,
        EventKind.itemTypeUpdated, EventKind.itemTypeRemoved,
    ]
}

extension EventKind {
    /// A kind that changes settings.
    fileprivate init(
        settings name: String, _ summary: String, _ change: @escaping @Sendable (Content, Transaction) throws -> Void
    ) {
        self.init(name, summary, changesSettings: true) { content, transaction in
            try change(content, transaction)
            return content
        }
    }
}

extension EventKind where Content == LibrarySettings {
    package static var libraryChanged: Self {
        .init(settings: "library.changed", "The library's name, time zone or currency was changed.") {
            try $1.settings.setLibrary($0)
        }
    }
}

extension EventKind where Content == Branch {
    package static var branchAdded: Self {
        .init(settings: "branch.added", "A branch was added.") { try $1.settings.insert($0) }
    }
    package static var branchUpdated: Self {
        .init(
            settings: "branch.updated", "A branch was changed: its name, its zone, its opening hours or its closures."
        ) { try $1.settings.update($0) }
    }
}

extension EventKind where Content == Circulation.Category {
    package static var categoryAdded: Self {
        .init(settings: "category.added", "A category of patrons was added.") { try $1.settings.insert($0) }
    }
    package static var categoryUpdated: Self {
        .init(settings: "category.updated", "A category of patrons was changed.") { try $1.settings.update($0) }
    }
}

extension EventKind where Content == ItemType {
    package static var itemTypeAdded: Self {
        .init(settings: "item_type.added", "An item type was added.") { try $1.settings.insert($0) }
    }
    package static var itemTypeUpdated: Self {
        .init(settings: "item_type.updated", "An item type was changed.") { try $1.settings.update($0) }
    }
}

extension EventKind where Content == RemovedCode {
    package static var branchRemoved: Self {
        .init(settings: "branch.removed", "A branch was removed.") { try $1.settings.removeBranch($0.code) }
    }

    package static var categoryRemoved: Self {
        .init(settings: "category.removed", "A category of patrons was removed.") {
            try $1.settings.removeCategory($0.code)
        }
    }

    package static var itemTypeRemoved: Self {
        .init(settings: "item_type.removed", "An item type was removed.") { try $1.settings.removeItemType($0.code) }
    }
}

/// A branch, category or item type that is no longer there.
package struct RemovedCode: EventContent {
    package var code: String

    package init(_ code: String) {
        self.code = code
    }

    package init(_ payload: EventPayload) throws { code = try payload.text("code") }
    package func writeMembers(to writer: inout JSONWriter) { writer.member("code", code) }
    package static let eventMembers = [EventMember("code", \Self.code)]
}

extension LibrarySettings: EventContent {
    package init(_ payload: EventPayload) throws {
        self.init(name: try payload.text("name"), zone: try payload.zone(), currency: try payload.currency())
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("zone", zone.identifier)
        writer.member("currency", currency.code)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("library_name", \.name),
        EventMember(EventField("zone", .plain(.text))) { .plain(.text($0.zone.identifier)) },
        EventMember(EventField("currency", .plain(.text), "such as `EUR`")) { .plain(.text($0.currency.code)) },
    ]
}

extension Branch: EventContent {
    package init(_ payload: EventPayload) throws {
        guard let calendar = payload.object["calendar"] else {
            throw DeskError.event("The payload's calendar is missing.")
        }
        self.init(
            code: try payload.text("code"), name: try payload.text("name"),
            parent: try payload.optionalText("parent"),
            zone: try payload.optionalText("zone").map { _ in try payload.zone() },
            calendar: try OpeningCalendar(json: calendar))
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("name", name)
        writer.member("parent", parent)
        writer.member("zone", zone?.identifier)
        writer.key("calendar")
        writer.value(calendar.json)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("code", \.code), EventMember("branch_name", \.name),
        EventMember("parent", \.parent, "the code of the branch it is a part of"),
        EventMember(EventField("zone", .plain(.text), mayBeAbsent: true, "nil: the library's")) {
            .plain(($0.zone?.identifier).fieldValue)
        },
        EventMember(EventField("calendar", .plain(.object), "`weekly`, `closed`, `yearly`, `open`")) {
            .plain(.object($0.calendar.json.objectValue ?? [:]))
        },
    ]
}

extension Circulation.Category: EventContent {
    package init(_ payload: EventPayload) throws {
        self.init(
            code: try payload.text("code"), name: try payload.text("name"), parent: try payload.optionalText("parent"))
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("name", name)
        writer.member("parent", parent)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("code", \.code), EventMember("category_name", \.name), EventMember("parent", \.parent),
    ]
}

extension ItemType: EventContent {
    package init(_ payload: EventPayload) throws {
        self.init(
            code: try payload.text("code"), name: try payload.text("name"), parent: try payload.optionalText("parent"))
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("name", name)
        writer.member("parent", parent)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("code", \.code), EventMember("item_type_name", \.name), EventMember("parent", \.parent),
    ]
}

extension EventPayload {
    fileprivate func zone() throws -> Zone {
        let identifier = try text("zone")
        guard let zone = Zone(identifier: identifier) else {
            throw DeskError.event("The zone \(identifier) is not known.")
        }
        return zone
    }

    fileprivate func currency() throws -> Currency {
        let code = try text("currency")
        guard let currency = Currency(code: code) else { throw DeskError.event("The currency \(code) is not known.") }
        return currency
    }
}

import Circulation
import TextFormats

// The counterparts of `Settings+Writing.swift`.

extension EventPayload {
    func library() throws -> LibrarySettings {
        LibrarySettings(name: try text("name"), zone: try zone(), currency: try currency())
    }

    func branch() throws -> Branch {
        guard let calendar = object["calendar"] else { throw DeskError.event("The payload's calendar is missing.") }
        return Branch(
            code: try text("code"), name: try text("name"), parent: try optionalText("parent"),
            zone: try optionalText("zone").map { _ in try zone() }, calendar: try OpeningCalendar(json: calendar))
    }

    func category() throws -> Category {
        Category(code: try text("code"), name: try text("name"), parent: try optionalText("parent"))
    }

    func itemType() throws -> ItemType {
        ItemType(code: try text("code"), name: try text("name"), parent: try optionalText("parent"))
    }

    private func zone() throws -> Zone {
        let identifier = try text("zone")
        guard let zone = Zone(identifier: identifier) else {
            throw DeskError.event("The zone \(identifier) is not known.")
        }
        return zone
    }

    private func currency() throws -> Currency {
        let code = try text("currency")
        guard let currency = Currency(code: code) else { throw DeskError.event("The currency \(code) is not known.") }
        return currency
    }
}

import Circulation
import TextFormats

/// A library's settings in one document: `library`, and lists of what is declared under codes, such as `branches`.
extension NativeRecords {
    /// The kinds of which the document has lists.
    private static let settingsLists = ["branch", "category", "item_type", "location"].compactMap { kinds[$0] }
    static let settingsMembers = ["library"] + settingsLists.map(\.plural)

    static func settings(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: settingsMembers)
        var records: [ImportedRecord] = []
        if let object = reader.object("library") {
            var part = reader.part(object, path: "library")
            records += library(&part)
            reader.take(part.problems)
        }
        for kind in settingsLists { records += elements(of: kind.plural, in: &reader, kind.read) }
        return records
    }

    private static func elements(
        of member: String, in reader: inout MemberReader, _ read: (inout MemberReader) -> [ImportedRecord]
    ) -> [ImportedRecord] {
        guard let value = reader.value(member) else { return [] }
        guard let elements = value.arrayValue else {
            reader.reject(member, "wrong_type", "expected a list")
            return []
        }
        var records: [ImportedRecord] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.objectValue else {
                reader.reject(member, "wrong_type", "element \(index + 1) is not an object")
                continue
            }
            var part = reader.part(object, path: "\(member)[\(index + 1)]")
            records += read(&part)
            reader.take(part.problems)
        }
        return records
    }

    static func library(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ImportShapes.library.map(\.name))
        var description = LibraryDescription(name: reader.text("name"))
        description.zone = zone(&reader)
        if let code = reader.text("currency") {
            description.currency = Currency(code: code)
            if description.currency == nil { reader.reject("currency", "bad_value", "'\(code)' is not a currency") }
        }
        if reader.value("reserved_names") != nil { description.reservedNames = reader.texts("reserved_names") }
        description.hasRatings = reader.boolean("has_ratings")
        if reader.value("gathered_notices") != nil {
            let words = reader.texts("gathered_notices")
            description.gatheredKinds = Set(words.compactMap(GatheredKind.init))
            if let word = words.first(where: { GatheredKind(rawValue: $0) == nil }) {
                reader.reject("gathered_notices", "bad_value", "notices of the kind '\(word)' go alone")
            }
        }
        return reader.isRejected ? [] : [.library(description)]
    }

    static func branch(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ImportShapes.branch.map(\.name))
        guard let code = reader.requiredText("code") else { return [] }
        var branch = Branch(code: code, name: reader.text("name") ?? code)
        branch.parent = reader.text("parent")
        branch.zone = zone(&reader)
        if let object = reader.object("calendar") {
            do {
                branch.calendar = try OpeningCalendar(json: .object(object))
            } catch {
                reader.reject("calendar", "bad_calendar", "\(error)")
            }
        }
        return reader.isRejected ? [] : [.branch(branch)]
    }

    static func category(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ImportShapes.category.map(\.name))
        guard let code = reader.requiredText("code") else { return [] }
        let category = Category(code: code, name: reader.text("name") ?? code, parent: reader.text("parent"))
        return reader.isRejected ? [] : [.category(category)]
    }

    static func itemType(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ImportShapes.itemType.map(\.name))
        guard let code = reader.requiredText("code") else { return [] }
        let type = ItemType(code: code, name: reader.text("name") ?? code, parent: reader.text("parent"))
        return reader.isRejected ? [] : [.itemType(type)]
    }

    static func location(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ImportShapes.location.map(\.name))
        guard let code = reader.requiredText("code") else { return [] }
        let location = ShelvingLocation(code: code, name: reader.text("name") ?? code)
        return reader.isRejected ? [] : [.location(location)]
    }

    private static func zone(_ reader: inout MemberReader) -> Zone? {
        guard let identifier = reader.text("zone") else { return nil }
        let zone = Zone(identifier: identifier)
        if zone == nil { reader.reject("zone", "bad_value", "'\(identifier)' is not a time zone") }
        return zone
    }
}

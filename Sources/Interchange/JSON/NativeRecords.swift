import Circulation
import MARC
import TextFormats

/// Moonshelf's own records in JSON: `{"title": {…}}`, `{"patron": {…}}` and so on, one a line or in an array, as
/// `export` writes them; also bare objects whose kind shows from their members, and a settings document.
enum NativeRecords {
    /// The records in one object, nil if it is none of ours.
    static func records(of reader: inout MemberReader) -> [ImportedRecord]? {
        if reader.object.count == 1, let entry = reader.object.entries.first, let object = entry.value.objectValue {
            if entry.key == "moonshelf" { return header(object, &reader) }
            if let kind = kinds[entry.key] {
                var part = reader.part(object, path: entry.key)
                let records = kind.read(&part)
                reader.take(part.problems)
                return records
            }
        }
        let keys = Set(reader.object.keys)
        if !keys.isDisjoint(with: settingsMembers) { return settings(&reader) }
        if keys.contains("pickup_branch") { return hold(&reader) }
        if keys.contains("username") { return patron(&reader) }
        if keys.contains("lent_at") || keys.contains("lent_on") { return loan(&reader) }
        if keys.contains("barcode") { return copy(&reader) }
        if keys.contains("title") { return title(&reader) }
        return nil
    }

    private static func header(_ object: JSONObject, _ reader: inout MemberReader) -> [ImportedRecord] {
        if let version = object["version"]?.integerValue, version > Exporter.version {
            reader.reject("moonshelf.version", "newer_format", "version \(version) is newer than this program reads")
            return []
        }
        return object["whole"]?.boolValue == true ? [.wholeLibrary] : []
    }

    static func title(_ reader: inout MemberReader) -> [ImportedRecord] {
        let own = reader.own(.title)
        let title = reader.record(ImportShapes.title, own: own.keys)
        let copies = copies(&reader)
        let marc = marc(&reader)
        let cover = reader.value("cover").flatMap { reader.picture($0, "cover") }
        guard var title, !reader.isRejected else { return [] }
        title.extra = title.extra.overlaid(by: own)
        var imported = ImportedTitle(title: title, copies: copies.count, barcodes: copies.listed)
        imported.marc = marc
        imported.cover = cover
        return [.title(imported)]
    }

    /// `marc`, a record as MARC-in-JSON has it.
    private static func marc(_ reader: inout MemberReader) -> MARCRecord? {
        guard let value = reader.value("marc") else { return nil }
        guard let object = value.objectValue else {
            reader.reject("marc", "wrong_type", "expected a record, an object with 'leader' and 'fields'")
            return nil
        }
        do throws(MARCRecord.Fault) {
            return try MARCRecord(json: object)
        } catch {
            reader.reject("marc.\(error.path)", "wrong_type", error.message)
            return nil
        }
    }

    /// `copies` as a number, or as a list of copies with their barcodes.
    private static func copies(_ reader: inout MemberReader) -> (count: Int, listed: [ImportedCopy]) {
        guard let value = reader.value("copies") else { return (0, []) }
        if let count = value.integerValue, (0...10_000).contains(count) { return (Int(count), []) }
        guard let elements = value.arrayValue else {
            reader.reject("copies", "wrong_type", "expected a number from 0 to 10000 or a list of copies")
            return (0, [])
        }
        var listed: [ImportedCopy] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.objectValue else {
                reader.reject("copies", "wrong_type", "copy \(index + 1) is not an object")
                continue
            }
            var part = reader.part(object, path: "copies[\(index + 1)]")
            if case .copy(let copy)? = copy(&part).first { listed.append(copy) }
            reader.take(part.problems)
        }
        return (0, listed)
    }

    static func copy(_ reader: inout MemberReader) -> [ImportedRecord] {
        let own = reader.own(.copy)
        reader.allow(only: ImportShapes.copy.members.map(\.name) + own.keys)
        guard let barcode = reader.requiredText("barcode") else { return [] }
        var copy = ImportedCopy(barcode: barcode, isbn: reader.isbn("isbn"))
        copy.id = reader.integer("id") ?? 0
        copy.branch = reader.text("branch")
        copy.itemType = reader.text("item_type")
        copy.replacementPrice = reader.text("replacement_price")
        copy.location = reader.text("location")
        copy.callNumber = reader.text("call_number")
        copy.acquiredOn = reader.date("acquired_on")
        copy.extra = (reader.object("extra") ?? [:]).overlaid(by: own)
        if let name = reader.text("title") {
            copy.title = Title(
                isbn: copy.isbn, title: name, authors: reader.texts("authors"), year: reader.integer("year"))
        }
        if let text = reader.text("status") {
            copy.status = CopyStatus(rawValue: text)
            if copy.status == nil { reader.reject("status", "bad_value", "'\(text)' is not a status of a copy") }
        }
        return reader.isRejected ? [] : [.copy(copy)]
    }

    static func course(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: ImportShapes.course.map(\.name))
        guard let code = reader.requiredText("code") else { return [] }
        let course = ImportedCourse(code: code, name: reader.text("name"), isbn: reader.isbn("isbn"))
        return reader.isRejected ? [] : [.course(course)]
    }

    static func patron(_ reader: inout MemberReader) -> [ImportedRecord] {
        let own = reader.own(.patron)
        let patron = reader.record(ImportShapes.patron, own: own.keys)
        if reader.value("password") != nil {
            reader.warn("password", "password_left_out", "passwords in plain text are not taken over")
        }
        guard var patron else { return [] }
        patron.extra = patron.extra.overlaid(by: own)
        let blocks = blocks(&reader, of: patron.username)
        // An export says all; what a person wrote says what stands there.
        let says =
            reader.isExact ? PatronField.all : Set(PatronField.allCases.filter { reader.object[$0.rawValue] != nil })
        let guardians = reader.texts("guardians")
        guard !reader.isRejected else { return [] }
        return [.patron(patron, says: says)] + blocks
            + (guardians.isEmpty
                ? [] : [.guardians(ImportedGuardians(username: patron.username, guardians: guardians))])
    }
}

import Circulation
import TextFormats

// Lists of objects, and calendars.
extension Translation {
    /// Loans, holds, patrons or copies, each with fields of its own.
    mutating func take(records entry: JSONObject.Entry, _ list: String, _ path: String) throws {
        let singular = FieldName.words(list).joined(separator: " ")
        let objects = (entry.value.arrayValue ?? [entry.value]).map(\.objectValue)
        guard objects.allSatisfy({ $0 != nil }) else { throw Self.unknown(entry, path) }
        var records: [JSON] = []
        for (index, object) in objects.enumerated() {
            var record: JSONObject = [:]
            for part in object?.entries ?? [] where !Self.isRemark(part.key) && !part.value.isNull {
                let place = "\(path).\(entry.key)[\(index + 1)]"
                let (name, value) = try Self.field(of: list, singular, part, place, code)
                record[name] = value
            }
            // Holds are for the title that is asked about, unless they name another.
            if list == "holds", record["title"] == nil, record["copy"] == nil { record["title"] = "title" }
            records.append(.object(record))
        }
        set(list, .array(records))
    }

    /// A field of a record, by its name in the schema or one that the table has for it.
    private static func field(
        of list: String, _ singular: String, _ part: JSONObject.Entry, _ place: String, _ code: String
    ) throws -> (name: String, value: JSON) {
        let start = "\(list)[]."
        let found = ["\(singular) \(part.key)", part.key].lazy
            .compactMap { TranslationTable.entry($0, TranslationTable.given, code) }
            .first { $0.entry.path.hasPrefix(start) }
        let record = Schema.records.first { $0.name.rawValue == singular }
        let own = record?.fields.first { FieldName.key($0.name) == FieldName.key(part.key) }
        if let found, let value = try found.entry.reading.value(part.value, found.unit) {
            return (String(found.entry.path.dropFirst(start.count)), value)
        }
        guard let own, let value = try TranslationReading.of(own.kind).value(part.value, nil) else {
            throw NotExpressed("\(place).\(part.key) is not in the table")
        }
        return (own.name, value)
    }

    mutating func take(calendar value: JSON, _ parts: [TranslationTable.Entry], _ path: String) throws {
        let value = system == .folio && fact.given["hours"] == value ? Self.untilLastMinute(value) : value
        if let words = value.stringValue {
            guard let week = TranslationReading.week(words) else {
                throw NotExpressed("the calendar \"\(words)\" is not in the table")
            }
            if !week.isEmpty { set("calendar.weekly", .object(week)) }
            return
        }
        if let days = value.arrayValue, let week = TranslationReading.listed(days) {
            return set("calendar.weekly", .object(week))
        }
        guard let object = value.objectValue else { throw NotExpressed("a calendar is an object") }
        if !object.isEmpty, object.keys.allSatisfy({ (try? CalendarWords.weekdays($0)) != nil }) {
            if let week = try TranslationReading.week.value(value) { set("calendar.weekly", week) }
            return
        }
        let isDated = object.keys.allSatisfy { (try? CivilDate(parsing: $0)) != nil }
        guard !isDated, !object.isEmpty else {
            if let days = try TranslationReading.openings.value(value) { set(path, days) }
            return
        }
        for part in object.entries where !Self.isRemark(part.key) {
            guard let (found, _) = TranslationTable.entry(part.key, parts, code) else {
                throw NotExpressed("given.calendar.\(part.key) is not in the table")
            }
            if part.value.isNull { continue }
            guard let value = try found.reading.value(part.value) else { throw Self.unknown(part, "given.calendar") }
            if !found.path.isEmpty { set(found.path, value) }
        }
    }

    /// The source of FOLIO's lateness ends an opening of a whole day at 23:59, so its calendar is entered that way.
    private static func untilLastMinute(_ value: JSON) -> JSON {
        if let text = value.stringValue {
            return text.lowercased().hasPrefix("open all day") ? ["weekly_open": ["Mon-Sun": "00:00-23:59"]] : value
        }
        let days = (value.objectValue?.entries ?? []).map { entry in
            let isWhole = ["all day", "open all day", "open"].contains(entry.value.stringValue?.lowercased() ?? "")
            return JSONObject.Entry(key: entry.key, value: isWhole ? "00:00-23:59" : entry.value)
        }
        return .object(days.reduce(into: [:]) { $0[$1.key] = $1.value })
    }
}

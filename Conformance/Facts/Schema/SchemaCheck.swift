import Circulation
import TextFormats

/// Holds a fact against the schema.
enum SchemaCheck {
    /// - Throws: the first complaint: where, what was expected, what stands there, and what may have been meant.
    static func check(_ object: JSONObject, _ name: SchemaRecord.Name, _ path: String = "") throws(SchemaComplaint) {
        let record = Schema.record(name)
        for entry in object.entries {
            let place = path.isEmpty ? entry.key : "\(path).\(entry.key)"
            guard let field = record.field(entry.key) else {
                throw unknown(entry.key, record.fields.map(\.name), place, "field of \(name.rawValue)")
            }
            // That there is nothing can be expected of any result.
            if name == .expect, entry.value.isNull { continue }
            try check(entry.value, field.kind, place)
        }
    }

    static func unknown(_ name: String, _ known: [String], _ place: String, _ what: String) -> SchemaComplaint {
        let meant = NameSuggestion.nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        return SchemaComplaint("\(place): \"\(name)\" is no \(what)\(meant)")
    }

    private static func check(
        _ value: JSON, _ kind: SchemaField.Kind, _ place: String
    ) throws(SchemaComplaint) {
        switch kind {
        case .record(let name):
            guard let object = value.objectValue else { throw wrong(value, kind, place) }
            try check(object, name, place)
        case .list(let each):
            guard let list = value.arrayValue else { throw wrong(value, kind, place) }
            for (index, value) in list.enumerated() { try check(value, each, "\(place)[\(index + 1)]") }
        case .map(let each):
            guard let object = value.objectValue else { throw wrong(value, kind, place) }
            for entry in object.entries { try check(entry.value, each, "\(place).\(entry.key)") }
        case .orNull(let own): if !value.isNull { try check(value, own, place) }
        case .either(let one, let other):
            do {
                try check(value, one, place)
            } catch let complaint {
                // An object says best itself what is wrong in it.
                if value.objectValue != nil { throw complaint }
                do { try check(value, other, place) } catch { throw wrong(value, kind, place) }
            }
        case .term(let field):
            if field.kind == .fineSteps { try check(value, .list(.record(.step)), place) }
            guard TermText.lua(value, of: field) != nil else { throw wrong(value, kind, place) }
        case .code(let codes):
            guard let word = value.stringValue else { throw wrong(value, kind, place) }
            guard codes.contains(word) else {
                let complaint = unknown(word, codes, place, "word for it")
                throw SchemaComplaint(complaint.message + " (it takes \(kind.words))")
            }
        default: guard isPlain(value, kind) else { throw wrong(value, kind, place) }
        }
    }

    private static func isPlain(_ value: JSON, _ kind: SchemaField.Kind) -> Bool {
        switch kind {
        case .flag: value.boolValue != nil
        case .count: value.integerValue.map { (0...1_000_000).contains($0) } ?? false
        case .number: value.integerValue.map { (-1_000_000...1_000_000).contains($0) } ?? false
        case .money: SchemaValues.money(value) != nil
        case .period: value.stringValue.flatMap(PeriodWords.period) != nil
        case .date: value.stringValue.map { (try? CivilDate(parsing: $0)) != nil } ?? false
        case .moment: value.stringValue.map { MomentText($0) != nil } ?? false
        case .zone: value.stringValue.map { Zone(identifier: $0) != nil } ?? false
        case .hours: value.stringValue.map { (try? CalendarWords.hours($0)) != nil } ?? false
        case .any: true
        default: value.stringValue != nil
        }
    }

    private static func wrong(_ value: JSON, _ kind: SchemaField.Kind, _ place: String) -> SchemaComplaint {
        SchemaComplaint("\(place): expected \(kind.words), found \(value.text())")
    }
}

/// What is wrong with a fact, and where in it.
struct SchemaComplaint: Error, Hashable, Sendable {
    var message: String

    init(_ message: String) { self.message = message }
}

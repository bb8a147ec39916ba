import Circulation
import Foundation
import TextFormats

/// Makes the value of one field of the cells that a mapping names for it.
struct CellReader {
    private let column: TranslatedColumn
    private let isMoment: Bool
    private let source: MappedSource?
    /// Whether it says which person, copy or title a record is about.
    private let names: Bool

    init(_ member: RecordMember, _ source: MappedSource?) {
        let kind = member.cell ?? .text
        isMoment = kind == .moment
        self.source = source
        names = ["username", "barcode", "isbn"].contains(member.name)
        column = TranslatedColumn(
            member.name, isMoment ? .date : kind, separators: Set(source?.separators ?? "|;"), dates: source?.dates)
    }

    /// The value, nil for none, and what is to be said of it nevertheless.
    func value(
        _ cells: Cells, for translator: MappingTranslator
    ) throws(ColumnFault) -> (value: JSON?, warnings: [ColumnFault]) {
        guard let source else { return (nil, []) }
        let (part, warnings) = source.part(of: source.text(cells))
        if column.kind == .list {
            guard case .array(let list)? = try column.value(.string(part ?? ""), for: translator) else {
                return (try source.translated("").map { .array([.string($0)]) }, warnings)
            }
            var values: [JSON] = []
            for text in list.compactMap(\.stringValue) {
                if let value = try source.translated(source.turned(text)) { values.append(.string(value)) }
            }
            return (values.isEmpty ? nil : .array(values), warnings)
        }
        guard let text = try source.translated(source.turned(part ?? "")) else { return (nil, warnings) }
        return (try read(text, for: translator), warnings)
    }

    /// A value that every row gets.
    func constant(_ value: JSON, for translator: MappingTranslator) throws(ColumnFault) -> JSON? {
        switch value {
        case .string(let text): try read(text, for: translator)
        case .array: value
        case .integer where column.kind == .word || column.kind == .text: .string(value.text())
        default: try column.value(value, for: translator)
        }
    }

    /// A date or an amount as it is written here.
    ///
    /// - Throws: ``ColumnFault`` that ends the import, for a text of two readings of which neither the mapping nor an option picks one.
    private func settled(_ text: String, for translator: MappingTranslator) throws(ColumnFault) -> String {
        func chosen<Convention: ReadingConvention>(
            _ given: Convention?, _ code: String, _ advice: String
        ) throws(ColumnFault) -> String {
            switch Convention.readings(of: text, translator.currency) {
            case .none: return text
            case .certain(let value): return value.description
            case .open(let readings):
                if let given { return readings.first { $0.by == given }?.value.description ?? text }
                if Set(readings.map(\.value)).count == 1 { return readings[0].value.description }
                throw ColumnFault(
                    code: code, message: "'\(text)' is \(Convention.words(readings)); \(advice)", endsImport: true)
            }
        }
        switch column.kind {
        case .date:
            return try chosen(column.dates ?? translator.dateOrder, "ambiguous_date", translator.dateOrderAdvice)
        case .amount:
            return try chosen(translator.decimals, "ambiguous_amount", "`--decimals point` (or comma) says which")
        default: return text
        }
    }

    private func read(_ text: String, for translator: MappingTranslator) throws(ColumnFault) -> JSON? {
        guard let text = FieldText.nonBlank(text) else { return nil }
        if names, FieldText.isRounded(text) {
            throw ColumnFault(code: "rounded_number", message: FieldText.rounded(text))
        }
        guard isMoment else { return try column.value(.string(settled(text, for: translator)), for: translator) }
        if let instant = try? Instant(parsing: text) { return .string(instant.description) }
        guard case .string(let day)? = try column.value(.string(settled(text, for: translator)), for: translator),
            let date = try? CivilDate(parsing: day)
        else { return nil }
        let rest = text.drop { !$0.isWhitespace && $0 != "T" }.dropFirst()
        guard let time = Self.time(String(rest)) else {
            throw ColumnFault(
                code: "bad_date",
                message: "'\(text)' is not a moment; expected a date, and behind it at most HH:MM or HH:MM:SS")
        }
        return .string(translator.zone.instant(of: date, time).description)
    }

    /// `14:30`, `14:30:05`, `2:30 PM`; midnight where nothing stands.
    private static func time(_ text: String) -> CivilTime? {
        guard var core = FieldText.nonBlank(text)?.uppercased() else { return .midnight }
        let half = ["AM", "PM"].first { core.hasSuffix($0) }
        if half != nil { core.removeLast(2) }
        if let dot = core.firstIndex(of: "."), core[dot...].dropFirst().allSatisfy(\.isNumber) {
            core = String(core[..<dot])
        }
        let parts = (FieldText.nonBlank(core) ?? "").split(separator: ":", omittingEmptySubsequences: false)
            .map { Int($0) }
        guard (2...3).contains(parts.count), var hour = parts[0], let minute = parts[1],
            let second = parts.count == 3 ? parts[2] : 0
        else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "PM" ? 12 : 0)
        }
        return try? CivilTime(hour: hour, minute: minute, second: second)
    }
}

extension MappedSource {
    /// The text of its columns; blank where all are.
    fileprivate func text(_ cells: Cells) -> String {
        switch choice {
        case .first: columns.lazy.compactMap { cells.text($0) }.first ?? ""
        case .joined(let between): columns.compactMap { cells.text($0) }.joined(separator: between)
        }
    }

    /// The part that stands for the field, nil where there is none.
    fileprivate func part(of text: String) -> (part: String?, warnings: [ColumnFault]) {
        guard let split, !text.isEmpty else { return (text, []) }
        let parts = text.components(separatedBy: split).compactMap(FieldText.nonBlank)
        var warnings: [ColumnFault] = []
        if parts.count < 2 {
            warnings = [
                ColumnFault(
                    code: "not_split", message: "'\(text)' has no '\(split)' to be split at", isWarning: true)
            ]
        }
        let between = split.contains { $0.isWhitespace } ? split : "\(split) "
        switch part {
        case .number(let number):
            let index = number > 0 ? number - 1 : parts.count + number
            return (parts.indices.contains(index) ? parts[index] : nil, warnings)
        case .allButFirst: return (parts.dropFirst().joined(separator: between), warnings)
        case .allButLast: return (parts.dropLast().joined(separator: between), warnings)
        }
    }

    /// `Hall, Ada` as `Ada Hall`, where that is wanted and there is one comma.
    fileprivate func turned(_ text: String) -> String {
        guard turnsNames else { return text }
        let parts = text.split(separator: ",").compactMap { FieldText.nonBlank(String($0)) }
        return parts.count == 2 ? "\(parts[1]) \(parts[0])" : text
    }

    /// What stands for a value; nil: it is left out.
    fileprivate func translated(_ text: String) throws(ColumnFault) -> String? {
        guard let values else { return text.isEmpty ? nil : text }
        if let value = values[Self.folded(text)] { return value.isEmpty ? nil : value }
        if text.isEmpty { return nil }
        switch others {
        case .kept: return text
        case .leftOut: return nil
        case .replaced(let other): return other.isEmpty ? nil : other
        case .refused:
            let known = values.keys.sorted().prefix(20).map { "'\($0)'" }.joined(separator: ", ")
            throw ColumnFault(
                code: "unknown_value",
                message: "'\(text)' is not among the values of the mapping (\(known));"
                    + " name it there, or say with 'default' or 'others' what becomes of it")
        }
    }
}

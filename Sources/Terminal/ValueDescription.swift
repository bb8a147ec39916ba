import Circulation
import LuaRuntime
import Scripting

/// What a value is, in words, and of a record its fields with their meaning.
struct ValueDescription {
    let summary: String
    /// The fields of a record, each with its value, type and meaning; of a list those of its records.
    let fields: [(String, String)]

    init(_ value: LuaValue) {
        guard case .table(let table) = value else {
            summary = ValueDescription.text(of: value)
            fields = []
            return
        }
        let records = table.array
        if !records.isEmpty && records.count == table.entries.count {
            let kind = ValueDescription.record(of: records[0])?.name
            summary = "a list of \(records.count) \(kind.map { "records: \($0)" } ?? "values")"
            fields = ValueDescription.record(of: records[0]).map { ValueDescription.fields(of: $0, in: nil) } ?? []
        } else if let record = ValueDescription.record(of: value) {
            summary = "a record: \(record.name). \(record.summary)"
            fields = ValueDescription.fields(of: record, in: table)
        } else {
            summary = table.entries.isEmpty ? "an empty table" : "a table with \(table.entries.count) entries"
            fields = (ValueTable.table(value, isForReading: true)?.rows ?? []).map { ($0[0].text, $0[1].text) }
        }
    }

    private static func text(of value: LuaValue) -> String {
        let written = ScriptEvaluator.texts(of: [value]).joined()
        return switch value {
        case .nil: "nil: no value"
        case .boolean: "a boolean: \(written)"
        case .integer: "a whole number: \(written)"
        case .number: "a number: \(written)"
        case .string(let text):
            "a text of \(text.count) characters, \(text.utf8.count) bytes: \(written)"
        case .bytes(let bytes): "\(bytes.count) bytes that are no UTF-8 text: \(written)"
        case .function, .callback: "a function"
        case .value(let value): "\(ValueDescription.kind(of: value)): \(written)"
        case .table: written
        }
    }

    private static func kind(of value: LuaSmallValue) -> String {
        switch value.type {
        case LuaValues.TypeID.money: "money"
        case LuaValues.TypeID.date: "a date"
        case LuaValues.TypeID.instant: "an instant"
        case LuaValues.TypeID.period: "a period"
        default: "a value"
        }
    }

    /// The type of record whose fields these are: it has them all, and the fields that such a record never lacks are
    /// there.
    private static func record(of value: LuaValue) -> APIRecordType? {
        guard case .table(let table) = value, !table.entries.isEmpty else { return nil }
        var names: Set<String> = []
        for entry in table.entries {
            guard case .string(let name) = entry.key else { return nil }
            names.insert(name)
        }
        return LuaAPI.records.first { record in
            (record.hasOwnFields || names.isSubset(of: record.fields.map(\.name)))
                && record.fields.allSatisfy { !$0.isRequired || names.contains($0.name) }
        }
    }

    private static func fields(of record: APIRecordType, in table: LuaTable?) -> [(String, String)] {
        record.fields.map { field in
            let value = table.map { $0[field.name].isNil ? "nil" : Repl.plain($0[field.name]) } ?? ""
            let meaning = field.documentation.isEmpty ? "" : ": " + field.documentation
            return (field.name, "\(value)\(value.isEmpty ? "" : "  ")(\(field.type.name)\(meaning))")
        }
    }
}

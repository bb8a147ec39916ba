package import Circulation
import LuaRuntime
import TextFormats

/// The API as a library has it: functions that write patrons, titles and copies take the fields of its own by their names, and
/// records have them beside `extra`.
package struct LibraryAPI: Sendable {
    package let fields: CustomFields
    /// The types of records with such fields, or with records that have some, by name.
    private let changed: [String: APIRecordType]

    /// Without fields of a library's own.
    package static let plain = LibraryAPI(.none)

    package init(_ fields: CustomFields) {
        self.fields = fields
        var changed: [String: APIRecordType] = [:]
        if !fields.isEmpty {
            for record in LuaAPI.records {
                let own = record.fields.adding(fields, given: false)
                if own != record.fields || record.fields.contains(where: { $0.type.names(changed) }) {
                    changed[record.name] = APIRecordType(name: record.name, summary: record.summary, fields: own)
                }
            }
        }
        self.changed = changed
    }

    // MARK: - Declarations

    /// A function with the arguments that it takes here.
    package func function(_ function: APIFunction) -> APIFunction {
        if fields.isEmpty { return function }
        var function = function
        function.parameters = function.parameters.adding(fields, given: true)
        return function
    }

    /// All modules with their functions.
    package var modules: [APIModule] {
        if fields.isEmpty { return LuaAPI.modules }
        return LuaAPI.modules.map { module in
            APIModule(module.name, module.summary, module.functions.map(function))
        }
    }

    /// A record with the fields that it has here.
    package func record(_ record: APIRecordType) -> APIRecordType { changed[record.name] ?? record }

    package var records: [APIRecordType] { fields.isEmpty ? LuaAPI.records : LuaAPI.records.map(record) }

    /// The function of a full name such as `loans.checkout`, as it is here.
    package func function(named name: String) -> APIFunction? { LuaAPI.function(name).map(function) }

    /// The type of record of a name, as it is here.
    package func record(named name: String) -> APIRecordType? { LuaAPI.record(name).map(record) }

    /// Names that no field of the library's own may have, since something else of such a record, or an argument beside it, has them.
    package static func taken(_ owner: CustomField.Owner) -> Set<String> {
        var names: Set<String> = []
        func visit(_ fields: [APIParameter]) {
            if fields.contains(where: { $0.owner == owner }) { names.formUnion(fields.map(\.name)) }
            for case .fields(let inner) in fields.map(\.type) { visit(inner) }
        }
        for function in LuaAPI.functions { visit(function.parameters) }
        for record in LuaAPI.records { visit(record.fields) }
        return names.union(CaseRecords.names(owner)).union(columns[owner] ?? [])
    }

    /// What tables of such records call other things.
    private static let columns: [CustomField.Owner: Set<String>] = [
        .patron: ["password", "blocks"],
        .title: [
            "author", "branch", "cover", "course", "creator", "genre", "isbn13", "item_type", "language_code",
            "pubdate",
            "publication_year", "subject",
        ],
        .copy: ["author", "authors", "lent_at", "lent_on", "replacement_currency", "title_id", "year"],
    ]

    // MARK: - Values

    /// What a function gave, its records with the fields of the library's own.
    func completed(_ results: [LuaValue], _ result: APIResult) -> [LuaValue] {
        guard !fields.isEmpty, let type = result.type, type.names(changed), let first = results.first else {
            return results
        }
        var results = results
        if case .each = result, case .callback(let next) = first {
            results[0] = .callback { arguments in
                let row = try next(arguments)
                return row.isEmpty ? row : [completed(row[0], type)] + row.dropFirst()
            }
        } else {
            results[0] = completed(first, type)
        }
        return results
    }

    private func completed(_ value: LuaValue, _ type: APIType) -> LuaValue {
        switch (type, value) {
        case (.optional(let inner), _): return completed(value, inner)
        case (.list(let element), .table(let list)):
            return .table(LuaTable(entries: list.entries.map { ($0.key, completed($0.value, element)) }))
        case (.record(let name), .table(let table)):
            // Of several things asked for at once there is a list.
            if !table.array.isEmpty { return completed(value, .list(type)) }
            return completed(table, name)
        default: return value
        }
    }

    /// A record of a type with the fields of the library's own.
    func completed(_ table: LuaTable, _ name: String) -> LuaValue {
        guard let record = changed[name] else { return .table(table) }
        var table = table
        for field in record.fields {
            let value = table[field.name]
            if value.isNil { continue }
            if let owner = field.owner {
                for own in fields[owner] {
                    guard let json = JSON(plain: value)?[own.name] else { continue }
                    table[own.name] = LuaValue(own.fieldValue(json))
                }
            } else if field.type.names(changed) {
                table[field.name] = completed(value, field.type)
            }
        }
        return .table(table)
    }
}

extension CaseRecords {
    /// The names that a file may write of the part of a case that is such a record.
    fileprivate static func names(_ owner: CustomField.Owner) -> [String] {
        switch owner {
        case .patron: patron.names
        case .title: title.names
        case .copy: copy.names
        }
    }
}

extension APIType {
    /// Whether a value is, or has in it, a record of one of these types.
    fileprivate func names(_ records: [String: APIRecordType]) -> Bool {
        switch self {
        case .record(let name): records[name] != nil
        case .list(let inner), .optional(let inner): inner.names(records)
        default: false
        }
    }

    fileprivate func adding(_ own: CustomFields) -> APIType {
        switch self {
        case .fields(let fields): .fields(fields.adding(own, given: true))
        case .list(let inner): .list(inner.adding(own))
        case .optional(let inner): .optional(inner.adding(own))
        default: self
        }
    }

    /// The type of a field of the library's own, as an argument or in a record.
    fileprivate init(_ field: CustomField, given: Bool) {
        self =
            switch field.kind {
            case .text: field.values.isEmpty ? .text : .choice(field.values)
            case .integer: .integer(field.range)
            case .number: .number
            case .boolean: .boolean
            case .date: .date
            case .money: .money
            case .patron: given ? .reference(.patron) : .id
            case .title: given ? .reference(.title) : .id
            case .branch: given ? .reference(.branch) : .text
            }
    }
}

extension CustomField {
    /// The bounds of a whole number.
    fileprivate var range: ClosedRange<Int64> {
        let lower = least.flatMap { Int64(exactly: $0.rounded(.up)) } ?? .min
        return lower...max(lower, most.flatMap { Int64(exactly: $0.rounded(.down)) } ?? .max)
    }
}

extension [APIParameter] {
    /// With the fields of the library's own behind the ones of the records that have them.
    fileprivate func adding(_ own: CustomFields, given: Bool) -> [APIParameter] {
        flatMap { parameter -> [APIParameter] in
            guard let owner = parameter.owner else {
                let type = parameter.type.adding(own)
                return [type == parameter.type ? parameter : parameter.of(type)]
            }
            return [parameter]
                + own[owner].map { field in
                    var parameter = APIParameter.optional(field.name, APIType(field, given: given), field.note)
                    parameter.canBeNone = given && !field.isRequired
                    return parameter
                }
        }
    }
}

extension APICall {
    /// The library's own fields of a record after changes: `extra` is all of them, beside those that are given by name.
    func ownFields(
        _ changes: APIArguments, _ owner: CustomField.Owner, of before: JSONObject = [:]
    ) throws -> JSONObject {
        var own = before
        if let extra: JSON = changes["extra"] {
            guard let object = extra.objectValue else { throw fault("'extra' must be a table with names") }
            own = object
        }
        for field in script.api.fields[owner] {
            if changes.has(field.name) { own[field.name] = changes.value(field.name)?.json }
        }
        return own
    }
}

extension APIValue {
    /// As a record keeps it among its own fields; nil for what none can be.
    fileprivate var json: JSON? {
        switch self {
        case .boolean(let it): .bool(it)
        case .integer(let it): .integer(it)
        case .number(let it): .number(it)
        case .text(let it): .string(it)
        case .date(let it): .string(it.description)
        case .money(let it): .string(it.description)
        case .key(.id(let id)): .integer(id)
        case .key(.text(let text)): .string(text)
        default: nil
        }
    }
}

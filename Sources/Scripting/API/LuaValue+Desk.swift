package import Circulation
package import LuaRuntime
package import TextFormats

extension LuaValue {
    /// Text, or nil.
    static func text(_ value: String?) -> LuaValue? { value.map(LuaValue.string) }

    /// A whole number, or nil.
    static func whole(_ value: Int64?) -> LuaValue? { value.map(LuaValue.integer) }

    static func texts(_ values: some Sequence<String>) -> LuaValue {
        .table(LuaTable(array: values.map(LuaValue.string)))
    }

    /// A message, as `notifications` gives it.
    package static func notice(_ notice: Notice) -> LuaValue { APIRecord.notice.table(notice) }

    /// A patron, as `patrons` gives it.
    package static func patron(_ patron: Patron) -> LuaValue { APIRecord.patron.table(patron) }

    /// A JSON value as Lua has it: null is nil, arrays are sequences without their nulls at the end.
    package static func json(_ value: JSON) -> LuaValue {
        switch value {
        case .null: .nil
        case .bool(let it): .boolean(it)
        case .integer(let it): .integer(it)
        case .number(let it): .number(it)
        case .string(let it): .string(it)
        case .array(let elements): .table(LuaTable(array: elements.map(json)))
        case .object(let object):
            .table(LuaTable(entries: object.entries.map { (key: .string($0.key), value: json($0.value)) }))
        }
    }

    /// Where a rule stands, in the shape of a refusal's `where`.
    static func origin(_ origin: RuleOrigin) -> LuaValue {
        var fields: [(String, LuaValue)] = []
        if let table = origin.table, let row = origin.row {
            let place: [(String, LuaValue)] = [("table", .string(table.rawValue)), ("row", .integer(Int64(row)))]
            fields.append(("row", .table(LuaTable(fields: place))))
        }
        if let field = origin.field { fields.append(("field", .string(field))) }
        fields.append(("file", .string(origin.file)))
        fields.append(("line", .integer(Int64(origin.line))))
        return .table(LuaTable(fields: fields))
    }

    /// The fields of a matched rule: `{ loan = { value, row, file, line } }`.
    static func fields(_ rule: MatchedRule) -> LuaValue {
        let fields = rule.values.keys.sorted().map { name -> (String, LuaValue) in
            var parts: [(String, LuaValue)] = []
            if let value = rule[name].flatMap(LuaValue.rule) { parts.append(("value", value)) }
            if let origin = rule.origins[name] {
                if let row = origin.row { parts.append(("row", .integer(Int64(row)))) }
                parts.append(("file", .string(origin.file)))
                parts.append(("line", .integer(Int64(origin.line))))
            }
            return (name, .table(LuaTable(fields: parts)))
        }
        return .table(LuaTable(fields: fields))
    }

    private static func rule(_ value: RuleValue) -> LuaValue? {
        switch value {
        case .none: nil
        case .unlimited: "unlimited"
        case .boolean(let it): .boolean(it)
        case .integer(let it): .integer(it)
        case .text(let it): .string(it)
        case .period(let it): .period(it)
        case .money(let it): .money(it)
        case .date(let it): .date(it)
        case .fineSteps(let steps): .table(LuaTable(array: steps.map(step)))
        case .free(let it): .json(it)
        }
    }

    private static func step(_ step: FineStep) -> LuaValue {
        var fields: [(String, LuaValue)] = [("from", .period(step.from))]
        if let to = step.to { fields.append(("to", .period(to))) }
        fields.append(("fine", .money(step.fine)))
        return .table(LuaTable(fields: fields))
    }
}

import Circulation
import LuaRuntime

/// The fields of `rule` that one policy can read: the built-in ones and the library's own.
struct RulePlan {
    private let kind: LuaRecordKind
    private let fields: [(index: Int, column: RuleColumn)]

    init(names: PolicyNames, tables: CompiledTables, in frame: LuaFrame) throws(LuaError) {
        let free = tables.groups.compactMap { group in if case .free(let field) = group { field } else { nil } }
            .filter { $0.utf8.count <= 40 }
        let type = LuaRecordType(name: "rule", fields: RuleField.all.map(\.name) + free)
        kind = try frame.kind(of: type)
        fields = type.fields.enumerated().filter { names.canRead($0.element) }
            .map { ($0.offset, RuleColumn($0.element, of: tables)) }
    }

    func record(of rule: MatchedRule, _ filler: CaseMarshaller) throws(LuaError) -> LuaRecordRef {
        let record = try filler.frame.record(kind)
        for field in fields {
            guard let value = rule[field.column] else { continue }
            try set(record, field.index, value, filler)
        }
        return record
    }

    private func set(
        _ record: LuaRecordRef, _ index: Int, _ value: RuleValue, _ filler: CaseMarshaller
    ) throws(LuaError) {
        let frame = filler.frame
        switch value {
        case .none: return
        case .unlimited: frame.set(record, index, LuaSmallValue.unlimited)
        case .boolean(let value): frame.set(record, index, value)
        case .integer(let value): frame.set(record, index, value)
        case .text(let value): frame.set(record, index, value)
        case .period(let value): frame.set(record, index, LuaSmallValue(value))
        case .money(let value): frame.set(record, index, LuaSmallValue(value))
        case .date(let value): frame.set(record, index, LuaSmallValue(value))
        case .fineSteps(let steps): try filler.setList(record, index, steps, filler.fineStep)
        case .free(let json): try filler.set(record, index, json)
        }
    }
}

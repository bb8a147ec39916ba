import Circulation
import LuaRuntime
import TextFormats

/// Puts cases and rules into the frame of one policy, as far as it can read them.
final class CaseMarshaller {
    let frame: LuaFrame
    let fineStep: RecordPlan<FineStep>
    private let question: RecordPlan<Case>
    private let calendarMethods: [LuaFunction]
    private let calendarKind: LuaRecordKind
    private let rule: RulePlan
    private var extraTypes: [LuaRecordType]
    /// Whether the policy reads every field of a patron, its own words or computed ones.
    private let mayReadAll: Bool

    /// - Parameters:
    ///   - calendarMethods: in the order of ``CalendarMethod``.
    ///   - tables: whose rules are to be read.
    ///   - records: the case as the library has it.
    init(
        frame: LuaFrame, names: PolicyNames, calendarMethods: [LuaFunction], tables: CompiledTables,
        records: LibraryCase
    ) throws(LuaError) {
        self.frame = frame
        fineStep = try RecordPlan(PolicyRecords.fineStep, names, in: frame)
        question = try RecordPlan(records.question, names, in: frame)
        mayReadAll = CaseRecords.patron.names.allSatisfy(names.canRead)
        self.calendarMethods = calendarMethods
        rule = try RulePlan(names: names, tables: tables, in: frame)
        calendarKind = try frame.kind(of: PolicyRecords.calendar)
        extraTypes = [LuaRecordType(name: "extra", fields: names.names.filter { $0.utf8.count <= 40 }.sorted())]
    }

    func record(of question: Case) throws(LuaError) -> LuaRecordRef {
        try self.question.record(of: question, self)
    }

    func record(of rule: MatchedRule) throws(LuaError) -> LuaRecordRef {
        try self.rule.record(of: rule, self)
    }

    func calendar() throws(LuaError) -> LuaRecordRef {
        let record = try frame.record(calendarKind)
        for (index, method) in calendarMethods.enumerated() { frame.set(record, index, method) }
        return record
    }

    // MARK: - Parts

    func set(_ record: LuaRecordRef, _ index: Int, _ value: FieldValue) throws(LuaError) {
        switch value {
        case .absent: return
        case .integer(let value): frame.set(record, index, value)
        case .number(let value): frame.set(record, index, value)
        case .text(let value): frame.set(record, index, value)
        case .flag(let value): frame.set(record, index, value)
        case .instant(let value): frame.set(record, index, LuaSmallValue(value))
        case .date(let value): frame.set(record, index, LuaSmallValue(value))
        case .money(let value): frame.set(record, index, LuaSmallValue(value))
        case .period(let value): frame.set(record, index, LuaSmallValue(value))
        case .isbn(let value): frame.set(record, index, value.digits13)
        case .due(let value): frame.set(record, index, LuaSmallValue(value.instant))
        case .texts(let values): try frame.set(record, index, values)
        case .integers(let values):
            let list = try frame.list(of: values.count)
            for (place, value) in values.enumerated() { frame.set(list, place, value) }
            frame.set(record, index, list)
        case .actions(let actions):
            try frame.set(record, index, BlockFacts.Action.allCases.filter(actions.contains).map(\.rawValue))
        case .object(let object): frame.set(record, index, try extra(object))
        // No field of the case is one of these.
        case .courses, .priceLines, .items, .digest, .proposal: return
        }
    }

    func setList<Element>(
        _ record: LuaRecordRef, _ index: Int, _ elements: [Element], _ plan: RecordPlan<Element>
    ) throws(LuaError) {
        let list = try frame.list(of: elements.count)
        for (place, element) in elements.enumerated() { frame.set(list, place, try plan.record(of: element, self)) }
        frame.set(record, index, list)
    }

    // MARK: - Free fields

    /// A record of the library's own fields: those that the policy names, and those that are there.
    func extra(_ object: JSONObject) throws(LuaError) -> LuaRecordRef {
        let type = extraType(for: object)
        let record = try frame.record(type)
        for (key, value) in object.entries.map({ ($0.key, $0.value) }) {
            guard let index = type.index(of: key) else { continue }
            try set(record, index, value)
        }
        return record
    }

    func set(_ record: LuaRecordRef, _ index: Int, _ value: JSON) throws(LuaError) {
        switch value {
        case .null: return
        case .bool(let value): frame.set(record, index, value)
        case .integer(let value): frame.set(record, index, value)
        case .number(let value): frame.set(record, index, value)
        case .string(let value): frame.set(record, index, value)
        case .array(let values): frame.set(record, index, try list(of: values))
        case .object(let object): frame.set(record, index, try extra(object))
        }
    }

    private func list(of values: [JSON]) throws(LuaError) -> LuaListRef {
        let list = try frame.list(of: values.count)
        for (place, value) in values.enumerated() {
            switch value {
            case .null: continue
            case .bool(let value): frame.set(list, place, value)
            case .integer(let value): frame.set(list, place, value)
            case .number(let value): frame.set(list, place, value)
            case .string(let value): frame.set(list, place, value)
            case .array(let values): frame.set(list, place, try self.list(of: values))
            case .object(let object): frame.set(list, place, try extra(object))
            }
        }
        return list
    }

    /// Unknown fields of `extra` read nil, so its type has every name that the policy mentions. A policy that computes
    /// names gets types that have the object's own names as well; only so many, since a state keeps them for good.
    private func extraType(for object: JSONObject) -> LuaRecordType {
        guard mayReadAll else { return extraTypes[0] }
        let keys = object.keys.filter { $0.utf8.count <= 40 }
        if let known = extraTypes.last(where: { type in keys.allSatisfy { type.index(of: $0) != nil } }) {
            return known
        }
        guard extraTypes.count < 24 else { return extraTypes[extraTypes.count - 1] }
        let last = extraTypes[extraTypes.count - 1]
        let type = LuaRecordType(name: "extra", fields: last.fields + keys.filter { last.index(of: $0) == nil })
        extraTypes.append(type)
        return type
    }

}

import Circulation
import LuaRuntime

/// The fields of a record of the case that one policy can read, and how each is put into a frame.
struct RecordPlan<Part: Sendable> {
    private typealias Fill = (CaseMarshaller, LuaRecordRef, Int, Part) throws(LuaError) -> Void

    private let kind: LuaRecordKind
    private let fills: [(index: Int, fill: Fill)]

    /// - Parameter names: what the policy reads.
    init(_ record: CaseRecord<Part>, _ names: PolicyNames, in frame: LuaFrame) throws(LuaError) {
        kind = try frame.kind(of: record.type)
        var fills: [(Int, Fill)] = []
        for (index, field) in record.fields.filter(\.isForPolicies).enumerated() where names.canRead(field.name) {
            fills.append((index, try Self.fill(field, names, in: frame)))
        }
        self.fills = fills
    }

    func record(of part: Part, _ marshaller: CaseMarshaller) throws(LuaError) -> LuaRecordRef {
        let record = try marshaller.frame.record(kind)
        for (index, fill) in fills { try fill(marshaller, record, index, part) }
        return record
    }

    private static func fill(
        _ field: CaseField<Part>, _ names: PolicyNames, in frame: LuaFrame
    ) throws(LuaError) -> Fill {
        switch field.content {
        case .value(_, let value):
            { marshaller, record, index, part throws(LuaError) in try marshaller.set(record, index, value(part)) }
        case .nested(let nesting): try nested(nesting, names, in: frame)
        case .calendar:
            { marshaller, record, index, _ throws(LuaError) in
                marshaller.frame.set(record, index, try marshaller.calendar())
            }
        }
    }

    private static func nested<Nesting: CaseNesting<Part>>(
        _ nesting: Nesting, _ names: PolicyNames, in frame: LuaFrame
    ) throws(LuaError) -> Fill {
        let plan = try RecordPlan<Nesting.Inner>(nesting.record, names, in: frame)
        return { marshaller, record, index, part throws(LuaError) in
            switch nesting.content(of: part) {
            case .absent: return
            case .one(let inner): marshaller.frame.set(record, index, try plan.record(of: inner, marshaller))
            case .list(let elements): try marshaller.setList(record, index, elements, plan)
            }
        }
    }
}

extension CaseRecord {
    /// The fields that Lua sees.
    var type: LuaRecordType { LuaRecordType(name: name, fields: fields.filter(\.isForPolicies).map(\.name)) }

    /// What is written about it.
    var reference: APIRecordType {
        APIRecordType(name: name, summary: summary, fields: fields.filter(\.isForPolicies).map(\.reference))
    }

    /// This record and those inside it, each once, as far as a policy's functions have them.
    func collect(_ types: inout [LuaRecordType], _ references: inout [APIRecordType]) {
        if references.contains(where: { $0.name == name }) { return }
        types.append(type)
        references.append(reference)
        for field in fields {
            if case .nested(let nesting) = field.content { nesting.collect(&types, &references) }
        }
    }
}

extension CaseNesting {
    fileprivate func collect(_ types: inout [LuaRecordType], _ references: inout [APIRecordType]) {
        record.collect(&types, &references)
    }

    fileprivate var type: APIType { isList ? .list(.record(record.name)) : .record(record.name) }
}

extension CaseField {
    fileprivate var reference: APIParameter {
        let type: APIType =
            switch content {
            case .value(let kind, _): APIType(kind)
            case .nested(let nesting): nesting.type
            case .calendar: .record(PolicyRecords.calendar.name)
            }
        return mayBeAbsent ? .optional(name, type, documentation) : .required(name, type, documentation)
    }
}

extension APIType {
    /// The type of a value as a policy's functions have it.
    init(_ kind: FieldKind) {
        self =
            switch kind {
            case .integer: .integer
            case .text, .isbn: .text
            case .flag: .boolean
            case .instant, .due: .instant
            case .date: .date
            case .money: .money
            case .period: .period
            case .choice(let words): .choice(words)
            case .texts: .list(.text)
            case .integers: .list(.integer)
            case .actions: .list(.words(BlockFacts.Action.self))
            case .object, .courses, .priceLines, .digest, .proposal, .items: .any
            }
    }
}

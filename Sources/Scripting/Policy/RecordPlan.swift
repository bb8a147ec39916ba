import Circulation
import LuaRuntime

/// The fields of a record of the case that one policy can read, and how they are put into a frame.
///
/// One function puts in all of them, made of one for each field: a list of such functions, whose type depends on the
/// record's, would be taken apart by that type at every question.
struct RecordPlan<Part: Sendable> {
    private typealias Fill = (CaseMarshaller, LuaRecordRef, Part) throws(LuaError) -> Void

    private let kind: LuaRecordKind
    private let fill: Fill

    /// - Parameter names: what the policy reads.
    init(_ record: CaseRecord<Part>, _ names: PolicyNames, in frame: LuaFrame) throws(LuaError) {
        kind = try frame.kind(of: record.type)
        var fill: Fill = { _, _, _ in }
        for (index, field) in record.fields.filter(\.isForPolicies).enumerated() where names.canRead(field.name) {
            let (before, next) = (fill, try Self.fill(field, at: index, names, in: frame))
            fill = { marshaller, record, part throws(LuaError) in
                try before(marshaller, record, part)
                try next(marshaller, record, part)
            }
        }
        self.fill = fill
    }

    func record(of part: Part, _ marshaller: CaseMarshaller) throws(LuaError) -> LuaRecordRef {
        let record = try marshaller.frame.record(kind)
        try fill(marshaller, record, part)
        return record
    }

    private static func fill(
        _ field: CaseField<Part>, at index: Int, _ names: PolicyNames, in frame: LuaFrame
    ) throws(LuaError) -> Fill {
        switch field.content {
        case .value(_, let value):
            { marshaller, record, part throws(LuaError) in try marshaller.set(record, index, value(part)) }
        case .nested(let nesting): try nested(nesting, at: index, names, in: frame)
        case .calendar:
            { marshaller, record, _ throws(LuaError) in
                marshaller.frame.set(record, index, try marshaller.calendar())
            }
        }
    }

    private static func nested<Nesting: CaseNesting<Part>>(
        _ nesting: Nesting, at index: Int, _ names: PolicyNames, in frame: LuaFrame
    ) throws(LuaError) -> Fill {
        let plan = try RecordPlan<Nesting.Inner>(nesting.record, names, in: frame)
        let (isList, count, visit) = (nesting.isList, nesting.count, nesting.visit)
        return { marshaller, record, part throws(LuaError) in
            let frame = marshaller.frame
            let list: LuaListRef?
            if isList {
                guard let count = count(part) else { return }
                list = try frame.list(of: count)
            } else {
                list = nil
            }
            var (place, failure) = (0, LuaError?.none)
            visit(part) { inner in
                guard failure == nil else { return }
                do throws(LuaError) {
                    let inner = try plan.record(of: inner, marshaller)
                    if let list { frame.set(list, place, inner) } else { frame.set(record, index, inner) }
                    place += 1
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            if let list { frame.set(record, index, list) }
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
            case .number: .number
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

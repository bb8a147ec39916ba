import LuaRuntime

/// One field of a record: its name, type and meaning, and how it is put into a frame.
struct RecordField<Source>: Sendable {
    typealias Fill = @Sendable (CaseMarshaller, LuaRecordRef, Int, Source) throws(LuaError) -> Void

    let declaration: APIParameter
    let fill: Fill

    var name: String { declaration.name }

    /// - Parameter type: optional if the field may be nil.
    init(_ name: String, _ type: APIType, _ documentation: String, _ fill: @escaping Fill) {
        declaration =
            if case .optional(let type) = type {
                .optional(name, type, documentation)
            } else {
                .required(name, type, documentation)
            }
        self.fill = fill
    }
}

/// A kind of record that a policy's functions read, declared once: the fields that Lua sees, in order, and where each
/// comes from.
struct RecordShape<Source>: Sendable {
    let type: LuaRecordType
    let summary: String
    let fields: [RecordField<Source>]

    init(_ name: String, _ summary: String, _ fields: [RecordField<Source>]) {
        type = LuaRecordType(name: name, fields: fields.map(\.name))
        self.summary = summary
        self.fields = fields
    }

    /// What is written about it.
    var reference: APIRecordType {
        APIRecordType(name: type.name, summary: summary, fields: fields.map(\.declaration))
    }

    /// What has to be filled for a policy that reads these names.
    func plan(for names: PolicyNames, in frame: LuaFrame) throws(LuaError) -> RecordPlan<Source> {
        RecordPlan(
            kind: try frame.kind(of: type),
            fills: fields.enumerated().filter { names.canRead($0.element.name) }.map { ($0.offset, $0.element.fill) })
    }
}

/// The fields of a record that one policy can read.
struct RecordPlan<Source> {
    let kind: LuaRecordKind
    let fills: [(index: Int, fill: RecordField<Source>.Fill)]

    func record(of source: Source, _ filler: CaseMarshaller) throws(LuaError) -> LuaRecordRef {
        let record = try filler.frame.record(kind)
        for (index, fill) in fills { try fill(filler, record, index, source) }
        return record
    }
}

/// What a number refers to.
package enum FieldReference: Hashable, Sendable {
    case title, copy, patron, loan, listing, order, conversation
}

/// One field of a record: all that the layers which keep, tell and show records need to know of it. A class, since code that
/// goes along the fields of a record would otherwise copy all of each.
package final class RecordField<Record: Sendable>: Sendable {
    /// What is left out where it would say nothing, and what it then was.
    package enum Usual: Sendable {
        /// It is never left out.
        case none
        case value(FieldValue)
        /// Another field, as a rule, says the same.
        case like(@Sendable (Record) -> FieldValue)

        /// The value for a record whose other fields are set.
        package func value(_ record: Record) -> FieldValue? {
            switch self {
            case .none: nil
            case .value(let value): value
            case .like(let value): value(record)
            }
        }
    }

    /// What a number says.
    package enum Meaning: Hashable, Sendable {
        /// The number of another record.
        case reference(FieldReference)
        /// How many of something.
        case count
        case range(ClosedRange<Int64>)
    }

    /// As it stands in payloads and, unless ``columns`` say otherwise, in its table.
    package let name: String
    package let kind: FieldKind
    /// What a number says beyond being one.
    package let meaning: Meaning?
    package let mayBeAbsent: Bool
    /// What the reference says; empty where the name says it.
    package let documentation: String
    /// It is kept for the desk's own use: scripts and programs do not see it.
    package let isInternal: Bool
    /// Several for a value of several parts; none for one that stands in another table.
    package let columns: [String]
    /// It identifies a person, or repeats a person's own words: no event has it.
    package let isPersonal: Bool
    /// It is the number of a record, or 0 for none, which the table does not keep.
    package let isNoneAsZero: Bool
    package let usual: Usual
    package let path: any PartialKeyPath<Record> & Sendable
    package let value: @Sendable (Record) -> FieldValue
    /// Sets the field.
    ///
    /// - Returns: false if the value is none of the field's.
    package let set: @Sendable (inout Record, FieldValue) -> Bool

    private init<Value: FieldRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ documentation: String,
        _ meaning: Meaning?, columns: [String]?, isInternal: Bool, isPersonal: Bool, isNoneAsZero: Bool, usual: Usual
    ) {
        self.name = name
        self.kind = Value.fieldKind
        self.meaning = meaning
        self.mayBeAbsent = Value.mayBeAbsent
        self.documentation = documentation
        self.isInternal = isInternal
        self.columns = columns ?? Value.fieldKind.columns(name)
        self.isPersonal = isPersonal
        self.isNoneAsZero = isNoneAsZero
        self.usual = usual
        self.path = path
        guard let offset = MemoryLayout<Record>.offset(of: path) else {
            value = { $0[keyPath: path].fieldValue }
            set = { record, value in
                guard let value = Value(fieldValue: value) else { return false }
                record[keyPath: path] = value
                return true
            }
            return
        }
        // Of each record a stored field is at the same place, which the path itself names, with a value of its type. To
        // go along the path would take ten times as long.
        value = { record in
            withUnsafePointer(to: record) { UnsafeRawPointer($0).load(fromByteOffset: offset, as: Value.self) }
                .fieldValue
        }
        set = { record, value in
            guard let value = Value(fieldValue: value) else { return false }
            withUnsafeMutablePointer(to: &record) { start in
                (UnsafeMutableRawPointer(start) + offset).assumingMemoryBound(to: Value.self).pointee = value
            }
            return true
        }
    }
}

extension RecordField {
    /// - Parameters:
    ///   - columns: where they are not called after the field.
    ///   - usual: what payloads leave out; without it what the type says.
    package convenience init<Value: FieldRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ documentation: String = "",
        _ meaning: Meaning? = nil, columns: [String]? = nil, isInternal: Bool = false, isPersonal: Bool = false,
        isNoneAsZero: Bool = false, usual: Value? = nil
    ) {
        self.init(
            name, path, documentation, meaning, columns: columns, isInternal: isInternal, isPersonal: isPersonal,
            isNoneAsZero: isNoneAsZero, usual: (usual?.fieldValue ?? Value.usualValue).map { .value($0) } ?? .none)
    }

    /// A field that, as a rule, says what `usually` makes of others.
    package convenience init<Value: FieldRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ documentation: String = "",
        isInternal: Bool = false, isPersonal: Bool = false, usually: @escaping @Sendable (Record) -> Value
    ) {
        self.init(
            name, path, documentation, nil, columns: nil, isInternal: isInternal, isPersonal: isPersonal,
            isNoneAsZero: false, usual: .like { usually($0).fieldValue })
    }
}

package import Desk

extension EventDeclaration {
    /// The event as a type of record: `event.loan.made`, with the fields that a script has.
    package var recordType: APIRecordType {
        APIRecordType(
            name: "event." + name, summary: summary, fields: (EventField.common + fields).map(\.parameter))
    }
}

extension EventField {
    /// The field as references and checks have it.
    package var parameter: APIParameter {
        mayBeAbsent ? .optional(name, type.shown, documentation) : .required(name, type.shown, documentation)
    }
}

extension EventFieldType {
    /// The type that scripts have.
    var shown: APIType {
        switch self {
        case .plain(let kind): APIType(shown: kind)
        case .record(let reference): .record(reference.rawValue)
        case .entries(let fields): .list(.fields(fields.map(\.parameter)))
        }
    }
}

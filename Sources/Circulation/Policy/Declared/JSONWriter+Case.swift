package import TextFormats

extension JSONWriter {
    /// The fields of a part of the case by their declaration.
    package mutating func members<Part>(of record: CaseRecord<Part>, _ part: Part) {
        for field in record.fields {
            switch (field.writing, field.content) {
            case (.never, _), (_, .calendar): break
            case (.chain(let codes), _): chain(field.name, codes(part))
            case (.chainIfAny(let codes), _):
                let codes = codes(part)
                if !codes.isEmpty { chain(field.name, codes) }
            case (_, .value(_, let value)):
                let value = value(part)
                if case .ifTelling = field.writing, value.saysNothing { continue }
                written(field.name, value)
            case (_, .nested(let nesting)): nested(field.name, nesting, part, field.writing)
            }
        }
    }

    private mutating func nested<Nesting: CaseNesting>(
        _ name: String, _ nesting: Nesting, _ part: Nesting.Part, _ writing: CaseField<Nesting.Part>.Writing
    ) {
        let count = nesting.count(part)
        switch (count, writing) {
        case (nil, .orNull):
            key(name)
            null()
        case (nil, _), (0, .ifTelling): break
        default:
            key(name)
            if nesting.isList { beginArray() }
            nesting.visit(part) { inner in
                beginObject()
                members(of: nesting.record, inner)
                endObject()
            }
            if nesting.isList { endArray() }
        }
    }

    /// Lists stand even where they are empty: what is left out would be read back as what is usual.
    private mutating func written(_ name: String, _ value: FieldValue) {
        switch value {
        case .texts([]), .integers([]), .actions([]):
            key(name)
            beginArray()
            endArray()
        default: member(name, value)
        }
    }

    private mutating func chain(_ name: String, _ codes: [String]) {
        if codes.count == 1 {
            member(name, codes[0])
        } else {
            key(name)
            beginArray()
            for code in codes { string(code) }
            endArray()
        }
    }
}

extension FieldValue {
    /// Whether it is absent, false, 0 or empty.
    fileprivate var saysNothing: Bool {
        switch self {
        case .absent, .flag(false), .integer(0), .text(""), .texts([]), .integers([]): true
        case .object(let object): object.isEmpty
        default: false
        }
    }
}

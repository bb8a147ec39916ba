import TextFormats

extension CaseField.Writing {
    /// Writes a value in this way; nil if it is never written.
    func writer(_ name: String, _ value: @escaping @Sendable (Part) -> FieldValue) -> CaseField.Writer? {
        switch self {
        case .never: nil
        case .chain(let codes): { part, json in json.chain(name, codes(part)) }
        case .chainIfAny(let codes):
            { part, json in
                let codes = codes(part)
                if !codes.isEmpty { json.chain(name, codes) }
            }
        case .ifTelling:
            { part, json in
                let value = value(part)
                if !value.saysNothing { json.written(name, value) }
            }
        case .when(let isSaid): { part, json in if isSaid(part) { json.written(name, value(part)) } }
        case .ifThere, .orNull: { part, json in json.written(name, value(part)) }
        }
    }

    /// Writes records of a part in this way; nil if they are never written.
    func writer<Nesting: CaseNesting<Part>>(_ name: String, _ nesting: Nesting) -> CaseField.Writer? {
        let (isList, record, visit) = (nesting.isList, nesting.record, nesting.visit)
        let written: CaseField.Writer = { part, json in
            json.key(name)
            if isList { json.beginArray() }
            visit(part) { inner in
                json.beginObject()
                record.write(inner, to: &json)
                json.endObject()
            }
            if isList { json.endArray() }
        }
        let count = nesting.count
        switch self {
        case .never: return nil
        case .orNull:
            return { part, json in
                guard count(part) == nil else { return written(part, &json) }
                json.key(name)
                json.null()
            }
        case .ifTelling: return { part, json in if count(part) ?? 0 > 0 { written(part, &json) } }
        default: return { part, json in if count(part) != nil { written(part, &json) } }
        }
    }
}

extension JSONWriter {
    /// Lists stand even where they are empty: what is left out would be read back as what is usual.
    fileprivate mutating func written(_ name: String, _ value: FieldValue) {
        switch value {
        case .texts([]), .integers([]), .actions([]):
            key(name)
            beginArray()
            endArray()
        default: member(name, value)
        }
    }

    fileprivate mutating func chain(_ name: String, _ codes: [String]) {
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

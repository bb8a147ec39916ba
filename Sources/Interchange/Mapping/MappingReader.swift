import TextFormats

/// What is wrong with a mapping file, and at which member.
struct MappingFault: Error {
    let path: [String]
    let message: String

    init(_ path: [String], _ message: String) {
        self.path = path
        self.message = message
    }

    /// `records[1].columns.titel`
    var field: String? {
        path.isEmpty ? nil : path.joined(separator: ".").replacing(".[", with: "[")
    }
}

/// One object of a mapping file.
struct MappingReader {
    let object: JSONObject
    let path: [String]

    init(_ json: JSON, _ path: [String], _ expected: String) throws(MappingFault) {
        guard let object = json.objectValue else { throw MappingFault(path, expected) }
        self.object = object
        self.path = path
    }

    func fault(_ member: String, _ message: String) -> MappingFault { MappingFault(path + [member], message) }

    func allow(_ known: [String]) throws(MappingFault) {
        for key in object.keys where !known.contains(key) {
            let near = NameSuggestion.nearest(to: key, among: known).map { "; did you mean '\($0)'?" } ?? ";"
            throw fault(key, "unknown member\(near) expected one of \(known.joined(separator: ", "))")
        }
    }

    func text(_ member: String) throws(MappingFault) -> String? {
        guard let value = object[member] else { return nil }
        guard let text = value.stringValue else { throw fault(member, "expected a text") }
        return text
    }

    func texts(_ member: String) throws(MappingFault) -> [String]? {
        guard let value = object[member] else { return nil }
        guard let list = value.arrayValue, list.allSatisfy({ $0.stringValue != nil }) else {
            throw fault(member, "expected a list of texts")
        }
        return list.compactMap(\.stringValue)
    }

    func members(_ member: String) throws(MappingFault) -> [JSONObject.Entry] {
        guard let value = object[member] else { return [] }
        guard let object = value.objectValue else { throw fault(member, "expected an object") }
        return object.entries
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ member: String, _ type: Word.Type
    ) throws(MappingFault) -> Word? {
        guard let text = try text(member) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw fault(member, "expected one of \(words)")
    }
}

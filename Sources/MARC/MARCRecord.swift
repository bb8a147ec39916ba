package import TextFormats

/// A record of MARC 21, UNIMARC or another format of that kind (ISO 2709): a leader and fields, as they were read.
package struct MARCRecord: Hashable, Sendable {
    /// A part of a field, under a code of one character unless the record is damaged.
    package struct Subfield: Hashable, Sendable {
        package var code: String
        package var value: String

        package init(_ code: String, _ value: String) {
            self.code = code
            self.value = value
        }
    }

    /// A field, by its tag.
    package struct Field: Hashable, Sendable {
        /// What stands in a field.
        package enum Content: Hashable, Sendable {
            /// Of a control field, such as `001`.
            case value(String)
            /// Of a data field; two indicators, unless the record is damaged.
            case subfields(indicators: String, [Subfield])
        }

        /// Three characters, unless the record is damaged.
        package var tag: String
        package var content: Content

        package init(_ tag: String, _ content: Content) {
            self.tag = tag
            self.content = content
        }
    }

    /// 24 characters.
    package var leader: String
    package var fields: [Field]

    package init(leader: String, fields: [Field]) {
        self.leader = leader
        self.fields = fields
    }

    /// What the system that made the record calls it: its field `001`.
    package var controlNumber: String? {
        for case .value(let value) in fields.lazy.filter({ $0.tag == "001" }).map(\.content) {
            let number = value.trimmed
            if !number.isEmpty { return number }
        }
        return nil
    }

    /// Whether its fields are those of UNIMARC, whose titles stand in `200` and not in `245`.
    package var isUNIMARC: Bool {
        let tags = Set(fields.map(\.tag))
        return tags.contains("200") && !tags.contains("245")
    }
}

extension MARCRecord {
    /// A record of UNIMARC that says of itself that it is in UTF-8, where that matters: in `100 $a`, at places 26 and 27.
    var saidToBeUTF8: MARCRecord {
        let isPlain = fields.allSatisfy { field in
            switch field.content {
            case .value(let value): value.utf8.allSatisfy { $0 < 0x80 }
            case .subfields(_, let subfields): subfields.allSatisfy { $0.value.utf8.allSatisfy { $0 < 0x80 } }
            }
        }
        guard !isPlain, let place = fields.firstIndex(where: { $0.tag == "100" }),
            case .subfields(let indicators, var subfields) = fields[place].content,
            let coded = subfields.firstIndex(where: { $0.code == "a" })
        else { return self }
        var bytes = Array(subfields[coded].value.utf8)
        guard bytes.count >= 36, bytes.allSatisfy({ $0 < 0x80 }) else { return self }
        bytes.replaceSubrange(26..<28, with: "50".utf8)
        subfields[coded].value = String(decoding: bytes, as: UTF8.self)
        var record = self
        record.fields[place].content = .subfields(indicators: indicators, subfields)
        return record
    }
}

// MARK: - JSON

extension MARCRecord {
    /// As MARC-in-JSON has it, which other programs read too: `{"leader": "…", "fields": [{"001": "…"}, {"245": {"ind1": "1", "ind2":
    /// "0", "subfields": [{"a": "…"}]}}]}`.
    package var json: JSONObject { json { $0 } }

    /// The same with each text as `change` makes it.
    package func json(_ change: (String) -> String) -> JSONObject {
        let fields = fields.map { field -> JSON in
            switch field.content {
            case .value(let value): return [field.tag: .string(change(value))]
            case .subfields(let indicators, let subfields):
                let first = indicators.first.map(String.init) ?? ""
                let object: JSONObject = [
                    "ind1": .string(first), "ind2": .string(String(indicators.dropFirst())),
                    "subfields": .array(subfields.map { [$0.code: .string(change($0.value))] }),
                ]
                return [field.tag: .object(object)]
            }
        }
        return ["leader": .string(leader), "fields": .array(fields)]
    }

    /// What is wrong with an object that is to be a record.
    package struct Fault: Error, Hashable {
        package let path: String
        package let message: String
    }

    /// Reads MARC-in-JSON.
    ///
    /// - Throws: ``Fault`` with the member and what was expected there.
    package init(json: JSONObject) throws(Fault) {
        guard let leader = json["leader"]?.stringValue else { throw Fault(path: "leader", message: "expected a text") }
        guard let entries = json["fields"]?.list else {
            throw Fault(path: "fields", message: "expected a list of fields")
        }
        var fields: [Field] = []
        for (number, entry) in entries.enumerated() {
            let path = "fields[\(number + 1)]"
            guard let object = entry.objectValue, object.count == 1, let member = object.entries.first else {
                throw Fault(path: path, message: "a field is an object with its tag as the one member")
            }
            fields.append(Field(member.key, try Self.content(member.value, "\(path).\(member.key)")))
        }
        self.init(leader: leader, fields: fields)
    }

    private static func content(_ json: JSON, _ path: String) throws(Fault) -> Field.Content {
        if let value = json.stringValue { return .value(value) }
        guard let object = json.objectValue, let entries = object["subfields"]?.list else {
            throw Fault(path: path, message: "expected a text, or an object with ind1, ind2 and a list of subfields")
        }
        var subfields: [Subfield] = []
        for (number, entry) in entries.enumerated() {
            guard let one = entry.objectValue, one.count == 1, let member = one.entries.first,
                let value = member.value.stringValue
            else {
                throw Fault(
                    path: "\(path).subfields[\(number + 1)]",
                    message: "a subfield is an object with its code as the one member, which holds a text")
            }
            subfields.append(Subfield(member.key, value))
        }
        let indicators = (object["ind1"]?.stringValue ?? " ") + (object["ind2"]?.stringValue ?? " ")
        return .subfields(indicators: indicators, subfields)
    }
}

extension String {
    /// Without the blanks around it.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}

extension JSON {
    /// The elements; none of an empty object, which is what Lua has for an empty list.
    fileprivate var list: [JSON]? { if case .object(let object) = self, object.isEmpty { [] } else { arrayValue } }
}

import Server
import TextFormats

/// Holds JSON against a schema of the OpenAPI document: as much of JSON Schema as the document uses, and no word more.
struct SchemaCheck {
    private let document: JSON

    init(_ document: JSON) {
        self.document = document
    }

    /// What is wrong, with its place; empty where all fits.
    func faults(_ value: JSON, _ schema: JSON, at place: String = "$") -> [String] {
        guard case .object(let words) = schema else { return ["\(place): the schema is not an object"] }
        if let reference = words["$ref"]?.stringValue { return faults(value, resolve(reference), at: place) }
        if let choices = words["anyOf"]?.arrayValue {
            return choices.contains { faults(value, $0, at: place).isEmpty } ? [] : ["\(place): none of anyOf"]
        }
        var found: [String] = []
        if let type = words["type"]?.stringValue, !Self.fits(value, type) {
            return ["\(place): \(value) is not a valid \(type)"]
        }
        if let allowed = words["enum"]?.arrayValue, !allowed.contains(value) { found.append("\(place): \(value)") }
        if let element = words["items"] {
            for (index, item) in (value.arrayValue ?? []).enumerated() {
                found += faults(item, element, at: "\(place)[\(index)]")
            }
        }
        for name in words["required"]?.arrayValue ?? [] {
            if let name = name.stringValue, value[name] == nil { found.append("\(place): no '\(name)'") }
        }
        let properties = words["properties"]?.objectValue
        for entry in value.objectValue?.entries ?? [] {
            if let property = properties?[entry.key] {
                found += faults(entry.value, property, at: "\(place).\(entry.key)")
            } else if words["additionalProperties"] == false {
                found.append("\(place): '\(entry.key)' is too much")
            }
        }
        return found
    }

    private func resolve(_ reference: String) -> JSON {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    }

    /// What the document says of an answer: the faults of a body, and of a status that it does not know.
    func faults(of status: Int, _ body: JSON, of route: (path: String, verb: String)) -> [String] {
        guard let responses = document["paths"]?[OpenAPIDocument.path(route.path)]?[route.verb]?["responses"],
            var response = responses[String(status)]
        else { return ["\(route.verb) \(route.path) does not know the status \(status)"] }
        if let reference = response["$ref"]?.stringValue { response = resolve(reference) }
        guard let content = response["content"]?.objectValue?.entries.first?.value else {
            return body == .null ? [] : ["\(route.verb) \(route.path) \(status) has a body"]
        }
        return faults(body, content["schema"] ?? .null, at: "\(route.verb) \(route.path) \(status)")
    }

    private static func fits(_ value: JSON, _ type: String) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("integer", .integer),
            ("number", .integer), ("number", .number), ("null", .null):
            true
        default: false
        }
    }
}

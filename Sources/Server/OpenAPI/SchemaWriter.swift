import Desk
import Scripting
import TextFormats

/// Types of the API as JSON Schema (draft 2020-12) says them.
enum SchemaWriter {
    static func record(_ record: APIRecordType) -> JSON { object(record.fields, record.summary) }

    private static func object(_ fields: [APIParameter], _ summary: String = "") -> JSON {
        var properties = JSONObject()
        for field in fields {
            var schema = result(field.type)
            if !field.documentation.isEmpty, case .object(var object) = schema, object["$ref"] == nil {
                object["description"] = .string(field.documentation)
                schema = .object(object)
            }
            properties[field.name] = schema
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        let required = fields.filter { $0.isRequired && !$0.type.mayBeNull }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        if !summary.isEmpty { schema["description"] = .string(summary) }
        return .object(schema)
    }

    /// What a route answers with; nil: nothing.
    static func answer(of route: Route) -> JSON? {
        guard let type = route.function.result.type else { return nil }
        if case .each = route.function.result { return items(type, route) }
        switch type {
        case .list where route.media != nil: return result(type)
        case .list(let element): return items(element, route)
        // Of several things asked for at once there is a list.
        case .record where route.function.members(has: "isbns"):
            return ["anyOf": [result(type), items(type, route)]]
        case .record, .fields, .json, .any: return result(type)
        default: return ["type": "object", "required": ["value"], "properties": ["value": result(type)]]
        }
    }

    private static func items(_ element: APIType, _ route: Route) -> JSON {
        var properties: JSONObject = ["items": ["type": "array", "items": result(element)]]
        if route.isPaged {
            properties["next"] = ["type": "string", "description": "the address of the next page, if there may be one"]
        }
        return ["type": "object", "required": ["items"], "properties": .object(properties)]
    }

    /// A type as it comes out.
    private static func result(_ type: APIType) -> JSON {
        switch type {
        case .any, .json: [:]
        case .boolean: ["type": "boolean"]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .text, .reference: ["type": "string"]
        case .choice(let words): ["type": "string", "enum": .array(words.map(JSON.string))]
        case .event: ["type": "string", "enum": .array(EventDeclaration.all.map { .string($0.name) })]
        case .date: ["type": "string", "format": "date"]
        case .instant: ["type": "string", "format": "date-time"]
        case .money, .percent, .period: ["type": "string"]
        case .function, .iterator: [:]
        case .list(let element): ["type": "array", "items": result(element)]
        case .record(let name): ["$ref": .string("#/components/schemas/\(name)")]
        case .fields(let fields): object(fields)
        case .optional(let type): ["anyOf": [result(type), ["type": "null"]]]
        }
    }

    /// A member of a body. One that may be left out may be null as well, which says the same.
    static func argument(_ type: APIType, isOptional: Bool) -> JSON {
        let schema = argument(type)
        guard isOptional, !type.mayBeNull, schema.objectValue?.isEmpty == false else { return schema }
        return ["anyOf": [schema, ["type": "null"]]]
    }

    /// A type as it goes in.
    static func argument(_ type: APIType) -> JSON {
        switch type {
        case .any, .json, .function, .iterator, .record: [:]
        case .boolean: ["type": "boolean"]
        case .integer(let range): integer(range)
        case .number: ["type": "number"]
        case .text(let maximum): ["type": "string", "maxLength": .integer(Int64(maximum))]
        case .choice(let words): ["type": "string", "enum": .array(words.map(JSON.string))]
        case .event: ["type": "string", "enum": .array(EventDeclaration.all.map { .string($0.name) })]
        case .date: ["type": "string", "format": "date"]
        case .instant: ["type": "string", "format": "date-time"]
        case .money: ["type": "string", "pattern": #"^-?[0-9]+(\.[0-9]+)?( [A-Z]{3})?$"#]
        case .percent: ["type": "string"]
        case .period: ["type": "string", "pattern": "^-?P(T?[0-9]+[A-Z]+)$"]
        case .list(let element): ["type": "array", "items": argument(element)]
        case .reference: ["anyOf": [["type": "string"], ["type": "integer", "minimum": 1]]]
        case .fields(let fields): argumentObject(fields)
        case .optional(let type): ["anyOf": [argument(type), ["type": "null"]]]
        }
    }

    private static func argumentObject(_ fields: [APIParameter]) -> JSON {
        var properties = JSONObject()
        for field in fields { properties[field.name] = argument(field.type, isOptional: !field.isRequired) }
        var schema: JSONObject = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = fields.filter(\.isRequired)
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        return .object(schema)
    }

    private static func integer(_ range: ClosedRange<Int64>) -> JSON {
        var schema: JSONObject = ["type": "integer"]
        if range.lowerBound != .min { schema["minimum"] = .integer(range.lowerBound) }
        if range.upperBound != .max { schema["maximum"] = .integer(range.upperBound) }
        return .object(schema)
    }

    /// A type as a segment of a path: a text of one sign at least.
    static func segment(_ type: APIType) -> JSON {
        switch type {
        case .integer(let range): integer(range)
        default: ["type": "string", "minLength": 1]
        }
    }
}

extension APIType {
    fileprivate var mayBeNull: Bool { if case .optional = self { true } else { false } }
}

extension APIFunction {
    /// Whether an argument of a name can be given.
    fileprivate func members(has name: String) -> Bool { ownMembers.contains { $0.name == name } }
}

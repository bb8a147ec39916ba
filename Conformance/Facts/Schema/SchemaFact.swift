import TextFormats

/// A neutral fact, read and held against the schema.
package struct SchemaFact: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        var operation: String
        var object: JSONObject
        var expect: JSONObject

        var values: SchemaValues { SchemaValues(object) }
    }

    var given: JSONObject
    var steps: [Step]
    /// What is found after the last step.
    var expect: JSONObject

    /// As a line of a file has it.
    var text: String {
        let steps = steps.map { JSON.object($0.object) }
        return JSON.object(["given": .object(given), "steps": .array(steps), "expect": .object(expect)]).text()
    }

    /// - Throws: what is wrong with it, and where.
    init(_ object: JSONObject) throws(SchemaComplaint) {
        guard let version = object["schema"]?.integerValue, version == Schema.version else {
            throw SchemaComplaint("schema: only version \(Schema.version) is known")
        }
        try SchemaCheck.check(object, .fact)
        given = object["given"]?.objectValue ?? [:]
        expect = object["expect"]?.objectValue ?? [:]
        steps = []
        let list = (object["steps"]?.arrayValue ?? []).compactMap(\.objectValue)
        guard let last = list.indices.last else { throw SchemaComplaint("steps: a fact needs one step at least") }
        for (index, step) in list.enumerated() {
            steps.append(try Self.step(step, "steps[\(index + 1)]", index == last ? expect : [:]))
        }
        guard !expect.isEmpty || steps.contains(where: { !$0.expect.isEmpty }) else {
            throw SchemaComplaint("expect: a fact that expects nothing proves nothing")
        }
    }

    private static func step(
        _ object: JSONObject, _ path: String, _ last: JSONObject
    ) throws(SchemaComplaint) -> Step {
        guard let operation = object["op"]?.stringValue.flatMap({ SchemaOperation.named[$0] }) else {
            throw SchemaComplaint("\(path).op: a step needs an operation")
        }
        let operands = operation.operands + SchemaOperation.common
        for key in object.keys where !operands.contains(key) {
            throw SchemaComplaint("\(path).\(key): \(operation.code) is not told that; it takes \(list(operands))")
        }
        let own = object["expect"]?.objectValue ?? [:]
        let results = operation.results.flatMap(\.fields).map(\.name)
        for (keys, place) in [(own.keys, "\(path).expect"), (last.keys, "expect")] {
            for key in keys where !results.contains(key) {
                throw SchemaComplaint("\(place).\(key): no result of \(operation.code); it has \(list(results))")
            }
        }
        return Step(operation: operation.code, object: object, expect: own)
    }

    private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}

import TextFormats

/// The API as JSON: `{"modules":[{"name","summary","functions":[...]}],"records":[...],"capabilities":[...]}`.
struct JSONReference {
    /// The API as a library has it.
    let api: LibraryAPI

    func render() -> String {
        let whole: JSON = [
            "modules": .array(api.modules.map(json)), "records": .array(api.records.map(json)),
            "capabilities": .array(Capability.grantable.map { .string($0.rawValue) }),
        ]
        return whole.text(pretty: true) + "\n"
    }

    private func json(_ module: APIModule) -> JSON {
        [
            "name": .string(module.name), "summary": .string(module.summary),
            "functions": .array(module.functions.map(json)),
        ]
    }

    private func json(_ function: APIFunction) -> JSON {
        [
            "name": .string(function.fullName), "signature": .string(function.signature),
            "summary": .string(function.summary), "details": .string(function.details),
            "parameters": .array(function.parameters.map(json)), "result": .string(function.result.text),
            "refusals": .array(function.refusals.map { .string($0) }),
            "capability": .string(function.capability.rawValue),
            "examples": .array(
                function.examples.map {
                    ["code": .string($0.code), "result": .string($0.result), "shows": .string($0.shown)]
                }),
        ]
    }

    private func json(_ record: APIRecordType) -> JSON {
        [
            "name": .string(record.name), "summary": .string(record.summary),
            "fields": .array(record.fields.map(json)),
        ]
    }

    private func json(_ parameter: APIParameter) -> JSON {
        var object = JSONObject()
        object["name"] = .string(parameter.name)
        object["type"] = .string(parameter.type.name)
        object["required"] = .bool(parameter.isRequired)
        object["documentation"] = .string(parameter.documentation)
        if let standard = parameter.standard { object["default"] = .string(standard) }
        if case .fields(let fields) = parameter.type { object["fields"] = .array(fields.map(json)) }
        return .object(object)
    }
}

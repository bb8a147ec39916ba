package import TextFormats

extension RuleOrigin {
    /// `{"row": {"table": "limits", "row": 1}, "field": null, "file": "policy.lua", "line": 12}`; `row` is one-based, and
    /// null where a function decided.
    package var json: JSON {
        let place: JSON =
            if let table, let row {
                ["table": .string(table.rawValue), "row": .integer(Int64(row))]
            } else {
                nil
            }
        return [
            "row": place, "field": field.map(JSON.string) ?? .null, "file": .string(file),
            "line": .integer(Int64(line)),
        ]
    }
}

extension Refusal {
    /// `{"code", "message", "details": {"reasons": [...]}, "policy", "where"}`, as programs rely on it: `policy` is the
    /// SHA-256 or null, `where` is null where no rule decided. `details` also has the first reason's figures, and
    /// `override` if staff may go on in spite of the refusal, and `confirm` if it is no more than a question; `template` is
    /// there, and true, while the message is one.
    package var json: JSON {
        var details = reasons.first?.figures ?? [:]
        details["reasons"] = .array(reasons.map(\.json))
        if mayBeOverridden { details["override"] = true }
        if isQuestion { details["confirm"] = true }
        var object: JSONObject = ["code": .string(code), "message": .string(message)]
        if isTemplate { object["template"] = true }
        object["details"] = .object(details)
        object["policy"] = policy.map(JSON.string) ?? .null
        object["where"] = origin?.json ?? .null
        return .object(object)
    }
}

extension Refusal.Reason {
    /// `{"code", "message", "title", "where"}` and the reason's figures, such as `limit` and `count`.
    package var json: JSON {
        var object = JSONObject()
        object["code"] = .string(code)
        object["message"] = .string(message)
        if isTemplate { object["template"] = true }
        if let title { object["title"] = .integer(title) }
        for figure in figures where object[figure.key] == nil { object[figure.key] = figure.value }
        object["where"] = origin?.json ?? .null
        return .object(object)
    }
}

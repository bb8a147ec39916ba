import Circulation
import TextFormats

/// Reads the members of an event's payload, each as what it must be.
package struct EventPayload {
    let object: JSONObject
    /// The name of the event's kind; empty for a part of a payload.
    let kind: String

    init(_ object: JSONObject, kind: String = "") {
        self.object = object
        self.kind = kind
    }

    /// The step that the name of the event's kind ends with.
    func step<Step: RawRepresentable<String>>(after prefix: String, _ type: Step.Type = Step.self) throws -> Step {
        guard kind.hasPrefix(prefix), let step = Step(rawValue: String(kind.dropFirst(prefix.count))) else {
            throw DeskError.event("The kind \(kind) is no step of \(prefix).")
        }
        return step
    }

    func text(_ key: String) throws -> String {
        try required(key, optionalText(key))
    }

    func optionalText(_ key: String) throws -> String? {
        try optional(key) { $0.stringValue }
    }

    func integer(_ key: String) throws -> Int64 {
        try required(key, optionalInteger(key))
    }

    func optionalInteger(_ key: String) throws -> Int64? {
        try optional(key) { $0.integerValue }
    }

    /// A mark that is not written counts as false.
    func flag(_ key: String) throws -> Bool {
        try optional(key) { $0.boolValue } ?? false
    }

    func optionalInstant(_ key: String) throws -> Instant? {
        try parsed(key) { try Instant(parsing: $0) }
    }

    func optionalDate(_ key: String) throws -> CivilDate? {
        try parsed(key) { try CivilDate(parsing: $0) }
    }

    func money(_ key: String) throws -> Money {
        try required(key, optionalMoney(key))
    }

    func optionalMoney(_ key: String) throws -> Money? {
        try parsed(key) { try Money(parsing: $0) }
    }

    func texts(_ key: String) throws -> [String] {
        let values = try optional(key) { $0.arrayValue } ?? []
        return try values.map { try required(key, $0.stringValue) }
    }

    func ids(_ key: String) throws -> [Int64] {
        let values = try optional(key) { $0.arrayValue } ?? []
        return try values.map { try required(key, $0.integerValue) }
    }

    func members(_ key: String) throws -> JSONObject {
        try optional(key) { $0.objectValue } ?? [:]
    }

    func inner(_ key: String) throws -> EventPayload {
        EventPayload(try required(key, optional(key) { $0.objectValue }))
    }

    func optionalInner(_ key: String) throws -> EventPayload? {
        try optional(key) { $0.objectValue }.map { EventPayload($0) }
    }

    func inners(_ key: String) throws -> [EventPayload] {
        let values = try optional(key) { $0.arrayValue } ?? []
        return try values.map { EventPayload(try required(key, $0.objectValue)) }
    }

    func optionalChoice<Choice: RawRepresentable>(_ key: String, _ type: Choice.Type) throws -> Choice?
    where Choice.RawValue == String {
        try optional(key) { $0.stringValue.flatMap { Choice(rawValue: $0) } }
    }

    /// `due_at` with `due_on` and `exact`, as ``JSONWriter/due(_:)`` writes them.
    func due() throws -> DueTime? {
        guard let instant = try optionalInstant("due_at") else { return nil }
        let date = try required("due_on", optionalDate("due_on"))
        return DueTime(instant: instant, date: date, isExact: try flag("exact"))
    }

    private func optional<Value>(_ key: String, _ read: (JSON) -> Value?) throws -> Value? {
        guard let json = object[key], json != .null else { return nil }
        return try required(key, read(json))
    }

    private func required<Value>(_ key: String, _ value: Value?) throws -> Value {
        guard let value else { throw missing(key) }
        return value
    }

    func missing(_ key: String) -> DeskError {
        DeskError.event("The payload's \(key) is missing or not of its type.")
    }

    private func parsed<Value>(_ key: String, _ parse: (String) throws -> Value) throws -> Value? {
        guard let text = try optionalText(key) else { return nil }
        do {
            return try parse(text)
        } catch {
            throw DeskError.event("The payload's \(key) is \"\(text)\", which is not of its type.")
        }
    }
}

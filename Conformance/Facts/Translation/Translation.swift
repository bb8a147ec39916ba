import Circulation
import TextFormats

/// A fact in another system's words, put into the neutral schema by tables: of fields (``TranslationTable/given``), of
/// operations and of results. What no entry knows is named, and the fact is not translated.
struct Translation {
    /// What a fact comes to, piece by piece.
    private(set) var given: JSONObject = [:]
    private var steps: [JSONObject] = []
    private var expect: JSONObject = [:]
    private let fact: Fact
    let system: ForeignSystem

    private init(_ fact: Fact) {
        self.fact = fact
        system = ForeignSystem(source: fact.source)
    }

    /// - Throws: ``NotExpressed`` with the first field, operation or word that no entry knows.
    static func neutral(of fact: Fact) throws -> SchemaFact {
        var translation = Translation(fact)
        try translation.read()
        let object: JSONObject = [
            "schema": .integer(Schema.version), "id": .string(fact.id),
            "given": .object(translation.given), "steps": .array(translation.steps.map { .object($0) }),
            "expect": .object(translation.expect),
        ]
        do {
            return try SchemaFact(object)
        } catch {
            throw NotExpressed(error.message)
        }
    }

    private mutating func read() throws {
        let words = Operation(fact.operation)
        for part in words.steps {
            guard let known = Self.operation(part) else {
                throw NotExpressed("the operation \"\(part)\" is not in the table")
            }
            var step = known.entry.operands
            step["op"] = .string(known.entry.code)
            if let place = known.place { step[known.entry.code == "place_hold" ? "pickup" : "branch"] = .string(place) }
            if words.times > 1, words.steps.count == 1 { step["times"] = .integer(Int64(words.times)) }
            for preset in known.entry.presets { set(preset.path, preset.value) }
            steps.append(step)
        }
        guard let code = steps.last?["op"]?.stringValue else { throw NotExpressed("nothing is done") }
        for entry in fact.given.entries where !Self.isRemark(entry.key) {
            try take(entry, TranslationTable.given, "given", code)
        }
        for entry in fact.when.entries where entry.key != "op" && !Self.isRemark(entry.key) {
            let (known, value) = try Self.read(entry, TranslationTable.when, "when", code)
            if known.path.hasPrefix("given.") {
                set(String(known.path.dropFirst(6)), value)
            } else {
                steps[steps.count - 1][known.path] = value
            }
        }
        addConventions()
        for entry in fact.expect.entries {
            let (known, value) = try Self.read(entry, TranslationTable.expect, "expect", code)
            expect[known.path] = value
        }
    }

    private mutating func addConventions() {
        for convention in TranslationTable.conventions
        where convention.systems.isEmpty || convention.systems.contains(system) {
            guard convention.needs.map({ value(at: $0) != nil }) ?? true, value(at: convention.path) == nil,
                convention.unless.map({ value(at: $0) == nil }) ?? true
            else { continue }
            set(convention.path, convention.value)
        }
    }

    private static func read(
        _ entry: JSONObject.Entry, _ table: [TranslationTable.Entry], _ path: String, _ code: String
    ) throws -> (TranslationTable.Entry, JSON) {
        guard let known = self.entry(entry.key, table, code) else {
            throw NotExpressed("\(path).\(entry.key) is not in the table")
        }
        guard let value = entry.value.isNull ? .null : try known.reading.value(entry.value) else {
            throw NotExpressed("\(path).\(entry.key): \(entry.value.text()) is not in the table")
        }
        return (known, value)
    }

    /// The operation of words such as `checkout`, `checkout twice` or `checkout at Martigny`.
    private static func operation(_ words: String) -> (entry: TranslationTable.OperationEntry, place: String?)? {
        let parts = words.components(separatedAt: " at ")
        let plain = parts.first.lowercased().split(separator: " ")
            .filter { !["once", "twice", "times", "two", "three", "four"].contains($0) && Int($0) == nil }
            .joined(separator: " ")
        guard let entry = TranslationTable.operations.first(where: { $0.words.contains(plain) }) else { return nil }
        return (entry, parts.second)
    }

    private static func entry(
        _ name: String, _ table: [TranslationTable.Entry], _ operation: String
    ) -> TranslationTable.Entry? {
        table.first { $0.names.contains(name) && ($0.operations.isEmpty || $0.operations.contains(operation)) }
    }

    /// Fields that only explain.
    private static func isRemark(_ key: String) -> Bool {
        ["note", "notes", "comment", "description", "modes"].contains(key) || key.hasSuffix("_meaning")
            || key.hasPrefix("_")
    }

    private mutating func take(
        _ entry: JSONObject.Entry, _ table: [TranslationTable.Entry], _ path: String, _ code: String
    ) throws {
        guard let known = Self.entry(entry.key, table, code) else {
            throw NotExpressed("\(path).\(entry.key) is not in the table")
        }
        if entry.value.isNull {
            if known.takesNull { set(known.path, .null) }
            return
        }
        if case .calendar(let parts) = known.reading {
            return try take(calendar: entry.value, parts, known.path, code)
        }
        if case .settings(let settings) = known.reading {
            let words = (entry.value.stringValue ?? entry.value.text()).lowercased()
            guard let values = settings[words.replacing("move to the ", with: "").replacing("move to ", with: "")]
            else { throw NotExpressed("\(path).\(entry.key): \(entry.value.text()) is not in the table") }
            for (path, value) in values { set(path, value) }
            return
        }
        guard let value = try known.reading.value(entry.value) else {
            throw NotExpressed("\(path).\(entry.key): \(entry.value.text()) is not in the table")
        }
        if !known.path.isEmpty { set(known.path, value) }
        for (path, value) in known.beside { set(path, value) }
    }

    private mutating func take(
        calendar value: JSON, _ parts: [TranslationTable.Entry], _ path: String, _ code: String
    ) throws {
        if let words = value.stringValue?.lowercased() {
            if words.hasPrefix("open") { return }
            guard words.hasSuffix(" closed") else {
                throw NotExpressed("the calendar \"\(words)\" is not in the table")
            }
            let days = words.dropLast(7).replacing("/", with: ",").replacing(" and ", with: ",")
            return set("calendar.weekly", .object([String(days): "closed"]))
        }
        guard let object = value.objectValue else { throw NotExpressed("a calendar is an object") }
        let isDated = object.keys.allSatisfy { (try? CivilDate(parsing: $0)) != nil }
        guard !isDated, !object.isEmpty else {
            if let days = try TranslationReading.openings.value(value) { set(path, days) }
            return
        }
        for part in object.entries { try take(part, parts, "given.calendar", code) }
    }

    /// Sets a value at a path such as `rule.loan`; lists grow, objects are joined.
    private mutating func set(_ path: String, _ value: JSON) {
        let names = path.split(separator: ".").map(String.init)
        if names.first == "step", names.count == 2 {
            steps[steps.count - 1][names[1]] = value
        } else {
            given = Self.joined(given, names[...], value)
        }
    }

    /// What was set at a path.
    private func value(at path: String) -> JSON? {
        var found: JSON? = .object(given)
        for name in path.split(separator: ".") {
            let key = name.replacing("[]", with: "")
            found = found?[String(key)]
            if name.hasSuffix("[]") { found = found?.arrayValue?.first }
        }
        return found
    }

    private static func joined(_ object: JSONObject, _ path: ArraySlice<String>, _ value: JSON) -> JSONObject {
        guard let name = path.first else { return object }
        var object = object
        guard path.count == 1 else {
            // The first of a list stands for the list.
            if name.hasSuffix("[]") {
                let key = String(name.dropLast(2))
                let first = object[key]?.arrayValue?.first?.objectValue ?? [:]
                let rest = object[key]?.arrayValue?.dropFirst() ?? []
                object[key] = .array([.object(joined(first, path.dropFirst(), value))] + rest)
            } else {
                object[name] = .object(joined(object[name]?.objectValue ?? [:], path.dropFirst(), value))
            }
            return object
        }
        switch (object[name], value) {
        case (.array(let present)?, .array(let more)): object[name] = .array(present + more)
        case (.object(let present)?, .object(let more)):
            object[name] = .object(more.entries.reduce(into: present) { $0[$1.key] = $1.value })
        default: object[name] = value
        }
        return object
    }
}

extension String {
    /// What stands before the first of a text, and what stands behind it.
    fileprivate func components(separatedAt text: String) -> (first: String, second: String?) {
        guard let range = firstRange(of: text) else { return (self, nil) }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}

import Circulation
import TextFormats

/// A fact in another system's words, put into the neutral schema by tables: of fields (``TranslationTable/given``), of
/// operations and of results. What no entry knows is named, and the fact is not translated.
struct Translation {
    /// What a fact comes to, piece by piece.
    var given: JSONObject = [:]
    var steps: [JSONObject] = []
    var expect: JSONObject = [:]
    let fact: Fact
    let words: Operation
    let system: ForeignSystem
    /// What was not read yet.
    var left: Unread
    /// What lengths of loans are counted in, where a field of its own says it.
    private var lengthUnit: String?
    /// The step that results are about; nil: the last.
    var subject: Int?

    struct Unread {
        var given: JSONObject
        var when: JSONObject
        var expect: JSONObject
    }

    private init(_ fact: Fact) {
        self.fact = fact
        words = Operation(fact.operation)
        system = ForeignSystem(source: fact.source)
        func fields(_ object: JSONObject) -> JSONObject {
            object.entries.filter { !Self.isRemark($0.key) && $0.key != "op" }
                .reduce(into: [:]) { $0[$1.key] = $1.value }
        }
        left = Unread(given: fields(fact.given), when: fields(fact.when), expect: fields(fact.expect))
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

    /// What several fields say together, one kind after the other; each takes away what it has read.
    private static let parts: [@Sendable (inout Translation) throws -> Void] = [
        { try $0.readQueue() }, { try $0.readNotices() }, { try $0.readMoney() }, { try $0.readLoans() },
        { try $0.readRules() }, { try $0.readLimits() },
    ]

    private mutating func read() throws {
        try readSteps()
        lengthUnit = takenUnit(from: &left.given)
        for part in Self.parts { try part(&self) }
        for entry in left.given.entries { try take(entry, "given") }
        for entry in left.when.entries { try take(operand: entry) }
        addConventions()
        let hasMark = taken("standing_penalty_added", "penalty_added", from: \.expect)
        if let hasMark, hasMark != true { throw NotExpressed("what stands against no further loan is not said") }
        for entry in left.expect.entries { try take(result: entry) }
        try finish(hasMark: hasMark != nil)
    }

    /// The code of the operation.
    var code: String { steps.last?["op"]?.stringValue ?? "" }

    private mutating func addConventions() {
        for convention in TranslationTable.conventions
        where convention.systems.isEmpty || convention.systems.contains(system) {
            guard convention.needs.map({ value(at: $0) != nil }) ?? true, value(at: convention.path) == nil,
                convention.unless.map({ value(at: $0) == nil }) ?? true
            else { continue }
            set(convention.path, convention.value)
        }
    }

    /// Fields that only explain.
    static func isRemark(_ key: String) -> Bool {
        ["note", "notes", "comment", "description", "modes", "source", "topic", "title", "remark"].contains(key)
            || key.hasSuffix("_meaning") || key == "block_reason" || key.hasSuffix("_note") || key.hasPrefix("_")
    }

    private func takenUnit(from object: inout JSONObject) -> String? {
        for entry in object.entries {
            if ["lengthunit", "length_unit", "period_unit", "duration_unit"].contains(FieldName.plain(entry.key)) {
                object[entry.key] = Optional<JSON>.none
                return entry.value.stringValue?.lowercased()
            }
            guard var part = entry.value.objectValue, let unit = takenUnit(from: &part) else { continue }
            object[entry.key] = .object(part)
            return unit
        }
        return nil
    }

    // MARK: Given

    static func unknown(_ entry: JSONObject.Entry, _ path: String) -> NotExpressed {
        NotExpressed("what \(path).\(entry.key) means by \(entry.value.text()) is not in the table")
    }

    /// A field of what is given, or of an object within it.
    mutating func take(_ entry: JSONObject.Entry, _ path: String) throws {
        let known = TranslationTable.entries(entry.key, TranslationTable.given, code)
        if let object = entry.value.objectValue, !known.contains(where: { $0.entry.reading.takesObjects }) {
            return try take(parts: object, of: entry.key, path)
        }
        guard let first = known.first else { throw Self.unknownField(entry.key, path) }
        if entry.value.isNull {
            if first.entry.takesNull { set(first.entry.path, .null) }
            return
        }
        // Of names that several entries know, the value says which is meant.
        for (found, unit) in known {
            if try take(entry, found, unit, path) { return }
        }
        if let object = entry.value.objectValue { return try take(parts: object, of: entry.key, path) }
        throw Self.unknown(entry, path)
    }

    private mutating func take(
        _ entry: JSONObject.Entry, _ found: TranslationTable.Entry, _ unit: String?, _ path: String
    ) throws -> Bool {
        switch found.reading {
        case .calendar(let parts):
            guard entry.value.integerValue == nil else { return false }
            try take(calendar: entry.value, parts, found.path)
        case .settings(let settings):
            guard let values = settings[Self.plain(entry.value)] else { return false }
            for (path, value) in values { set(path, value) }
        case .records(let list):
            if let count = entry.value.integerValue { return take(count: count, list) }
            guard entry.value.arrayValue?.allSatisfy({ $0.objectValue != nil }) == true else { return false }
            try take(records: entry, list, path)
        default:
            if found.path == "rule.fine", let (amount, per) = TranslationReading.rate(entry.value) {
                set("rule.fine", .string(amount))
                set("rule.per", .string(per))
                return true
            }
            let own = ["rule.loan", "rule.renewal_period"].contains(found.path) ? lengthUnit : nil
            guard let value = try found.reading.value(entry.value, unit ?? own) else { return false }
            if !found.path.isEmpty { set(found.path, value) }
            for (path, value) in found.beside { set(path, value) }
        }
        return true
    }

    /// `loans: 4`: as many of the reader's; holds are those of others, but where one is to be placed.
    private mutating func take(count: Int64, _ list: String) -> Bool {
        guard (0...5_000).contains(count), list != "patrons" else { return false }
        var record: JSONObject = ["count": .integer(count)]
        if list == "holds", code == "place_hold" { record["patron"] = "reader" }
        if count > 0 {
            set(list == "copies" ? "copies[].count" : list, list == "copies" ? .integer(count) : [.object(record)])
        }
        return true
    }

    static func unknownField(_ name: String, _ path: String) -> NotExpressed {
        let known = (path == "expect" ? TranslationTable.expect : TranslationTable.given).flatMap(\.names)
        let meant = NameSuggestion.nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        return NotExpressed("\(path).\(name) is not in the table\(meant)")
    }

    /// A word in small letters, without what leads to it.
    private static func plain(_ value: JSON) -> String {
        let text = (value.stringValue ?? value.text()).lowercased()
        return text.replacing("move to the ", with: "").replacing("move to ", with: "").replacing("_", with: " ")
    }

    /// The fields of an object: `loan: {due}` says what `loan_due` says, `policy: {loan_days}` what `loan_days` says.
    private mutating func take(parts object: JSONObject, of name: String, _ path: String) throws {
        for part in object.entries where !Self.isRemark(part.key) && !["name", "id", "barcode"].contains(part.key) {
            let whole = "\(name) \(part.key)"
            if TranslationTable.entry(whole, TranslationTable.given, code) != nil {
                try take(JSONObject.Entry(key: whole, value: part.value), path)
            } else if TranslationTable.isContainer(name), TranslationTable.fits(part.key, in: name, code) {
                try take(part, "\(path).\(name)")
            } else {
                throw NotExpressed("\(path).\(name).\(part.key) is not in the table")
            }
        }
    }

    // MARK: Operands and results

    private mutating func take(operand entry: JSONObject.Entry) throws {
        let all = TranslationTable.entries(entry.key, TranslationTable.when, code)
        if all.isEmpty { return try take(entry, "when") }
        guard let (known, value) = try Self.read(entry.value, all) else { throw Self.unknown(entry, "when") }
        if known.path.hasPrefix("given.") {
            set(String(known.path.dropFirst(6)), value)
        } else {
            steps[steps.count - 1][known.path] = value
        }
    }

    private mutating func take(result entry: JSONObject.Entry) throws {
        if try take(listed: entry) { return }
        let all = TranslationTable.entries(entry.key, TranslationTable.expect, code)
        guard let (first, _) = all.first else {
            if let object = entry.value.objectValue, TranslationTable.isContainer(entry.key) {
                for part in object.entries { try take(result: part) }
                return
            }
            throw Self.unknownField(entry.key, "expect")
        }
        if case .reason = first.reading, let text = entry.value.stringValue, ReasonWords.saysOnlyRefused(text) {
            return expect["allowed"] = false
        }
        guard let (known, value) = try Self.read(entry.value, all) else { throw Self.unknown(entry, "expect") }
        expect[known.path] = value
        for (path, value) in known.beside { expect[path] = value }
    }

    /// The first of the entries that reads a value.
    private static func read(
        _ value: JSON, _ entries: [TranslationTable.Known]
    ) throws -> (TranslationTable.Entry, JSON)? {
        if value.isNull { return entries.first.map { ($0.entry, .null) } }
        for (entry, unit) in entries {
            if let value = try entry.reading.value(value, unit) { return (entry, value) }
        }
        return nil
    }

    /// Results of steps one after the other: `due_dates` of as many steps, `suspended_until_after_first`.
    private mutating func take(listed entry: JSONObject.Entry) throws -> Bool {
        if let list = entry.value.arrayValue, steps.count > 1, list.count == steps.count,
            let (known, unit) = TranslationTable.entry(entry.key, TranslationTable.expect, code), !known.takesLists
        {
            for (index, value) in list.enumerated() {
                guard let value = try known.reading.value(value, unit) else { throw Self.unknown(entry, "expect") }
                expect(known.path, value, of: index)
                if known.path == "reason" { expect("allowed", .bool(value.isNull), of: index) }
            }
            return true
        }
        for (index, ordinal) in ["first", "second", "third", "fourth"].enumerated() where index < steps.count {
            for ending in ["_after_\(ordinal)", "_\(ordinal)"] where entry.key.hasSuffix(ending) {
                let name = String(entry.key.dropLast(ending.count))
                guard let (known, unit) = TranslationTable.entry(name, TranslationTable.expect, code),
                    let value = try known.reading.value(entry.value, unit)
                else { continue }
                expect(known.path, value, of: index)
                return true
            }
        }
        return false
    }

    mutating func expect(_ name: String, _ value: JSON, of index: Int) {
        var own = steps[index]["expect"]?.objectValue ?? [:]
        own[name] = value
        steps[index]["expect"] = .object(own)
    }

    // MARK: Fields that are read together

    /// Takes away a field by its name, however that is written, where its value has the shape that is asked for; another
    /// stays, and is complained of later.
    mutating func taken<Value>(
        _ names: String..., as shape: (JSON) -> Value?, from part: WritableKeyPath<Unread, JSONObject> = \.given
    ) -> Value? {
        for name in names {
            let plain = FieldName.plain(name)
            guard let entry = left[keyPath: part].entries.first(where: { FieldName.plain($0.key) == plain }),
                let value = shape(entry.value)
            else { continue }
            left[keyPath: part][entry.key] = Optional<JSON>.none
            return value
        }
        return nil
    }

    mutating func taken(_ names: String..., from part: WritableKeyPath<Unread, JSONObject> = \.given) -> JSON? {
        for name in names {
            if let value = taken(name, as: { $0 }, from: part) { return value }
        }
        return nil
    }

    /// Sets a value at a path such as `rule.loan`; lists grow, objects are joined.
    mutating func set(_ path: String, _ value: JSON) {
        let names = path.split(separator: ".").map(String.init)
        if names.first == "step", names.count == 2 {
            steps[steps.count - 1][names[1]] = value
        } else {
            given = Self.joined(given, names[...], value)
        }
    }

    /// What was set at a path.
    func value(at path: String) -> JSON? {
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

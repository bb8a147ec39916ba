import Circulation
import Desk
import LuaRuntime
import LuaSyntax
import TextFormats

/// Turns what a script passed into checked arguments, or into an error that names the function, the argument, what was
/// expected and what came.
struct ArgumentCheck {
    /// What text is read with: `money "1.50"`, `"2026-12-24"`.
    struct Setting {
        let currency: Currency
        let zone: Zone
        /// Charges the script with memory, and ends the work when the script is over.
        var charge: (Int) throws -> Void = { _ in }
    }

    let function: APIFunction
    let setting: Setting

    /// - Throws: `LuaHostError`.
    func check(_ given: LuaArguments) throws -> APIArguments {
        if let fields = function.namedArguments {
            guard given.count <= 1 else {
                throw fault("takes one table of named arguments, got \(given.count) arguments")
            }
            return try named(fields, given.kind(at: 0) == .nil ? LuaTable() : table(given, fields))
        }
        // `branches.each{}` reads as `patrons.each{}` does: a table of nothing is not an argument.
        if function.parameters.isEmpty, given.count == 1, given.kind(at: 0) == .table,
            case .table(let table) = try copied(given, at: 0, as: "argument"), table.entries.isEmpty
        {
            return APIArguments()
        }
        guard given.count <= function.parameters.count else {
            throw fault("takes at most \(plural(function.parameters.count, "argument")), got \(given.count)")
        }
        var arguments = APIArguments()
        for (index, parameter) in function.parameters.enumerated() {
            let value = try copied(given, at: index, as: parameter.name)
            if let checked = try argument(parameter, value, at: parameter.name) {
                arguments.set(parameter.name, to: checked)
            }
        }
        return arguments
    }

    /// The same for arguments that are named, however the function takes them.
    ///
    /// - Throws: `LuaHostError`.
    func check(named table: LuaTable) throws -> APIArguments {
        try named(function.namedArguments ?? function.parameters, table)
    }

    private func table(_ given: LuaArguments, _ fields: [APIParameter]) throws -> LuaTable {
        let value = try copied(given, at: 0, as: "argument")
        if case .table(let table) = value {
            // So may a record: it has an id, which no table of named arguments has.
            guard let first = fields.first, case .reference = first.type, !table["id"].isNil,
                !fields.contains(where: { $0.name == "id" })
            else { return table }
            return LuaTable(fields: [(first.name, value)])
        }
        // `loans.active("ada")`: the only or first argument may stand alone.
        guard let first = fields.first, given.kind(at: 0) != .function else {
            throw fault("takes a table of named arguments, got \(got(value))")
        }
        return LuaTable(fields: [(first.name, value)])
    }

    private func copied(_ given: LuaArguments, at index: Int, as name: String) throws -> LuaValue {
        do {
            return try given.value(at: index)
        } catch let error as LuaHostError {
            throw fault("'\(name)' cannot be read: \(error.message)")
        }
    }

    private func named(_ fields: [APIParameter], _ table: LuaTable, at path: String = "") throws -> APIArguments {
        var given: [String: LuaValue] = [:]
        for entry in table.entries {
            guard case .string(let name) = entry.key, fields.contains(where: { $0.name == name }) else {
                throw unknown(entry.key, fields, at: path)
            }
            given[name] = entry.value
        }
        var arguments = APIArguments()
        for field in fields {
            let place = path.isEmpty ? field.name : "\(path).\(field.name)"
            if let checked = try argument(field, given[field.name] ?? .nil, at: place) {
                arguments.set(field.name, to: checked)
            }
        }
        return arguments
    }

    private func unknown(_ key: LuaValue, _ fields: [APIParameter], at path: String) -> LuaHostError {
        let names = fields.map(\.name)
        let place = path.isEmpty ? "" : " in '\(path)'"
        guard case .string(let name) = key else {
            return fault(
                "takes named arguments\(place), got one without a name; there are \(names.joined(separator: ", "))")
        }
        let hint = NameSuggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
        return fault(
            "has no argument '\(APIText.quotable(name))'\(place); "
                + (hint ?? "there are " + names.joined(separator: ", ")))
    }

    private func argument(_ parameter: APIParameter, _ value: LuaValue, at place: String) throws -> APIValue? {
        if value.isNil {
            guard !parameter.isRequired else {
                throw fault("'\(place)' is missing, expected \(parameter.type.expectation)")
            }
            return nil
        }
        if case .value(let small) = value, small.isNone, parameter.canBeNone { return .nothing }
        return try checked(value, as: parameter.type, at: place)
    }

    /// Of a list: what stands in it, once as it came and once as it was checked.
    private static let bytesOfElement = MemoryLayout<LuaValue>.stride + 2 * MemoryLayout<APIValue>.stride
    /// No date, moment or amount is longer.
    private static let longestParsed = 200

    // MARK: - One value

    private func checked(_ value: LuaValue, as type: APIType, at place: String) throws -> APIValue {
        switch type {
        case .any: return .lua(value)
        case .optional(let inner): return value.isNil ? .lua(.nil) : try checked(value, as: inner, at: place)
        case .list(let element): return try list(value, of: element, as: type, at: place)
        case .fields(let fields):
            guard case .table(let table) = value else { throw wrong(value, type, at: place) }
            return .fields(try named(fields, table, at: place))
        case .json: return .json(try json(value, at: place, depth: 0))
        case .reference(let reference): return .key(try key(value, reference, at: place))
        default: break
        }
        guard let plain = try plain(value, as: type, at: place) else { throw wrong(value, type, at: place) }
        return plain
    }

    private func plain(_ value: LuaValue, as type: APIType, at place: String) throws -> APIValue? {
        switch (type, value) {
        case (.boolean, .boolean(let it)): .boolean(it)
        case (.integer(let range), _): value.integerValue.flatMap { range.contains($0) ? .integer($0) : nil }
        case (.number, _): value.numberValue.flatMap { $0.isFinite ? .number($0) : nil }
        case (.text(let maximum), .string(let it)):
            it.utf8.count <= maximum && !it.utf8.contains(0) ? .text(it) : nil
        case (.choice(let words), .string(let it)): words.contains(it) ? .text(it) : nil
        case (.event, .string(let it)): .text(try event(it, at: place))
        case (.function, .function(let it)), (.iterator, .function(let it)): .function(it)
        case (.date, _): try date(value, at: place).map(APIValue.date)
        case (.instant, _): try instant(value, at: place)
        case (.money, _): try money(value, at: place).map(APIValue.money)
        case (.percent, .value(let it)): it.percent.map(APIValue.percent)
        case (.period, .value(let it)): it.period.map(APIValue.period)
        case (.record, .table): .lua(value)
        default: nil
        }
    }

    private func event(_ name: String, at place: String) throws -> String {
        guard EventDeclaration.named(name) != nil else {
            throw fault("'\(place)': \(EventDeclaration.unknown(APIText.quotable(name)))")
        }
        return name
    }

    private func list(_ value: LuaValue, of element: APIType, as type: APIType, at place: String) throws -> APIValue {
        guard case .table(let table) = value else { throw wrong(value, type, at: place) }
        try setting.charge(table.entries.count * Self.bytesOfElement)
        let elements = table.array
        guard elements.count == table.entries.count else {
            throw fault("'\(place)' must be a list, got a table with named or missing elements")
        }
        return .list(
            try elements.enumerated().map { index, value in
                if index % 256 == 0 { try setting.charge(0) }
                return try checked(value, as: element, at: "\(place)[\(index + 1)]")
            })
    }

    // MARK: - Values of the desk

    private func date(_ value: LuaValue, at place: String) throws -> CivilDate? {
        switch value {
        case .value(let it): return it.date
        case .string(let text): return try parsed(text, at: place) { try CivilDate(parsing: $0) }
        default: return nil
        }
    }

    private func instant(_ value: LuaValue, at place: String) throws -> APIValue? {
        switch value {
        case .value(let it): return it.instant.map(APIValue.instant) ?? it.date.map(APIValue.date)
        case .string(let text):
            if text.utf8.count == 10 { return .date(try parsed(text, at: place) { try CivilDate(parsing: $0) }) }
            return .instant(try parsed(text, at: place) { try Instant(parsing: $0, in: setting.zone) })
        default: return nil
        }
    }

    private func money(_ value: LuaValue, at place: String) throws -> Money? {
        switch value {
        case .value(let it): return it.money
        case .string(let text):
            return try parsed(text, at: place) { try Money(parsing: $0, currency: setting.currency) }
        default: return nil
        }
    }

    private func parsed<T>(_ text: String, at place: String, _ parse: (String) throws -> T) throws -> T {
        guard text.utf8.count <= Self.longestParsed else {
            throw fault("'\(place)' is text of \(text.utf8.count) bytes: too long for what is expected")
        }
        do {
            return try parse(text)
        } catch {
            throw fault("'\(place)': \(APIText.safe(String(describing: error)))")
        }
    }

    // MARK: - What identifies a record

    private func key(_ value: LuaValue, _ reference: APIReference, at place: String) throws -> RecordKey {
        switch value {
        case .integer, .number:
            if reference.hasID, let id = value.integerValue, id > 0 { return .id(id) }
        case .string(let text):
            if reference.textKey != nil { return .text(try textKey(text, reference, at: place)) }
        case .table(let record):
            if reference.hasID, let id = record["id"].integerValue, id > 0 { return .id(id) }
            if let field = reference.textKey, case .string(let text) = record[field] {
                return .text(try textKey(text, reference, at: place))
            }
        default: break
        }
        throw wrong(value, .reference(reference), at: place)
    }

    private func textKey(_ text: String, _ reference: APIReference, at place: String) throws -> String {
        guard !text.isEmpty, text.utf8.count <= 1000, !text.utf8.contains(0) else {
            throw wrong(.string(text), .reference(reference), at: place)
        }
        if reference == .title { _ = try parsed(text, at: place) { try ISBN($0) } }
        return text
    }

    // MARK: - JSON

    /// No deeper than JSON text may be, so that it can be written and read back.
    private static let deepestJSON = 200

    private func json(_ value: LuaValue, at place: String, depth: Int) throws -> JSON {
        guard depth < ArgumentCheck.deepestJSON else { throw fault("'\(place)' is nested too deeply") }
        switch value {
        case .nil: return .null
        case .boolean(let it): return .bool(it)
        case .integer(let it): return .integer(it)
        case .number(let it):
            guard it.isFinite else { throw fault("'\(place)' must be a finite number, got \(got(value))") }
            return .number(it)
        case .string(let it): return .string(it)
        case .value(let it): return it.isNone ? .null : .string(it.standardText)
        case .table(let table): return try json(table, at: place, depth: depth)
        case .bytes, .function, .callback: throw wrong(value, .json, at: place)
        }
    }

    private func json(_ table: LuaTable, at place: String, depth: Int) throws -> JSON {
        try setting.charge(64 + table.entries.count * Self.bytesOfElement)
        let elements = table.array
        if elements.count == table.entries.count, !elements.isEmpty || table.isList {
            return .array(
                try elements.enumerated().map { try json($1, at: "\(place)[\($0 + 1)]", depth: depth + 1) })
        }
        var object = JSONObject()
        for entry in table.entries {
            let name: String
            switch entry.key {
            case .string(let it): name = it
            case .integer(let it): name = String(it)
            default: throw fault("'\(place)' has a key that is a \(entry.key.typeName), expected text")
            }
            object[name] = try json(entry.value, at: "\(place).\(APIText.quotable(name))", depth: depth + 1)
        }
        return .object(object)
    }

    // MARK: - Errors

    private func wrong(_ value: LuaValue, _ type: APIType, at place: String) -> LuaHostError {
        fault("'\(place)' must be \(type.expectation), got \(got(value))")
    }

    func fault(_ text: String, argument: String? = nil) -> LuaHostError {
        LuaHostError("\(function.fullName): \(text)", argument: argument)
    }

    private func got(_ value: LuaValue) -> String {
        switch value {
        case .nil: "nil"
        case .boolean(let it): "the boolean \(it)"
        case .integer(let it): "the integer \(it)"
        case .number(let it): "the number \(it)"
        // Of a long text no more is looked at than is shown.
        case .string(let it): it.utf8.prefix(1000).contains(0) ? "text with a NUL in it" : "\"\(APIText.quotable(it))\""
        case .bytes: "a string that is not UTF-8 text"
        case .table: "a table"
        case .function, .callback: "a function"
        case .value(let it): it.kindAndText
        }
    }

    private func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

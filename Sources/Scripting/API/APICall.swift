import Circulation
import Desk
import LuaRuntime

/// One call of an API function: its checked arguments, and the script that calls.
package struct APICall {
    let function: APIFunction
    package let arguments: APIArguments
    let script: ScriptContext

    /// Reads the desk: the script's transaction if there is one, else a snapshot.
    func read<Result>(_ body: (DeskSession) throws -> Result) throws -> Result { try script.read(body) }

    /// Changes the desk in the script's transaction, or in one of its own.
    func write<Result>(_ body: (DeskSession) throws -> Result) throws -> Result { try script.write(body) }

    /// Charges the script with memory of its host, and ends the work when the script is over; see `LuaState.charge`.
    func charge(_ bytes: Int) throws { try script.charge(bytes) }

    /// An error of the call, with the function's name in front.
    func fault(_ message: String) -> LuaHostError { LuaHostError("\(function.fullName): \(message)") }

    // MARK: - Results

    /// The record, or nil where nothing was found.
    func found<Entity>(_ entity: Entity?, _ record: APIRecord<Entity>) -> [LuaValue] {
        [entity.map(record.table) ?? .nil]
    }

    /// What a write gives: the value, or nil and the refusal.
    func answer<Value>(_ outcome: Outcome<Value>, _ table: (Value) throws -> LuaValue) rethrows -> [LuaValue] {
        switch outcome {
        case .done(let value): [try table(value)]
        case .refused(let refusal): [.nil, APIRecord<Refusal>.refusal.table(refusal)]
        }
    }

    // MARK: - Arguments of the desk

    func titleKey(_ name: String) throws -> TitleKey {
        try titleKey(of: try arguments.need(name))
    }

    func titleKey(of key: RecordKey) throws -> TitleKey {
        switch key {
        case .id(let id): .id(id)
        case .text(let text): .isbn(try ISBN(text))
        }
    }

    func patronKey(_ name: String) throws -> PatronKey {
        switch try arguments.need(name) as RecordKey {
        case .id(let id): .id(id)
        case .text(let username): .username(username)
        }
    }

    func id(_ name: String) throws -> Int64 {
        guard case .id(let id) = try arguments.need(name) as RecordKey else { throw fault("'\(name)' must be an id") }
        return id
    }

    func code(_ name: String) throws -> String {
        guard case .text(let code) = try arguments.need(name) as RecordKey else {
            throw fault("'\(name)' must be a code")
        }
        return code
    }

    /// The code of a reference that may be left out.
    func optionalCode(_ name: String) -> String? {
        if case .text(let code)? = arguments[name] as RecordKey? { code } else { nil }
    }

    /// The id of a patron named by an argument that may be left out.
    func patronID(_ name: String, in session: DeskSession) throws -> Int64? {
        guard arguments.has(name) else { return nil }
        switch try patronKey(name) {
        case .id(let id): return id
        // An unknown patron has nothing: an id that no record has.
        case .username: return try session.patrons.get(patronKey(name))?.id ?? 0
        }
    }

    /// A count within an Int; the declaration keeps it small.
    func number(_ name: String, standard: Int) -> Int {
        guard let count: Int64 = arguments[name] else { return standard }
        return Int(clamping: count)
    }

    /// The part of a list that is asked for; see ``APIParameter/part(_:of:)``.
    func part(_ standard: Int) -> ListPart {
        ListPart(limit: number("limit", standard: standard), offset: number("offset", standard: 0))
    }

    /// The first moment of a date, or the instant given.
    func start(_ name: String) -> Instant? {
        if let instant: Instant = arguments[name] { return instant }
        if let date: CivilDate = arguments[name] { return script.zone.startOfDay(date) }
        return nil
    }

    /// The first moment after a date, or the instant given: a date as the end of a span counts whole.
    func end(_ name: String) throws -> Instant? {
        if let instant: Instant = arguments[name] { return instant }
        if let date: CivilDate = arguments[name] { return script.zone.startOfDay(try date.adding(days: 1)) }
        return nil
    }
}

internal import CLuaGuard

/// What Lua asks of Swift: callbacks by number, value types, errors on their way out.
final class LuaHost {
    /// The state owns this object, and closes its machine, the only caller, before it goes.
    unowned(unsafe) var state: LuaState?
    var types: [Int32: LuaValueType] = [:]
    private var callbacks: [LuaCallback?] = []
    private var free: [Int] = []
    private var dropped: [Int64] = []
    /// Only the last one: a script that catches errors in a loop must not fill the host's memory.
    private var kept: (number: Int64, error: any Error)?
    private var lastError: Int64 = 0

    /// A host function is running.
    var isAsked: Bool { state.map { guard_host_serial($0.machine) != 0 } ?? false }

    func add(_ callback: @escaping LuaCallback) -> Int64 {
        if let place = free.popLast() {
            callbacks[place] = callback
            return Int64(place)
        }
        callbacks.append(callback)
        return Int64(callbacks.count - 1)
    }

    var hasDropped: Bool { !dropped.isEmpty }

    /// Lua's collector may run in the middle of anything, so what it drops waits for the next entry.
    func forgetDropped() {
        let list = dropped
        dropped = []
        for id in list {
            callbacks[Int(id)] = nil
            free.append(Int(id))
        }
    }

    func takeError(_ id: Int64) -> (any Error)? {
        guard let kept, kept.number == id else { return nil }
        self.kept = nil
        return kept.error
    }

    static let dropped: guard_dropped = { context, id in
        guard let context else { return }
        Unmanaged<LuaHost>.fromOpaque(context).takeUnretainedValue().dropped.append(id)
    }

    static let answer: guard_host = { context, _, event, id, count in
        guard let context else { return -1 }
        let host = Unmanaged<LuaHost>.fromOpaque(context).takeUnretainedValue()
        return host.answer(event: event, id: id, count: Int(count))
    }

    private func answer(event: Int32, id: Int64, count: Int) -> Int32 {
        guard let state else { return -1 }
        let base = guard_begin(state.machine)
        do {
            let results = try results(state, event: event, id: id, LuaArguments(state: state, count: count))
            for result in results { try state.writeCharged(result) }
            return Int32(results.count)
        } catch let error as LuaHostError {
            guard_rewind(state.machine, base)
            fail(state, error.message)
            return -1
        } catch {
            guard_rewind(state.machine, base)
            keep(state, error)
            return -2
        }
    }

    private func results(_ state: LuaState, event: Int32, id: Int64, _ arguments: LuaArguments) throws -> [LuaValue] {
        switch guard_event(rawValue: UInt32(bitPattern: event)) {
        case GUARD_EVENT_CALL:
            guard callbacks.indices.contains(Int(id)), let callback = callbacks[Int(id)] else {
                throw LuaHostError("this function is gone")
            }
            return try callback(arguments)
        case GUARD_EVENT_UNKNOWN_GLOBAL: return [.string(state.unknownGlobal(arguments[0].stringValue ?? "?"))]
        case GUARD_EVENT_UNKNOWN_FIELD:
            return [.string(state.unknownField(arguments[0].stringValue ?? "?", arguments[1].stringValue ?? "?"))]
        case GUARD_EVENT_UNKNOWN_MEMBER:
            return [.string(state.unknownMember(arguments[0].stringValue ?? "?", arguments[1].stringValue ?? "?"))]
        case GUARD_EVENT_PRINT:
            state.print(arguments.values.map(\.printed))
            return []
        case GUARD_EVENT_LINE:
            let goesOn = state.lineObserver?(LuaLine(arguments, returns: id == 1)) ?? false
            return goesOn ? [] : [true]
        case GUARD_EVENT_REQUIRE: return try sourceOfModule(state, arguments)
        default: return [try typeResult(event: event, id: id, arguments)]
        }
    }

    private func sourceOfModule(_ state: LuaState, _ arguments: LuaArguments) throws -> [LuaValue] {
        guard let require = state.require else { throw LuaHostError("'require' is not available here") }
        let (source, chunk) = try require(arguments[0].stringValue ?? "")
        return [.string(source), .string(chunk)]
    }

    private func typeResult(event: Int32, id: Int64, _ arguments: LuaArguments) throws -> LuaValue {
        let split = event == GUARD_EVENT_ARITHMETIC.code || event == GUARD_EVENT_COMPARE.code
        guard let type = types[Int32(truncatingIfNeeded: split ? id / 16 : id)] else {
            throw LuaHostError("a value of a type that is not registered")
        }
        switch guard_event(rawValue: UInt32(bitPattern: event)) {
        case GUARD_EVENT_ARITHMETIC:
            let symbol = LuaOperator(rawValue: Int(id % 16)) ?? .add
            return try type.arithmetic(symbol, arguments.value(at: 0), arguments.value(at: 1))
        case GUARD_EVENT_COMPARE:
            let comparison = LuaComparison(rawValue: Int(id % 16)) ?? .less
            return .boolean(try type.compare(comparison, arguments.value(at: 0), arguments.value(at: 1)))
        case GUARD_EVENT_TEXT:
            guard let value = arguments[0].smallValue else { throw LuaHostError("a \(type.name) was expected") }
            return .string(type.text(value))
        default:
            guard let value = arguments[0].smallValue else { throw LuaHostError("a \(type.name) was expected") }
            guard let name = arguments[1].stringValue else { throw LuaHostError("\(type.name) has no such field") }
            return try type.field(value, name)
        }
    }

    private func fail(_ state: LuaState, _ message: String) {
        var message = message
        message.withUTF8 { guard_fail(state.machine, $0.baseAddress, $0.count) }
    }

    private func keep(_ state: LuaState, _ error: any Error) {
        lastError += 1
        kept = (lastError, error)
        var message = "\(error)"
        message.withUTF8 { guard_fail_host(state.machine, lastError, $0.baseAddress, $0.count) }
    }
}

extension guard_event {
    var code: Int32 { Int32(bitPattern: rawValue) }
}

extension LuaValue {
    /// A value that Lua has already made text.
    var printed: String {
        switch self {
        case .string(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        default: description
        }
    }
}

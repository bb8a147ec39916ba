internal import CLuaGuard

extension LuaState {
    /// Writes a value on the tape towards Lua.
    func write(_ value: LuaValue) {
        switch value {
        case .nil: guard_put_nil(machine)
        case .boolean(let value): guard_put_boolean(machine, value)
        case .integer(let value): guard_put_integer(machine, value)
        case .number(let value): guard_put_number(machine, value)
        case .string(var value): value.withUTF8 { guard_put_string(machine, $0.baseAddress, $0.count) }
        case .bytes(let value): value.withUnsafeBufferPointer { guard_put_string(machine, $0.baseAddress, $0.count) }
        case .value(let value): guard_put_value(machine, value.type.rawValue, value.a, value.b)
        case .function(let function):
            // Number 0 is never given out: reading it is refused.
            guard_put_function(machine, function.belongs(to: self) ? function.reference : 0)
        case .callback(let callback): guard_put_callback(machine, host.add(callback), false)
        case .table(let table):
            startTable(table)
            for entry in table.entries {
                write(entry.key)
                write(entry.value)
            }
            guard_put_table_end(machine)
        }
    }

    /// Writes results of a host function, whose tape counts as its memory.
    func writeCharged(_ value: LuaValue) throws {
        guard case .table(let table) = value else { return write(value) }
        startTable(table)
        for entry in table.entries {
            write(entry.key)
            try writeCharged(entry.value)
        }
        guard_put_table_end(machine)
        try charge(0)
    }

    private func startTable(_ table: LuaTable) {
        let sequence = table.leadingSequenceCount
        guard_put_table_start(
            machine, table.isList && table.isEmpty ? LuaTable.emptyList : Int32(clamping: sequence),
            Int32(clamping: table.entries.count - sequence))
    }

    /// Reads the results of the last protected operation. Must come before the next one.
    ///
    /// - Parameter whileTimeIsLeft: stops, with less than all, when the call that runs is over.
    func decodeResults(whileTimeIsLeft: Bool = false) -> [LuaValue] {
        var count = 0
        guard let bytes = guard_results(machine, &count), count > 0 else { return [] }
        var reader = TapeReader(bytes: UnsafeRawBufferPointer(start: bytes, count: count), state: self)
        reader.asks = whileTimeIsLeft
        var values: [LuaValue] = []
        while reader.offset < count { values.append(reader.next()) }
        return values
    }
}

extension LuaTable {
    /// What stands on the tape in place of the number of elements where a table was made as a list.
    fileprivate static let emptyList: Int32 = -1

    /// How many entries at the beginning have the keys 1, 2, 3 ...
    fileprivate var leadingSequenceCount: Int {
        var count = 0
        for entry in entries {
            guard case .integer(let key) = entry.key, key == Int64(count) + 1 else { break }
            count += 1
        }
        return count
    }
}

extension LuaValue {
    /// A Lua string: text if it is valid UTF-8, else bytes.
    static func text(_ bytes: UnsafeRawBufferPointer) -> LuaValue {
        if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
        return .bytes(Array(bytes))
    }
}

/// Reads what the C side has encoded. The tape is ours, so damage is a programming error and ends as nil.
struct TapeReader {
    let bytes: UnsafeRawBufferPointer
    let state: LuaState
    var offset = 0
    /// Whether the end of the running call ends the reading.
    var asks = false
    private var taken = 0

    init(bytes: UnsafeRawBufferPointer, state: LuaState) {
        self.bytes = bytes
        self.state = state
    }

    mutating func next() -> LuaValue {
        let tag = bytes[offset]
        offset += 1
        switch tag {
        case UInt8(ascii: "t"): return .boolean(true)
        case UInt8(ascii: "f"): return .boolean(false)
        case UInt8(ascii: "i"): return .integer(take(Int64.self))
        case UInt8(ascii: "d"): return .number(take(Double.self))
        case UInt8(ascii: "s"):
            let count = Int(take(UInt64.self))
            defer { offset += count }
            return .text(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        case UInt8(ascii: "F"): return .function(LuaFunction(reference: take(Int64.self), state: state))
        case UInt8(ascii: "V"):
            let type = take(Int32.self)
            let a = take(Int64.self)
            return .value(LuaSmallValue(type: .init(rawValue: type), a: a, b: take(Int64.self)))
        case UInt8(ascii: "{"): return table()
        default: return .nil
        }
    }

    private mutating func table() -> LuaValue {
        let isList = take(Int32.self) == LuaTable.emptyList
        offset += 4
        var entries: [LuaTable.Entry] = []
        taken += 1
        if asks, taken % 64 == 0, isOver { return .nil }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "}") {
            let key = next()
            entries.append((key: key, value: next()))
            if asks, entries.count % 1_024 == 0, isOver { return .nil }
        }
        offset += 1
        return .table(LuaTable(entries: entries, isList: isList))
    }

    /// Passes over all that is left.
    private var isOver: Bool {
        mutating get {
            guard (try? state.charge(0)) == nil else { return false }
            offset = bytes.count
            return true
        }
    }

    private mutating func take<T: BitwiseCopyable>(_ type: T.Type) -> T {
        defer { offset += MemoryLayout<T>.size }
        return bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }
}

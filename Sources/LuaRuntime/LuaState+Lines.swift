internal import CLuaGuard

extension LuaState {
    /// Which paths to read when a line begins, by chunk and line: the name of a local variable or an upvalue, then
    /// fields.
    package typealias WatchedPaths = [String: [Int: [[String]]]]

    /// From now on calls `observer` before each line of the chunks that runs, and at each return from a function of
    /// theirs. It costs every call of this state something until the observer answers false, which ends the watch, or
    /// until ``stopWatching()``.
    package func watchLines(_ paths: WatchedPaths, _ observer: @escaping (LuaLine) -> Bool) throws(LuaError) {
        try setWatch(Self.table(of: paths))
        lineObserver = observer
    }

    /// No call pays for lines any more.
    package func stopWatching() throws(LuaError) {
        lineObserver = nil
        try setWatch(nil)
    }

    private func setWatch(_ table: LuaValue?) throws(LuaError) {
        prepareEntry()
        let base = guard_begin(machine)
        write(table ?? .nil)
        let status = guard_watch_lines(machine, table != nil, base)
        guard status == GUARD_OK.code else { throw currentError(status) }
    }

    private static func table(of paths: WatchedPaths) -> LuaValue {
        let chunks = paths.map { chunk, lines -> LuaTable.Entry in
            let entries = lines.map { line, paths -> LuaTable.Entry in
                let names = paths.map { LuaValue.table(LuaTable(array: $0.map(LuaValue.string))) }
                return (key: .integer(Int64(line)), value: .table(LuaTable(array: names)))
            }
            return (key: .string(chunk), value: .table(LuaTable(entries: entries)))
        }
        return .table(LuaTable(entries: chunks))
    }
}

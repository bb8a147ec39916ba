internal import CLuaGuard

extension LuaState {
    /// Makes a host function visible as `path`, for example `catalogue.get` or `days`; modules on the way are made, and
    /// are read-only to scripts. Without an environment, all environments of this state see it.
    package func define(
        _ path: String, in environment: LuaEnvironment? = nil, _ callback: @escaping LuaCallback
    ) throws(LuaError) {
        try define(path, value: .callback(callback), in: environment)
    }

    /// Makes a value visible as `path`. A table is read-only to scripts, all through.
    package func define(_ path: String, value: LuaValue, in environment: LuaEnvironment? = nil) throws(LuaError) {
        try define(path, in: environment) { write(value) }
    }

    /// Makes a function visible in all environments that makes a host value of its one argument and of nothing else: what
    /// it made of a text or a whole number it may give again without being asked.
    package func defineConstructor(_ path: String, _ callback: @escaping LuaCallback) throws(LuaError) {
        try define(path, in: nil) { guard_put_callback(machine, host.add(callback), true) }
    }

    private func define(_ path: String, in environment: LuaEnvironment?, write: () -> Void) throws(LuaError) {
        guard environment?.belongs(to: self) ?? true else { throw Self.foreign }
        prepareEntry()
        let base = guard_begin(machine)
        write()
        let status = guard_define(machine, environment?.reference ?? 0, path, base)
        guard status == GUARD_OK.code else { throw currentError(status) }
    }

    /// Makes every table that the function can reach (its upvalues, its environment, what they contain) read-only, so
    /// that nothing done by a later call lasts. Writing to one raises an error that begins with `stateful:`.
    package func freeze(_ function: LuaFunction) throws(LuaError) {
        guard function.belongs(to: self) else { throw Self.foreign }
        try freeze(reference: function.reference)
    }

    /// The same for all that the environment's globals can reach, and for the environment.
    package func freeze(_ environment: LuaEnvironment) throws(LuaError) {
        guard environment.belongs(to: self) else { throw Self.foreign }
        try freeze(reference: environment.reference)
    }

    private func freeze(reference: Int64) throws(LuaError) {
        prepareEntry()
        let status = guard_freeze(machine, reference)
        guard status == GUARD_OK.code else { throw currentError(status) }
    }

    /// Makes a value type known. Values of a type that is not registered cannot enter Lua.
    package func register(_ type: LuaValueType) throws(LuaError) {
        prepareEntry()
        guard (1...255).contains(type.id.rawValue) else {
            throw LuaError(code: .unavailable, message: "the number of a value type must be 1...255")
        }
        host.types[type.id.rawValue] = type
        let status = guard_register_type(machine, type.id.rawValue, type.name)
        guard status == GUARD_OK.code else { throw currentError(status) }
    }
}

internal import CLuaGuard

extension LuaState {
    /// The most bytes of source that are compiled at once.
    package var maximumSourceSize: Int { profile.maximumSourceSize }

    /// Compiles text; runs nothing. Bytecode, source above ``maximumSourceSize`` and the identifier `_ENV` are refused.
    ///
    /// - Parameter chunk: the name for errors, for example `policies/university.lua`.
    package func load(_ source: String, chunk: String, environment: LuaEnvironment) throws(LuaError) -> LuaFunction {
        try load(Array(source.utf8), chunk: chunk, environment: environment)
    }

    /// Compiles text of any bytes, as above.
    package func load(_ source: [UInt8], chunk: String, environment: LuaEnvironment) throws(LuaError) -> LuaFunction {
        guard environment.belongs(to: self) else { throw Self.foreign }
        prepareEntry()
        var reference: Int64 = 0
        let status = source.withUnsafeBufferPointer {
            guard_load(machine, $0.baseAddress, $0.count, chunk, environment.reference, &reference)
        }
        guard status == GUARD_OK.code else { throw currentError(status) }
        return LuaFunction(reference: reference, state: self)
    }

    /// Calls a function with copies of the arguments and returns copies of the results.
    ///
    /// Throws ``LuaError``, or the error that a host function threw if no Lua code caught it.
    @discardableResult
    package func call(
        _ function: LuaFunction, _ arguments: [LuaValue] = [], limits: LuaLimits? = nil
    ) throws -> [LuaValue] {
        guard function.belongs(to: self) else { throw Self.foreign }
        prepareEntry()
        let base = guard_begin(machine)
        for argument in arguments { write(argument) }
        let memory = applyMemory(limits)
        var limits = limits?.native ?? native
        let status = guard_call(machine, function.reference, Int32(arguments.count), base, &limits)
        restoreMemory(memory)
        guard status == GUARD_OK.code else { throw thrownError(status) }
        return decodeResults()
    }

    /// A fresh set of globals over the base.
    package func makeEnvironment() throws(LuaError) -> LuaEnvironment {
        prepareEntry()
        var reference: Int64 = 0
        let status = guard_environment(machine, &reference)
        guard status == GUARD_OK.code else { throw currentError(status) }
        return LuaEnvironment(reference: reference, state: self)
    }

    /// A call's own memory limit holds while it runs, never above the one around it. Answers what to put back.
    func applyMemory(_ own: LuaLimits?) -> Int? {
        guard let memory = own?.memory, memory != currentMemoryLimit else { return nil }
        let before = currentMemoryLimit
        if before != 0, memory > before, host.isAsked { return nil }
        currentMemoryLimit = memory
        guard_set_memory_limit(machine, Int64(memory))
        return before
    }

    func restoreMemory(_ before: Int?) {
        guard let before else { return }
        currentMemoryLimit = before
        guard_set_memory_limit(machine, Int64(before))
    }

    func source(of function: LuaFunction) -> (chunk: String, line: Int)? {
        var chunk: UnsafePointer<CChar>?
        var line: Int32 = 0
        guard guard_function_source(machine, function.reference, &chunk, &line) == GUARD_OK.code, let chunk else {
            return nil
        }
        return (String(cString: chunk), Int(line))
    }
}

extension LuaLimits {
    var native: guard_limits {
        guard_limits(deadline: deadline?.nanoseconds ?? 0, instructions: instructions ?? 0)
    }
}

extension Duration {
    /// Saturates: a duration beyond 292 years is as good as that.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds > 0 ? .max : .min }
        return product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}

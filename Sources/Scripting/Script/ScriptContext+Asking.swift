import LuaRuntime

extension ScriptContext {
    /// In seconds: where a database works in this process, the processor's time ends the script first.
    private static let respite = 0.1

    /// Has SQL answered within what is left of the script's own limits: a database may wait where no processor counts it.
    func asking<Answer>(
        _ ask: (_ seconds: Double, _ memory: Int, _ goesOn: @escaping () -> Bool) throws -> Answer
    ) throws -> Answer {
        let limits = machine?.state.limits ?? .none
        let granted = limits.deadline.map { $0.inSeconds } ?? .infinity
        let began = ContinuousClock.now
        defer { secondsAsked += (ContinuousClock.now - began).inSeconds }
        guard secondsAsked < granted else { throw LuaHostError("stats.query: the script's time is over") }
        // An answer stands in memory twice, and as Lua's values.
        let memory = limits.memory.map { $0 / 4 } ?? .max
        do {
            let left = granted - secondsAsked + Self.respite
            let answer = try ask(left, memory) { [self] in (try? charge(0)) != nil }
            try charge(0)
            return answer
        } catch {
            try charge(0)
            throw error
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
